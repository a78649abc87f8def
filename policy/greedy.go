package policy

import (
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Filter says which starts are wanted: a job whose turn it is may refuse a node, and the jobs after
// it are asked. It may also be a slotmodel.Checker, a slotmodel.Beginner, a slotmodel.Observer and
// an Alarm.
type Filter interface {
	// Accept reports whether job j, whose turn it is, is to start a task of kind k on node n, which
	// has room for one, or may have when an attempt there is killed. The start may not follow:
	// whether it does shows in the events.
	Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool
}

// Greedy is the policy that gives each free slot, in the order of the nodes' numbers and maps
// first, to the first job of a Ranker that can start a task there and whose start the filter
// accepts. slotmodel.Actions.Start picks the task. Without a filter no slot stays free that a job
// could use.
//
// A rigid job starts when as many slots are free as it has maps, on the nodes of the lowest
// numbers; the filter is not asked. Until then no map of a job after it starts, unless Overtake is
// set, nothing that runs ends by itself (slotmodel.View.AtRest), or the job has more maps than the
// nodes that are up can run at once (slotmodel.View.Capacity).
//
// Greedy asks to be woken at the earlier alarm of Inner and Filter. Without a filter a start costs
// O(log nodes) and the first step of a walk of Inner, plus a step for each job that is passed over.
// With a filter, or where tasks need memory, Decide asks at most free nodes times waiting jobs.
type Greedy struct {
	Inner  Ranker // nil: by arrival
	Filter Filter // nil: every start is accepted
	// Overtake lets jobs behind a rigid job that waits start. The rigid job may then wait for as
	// long as such jobs come.
	Overtake bool

	steps internal.Steps
	wake  internal.Wake
}

// parts returns Inner and Filter.
func (g *Greedy) parts() []any { return []any{g.Inner, g.Filter} }

// Check checks the settings of Inner and Filter.
func (g *Greedy) Check() error { return internal.Check(g.parts()...) }

// BeginRun forgets the previous run and hands the call on.
func (g *Greedy) BeginRun(v *slotmodel.View) {
	g.wake = internal.Wake{}
	internal.BeginRun(v, g.parts()...)
}

// Observe hands an event on to Inner and Filter.
func (g *Greedy) Observe(v *slotmodel.View, e slotmodel.Event) { internal.Observe(v, e, g.parts()...) }

// Decide fills the free slots, maps first.
func (g *Greedy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	g.steps.Inner, g.steps.Filter, g.steps.Overtake = g.Inner, g.Filter, g.Overtake
	g.steps.Fill(v, a, slotmodel.Map)
	g.steps.Fill(v, a, slotmodel.Reduce)
	g.wake.Ask(v, a, internal.AlarmOf(v, g.parts()...))
}
