package policy

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// Delay is delay scheduling [2, algorithm 2] around any Ranker: a job whose turn it is, but which has no block on the node with the
// free slot, lets the jobs after it go first for a while. Each free node, in the order of their numbers, is offered to the jobs in the
// order of the Ranker, and the first that takes it starts a map:
//
//	level 0  a job takes only nodes that hold a block of a waiting map; once it has waited for Node, also racks that do,
//	         and for Node + Rack, any node
//	level 1  nodes and racks that hold a block; once it has waited for Rack, any node
//	level 2  any node
//
// A start sets the job's level to how near its block was, 0, 1 or 2, and begins its wait anew. The wait counts from the first offer
// that the job lets pass. It is in seconds, or with Skips in calls of Decide in which the job let an offer pass; each such call counts
// once, however many nodes it offers. Jobs without blocks, and reduces, take anything; so do rigid jobs, which are treated as under
// Greedy. With Node and Rack 0 nobody waits.
//
// Slots stay free while jobs wait, so Delay asks to be woken: at the first moment at which a job has waited long enough; with
// Skips, Retry seconds after a call that left slots free, when these are offered again. So every job ends for as long as Node
// and Rack are finite. A wait of +Inf leaves maps for ever whose blocks nobody holds, and the run may end with a DeadlockError.
//
// Inner has to walk all jobs that have a map to start. A free node that everybody let pass is not offered again before something has
// changed for it: a task came to wait, a slot of the node became free, a node was lost or came back, a job came to the end of a
// wait. An offer costs O(log tasks) for each job that lets it pass, and what the Ranker costs; when all do, that is every job that
// waits. Nothing is allocated in the steady state.
type Delay struct {
	Inner Ranker  // nil: by arrival
	Node  float64 // how long a job waits for a node with a block, >= 0; what is not counts as 0
	Rack  float64 // how long it then waits for a rack with one
	Skips bool    // Node and Rack are numbers of calls, not seconds
	Retry float64 // s, for Skips; 0 means 3, the heartbeat of Hadoop

	Overtake bool // as for Greedy

	filler
	run     *slotmodel.View // only to know it again
	jobs    []delayJob      // by handle
	refused []int64         // the version at which everybody let a node pass
	version int64           // grows with whatever may change a refusal
	rose    bool            // with Skips: in the last call a job has come to the end of a wait
	calls   int64
	due     float64 // when refused nodes are to be offered again; +Inf: not before something happens
	asked   float64 // the latest wake-up asked for
}

// delayJob is what Delay knows of one job.
type delayJob struct {
	since float64 // when it first let an offer pass
	skips float64 // with Skips, calls in which it did
	call  int64   // the last of them
	waits bool    // since is set
	level uint8
}

// What became of an offer.
type offer uint8

const (
	taken   offer = iota // a job started
	passed               // all let it pass
	blocked              // a rigid job waits
)

// Decide offers the free nodes, and fills the slots for reduces.
func (d *Delay) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if d == nil {
		return
	}
	d.layOut(v)
	d.calls++
	if v.Now() >= d.due {
		d.due = math.Inf(1)
		d.version++
	}
	if d.rose {
		d.rose = false
		d.version++
	}
	d.offerAll(v, a)
	d.fill(v, a, slotmodel.Reduce, d.ranker(d.Inner), d.Overtake)
	if d.due <= math.MaxFloat64 && (d.asked <= v.Now() || d.due < d.asked) {
		a.Wake(d.due)
		d.asked = d.due
	}
}

// Observe hands an event on to the Ranker, and notes what may change a refusal.
func (d *Delay) Observe(v *slotmodel.View, e slotmodel.Event) {
	if d == nil {
		return
	}
	d.layOut(v)
	switch e.Type {
	case slotmodel.Ended, slotmodel.Suspends:
		if e.Node >= 0 && int(e.Node) < len(d.refused) {
			d.refused[e.Node] = 0
		}
	case slotmodel.Ready, slotmodel.Killed, slotmodel.Crashed, slotmodel.OutputLost, slotmodel.NodeUp, slotmodel.NodeDown:
		d.version++ // a task waits that did not, or the slots that are up
	}
	observe(d.Inner, v, e)
}

