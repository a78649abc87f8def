package policy

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Delay is delay scheduling [2, algorithm 2]: a job whose turn it is, but which has no block on the
// node with the free slot, refuses the node for a while, and the jobs after it may start there. It
// is a Policy around any Ranker. It is also a Filter, of Greedy, of Earliest or of a policy of
// users; Inner is then not asked. As a Policy it makes the starts of Greedy with the same Inner and
// with it as the Filter, and asks fewer questions.
//
// Which nodes a job accepts depends on its level, at first 0:
//
//	level 0  nodes that hold a block of a waiting map; once the job has waited for Node, also the
//	         other nodes of their racks; once it has waited for Node + Rack, any node
//	level 1  nodes that hold a block and the other nodes of their racks; once the job has waited for
//	         Rack, any node
//	level 2  any node
//
// A map that starts sets the level of its job to the distance of its block, 0 on the node, 1 in the
// rack, 2 elsewhere, and ends the wait, which begins with the first refusal. Jobs without blocks,
// and reduces, accept any node. Delay asks to be woken when a wait ends or, with Skips, Retry
// seconds after a refusal. With a wait of +Inf, maps whose blocks no node holds wait for ever, and
// the run may end with a DeadlockError.
type Delay struct {
	Inner    Ranker  // nil: by arrival
	Node     float64 // how long a job waits for a node with a block, >= 0
	Rack     float64 // how long it then waits for a rack with one, >= 0
	Skips    bool    // Node and Rack are numbers of instants of refusal, each at most 50,000 or +Inf
	Retry    float64 // s, for Skips, >= 0 and finite; 0: 3, the heartbeat of Hadoop
	Overtake bool    // as for Greedy

	broken  bool      // a setting is out of range: no map starts
	arrival ByArrival // used if Inner is nil
	steps   internal.Steps
	wake    internal.Wake

	jobs []delayJob
	// ends has the jobs that wait, by the time at which they accept more nodes.
	ends internal.Order
	// fresh has jobs that may have a waiting map and are not in ends. The next node that all jobs
	// refuse counts as refused by each of them, which puts them into ends.
	fresh internal.JobSet
	index delayIndex
}

// delayJob is what Delay knows of one job.
type delayJob struct {
	since float64 // when the wait began
	last  float64 // the instant of the last refusal
	skips float64 // instants with a refusal, before the last one
	waits bool
	level uint8
	// accept is the distance of the block from the node accepted last: the new level if a map
	// starts there.
	accept uint8
}

// mostSkips bounds a finite number of instants. A run passes over the calls of a policy after
// 110,000 in vain (slotmodel.Policy). A job accepts any node after at most 2 mostSkips of them.
const mostSkips = 50_000

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming Node, Rack or Retry.
func (d *Delay) Check() error {
	for _, w := range []struct {
		name string
		wait float64
	}{{"Node", d.Node}, {"Rack", d.Rack}} {
		switch {
		case !(w.wait >= 0):
			return input.Bad("policy.Delay.Check", w.name, -1, "%v, want >= 0", w.wait)
		case d.Skips && w.wait > mostSkips && !math.IsInf(w.wait, 1):
			return input.Bad("policy.Delay.Check", w.name, -1, "%v with Skips, want at most %d, or +Inf", w.wait, mostSkips)
		}
	}
	if !(d.Retry >= 0 && d.Retry <= math.MaxFloat64) {
		return input.Bad("policy.Delay.Check", "Retry", -1, "%v, want finite and >= 0", d.Retry)
	}
	return internal.Check(d.Inner)
}

// BeginRun forgets the previous run and hands the call on.
func (d *Delay) BeginRun(v *slotmodel.View) {
	internal.BeginRun(v, d.Inner)
	d.broken = d.Check() != nil
	d.wake = internal.Wake{}
	d.jobs, d.ends, d.fresh = make([]delayJob, v.Jobs()), internal.Order{At: internal.Places(v.Jobs())}, internal.NewJobSet(v.Jobs())
	d.index.begin(v, d.Skips)
}

// Decide fills the free slots, maps first.
func (d *Delay) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if d.broken {
		return
	}
	d.steps.Inner, d.steps.Filter, d.steps.Overtake = d.Inner, d, d.Overtake
	if d.indexed(v) {
		d.steps.Start(v)
		for d.start(v, a) {
		}
	} else {
		d.steps.Fill(v, a, slotmodel.Map)
	}
	d.steps.Fill(v, a, slotmodel.Reduce)
	d.wake.Ask(v, a, min(internal.AlarmOf(v, d.Inner), d.Alarm(v)))
}

