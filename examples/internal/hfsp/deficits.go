package hfsp

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/slotmodel"
)

// deficits is the order of Hadoop 0.20's fair scheduler (contrib/fairscheduler, 2009) with one
// pool: the job that lacks most of what it was entitled to goes first. A job is entitled to its
// max-min fair share of the slots of a kind, of which it can use one for each of its tasks that has
// not ended, from when tasks of the kind may start. Its deficit is the integral of that share less
// the slots that it holds. Ties: the job with the fewest running tasks, then the one that arrived
// first.
//
// Unlike Hadoop, which lets a job's fair share exceed what it can use, nobody is owed what they
// could not have used. An event and a walk cost O(n log n) for n jobs present.
type deficits struct {
	kinds [2]deficitsOfKind
	walk  []slotmodel.Job // jobs with a task to start, in order
	next  int             // the place of the walk
}

// deficitsOfKind are the accounts of one kind of slots. Jobs whose tasks may start are in the order
// in which they came.
type deficitsOfKind struct {
	begun   []slotmodel.Job
	owed    map[slotmodel.Job]float64 // slot-seconds, until now
	rates   []float64                 // slots that each job of begun lacks from now on
	now     float64
	demands []aging.Job // scratch
}

// BeginRun forgets the previous run.
func (d *deficits) BeginRun(*slotmodel.View) {
	for k := range d.kinds {
		d.kinds[k] = deficitsOfKind{owed: map[slotmodel.Job]float64{}}
	}
}

// Observe keeps the accounts. Of several events in an instant the last one decides what counts from
// then on.
func (d *deficits) Observe(v *slotmodel.View, e slotmodel.Event) {
	for k := range d.kinds {
		x := &d.kinds[k]
		x.pass(v.Now())
		if e.Type == slotmodel.Ready && int(e.Kind) == k {
			x.begun = append(x.begun, e.Job)
		}
		x.begun = slices.DeleteFunc(x.begun, func(j slotmodel.Job) bool { return !v.Present(j) })
		x.share(v, slotmodel.Kind(k))
	}
}

// pass adds up what jobs lack until now.
func (d *deficitsOfKind) pass(now float64) {
	for i, rate := range d.rates {
		d.owed[d.begun[i]] += rate * (now - d.now)
	}
	d.now = now
}

// share finds what each job lacks from now on.
func (d *deficitsOfKind) share(v *slotmodel.View, k slotmodel.Kind) {
	d.demands = d.demands[:0]
	for _, j := range d.begun {
		c := v.Count(j, k)
		d.demands = append(d.demands, aging.Job{Work: float64(min(1, c.Tasks-c.Done)), Slots: float64(max(1, c.Tasks-c.Done))})
	}
	d.rates, _ = aging.MaxMin(d.rates[:0], float64(v.Slots(k)), d.demands) // slots and demands are whole numbers
	for i, j := range d.begun {
		d.rates[i] -= float64(v.Count(j, k).Running)
	}
}

// Begin starts a walk.
func (d *deficits) Begin(v *slotmodel.View, k slotmodel.Kind) {
	x := &d.kinds[k]
	x.pass(v.Now())
	d.walk, d.next = d.walk[:0], 0
	for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
		d.walk = append(d.walk, j)
	}
	slices.SortStableFunc(d.walk, func(a, b slotmodel.Job) int {
		return cmp.Or(cmp.Compare(x.owed[b], x.owed[a]), cmp.Compare(v.Count(a, k).Running, v.Count(b, k).Running))
	})
}

// Next returns the next job of the walk.
func (d *deficits) Next(*slotmodel.View) slotmodel.Job {
	if d.next == len(d.walk) {
		return slotmodel.None
	}
	d.next++
	return d.walk[d.next-1]
}