// layOut makes the tables.
func (d *Delay) layOut(v *slotmodel.View) {
	if d.run != v || d.jobs == nil {
		d.run = v
		d.jobs = make([]delayJob, v.Jobs())
		d.refused = make([]int64, v.Nodes())
		d.version, d.asked, d.due, d.calls, d.rose = 1, -1, math.Inf(1), 0, false
	}
}

// offerAll offers each free node that not all have let pass already.
func (d *Delay) offerAll(v *slotmodel.View, a *slotmodel.Actions) {
	n := v.NextFree(slotmodel.Map, slotmodel.None)
	for n != slotmodel.None {
		if d.refused[n] != d.version {
			switch d.offer(v, a, n) {
			case taken:
				n-- // it may have another slot
			case passed:
				d.refused[n] = d.version
			}
		}
		n = v.NextFree(slotmodel.Map, n)
	}
}

// retry returns when free slots are offered again.
func (d *Delay) retry(now float64) float64 {
	seconds := d.Retry
	if !(seconds > 0) {
		seconds = 3
	}
	return max(now+seconds, math.Nextafter(now, math.Inf(1)))
}

// offer offers a node to the jobs in order.
func (d *Delay) offer(v *slotmodel.View, a *slotmodel.Actions, n slotmodel.Node) offer {
	r := d.ranker(d.Inner)
	r.Begin(v, slotmodel.Map)
	for j := r.Next(v); j != slotmodel.None; j = r.Next(v) {
		w := width(v, j)
		switch {
		case w > 1 && w <= v.FreeSlots(slotmodel.Map):
			d.gang(v, a, j, w)
			return taken
		case w > 1 && !d.Overtake && w <= v.Slots(slotmodel.Map):
			return blocked
		case w == 1 && d.takes(v, j, n):
			a.Start(j, slotmodel.Map, n)
			return taken
		}
	}
	return passed
}

// takes reports whether a job takes a node, and keeps the account of its waiting.
func (d *Delay) takes(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) bool {
	if s := v.Spec(j); s == nil || s.Replicas == nil {
		return true
	}
	x := &d.jobs[j]
	if v.Local(j, n) != slotmodel.None {
		*x = delayJob{level: 0}
		return true
	}
	if !x.waits {
		x.waits, x.since = true, v.Now()
	}
	forRack, forAny := 0.0, 0.0
	switch x.level {
	case 0:
		forRack = nonNegative(d.Node)
		forAny = forRack + nonNegative(d.Rack)
	case 1:
		forAny = nonNegative(d.Rack)
	}
	switch {
	case d.waited(v, x, forRack) && v.LocalRack(j, v.RackOf(n)) != slotmodel.None:
		*x = delayJob{level: 1}
		return true
	case d.waited(v, x, forAny):
		*x = delayJob{level: 2}
		return true
	}
	if d.Skips {
		if x.call != d.calls {
			x.call = d.calls
			x.skips++
			d.rose = d.rose || x.skips >= forRack && x.skips-1 < forRack || x.skips >= forAny && x.skips-1 < forAny
		}
		d.due = min(d.due, d.retry(v.Now()))
		return false
	}
	if at := x.since + forRack; at > v.Now() {
		d.due = min(d.due, at)
	} else {
		d.due = min(d.due, x.since+forAny)
	}
	return false
}

// waited reports whether a job has waited so long.
func (d *Delay) waited(v *slotmodel.View, x *delayJob, long float64) bool {
	if !d.Skips {
		return v.Now() >= x.since+long
	}
	skips := x.skips
	if x.call == d.calls { // this call is not over
		skips--
	}
	return skips >= long
}

// nonNegative returns x, 0 for what is negative or NaN.
func nonNegative(x float64) float64 {
	if !(x >= 0) {
		return 0
	}
	return x
}
