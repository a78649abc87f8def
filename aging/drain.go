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
	highest      float64    // the greatest ratio of a job that has met its cap
	weight       exact.Wide // of the jobs below their caps
	free         exact.Wide // capacity that the jobs at their caps leave, while there are others
	open         int        // number of jobs below their caps

	byTag   []heap.Entry // all jobs by (Work/Weight, index); those before tagAt are dealt with
	byRatio []heap.Entry // jobs with a cap by (Slots/Weight, index), likewise
	capped  capQueue     // jobs at their caps
	atCaps  []heap.Entry // once no other jobs are left: the numbers in capped of those by (finish, index), likewise
	state   []drainState

	tagAt, ratioAt, capsAt int

	rise   dd.T  // of the water until the job at its cap that next has named ends
	number int32 // of that job in capped

	// The sums as float64 and which of them are to be read anew.
	freeNow, weightNow       float64
	freeChanged, weightMoved bool

	ahead float64 // see readAhead
}

// readAhead is how many jobs are read from memory at a time, before their use: one after another each would be waited for. What was
// read goes to ahead, or the compiler would leave the reading out; nothing depends on it.
const readAhead = 16

// read reads the jobs of the elements readAhead to 2 readAhead places behind one of a list.
func (d *drain) read(list []heap.Entry, at int) {
	sum := 0.0
	for _, e := range list[min(at+readAhead, len(list)):min(at+2*readAhead, len(list))] {
		j := &d.jobs[e.ID] // may lie across two cache lines
		sum += j.Work + j.Weight
	}
	d.ahead = sum
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
		q := &d.capped
		q.finish, q.jobs, q.after = make([]dd.T, 0, len(d.byRatio)), make([]int32, 0, len(d.byRatio)), make([]int32, 0, len(d.byRatio))
	}
	d.freeChanged, d.weightMoved = true, true
	d.settle()
	return d
}

// settle finds the water level and moves the jobs that it has reached to their caps. By rounding a job at the level may leave less than
// nothing to others of next to no weight, which have the level all the same.
func (d *drain) settle() {
	for met := true; met; {
		if d.open == 0 {
			d.level = math.Inf(1)
			return
		}
		if d.freeChanged {
			d.freeNow, d.freeChanged = d.free.Float(), false
		}
		if d.weightMoved {
			d.weightNow, d.weightMoved = d.weight.Float(), false
		}
		d.level = d.freeNow / d.weightNow
		met = false
		for ; d.ratioAt < len(d.byRatio); d.ratioAt++ {
			e := d.byRatio[d.ratioAt]
			if d.state[e.ID] == drainOpen {
				if !(e.Key <= d.level) {
					break
				}
				d.meetCap(e.ID)
				d.highest = e.Key
				met = true
			}
			if d.ratioAt%readAhead == 0 {
				d.read(d.byRatio, d.ratioAt)
			}
		}
	}
	d.level = max(d.level, d.highest)
}

// meetCap moves an open job to its cap, where it drains by the clock.
func (d *drain) meetCap(i int32) {
	j := &d.jobs[i]
	w, s := j.weight(), j.Slots
	d.weight.Sub(w)
	d.free.Sub(s)
	d.freeChanged, d.weightMoved = true, true
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
		if d.tagAt%readAhead == 0 {
			d.read(d.byTag, d.tagAt)
		}
	}
	open := d.tagAt < len(d.byTag) && d.level > 0
	var e heap.Entry
	var rise dd.T // of the water until the first open job ends
	if open {
		e = d.byTag[d.tagAt]
		rise = d.water.Neg().AddFloat(e.Key)
	}
	if d.number, ok = d.capped.first(); ok {
		i = d.capped.jobs[d.number]
		f := d.capped.finish[d.number]
		// In all but close cases plain float64 tells which comes first, much sooner.
		about := (f.Hi-d.clock.Hi)*d.level - rise.Hi
		if error := 0x1p-48 * (f.Hi*d.level + e.Key); !open || about <= error {
			in = notNegative(f.Sub(d.clock))
			d.rise = in.Mul(d.level)
			if !open || about < -error {
				return i, in, true
			}
			if c := d.rise.Cmp(rise); c < 0 || c == 0 && i < e.ID {
				return i, in, true
			}
		}
	}
	if !open {
		return 0, dd.T{}, false
	}
	return e.ID, notNegative(rise.Div(d.level)), true
}

// nextAtCap is next when every job left is at its cap. As none comes to them, they need no queue but one sort.
func (d *drain) nextAtCap() (i int32, in dd.T, ok bool) {
	d.sortAtCaps()
	if d.capsAt == len(d.atCaps) {
		return 0, dd.T{}, false
	}
	d.number = d.atCaps[d.capsAt].ID
	return d.capped.jobs[d.number], notNegative(d.capped.finish[d.number].Sub(d.clock)), true
}

// notNegative takes rounding out of the time to the next event: a clock may have passed it by its last bit.
func notNegative(in dd.T) dd.T {
	if in.Hi < 0 {
		return dd.T{}
	}
	return in
}

// sortAtCaps makes atCaps, when every job left is at its cap, in the memory of the other lists, which are used up.
func (d *drain) sortAtCaps() {
	if d.atCaps != nil {
		return
	}
	left := d.byRatio[:0]
	for i, job := range d.capped.jobs {
		if d.state[job] == drainCapped {
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
				return cmp.Or(cmp.Compare(d.capped.finish[a.ID].Lo, d.capped.finish[b.ID].Lo), cmp.Compare(d.capped.jobs[a.ID], d.capped.jobs[b.ID]))
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
		d.weightMoved = true
		d.open--
	} else {
		d.clock = d.capped.finish[d.number]
		if d.open == 0 {
			d.capsAt++
		} else {
			d.capped.pop()
			d.water = d.water.Add(d.rise)
			d.free.Add(d.jobs[i].Slots)
			d.freeChanged = true
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

// left writes the work that each job still has to do into dst, which has one element for each.
func (d *drain) left(dst []Job) {
	for i, s := range d.state {
		j := &d.jobs[i]
		switch s {
		case drainOpen:
			dst[i].Work = max(0, dd.Of(j.Work).Sub(d.water.Mul(j.weight())).Float())
		case drainDone:
			dst[i].Work = 0
		}
	}
	for i, job := range d.capped.jobs {
		if d.state[job] == drainCapped {
			dst[job].Work = max(0, d.capped.finish[i].Sub(d.clock).Mul(d.jobs[job].slots()).Float())
		}
	}
}
