package starts

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/slurm"
)

// reservation is one of scontrol show reservation.
type reservation struct {
	name     string
	from, to float64
	nodes    []string
	owners   []string // users and accounts, whose jobs run in it
}

// reserve takes a line of scontrol show reservation, whose first one of each begins with its name. It
// says whether it was one.
func (c *cluster) reserve(line string) bool {
	if strings.HasPrefix(line, "ReservationName=") {
		c.reservations = append(c.reservations, reservation{from: math.NaN(), to: math.NaN()})
	}
	if len(c.reservations) == 0 || !strings.Contains(line, "=") {
		return strings.HasPrefix(line, "No reservations")
	}
	r := &c.reservations[len(c.reservations)-1]
	for _, field := range strings.Fields(line) {
		switch name, value, _ := strings.Cut(field, "="); name {
		case "ReservationName":
			r.name = value
		case "StartTime":
			r.from = slurm.Date(value, c.zone)
		case "EndTime":
			r.to = slurm.Date(value, c.zone)
		case "Nodes":
			r.nodes = slurm.Hosts(value)
		case "Users", "Accounts":
			for owner := range strings.SplitSeq(value, ",") {
				if owner != "" && owner != "(null)" { // what squeue says of a job without an account as well
					r.owners = append(r.owners, owner)
				}
			}
		}
	}
	return true
}

// nodesOf are the nodes of a reservation that sinfo has, and nil for others.
func (c *cluster) nodesOf(x *reservation) map[*node]bool {
	set := map[*node]bool{}
	for _, name := range x.nodes {
		set[c.named[name]] = true
	}
	return set
}

// windows are the reservations as what they take of each resource from all jobs: which jobs may use one
// squeue does not say. Their names are beside them.
func (p *plan) windows() (list []backfill.Window, names []string) {
	for i := range p.reservations {
		x := &p.reservations[i]
		if !(x.from < x.to) {
			continue
		}
		w, set := backfill.Window{From: x.from, To: x.to}, p.nodesOf(x)
		for _, r := range p.resources {
			w.Need = append(w.Need, r.sum(func(n *node) bool { return set[n] && slices.Contains(usable, n.state) }))
		}
		list, names = append(list, w), append(names, x.name)
	}
	return list, names
}

// atRisk has a line for each reservation to come that, wherever jobs run, lacks CPUs or GPUs as it
// begins if those that run last up to their limits.
func (p *plan) atRisk(clock func(float64) string) string {
	var text strings.Builder
	free, _ := backfill.New(p.capacity(), p.now) // all is in range
	for _, h := range p.held {
		free.Take(h.Need, p.now, max(p.now, h.End))
	}
	list, names := p.windows()
	for i, w := range list {
		until, _ := free.Earliest(w.Need, w.From, 0) // what runs only comes free
		if w.From <= p.now || until <= w.From {
			continue
		}
		var holders []*job
		there := free.Free(nil, w.From)
		for k, h := range p.held {
			for r, n := range h.Need {
				if n > 0 && h.End > w.From && there[r] < w.Need[r] {
					holders = append(holders, p.running[k])
					break
				}
			}
		}
		fmt.Fprintf(&text, "reservation %s from %s is at risk until %s, by %s\n", names[i], clock(w.From), clock(min(until, w.To)), few(holders))
	}
	return text.String()
}

// shut takes off what runs that which runs on nodes where nothing new starts: those that drain, and
// those of reservations that have begun. It frees nothing for who waits, as what runs in a reservation
// ends before that does. squeue does not say where jobs run, but the other nodes hold no more than they
// have, and these at least what is allocated whole: jobs of the reservations' owners, or else the oldest.
func (p *plan) shut() {
	set, owners := map[*node]bool{}, []string{}
	for _, n := range p.nodes {
		set[n] = n.state == "drng" || n.state == "draining"
	}
	for i := range p.reservations {
		if x := &p.reservations[i]; x.from <= p.now && p.now < x.to {
			owners = append(owners, x.owners...)
			maps.Copy(set, p.nodesOf(x))
		}
	}
	others := func(i int) int {
		if slices.Contains(owners, p.running[i].user) || slices.Contains(owners, p.running[i].account) {
			return 0
		}
		return 1
	}
	order := make([]int, len(p.running))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(others(a)-others(b), cmp.Compare(p.running[a].start, p.running[b].start))
	})
	for k, r := range p.resources {
		rest := -r.sum(func(n *node) bool { return !set[n] && n.state != "idle" && slices.Contains(usable, n.state) })
		for _, h := range p.held {
			rest += h.Need[k]
		}
		rest = max(rest, r.sum(func(n *node) bool { return set[n] && strings.HasPrefix(n.state, "alloc") }))
		rest = min(rest, r.sum(func(n *node) bool { return set[n] && n.state != "idle" }))
		for _, i := range order {
			taken := min(max(0, rest), p.held[i].Need[k])
			p.held[i].Need[k] -= taken
			rest -= taken
		}
	}
}