// Observe hands an event on, keeps the index, and ends the wait of a job of which a map starts.
func (d *Delay) Observe(v *slotmodel.View, e slotmodel.Event) {
	internal.Observe(v, e, d.Inner)
	if e.Type != slotmodel.Started { // the event may have freed a slot
		d.offer(v, e.Node)
	}
	if e.Job < 0 || int(e.Job) >= len(d.jobs) || e.Kind != slotmodel.Map {
		return
	}
	switch e.Type {
	case slotmodel.Started:
		d.jobs[e.Job] = delayJob{level: d.jobs[e.Job].accept}
		d.ends.Remove(int32(e.Job))
		d.fresh.Add(e.Job)
	case slotmodel.Ready, slotmodel.Killed, slotmodel.Crashed, slotmodel.OutputLost:
		d.fresh.Add(e.Job)
	}
	d.follow(v, e)
}

// expire takes the jobs out of ends that accept more nodes by now, and enters them in the index.
func (d *Delay) expire(v *slotmodel.View) {
	for d.ends.Len() > 0 {
		j, at := d.ends.Least()
		if at > v.Now() {
			return
		}
		d.ends.Remove(j)
		d.fresh.Add(slotmodel.Job(j))
		d.settle(v, slotmodel.Job(j))
	}
}

// Alarm returns the next time at which a job that waits accepts more nodes, +Inf if none will.
func (d *Delay) Alarm(v *slotmodel.View) float64 {
	d.expire(v)
	if d.ends.Len() == 0 {
		return math.Inf(1)
	}
	_, at := d.ends.Least()
	return at
}

// Accept reports whether a job takes a node, and begins its wait when it does not.
func (d *Delay) Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	if k != slotmodel.Map || v.Spec(j) == nil || int(j) >= len(d.jobs) {
		return true
	}
	if d.broken {
		return false
	}
	x, now := &d.jobs[j], v.Now()
	if at := d.distance(v, j, n); at != notYet {
		x.accept = at
		return true
	}
	if !x.waits {
		x.waits, x.since, x.last, x.skips = true, now, now, 0
	}
	if now > x.last {
		x.last = now
		x.skips++
	}
	d.ends.Set(int32(j), d.next(x, now))
	return false
}

// notYet is what distance returns for a node that the job refuses.
const notYet = 255

// distance returns how far from node n the block is of the map that job j would start there: 0 on
// the node, 1 in its rack, 2 elsewhere; notYet if the job refuses the node.
func (d *Delay) distance(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) uint8 {
	switch reach := d.reach(v, j); {
	case v.Local(j, n) != slotmodel.None:
		return 0
	case reach >= 1 && v.LocalRack(j, v.RackOf(n)) != slotmodel.None:
		return 1
	case reach == 2:
		return 2
	}
	return notYet
}

// reach returns how far from a node the block of a map may be at most for job j to start the map
// there: 0 on the node, 1 in its rack, 2 elsewhere.
func (d *Delay) reach(v *slotmodel.View, j slotmodel.Job) uint8 {
	x, now := d.jobs[j], v.Now()
	if !x.waits {
		x.since, x.last = now, now
	}
	forRack, forAny := d.waits(x.level)
	switch {
	case v.Spec(j).Replicas == nil || d.over(&x, now, forAny):
		return 2
	case d.over(&x, now, forRack):
		return 1
	}
	return 0
}

// waits returns after which wait a job of some level accepts a rack with a block, and after which
// wait any node.
func (d *Delay) waits(level uint8) (forRack, forAny float64) {
	switch level {
	case 0:
		forRack, forAny = d.Node, d.Node+d.Rack
	case 1:
		forAny = d.Rack
	}
	return forRack, forAny
}

// over reports whether a job has waited for at least wait.
func (d *Delay) over(x *delayJob, now, wait float64) bool {
	if !d.Skips {
		return now >= x.since+wait
	}
	skips := x.skips
	if now > x.last {
		skips++
	}
	return skips >= wait
}

// next returns when to offer free nodes again to a job that has just refused one.
func (d *Delay) next(x *delayJob, now float64) float64 {
	forRack, forAny := d.waits(x.level)
	switch {
	case d.Skips:
		return max(now+cmp.Or(d.Retry, 3), math.Nextafter(now, math.Inf(1)))
	case x.since+forRack > now:
		return x.since + forRack
	}
	return x.since + forAny
}
