package starts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schedmath/schedmath/backfill"
)

// reservation is one of scontrol show reservation.
type reservation struct {
	from, to float64
	nodes    []string
}

// reserve takes a line of scontrol show reservation, whose first one of each begins with its name. It
// says whether it was one.
func (c *cluster) reserve(line string, zone *time.Location) bool {
	if strings.HasPrefix(line, "ReservationName=") {
		c.reservations = append(c.reservations, reservation{from: math.NaN(), to: math.NaN()})
	}
	if len(c.reservations) == 0 || !strings.Contains(line, "=") {
		return strings.HasPrefix(line, "No reservations")
	}
	r := &c.reservations[len(c.reservations)-1]
	for _, field := range strings.Fields(line) {
		switch name, value, _ := strings.Cut(field, "="); name {
		case "StartTime":
			r.from = date(value, zone)
		case "EndTime":
			r.to = date(value, zone)
		case "Nodes":
			r.nodes = expand(value)
		}
	}
	return true
}

// expand lists the nodes of a list such as n[1-3,05],m7.
func expand(list string) (names []string) {
	for list != "" {
		end := strings.IndexByte(list, ',')
		if open := strings.IndexByte(list, '['); open >= 0 && (end < 0 || open < end) {
			end = strings.IndexByte(list, ']') + 1
			if end <= open {
				return names
			}
			for part := range strings.SplitSeq(list[open+1:end-1], ",") {
				first, last, several := strings.Cut(part, "-")
				if !several {
					last = first
				}
				a, err := strconv.Atoi(first)
				b, bad := strconv.Atoi(last)
				for i := a; err == nil && bad == nil && i <= b && i-a < 1<<16; i++ {
					names = append(names, fmt.Sprintf("%s%0*d", list[:open], len(first), i))
				}
			}
		} else {
			if end < 0 {
				end = len(list)
			}
			names = append(names, list[:end])
		}
		list = strings.TrimPrefix(list[end:], ",")
	}
	return names
}

// windows are the reservations as what they take of each resource from all jobs: which jobs may use one
// squeue does not say.
func (p *plan) windows() (list []backfill.Window) {
	for _, x := range p.reservations {
		w := backfill.Window{Need: make([]int64, len(p.resources)), From: x.from, To: x.to}
		for _, name := range x.nodes {
			n := p.nodes[name]
			if n == nil || !slices.Contains(usable, n.state) {
				continue
			}
			for i, r := range p.resources {
				if r.nodes == nil {
					w.Need[i] += n.gpus
				} else if r.nodes[n] {
					w.Need[i] += n.cpus
				}
			}
		}
		if w.From < w.To {
			list = append(list, w)
		}
	}
	return list
}
