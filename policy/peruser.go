package policy

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Users orders users for a node, the user to serve first at the front. Together with a Chooser it
// makes a PerUser. It may also be a slotmodel.Beginner, a slotmodel.Observer and an Alarm.
type Users interface {
	// Begin starts a walk for a node with a free slot. It is called again after every action.
	Begin(v *slotmodel.View, n slotmodel.Node)
	// Next returns the next user of the walk, slotmodel.None at its end. Users without tasks to
	// start may come too.
	Next(v *slotmodel.View) slotmodel.User
}

// Chooser picks a task of a user for a node, of either kind. It may also be a slotmodel.Beginner, a
// slotmodel.Observer and an Alarm.
type Chooser interface {
	// Choose returns a job of user u, the kind and the task to start on node n; false if the
	// user is to start nothing there. The start must be possible (slotmodel.View.Fits). A task of
	// slotmodel.None stands for the task that slotmodel.Actions.Start picks. For a rigid job all of
	// its maps start, n or not, if the cluster has room for them; otherwise the next user is asked.
	Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (j slotmodel.Job, k slotmodel.Kind, t slotmodel.Task, ok bool)
}

// Idler is an optional interface of a Chooser that can tell at once that no user has a task for a
// node. PerUser then does not ask Choose for each user.
//
// A type that embeds a Chooser and changes Choose must change Idle too: the Idle that it inherits
// answers for the embedded Chooser.
type Idler interface {
	// Idle reports true only if Choose would find no task for any user on node n. It may report
	// false although that is so.
	Idle(v *slotmodel.View, n slotmodel.Node) bool
}

// PerUser is the policy that chooses a user first and then among the tasks of that user, maps and
// reduces together. Nodes with a free slot are served in the order of their numbers, each until no
// task starts there: the first user in order for whom the Chooser finds a task starts it. Since a
// start may change what the Chooser answers, all nodes are offered again until no task starts after
// a refusal. PerUser asks to be woken at the earlier alarm of its parts.
//
// Offering a node costs a walk of Users and a Choose for each user of the walk; with Prefer also a
// Prefers for each, and sorting them.
type PerUser struct {
	Users   Users   // nil: FairUsers
	Chooser Chooser // nil: Earliest

	// With Prefer a user with a preferred task for the node goes before users of the same level
	// without one. The Chooser must be a Preferrer and Users a Leveler; otherwise Prefer has no
	// effect.
	Prefer bool
	// Slack is the number of slots by which a user with a preferred task for the node may be richer
	// and still go first. Such a user is ordered as if it held Slack slots fewer, but one at least:
	// nobody who holds a slot passes a user who holds none, and so no user starves. Only with
	// Prefer; >= 0 and finite. 0: only users of exactly the same level change places.
	Slack float64

	fair     FairUsers        // used if Users is nil
	earliest Earliest         // used if Chooser is nil
	prefer   preferring       // used if Prefer
	gang     []slotmodel.Node // scratch
	wake     internal.Wake
}

// parts returns Users and Chooser.
func (p *PerUser) parts() []any { return []any{p.Users, p.Chooser} }

// Check checks the settings, those of Users and Chooser too.
func (p *PerUser) Check() error {
	if !(p.Slack >= 0 && p.Slack <= math.MaxFloat64) {
		return input.Bad("policy.PerUser.Check", "Slack", -1, "%v, want a finite number >= 0", p.Slack)
	}
	return internal.Check(p.parts()...)
}

// BeginRun forgets the previous run and hands the call on.
func (p *PerUser) BeginRun(v *slotmodel.View) {
	p.wake = internal.Wake{}
	internal.BeginRun(v, p.parts()...)
}

// Observe hands an event on to Users and Chooser.
func (p *PerUser) Observe(v *slotmodel.View, e slotmodel.Event) { internal.Observe(v, e, p.parts()...) }

// Decide fills the free slots, node by node, until no task starts after a node was refused: a start
// may change what the Chooser answers.
func (p *PerUser) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	next := func(n slotmodel.Node) slotmodel.Node { return nextFree(v, n) }
	serve := func(n slotmodel.Node) internal.Served {
		if !p.idle(v, n) && p.serve(v, a, n) {
			return internal.Started
		}
		return internal.Refused
	}
	for internal.Offer(next, serve) {
	}
	p.wake.Ask(v, a, internal.AlarmOf(v, p.parts()...))
}

// idle reports whether it is known, without a walk of Users, that no task starts on a node.
func (p *PerUser) idle(v *slotmodel.View, n slotmodel.Node) bool {
	for k := range slotmodel.Kind(2) {
		if v.Free(k, n) > 0 && v.NextRunnable(slotmodel.None, k) != slotmodel.None {
			c, ok := p.Chooser.(Idler)
			return ok && c.Idle(v, n)
		}
	}
	return true
}

// serve starts a task of the first user who has one for a node, and reports whether there was one.
func (p *PerUser) serve(v *slotmodel.View, a *slotmodel.Actions, n slotmodel.Node) bool {
	users, chooser := cmp.Or[Users](p.Users, &p.fair), cmp.Or[Chooser](p.Chooser, &p.earliest)
	if p.Prefer {
		users = p.prefer.around(users, chooser, p.Slack)
	}
	users.Begin(v, n)
	for u := users.Next(v); u != slotmodel.None; u = users.Next(v) {
		j, k, t, ok := chooser.Choose(v, u, n)
		switch w := internal.Width(v, j); {
		case !ok || w > 1 && !internal.StartGang(v, a, j, w, &p.gang):
			continue
		case w > 1:
			return true
		case t == slotmodel.None:
			return a.Start(j, k, n)
		}
		return a.StartTask(t, n)
	}
	return false
}

// nextFree returns the first node after n with a free slot of any kind, None when there is none.
func nextFree(v *slotmodel.View, n slotmodel.Node) slotmodel.Node {
	m, r := v.NextFree(slotmodel.Map, n), v.NextFree(slotmodel.Reduce, n)
	if m == slotmodel.None || r != slotmodel.None && r < m {
		return r
	}
	return m
}
