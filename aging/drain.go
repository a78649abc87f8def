package aging

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/heap"
)

// drain plays a virtual system to which nobody is added: Age, Finish and Order read their answers off it.
//
// The water level never falls, since a finished job only frees capacity; so a job that has met its cap stays there. Until
// then it drains with the water clock (d water / d clock = level), on which it ends at Work/Weight; from then on at Slots in
// real time. Two sorted lists and a queue of the capped jobs' finishing times give O(n log n) for the whole run.
//
// The sums of weights and slots are exact; clocks, finishes and the products that compare them carry 106 bits. Only the level
// is rounded to a float64, which costs no more than that part of the water that rises by it.
type drain struct {
	jobs []Job

	clock, water dd.T
	level        float64
	weight       exact.Wide // of the jobs below their caps
	free         exact.Wide // capacity that the jobs at their caps leave, while there are others
	open         int        // number of jobs below their caps

	byTag   []heap.Entry // all jobs by (Work/Weight, index); those before tagAt are dealt with
	byRatio []heap.Entry // jobs with a cap by (Slots/Weight, index), likewise
	capped  capQueue     // jobs at their caps
	atCaps  []heap.Entry // once no other jobs are left: those in capped by (finish, index), likewise
	state   []drainState

	tagAt, ratioAt, capsAt int

	ahead Job  // the job of byRatio[ratioAt], fetched from memory an event before it is used
	rise  dd.T // of the water until the job at its cap that next has named ends
}

type drainState uint8

const (
	drainDone drainState = iota
	drainOpen
	drainCapped
)

func newDrain(capacity float64, jobs []Job) *drain {
	d := &drain{jobs: jobs, state: make([]drainState, len(jobs)), byTag: make([]heap.Entry, 0, len(jobs))}
	if capacity > 0 {
		d.free.Add(capacity)
	}
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
			if d.byRatio == nil {
				d.byRatio = make([]heap.Entry, 0, len(jobs)-i)
			}
			d.byRatio = append(d.byRatio, heap.Entry{Key: s / w, ID: int32(i)})
		}
	}
	var scratch []heap.Entry
	d.byTag, scratch = sortWith(d.byTag, nil)
	if len(d.byRatio) > 0 {
		d.byRatio, _ = sortWith(d.byRatio, scratch)
		d.ahead = jobs[d.byRatio[0].ID]
		d.capped.finish, d.capped.after = make([]dd.T, len(jobs)), make([]int32, len(jobs))
	}
	d.settle()
	return d
}

// settle finds the water level and moves the jobs that it has reached to their caps.
func (d *drain) settle() {
	for met := true; met; {
		if d.open == 0 {
			d.level = math.Inf(1)
			return
		}
		d.level = d.free.Float() / d.weight.Float()
		met = false
		for ; d.ratioAt < len(d.byRatio); d.ratioAt++ {
			e, j := d.byRatio[d.ratioAt], d.ahead
			if d.state[e.ID] == drainOpen {
				if !(e.Key <= d.level) {
					break
				}
				d.meetCap(e.ID, j)
				met = true
			}
			if d.ratioAt+1 < len(d.byRatio) {
				d.ahead = d.jobs[d.byRatio[d.ratioAt+1].ID]
			}
		}
	}
}

// meetCap moves an open job to its cap, where it drains by the clock.
func (d *drain) meetCap(i int32, j Job) {
	w, s := j.weight(), j.Slots
	d.weight.Sub(w)
	d.free.Sub(s)
	d.open--
	d.state[i] = drainCapped
	left := d.water.Mul(-w).AddFloat(j.Work)
	d.capped.push(i, d.clock.Add(left.Div(s)))
}

// next returns the job that finishes next and in what time; ok is false when nobody ever does.
func (d *drain) next() (i int32, in dd.T, ok bool) {
	if d.open == 0 {
		return d.nextAtCap()
	}
	for d.tagAt < len(d.byTag) && d.state[d.byTag[d.tagAt].ID] != drainOpen {
		d.tagAt++
	}
	open := d.tagAt < len(d.byTag) && d.level > 0
	var e heap.Entry
	var rise dd.T // of the water until the first open job ends
	if open {
		e = d.byTag[d.tagAt]
		rise = d.water.Neg().AddFloat(e.Key)
	}
	if i, ok = d.capped.first(); ok {
		in = notNegative(d.capped.finish[i].Sub(d.clock))
		d.rise = in.Mul(d.level)
		if c := d.rise.Cmp(rise); !open || c < 0 || c == 0 && i < e.ID {
			return i, in, true
		}
	}
	if !open {
		return 0, dd.T{}, false
	}
	return e.ID, notNegative(rise.Div(d.level)), true
}

// nextAtCap is next when every job left is at its cap. As none comes to them, they need no queue but one sort.
func (d *drain) nextAtCap() (i int32, in dd.T, ok bool) {
	if d.atCaps == nil {
		d.sortAtCaps()
	}
	if d.capsAt == len(d.atCaps) {
		return 0, dd.T{}, false
	}
	i = d.atCaps[d.capsAt].ID
	return i, notNegative(d.capped.finish[i].Sub(d.clock)), true
}

// notNegative takes the rounding of a level that has just changed out of the time to the next event.
func notNegative(in dd.T) dd.T {
	if in.Hi < 0 {
		return dd.T{}
	}
	return in
}

// sortAtCaps makes atCaps in the memory of the other lists, which are used up.
func (d *drain) sortAtCaps() {
	left := d.byRatio[:0]
	for i, s := range d.state {
		if s == drainCapped {
			left = append(left, heap.Entry{Key: d.capped.finish[i].Hi, ID: int32(i)})
		}
	}
	left, d.byTag = sortWith(left, d.byTag)
	for i := 0; i < len(left); { // equal upper halves
		n := i + 1
		for n < len(left) && left[n].Key == left[i].Key {
			n++
		}
		if n > i+1 {
			slices.SortFunc(left[i:n], func(a, b heap.Entry) int {
				return cmp.Or(cmp.Compare(d.capped.finish[a.ID].Lo, d.capped.finish[b.ID].Lo), cmp.Compare(a.ID, b.ID))
			})
		}
		i = n
	}
	d.atCaps = left
}

// end lets time pass until job i, which next named, finishes.
func (d *drain) end(i int32, in dd.T) {
	if d.state[i] == drainOpen {
		d.water = dd.Of(d.byTag[d.tagAt].Key)
		d.clock = d.clock.Add(in)
		d.weight.Sub(d.jobs[i].weight())
		d.open--
	} else {
		d.clock = d.capped.finish[i]
		if d.open == 0 {
			d.capsAt++
		} else {
			d.capped.pop()
			d.water = d.water.Add(d.rise)
			d.free.Add(d.jobs[i].Slots)
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
		return max(0, d.capped.finish[i].Sub(d.clock).Mul(j.slots()).Float())
	}
	return 0
}
