package aging

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/heap"
)

// drain plays a virtual system to which no job is added: Age, Finish and Order read their answers
// off it.
//
// The water level never falls, since a finished job only frees capacity. So a job that has met its
// cap stays there. Until then it drains with the water clock (d water / d clock = level), on which
// it ends at Work/Weight; from then on it drains at Slots in real time. Two sorted lists and a heap
// of the finish times of the jobs at their caps give O(n log n) for the whole run.
//
// The sums of weights and slots are exact, and clocks and finish times carry 106 bits. Only the
// level is rounded to a float64.
type drain struct {
	jobs         []Job
	capacity     float64
	clock, water dd.T
	level        float64
	highest      float64   // greatest ratio of a job that has met its cap
	weight       exact.Sum // of the jobs below their caps
	slots        exact.Sum // of the jobs at their caps
	open         int       // number of jobs below their caps
	state        []drainState

	byTag []heap.Entry // all jobs by Work/Weight; those before tagAt are at their caps or done
	// byRatio: jobs with a cap by Slots/Weight; those before ratioAt are at their caps or done
	byRatio []heap.Entry
	capped  heap.Heap // jobs at their caps, by finish
	finish  []dd.T    // of each job at its cap, on the clock

	tagAt, ratioAt int
}

type drainState uint8

const (
	drainDone drainState = iota
	drainOpen
	drainCapped
)

func newDrain(capacity float64, jobs []Job) *drain {
	d := &drain{jobs: jobs, capacity: capacity, state: make([]drainState, len(jobs)), byTag: make([]heap.Entry, 0, len(jobs))}
	for i := range jobs {
		j := &jobs[i]
		if j.Work == 0 {
			continue
		}
		w, s := j.weight(), j.slots()
		d.state[i] = drainOpen
		d.open++
		d.weight.Add(w)
		d.byTag = append(d.byTag, heap.Entry{Key: j.Work / w, ID: int32(i)})
		if s < math.Inf(1) {
			d.byRatio = append(d.byRatio, heap.Entry{Key: s / w, ID: int32(i)})
		}
	}
	sortEntries(d.byTag)
	sortEntries(d.byRatio)
	if len(d.byRatio) > 0 {
		d.finish = make([]dd.T, len(jobs))
	}
	d.settle()
	return d
}

// sortEntries sorts entries by key, ties by id. Cost O(n log n).
func sortEntries(entries []heap.Entry) {
	slices.SortFunc(entries, func(a, b heap.Entry) int {
		switch {
		case a.Key < b.Key:
			return -1
		case a.Key > b.Key:
			return 1
		}
		return cmp.Compare(a.ID, b.ID)
	})
}

// Before orders jobs at their caps whose finishes have equal upper halves.
func (d *drain) Before(a, b int32) bool {
	if d.finish[a].Lo != d.finish[b].Lo {
		return d.finish[a].Lo < d.finish[b].Lo
	}
	return a < b
}

// settle finds the water level and moves the jobs whose ratios it has reached to their caps. The
// level is at least the ratio of every job at its cap, also where rounding of what the caps leave
// of the capacity would put it below, as it can for open jobs of little weight.
func (d *drain) settle() {
	for met := true; met; {
		if d.open == 0 {
			d.level = math.Inf(1)
			return
		}
		d.level = levelOf(d.capacity, &d.slots, &d.weight)
		met = false
		for ; d.ratioAt < len(d.byRatio); d.ratioAt++ {
			e := d.byRatio[d.ratioAt]
			if d.state[e.ID] != drainOpen {
				continue
			}
			if !(e.Key <= d.level) {
				break
			}
			d.meetCap(e.ID)
			d.highest, met = e.Key, true
		}
	}
	d.level = max(d.level, d.highest)
}

// meetCap moves an open job to its cap, where it drains by the clock.
func (d *drain) meetCap(i int32) {
	j := &d.jobs[i]
	d.weight.Sub(j.weight())
	d.slots.Add(j.Slots)
	d.open--
	d.state[i] = drainCapped
	left := d.water.Mul(-j.weight()).AddFloat(j.Work)
	d.finish[i] = d.clock.Add(left.Div(j.Slots))
	d.capped.Push(heap.Entry{Key: d.finish[i].Hi, ID: i}, nil, d)
}

// next returns the job that finishes next and in what time; ok is false when no job ever does.
func (d *drain) next() (i int32, in dd.T, ok bool) {
	if d.open > 0 && d.level > 0 {
		for d.state[d.byTag[d.tagAt].ID] != drainOpen {
			d.tagAt++
		}
		e := d.byTag[d.tagAt]
		i, in, ok = e.ID, notNegative(d.water.Neg().AddFloat(e.Key).Div(d.level)), true
	}
	if d.capped.Len() > 0 {
		k := d.capped.ID(0)
		t := notNegative(d.finish[k].Sub(d.clock))
		if c := t.Cmp(in); !ok || c < 0 || c == 0 && k < i {
			i, in, ok = k, t, true
		}
	}
	return i, in, ok
}

// notNegative returns the time to the next event, or 0 if rounding has taken a clock past the event
// by its last bit.
func notNegative(in dd.T) dd.T {
	if in.Hi < 0 {
		return dd.T{}
	}
	return in
}

// end lets time pass until job i, which next has named, finishes.
func (d *drain) end(i int32, in dd.T) {
	j := &d.jobs[i]
	if d.state[i] == drainOpen {
		d.water = dd.Of(d.byTag[d.tagAt].Key)
		d.clock = d.clock.Add(in)
		d.weight.Sub(j.weight())
		d.open--
	} else {
		if d.open > 0 {
			d.water = d.water.Add(in.Mul(d.level))
		}
		d.clock = d.finish[i]
		d.capped.Pop(nil, d)
		d.slots.Sub(j.Slots)
	}
	d.state[i] = drainDone
	d.settle()
}

// pass lets time pass in which no job finishes.
func (d *drain) pass(elapsed dd.T) {
	if d.open > 0 {
		d.water = d.water.Add(elapsed.Mul(d.level))
	}
	d.clock = d.clock.Add(elapsed)
}

// left returns the work that job i has left, 0 if it is less than 2^-200.
func (d *drain) left(i int) float64 {
	j := &d.jobs[i]
	var left float64
	switch d.state[i] {
	case drainOpen:
		left = dd.Of(j.Work).Sub(d.water.Mul(j.weight())).Float()
	case drainCapped:
		left = d.finish[i].Sub(d.clock).Mul(j.Slots).Float()
	}
	if left < least {
		return 0
	}
	return left
}
