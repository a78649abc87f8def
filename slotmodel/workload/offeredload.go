package workload

import (
	"math"
	"strconv"

	"github.com/schedmath/schedmath/slotmodel"
)

// OfferedLoad returns the work of all maps over what mapSlots slots of speed 1, at least one, do
// until the last Arrival, and the same for reduces: above 1 a queue is left when the last job
// comes. Transfers are no work, and After delays no job. No jobs offer no load. Jobs that all
// arrive at 0 are an error.
func OfferedLoad(mapSlots, reduceSlots int, jobs []slotmodel.JobSpec) (maps, reduces float64, err error) {
	g := guard{fn: "OfferedLoad"}
	if mapSlots < 1 {
		g.arg("mapSlots", strconv.Itoa(mapSlots)+", want at least 1")
	}
	if reduceSlots < 1 {
		g.arg("reduceSlots", strconv.Itoa(reduceSlots)+", want at least 1")
	}
	last := 0.0
	for i := range jobs {
		j := &jobs[i]
		if reason := notAmount(j.Arrival); reason != "" {
			g.elem("jobs", i, "Arrival is "+reason)
		}
		last = max(last, j.Arrival)
		maps += g.work(i, "Maps", &j.Maps)
		reduces += g.work(i, "Reduces", &j.Reduces)
		if g.err != nil {
			return 0, 0, g.err
		}
	}
	switch {
	case len(jobs) == 0:
		return 0, 0, g.err
	case last == 0:
		g.arg("jobs", "the last Arrival is 0, want a time to spread the load over")
	}
	maps, reduces = maps/last/float64(mapSlots), reduces/last/float64(reduceSlots)
	if !(maps <= math.MaxFloat64 && reduces <= math.MaxFloat64) {
		g.arg("jobs", "the load is beyond float64")
	}
	if g.err != nil {
		return 0, 0, g.err
	}
	return maps, reduces, nil
}

// work is the work of a phase of job i.
func (g *guard) work(i int, name string, p *slotmodel.Phase) float64 {
	switch {
	case p.Tasks < 0:
		g.elem("jobs", i, name+".Tasks is "+strconv.Itoa(p.Tasks)+", want >= 0")
	case p.Works == nil:
		if reason := notAmount(p.Work); reason != "" {
			g.elem("jobs", i, name+".Work is "+reason)
		}
		return float64(float64(p.Tasks) * p.Work)
	case len(p.Works) != p.Tasks:
		g.elem("jobs", i, name+".Works has "+strconv.Itoa(len(p.Works))+" elements, want "+strconv.Itoa(p.Tasks))
	}
	sum := 0.0
	for k, x := range p.Works {
		if reason := notAmount(x); reason != "" {
			g.elem("jobs", i, name+".Works["+strconv.Itoa(k)+"] is "+reason)
		}
		sum += x
	}
	return sum
}
