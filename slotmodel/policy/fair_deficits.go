package policy

import (
	"math"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/slotmodel"
)

// fairDebts is what Fair keeps of one kind of slots to know what jobs have lacked.
type fairDebts struct {
	kind  slotmodel.Kind
	slots float64 // that are up
	jobs  []fairDebt
	pools []fairPart // by the numbers of pools

	now    float64 // the instant under way
	shared float64 // the end of the instant in which shares were reckoned last
	ranked float64 // the instant of the keys
	owed   bool    // what jobs can use has changed since shares were reckoned
	came   bool    // a job has come since
	stale  bool    // a job has come since the keys were made
	moved  bool    // a pool has fallen below its minimum share, or reached it, since jobs were put into heaps

	first, rest order // jobs with a task to start by deficit: of pools below their minimum share, and others
	second      bool  // the walk has passed first

	demand []aging.Job // scratch
	open   []int32
	part   []float64
}

// fairDebt is the account of one job, by turn.
type fairDebt struct {
	deficit float64 // until since
	since   float64
	share   float64 // fair share since then
	running int32
	usable  int32   // slots that it can use
	place   int32   // among the members of its pool
	key     float64 // by which it is ordered, the less the earlier
	begun   bool    // its tasks may start
}

// fairPart is the account of one pool.
type fairPart struct {
	share   float64
	running int32
	usable  int32
	members []int32 // turns of the jobs that can use slots
}

// fairTies breaks ties of deficits.
type fairTies struct {
	f *Fair
	k slotmodel.Kind
}

// Before reports whether the job of turn a has fewer running tasks per weight than that of turn b, or as many and came first.
func (x *fairTies) Before(a, b int32) bool {
	d := x.f.debts[x.k].jobs
	p, q := float64(d[a].running)/x.f.jobs[a].weight, float64(d[b].running)/x.f.jobs[b].weight
	return p < q || p == q && a < b
}

// at returns the deficit at a time.
func (x *fairDebt) at(t float64) float64 {
	d := x.deficit + float64((x.share-float64(x.running))*(t-x.since))
	if !(math.Abs(d) <= math.MaxFloat64) {
		return math.Copysign(math.MaxFloat64, d)
	}
	return d
}

// until settles the account of a job.
func (x *fairDebt) until(t float64) { x.deficit, x.since = x.at(t), t }

// Deficit returns what a job lacks, now, of the slots of a kind that it was entitled to, in slot-seconds; negative when it had more. It
// is 0 for a job that has not come, and without Deficits. O(1), but for what is due since the last event.
func (f *Fair) Deficit(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
	if f == nil || !f.Deficits || f.turns.run != v || v.Spec(j) == nil || f.turns.unknown(j) {
		return 0
	}
	d, t := &f.debts[k&1], f.turns.of[j]
	if int(t) >= len(d.jobs) { // Deficits was set too late
		return 0
	}
	f.pass(d, v.Now())
	return d.jobs[t].at(d.now)
}

// settle takes note of an event.
func (f *Fair) settle(v *slotmodel.View, e slotmodel.Event) {
	known := v.Spec(e.Job) != nil
	if known && f.turns.unknown(e.Job) {
		f.arrive(v, e.Job)
	}
	for k := range f.debts {
		d := &f.debts[k]
		for len(d.pools) < len(f.pools) {
			d.pools = append(d.pools, fairPart{})
		}
		for len(d.jobs) < len(f.jobs) {
			d.jobs = append(d.jobs, fairDebt{})
		}
		f.pass(d, v.Now())
		switch {
		case e.Type == slotmodel.NodeDown || e.Type == slotmodel.NodeUp:
			d.slots, d.owed = float64(v.Slots(slotmodel.Kind(k))), true
		case !known || e.Type == slotmodel.Arrived || e.Type == slotmodel.Computes || e.Type == slotmodel.MapsEnded:
		case e.Type == slotmodel.JobEnded || int(e.Kind&1) == k:
			f.recount(v, e, slotmodel.Kind(k))
		}
	}
}

// begin lays out a run.
func (d *fairDebts) begin(f *Fair, v *slotmodel.View, k slotmodel.Kind) {
	*d = fairDebts{kind: k, slots: float64(v.Slots(k))}
	ties := &fairTies{f, k}
	d.first, d.rest = order{at: f.at[k], ties: ties}, order{at: f.at[k], ties: ties}
}

