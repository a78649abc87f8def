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
// wait.
//
// # Cost
//
// Delay knows the jobs with a waiting map by the nodes that hold its block, and by racks while they take those. A job costs O(log nodes) for
// each copy of a block when it comes or has a task again that was lost, and O(racks with its blocks) when it comes to take racks or does so no
// more; the end of a wait costs O(log jobs) besides. A node that nobody takes costs O(log nodes), and nothing while nothing has changed for
// anybody who may take it. One that is taken costs the walk of Inner to who takes it. ByArrival, Fair and SRPT are not walked further
// than it takes to compare instead the jobs that have a block on the node, or in its rack and take racks, with one another: O(log jobs) and those;
// within Fair with pools or Deficits also those that take any node, and those that have not let an offer pass since their last start.
//
// With Skips, around an HFSP with Refresh and while a rigid job waits each offer walks from job to job, O(log tasks) for each that lets it
// pass, and all free nodes are offered whenever one of them could be taken. Nothing is allocated in the steady state.
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
	refused []int64         // with offerAll, the version at which everybody let a node pass
	version int64           // grows with whatever may change a refusal
	walked  bool            // every offer has to walk: walks count, or Inner's order depends on how far it has been walked
	plain   bool            // the last call offered the nodes by offerAll
	gangs   int             // rigid jobs that wait for slots
	rose    bool            // with Skips: in the last call a job has come to the end of a wait
	calls   int64
	due     float64 // when refused nodes are to be offered again; +Inf: not before something happens
	asked   float64 // the latest wake-up asked for

	sweeper
}

// delayJob is what Delay knows of one job.
type delayJob struct {
	since float64 // when it first let an offer pass
	skips float64 // with Skips, calls in which it did
	call  int64   // the last of them
	waits bool    // since is set
	level uint8

	reach   reach
	changed bool  // listed in changed
	listed  bool  // nodes and racks are set
	nodes   int32 // the first of its pairs with nodes that hold its blocks
	racks   int32 // with racks
}

// restart sets the level and lets a wait begin anew with the next offer that passes.
func (x *delayJob) restart(level uint8) {
	x.since, x.skips, x.call, x.waits, x.level = 0, 0, 0, false, level
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
		d.change()
	}
	if d.rose {
		d.rose = false
		d.change()
	}
	d.follow(v)
	if plain := d.walked || d.gangs > 0 || d.coarse(v.Now()); plain != d.plain {
		d.turn(v, plain)
	}
	if d.plain {
		d.offerAll(v, a)
	} else {
		d.sweep(v, a)
	}
	d.all = false
	d.fill(v, a, slotmodel.Reduce, d.ranker(d.Inner), d.Overtake)
	if d.due <= math.MaxFloat64 && (d.asked <= v.Now() || d.due < d.asked) {
		a.Wake(d.due)
		d.asked = d.due
	}
}

// change lets all free nodes be offered again.
func (d *Delay) change() {
	d.version++
	d.all = true
}

// Observe hands an event on to the Ranker, and notes what may change a refusal.
func (d *Delay) Observe(v *slotmodel.View, e slotmodel.Event) {
	if d == nil {
		return
	}
	d.layOut(v)
	observe(d.Inner, v, e)
	switch e.Type {
	case slotmodel.Ended, slotmodel.Suspends:
		d.touch(e.Node)
	case slotmodel.Ready, slotmodel.Killed, slotmodel.Crashed, slotmodel.OutputLost, slotmodel.NodeUp, slotmodel.NodeDown:
		d.change() // a task waits that did not, or the slots that are up
		d.touch(e.Node)
	}
	if e.Job >= 0 && int(e.Job) < len(d.jobs) && !d.walked {
		d.note(v, e)
	}
}

// layOut makes the tables.
func (d *Delay) layOut(v *slotmodel.View) {
	if d.run != v || d.jobs == nil {
		d.run = v
		d.jobs = make([]delayJob, v.Jobs())
		for j := range d.jobs {
			d.jobs[j] = delayJob{nodes: absent, racks: absent}
		}
		d.refused = make([]int64, v.Nodes())
		d.version, d.asked, d.due, d.calls, d.rose = 1, -1, math.Inf(1), 0, false
		h, ok := d.Inner.(*HFSP)
		d.walked = d.Skips || ok && h != nil && h.options.Refresh > 0
		d.plain, d.gangs = d.walked, 0
		d.sweeper = newSweeper(v, d.ranker(d.Inner))
	}
}

// touch notes that a slot of a node may have become free.
func (d *Delay) touch(n slotmodel.Node) {
	if n >= 0 && int(n) < len(d.refused) {
		d.refused[n] = 0
		if !d.walked {
			d.visits.set(int32(n), float64(n))
		}
	}
}

// turn changes between the two ways to offer nodes, so that the same ones are to be offered.
func (d *Delay) turn(v *slotmodel.View, plain bool) {
	d.plain = plain
	for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None; n = v.NextFree(slotmodel.Map, n) {
		switch {
		case !plain && d.refused[n] != d.version:
			d.visits.set(int32(n), float64(n))
		case plain && !d.all && d.visits.at[n] == absent:
			d.refused[n] = d.version
		}
	}
}

// offerAll offers each free node that not all have let pass already.
func (d *Delay) offerAll(v *slotmodel.View, a *slotmodel.Actions) {
	d.visits.clear()
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
			d.settle(v, j)
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
		x.restart(0)
		return true
	}
	first := !x.waits
	if first {
		x.waits, x.since = true, v.Now()
	}
	forRack, forAny := d.longest(x)
	switch {
	case d.waited(v, x, forRack) && v.LocalRack(j, v.RackOf(n)) != slotmodel.None:
		x.restart(1)
		return true
	case d.waited(v, x, forAny):
		x.restart(2)
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
	if first {
		d.settle(v, j)
	}
	d.due = min(d.due, x.expiry(v.Now(), forRack, forAny))
	return false
}

// longest returns how long a job waits for a node of a rack with a block, and for any node.
func (d *Delay) longest(x *delayJob) (forRack, forAny float64) {
	switch x.level {
	case 0:
		forRack = nonNegative(d.Node)
		forAny = forRack + nonNegative(d.Rack)
	case 1:
		forAny = nonNegative(d.Rack)
	}
	return forRack, forAny
}

// expiry returns when the wait of a job that lets an offer pass ends.
func (x *delayJob) expiry(now, forRack, forAny float64) float64 {
	if at := x.since + forRack; at > now {
		return at
	}
	return x.since + forAny
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
