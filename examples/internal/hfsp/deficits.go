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
// could not have used. What changes in an instant counts from its end. An instant costs O(n) for n
// jobs present, a walk O(n log n).
type deficits struct {
	kinds [2]deficitsOfKind
	walk  []slotmodel.Job // jobs with a task to start, in order
	next  int             // the place of the walk
}

// deficitsOfKind are the accounts of one kind of slots.
type deficitsOfKind struct {
	accounts []account       // by job
	members  []slotmodel.Job // jobs that can use a slot, in the order in which they came
	slots    float64         // slots of nodes that are up
	now      float64         // the instant up to which deficits have been added up
	stale    bool            // shares are to be computed anew, from the end of the instant under way
	demands  []aging.Job     // scratch
	shares   []float64
}

// account is what one job lacks of one kind of slots.
type account struct {
	deficit float64 // slot-seconds, until now
	share   float64 // fair share of the slots, from now on
	running int32   // slots that it holds
	usable  int32   // slots that it can use
	begun   bool    // its tasks may start
}

// BeginRun forgets the previous run.
func (d *deficits) BeginRun(v *slotmodel.View) {
	for k := range d.kinds {
		d.kinds[k] = deficitsOfKind{accounts: make([]account, v.Jobs()), now: v.Now(), slots: float64(v.Slots(slotmodel.Kind(k)))}
	}
}

// Observe keeps the accounts.
func (d *deficits) Observe(v *slotmodel.View, e slotmodel.Event) {
	for k := range d.kinds {
		x := &d.kinds[k]
		x.pass(v.Now())
		switch {
		case e.Type == slotmodel.NodeDown || e.Type == slotmodel.NodeUp:
			x.slots, x.stale = float64(v.Slots(slotmodel.Kind(k))), true
		case e.Type == slotmodel.JobEnded || v.Spec(e.Job) != nil && int(e.Kind) == k:
			x.count(v, e, slotmodel.Kind(k))
		}
	}
}

// count follows what an event changes in what its job holds and can use.
func (d *deficitsOfKind) count(v *slotmodel.View, e slotmodel.Event, k slotmodel.Kind) {
	x := &d.accounts[e.Job]
	x.begun = x.begun || e.Type == slotmodel.Ready
	c, was := v.Count(e.Job, k), x.usable
	x.running, x.usable = c.Running, 0
	if x.begun && v.Present(e.Job) {
		x.usable = c.Tasks - c.Done
	}
	switch {
	case was == 0 && x.usable > 0:
		d.members = append(d.members, e.Job)
	case was > 0 && x.usable == 0:
		i := slices.Index(d.members, e.Job)
		d.members = slices.Delete(d.members, i, i+1)
		x.share = 0
	}
	d.stale = d.stale || was != x.usable
}

// pass adds up what jobs lack until now.
func (d *deficitsOfKind) pass(now float64) {
	elapsed := now - d.now
	if !(elapsed > 0) {
		return
	}
	if d.stale {
		d.share()
	}
	for _, j := range d.members {
		x := &d.accounts[j]
		x.deficit += (x.share - float64(x.running)) * elapsed
	}
	d.now = now
}

// share gives each job its fair share.
func (d *deficitsOfKind) share() {
	d.stale, d.demands = false, d.demands[:0]
	for _, j := range d.members {
		d.demands = append(d.demands, aging.Job{Work: 1, Slots: float64(d.accounts[j].usable)})
	}
	d.shares, _ = aging.MaxMin(d.shares[:0], d.slots, d.demands) // slots and demands are whole numbers
	for i, j := range d.members {
		d.accounts[j].share = d.shares[i]
	}
}

// Begin starts a walk.
func (d *deficits) Begin(v *slotmodel.View, k slotmodel.Kind) {
	x := &d.kinds[k]
	x.pass(v.Now())
	d.walk, d.next = d.walk[:0], 0
	for j := v.NextRunnable(k, slotmodel.None); j != slotmodel.None; j = v.NextRunnable(k, j) {
		d.walk = append(d.walk, j)
	}
	slices.SortStableFunc(d.walk, func(a, b slotmodel.Job) int {
		p, q := &x.accounts[a], &x.accounts[b]
		return cmp.Or(cmp.Compare(q.deficit, p.deficit), cmp.Compare(p.running, q.running))
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