// recount follows what an event changes in what a job holds and can use.
func (f *Fair) recount(v *slotmodel.View, e slotmodel.Event, k slotmodel.Kind) {
	t := f.turns.of[e.Job]
	pool := f.jobs[t].pool
	d := &f.debts[k]
	x, p := &d.jobs[t], &d.pools[pool]
	x.until(d.now)
	x.begun = x.begun || e.Type == slotmodel.Ready
	c := v.Count(e.Job, k)
	usable := int32(0)
	if x.begun && v.Present(e.Job) {
		usable = c.Tasks - c.Done
	}
	low := f.below(d, pool, k)
	minimum := min(f.pools[pool].minimum[k], float64(p.usable))
	if x.share > float64(usable) || usable > x.usable && x.share >= float64(x.usable) { // else it is not the cap that limits the share
		d.owed = true
	}
	p.usable += usable - x.usable
	p.running += c.Running - x.running
	if minimum != min(f.pools[pool].minimum[k], float64(p.usable)) {
		d.owed = true
	}
	switch {
	case x.usable == 0 && usable > 0:
		x.place = int32(len(p.members))
		p.members = append(p.members, t)
		d.came, d.stale = true, true
	case x.usable > 0 && usable == 0:
		last := len(p.members) - 1
		other := p.members[last]
		p.members[x.place] = other
		d.jobs[other].place = x.place
		p.members = p.members[:last]
		x.share = 0
	}
	x.usable, x.running = usable, c.Running
	if d.moved = d.moved || low != f.below(d, pool, k); !d.moved && !d.due(f.Update) {
		f.put(v, d, t, k)
	}
}

// due reports whether jobs are to be ordered anew, by their deficits now.
func (d *fairDebts) due(update float64) bool {
	return d.stale || d.now > d.ranked && !(d.now < d.ranked+update)
}

// below reports whether a pool is below its minimum share.
func (f *Fair) below(d *fairDebts, pool int32, k slotmodel.Kind) bool {
	return float64(d.pools[pool].running) < f.pools[pool].minimum[k]
}

// put gives a job its place among those with a task to start.
func (f *Fair) put(v *slotmodel.View, d *fairDebts, t int32, k slotmodel.Kind) {
	o, j := &d.rest, f.turns.job[t]
	if f.below(d, f.jobs[t].pool, k) {
		o = &d.first
	}
	if v.Runnable(j, k) {
		o.set(t, d.jobs[t].key)
	} else {
		o.remove(t)
	}
}

// pass leaves the instant under way for a later one: what has changed in it counts from its end.
func (f *Fair) pass(d *fairDebts, now float64) {
	if !(now > d.now) {
		return
	}
	if d.owed && (d.came || !(d.now < d.shared+f.Update)) {
		f.share(d)
	}
	d.now = now
}

// beginDebts starts a walk.
func (f *Fair) beginDebts(v *slotmodel.View, k slotmodel.Kind) {
	d := &f.debts[k]
	f.kind = k
	f.pass(d, v.Now())
	if due := d.due(f.Update); due || d.moved {
		f.rank(v, d, k, due)
	}
	d.second = false
	d.first.begin()
}

// rank puts all jobs with a task to start into the heaps, by their deficits now if anew, else by those that they had.
func (f *Fair) rank(v *slotmodel.View, d *fairDebts, k slotmodel.Kind, anew bool) {
	d.first.clear()
	d.rest.clear()
	d.moved = false
	if anew {
		d.ranked, d.stale = d.now, false
	}
	for i := range d.pools {
		for _, t := range d.pools[i].members {
			x := &d.jobs[t]
			if anew {
				x.key = -x.at(d.now)
			}
			f.put(v, d, t, k)
		}
	}
}

// nextDebt returns the next job of the walk.
func (f *Fair) nextDebt() slotmodel.Job {
	d := &f.debts[f.kind]
	if !d.second {
		if t := d.first.next(); t != absent {
			return f.turns.job[t]
		}
		d.second = true
		d.rest.begin()
	}
	if t := d.rest.next(); t != absent {
		return f.turns.job[t]
	}
	return slotmodel.None
}

// precedes reports whether the walk gives the job of turn t before that of turn u.
func (d *fairDebts) precedes(f *Fair, t, u int32, k slotmodel.Kind) bool {
	low, other := f.below(d, f.jobs[t].pool, k), f.below(d, f.jobs[u].pool, k)
	if low != other {
		return low
	}
	o := &d.rest
	if low {
		o = &d.first
	}
	return o.precedes(t, u)
}
