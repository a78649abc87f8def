package policy

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// Delay is delay scheduling [2, algorithm 2] as a Filter: a job whose turn it is, but which has no block on the node with the free slot,
// refuses it for a while, and the jobs after it may start there. Greedy{Inner: r, Filter: &Delay{Node: 5, Rack: 5}} is delay scheduling
// around any Ranker r. Which nodes a job accepts depends on its level, at first 0:
//
//	level 0  nodes that hold a block of a waiting map; once the job has waited for Node, also the other nodes of their racks;
//	         once it has waited for Node + Rack, any node
//	level 1  nodes that hold a block and the other nodes of their racks; once the job has waited for Rack, any node
//	level 2  any node
//
// A map that starts sets the level of its job to the distance of its block, 0 on the node, 1 in the rack, 2 elsewhere, and ends the wait.
// The wait begins with the first node that the job refuses. It is in seconds, or with Skips in instants at which the job
// refused a node. Jobs without blocks, and reduces, accept any node. With Node and Rack 0 nobody waits.
//
// Slots stay free while jobs wait, so Delay sets an alarm: for the first end of a wait or, with Skips, for Retry seconds after a
// refusal. So every job ends for as long as Node and Rack are finite. A wait of +Inf leaves maps for ever whose blocks nobody holds, and
// the run may end with a DeadlockError.
//
// A question costs O(log tasks), an event O(1). Nothing is allocated in the steady state.
type Delay struct {
	Node  float64 // how long a job waits for a node with a block, >= 0; a negative number or NaN counts as 0
	Rack  float64 // how long it then waits for a rack with one
	Skips bool    // Node and Rack are numbers of instants, not seconds
	Retry float64 // s, for Skips; 0 means 3, the heartbeat of Hadoop

	jobs []delayJob
	due  float64 // the alarm by what was refused at the instant asked
	at   float64 // the instant of the last refusal
}

// delayJob is what Delay knows of one job.
type delayJob struct {
	since  float64 // when the wait began
	last   float64 // the instant of the last refusal
	skips  float64 // instants with a refusal before last
	waits  bool
	level  uint8
	accept uint8 // distance of the block from the node accepted last: the level if a map starts
}

// BeginRun forgets the previous run.
func (d *Delay) BeginRun(v *slotmodel.View) {
	if d != nil {
		d.jobs, d.due, d.at = make([]delayJob, v.Jobs()), math.Inf(1), math.Inf(-1)
	}
}

// Observe ends the wait of a job of which a map starts.
func (d *Delay) Observe(v *slotmodel.View, e slotmodel.Event) {
	if d != nil && e.Type == slotmodel.Started && e.Kind == slotmodel.Map && e.Job >= 0 && int(e.Job) < len(d.jobs) {
		d.jobs[e.Job] = delayJob{level: d.jobs[e.Job].accept}
	}
}

// Alarm returns when some job that refused a node at the last instant will accept more.
func (d *Delay) Alarm(*slotmodel.View) float64 {
	if d == nil || d.jobs == nil {
		return math.Inf(1)
	}
	return d.due
}

// Accept reports whether a job takes a node, and begins its wait when it does not.
func (d *Delay) Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	if s := v.Spec(j); d == nil || k != slotmodel.Map || s == nil || s.Replicas == nil || int(j) >= len(d.jobs) {
		return true
	}
	x, now := &d.jobs[j], v.Now()
	if !x.waits {
		x.since, x.last, x.skips = now, now, 0
	}
	forRack, forAny := d.waits(x.level)
	switch {
	case v.Local(j, n) != slotmodel.None:
		x.accept = 0
		return true
	case d.over(x, now, forRack) && v.LocalRack(j, v.RackOf(n)) != slotmodel.None:
		x.accept = 1
		return true
	case d.over(x, now, forAny):
		x.accept = 2
		return true
	}
	if now > x.last {
		x.last = now
		x.skips++
	}
	x.waits = true
	if now > d.at {
		d.at, d.due = now, math.Inf(1)
	}
	d.due = min(d.due, d.next(x, now, forRack, forAny))
	return false
}

// waits returns how long a job of a level waits for a node of a rack with a block, and for any node.
func (d *Delay) waits(level uint8) (forRack, forAny float64) {
	switch level {
	case 0:
		forRack = nonNegative(d.Node)
		forAny = forRack + nonNegative(d.Rack)
	case 1:
		forAny = nonNegative(d.Rack)
	}
	return forRack, forAny
}

// over reports whether a job has waited for so long.
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

// next returns when to offer free nodes again to a job that has refused one.
func (d *Delay) next(x *delayJob, now, forRack, forAny float64) float64 {
	switch {
	case d.Skips:
		retry := d.Retry
		if !(retry > 0) {
			retry = 3
		}
		return max(now+retry, math.Nextafter(now, math.Inf(1)))
	case x.since+forRack > now:
		return x.since + forRack
	}
	return x.since + forAny
}

// nonNegative returns x, 0 for what is negative or NaN.
func nonNegative(x float64) float64 {
	if !(x >= 0) {
		return 0
	}
	return x
}
