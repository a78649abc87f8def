package aging

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/heap"
)

// drain plays a virtual system to which nobody is added: Age, Finish and Order read their answers off it.
//
// The water level never falls, since a finished job only frees capacity; so a job that has met its cap stays there. Until
// then it drains with the water clock (d water / d clock = level), on which it ends at Work/Weight; from then on at Slots in
// real time. Two sorted lists and a heap of the capped jobs' finishing times give O(n log n) for the whole run.
type drain struct {
	jobs     []Job
	capacity float64

	clock, water dd.T
	level        float64
	weight       exact.Sum // of the jobs below their caps
	slots        exact.Sum // of the jobs at their caps
	open         int       // number of jobs below their caps

	byTag   []heap.Entry // all jobs by (Work/Weight, index); those before tagAt are dealt with
	byRatio []heap.Entry // jobs with a cap by (Slots/Weight, index), likewise
	atOnce  []heap.Entry // jobs at their caps from the beginning by (finish, index), likewise
	capped  heap.Heap    // jobs at their caps since later, by finish
	state   []drainState
	finish  []dd.T // of the capped jobs, on the clock
	pos     []int32

	tagAt, ratioAt, onceAt int
	running                bool // from now on jobs that meet their caps go into capped
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
	d.byTag = sortByKey(d.byTag)
	if len(d.byRatio) > 0 {
		d.byRatio = sortByKey(d.byRatio)
		d.finish = make([]dd.T, len(jobs))
		d.pos = make([]int32, len(jobs))
	}
	d.settle()
	for i := range d.state {
		if d.state[i] == drainCapped {
			d.atOnce = append(d.atOnce, heap.Entry{Key: d.finish[i].Hi, ID: int32(i)})
		}
	}
	d.atOnce = sortByKey(d.atOnce)
	d.running = true
	return d
}

// Before breaks the ties of the capped jobs' finishing times, whose upper halves are equal.
func (d *drain) Before(a, b int32) bool {
	return cmp.Or(cmp.Compare(d.finish[a].Lo, d.finish[b].Lo), cmp.Compare(a, b)) < 0
}

// settle finds the water level and moves the jobs that it has reached to their caps.
func (d *drain) settle() {
	for met := true; met; {
		met = false
		d.level = math.Inf(1)
		if d.open > 0 {
			d.level = dd.Of(d.capacity).Sub(d.slots.Value()).Float() / d.weight.Value().Float()
		}
		for ; d.ratioAt < len(d.byRatio); d.ratioAt++ {
			e := d.byRatio[d.ratioAt]
			if d.state[e.ID] != drainOpen {
				continue
			}
			if !(e.Key <= d.level) {
				break
			}
			d.meetCap(e.ID)
			met = true
		}
	}
}

// meetCap moves an open job to its cap, where it drains by the clock.
func (d *drain) meetCap(i int32) {
	j := &d.jobs[i]
	d.weight.Sub(j.weight())
	d.slots.Add(j.slots())
	d.open--
	d.state[i] = drainCapped
	left := dd.Of(j.Work).Sub(d.water.Mul(j.weight()))
	d.finish[i] = d.clock.Add(left.Div(j.slots()))
	if d.running {
		d.capped.Push(heap.Entry{Key: d.finish[i].Hi, ID: i}, d.pos, d)
	}
}

// next returns the job that finishes next and in what time; ok is false when nobody ever does.
func (d *drain) next() (i int32, in dd.T, ok bool) {
	for d.tagAt < len(d.byTag) && d.state[d.byTag[d.tagAt].ID] != drainOpen {
		d.tagAt++
	}
	if d.tagAt < len(d.byTag) && d.level > 0 {
		e := d.byTag[d.tagAt]
		i, ok = e.ID, true
		in = dd.Of(e.Key).Sub(d.water).Div(d.level)
	}
	sooner := func(e heap.Entry) {
		t := d.finish[e.ID].Sub(d.clock)
		if c := t.Cmp(in); !ok || c < 0 || c == 0 && e.ID < i {
			i, in, ok = e.ID, t, true
		}
	}
	if d.onceAt < len(d.atOnce) {
		sooner(d.atOnce[d.onceAt])
	}
	if len(d.capped) > 0 {
		sooner(d.capped[0])
	}
	if in.Hi < 0 { // the rounding of a level that has just changed
		in = dd.T{}
	}
	return i, in, ok
}

// end lets time pass until job i, which next named, finishes.
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
		d.slots.Sub(j.slots())
		if d.onceAt < len(d.atOnce) && d.atOnce[d.onceAt].ID == i {
			d.onceAt++
		} else {
			d.capped.Remove(0, d.pos, d)
		}
	}
	d.state[i] = drainDone
	d.settle()
}

// pass lets time pass in which nobody finishes.
func (d *drain) pass(elapsed dd.T) {
	if d.open > 0 {
		d.water = d.water.Add(elapsed.Mul(d.level))
	}
	d.clock = d.clock.Add(elapsed)
}

// left returns the work that job i still has to do.
func (d *drain) left(i int) float64 {
	j := &d.jobs[i]
	switch d.state[i] {
	case drainOpen:
		return max(0, dd.Of(j.Work).Sub(d.water.Mul(j.weight())).Float())
	case drainCapped:
		return max(0, d.finish[i].Sub(d.clock).Mul(j.slots()).Float())
	}
	return 0
}
