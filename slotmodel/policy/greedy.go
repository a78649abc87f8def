package policy

import "github.com/schedmath/schedmath/slotmodel"

// Filter says which starts are wanted: a job whose turn it is may refuse a node, and the jobs after it are asked. It may also be a
// slotmodel.Checker, a slotmodel.Beginner, a slotmodel.Observer, a slotmodel.Ticker and an Alarm.
type Filter interface {
	// Accept reports whether job j, whose turn it is, is to start a task of kind k on node n, which has room for one. It may be asked
	// in vain: whether the start follows shows in the events.
	Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool
}

// Greedy is the policy that gives each free slot, in the order of the nodes' numbers and maps first, to the first job of a Ranker that
// can start a task there and whose start the filter accepts. slotmodel.Actions.Start picks the task: a map with its block on
// the node first, then one with its block in the rack. Without a filter no slot stays free that a job could use.
//
// A rigid job starts when as many slots are free as it has maps, on the nodes of the lowest
// numbers; the filter is not asked. While it is its turn and fewer are free, or the nodes lack
// the memory, no map of a job after it starts, unless Overtake is set. A rigid job that has more
// maps than the nodes that are up could run at once (slotmodel.View.Capacity) holds up nobody.
// Nor does one that lacks room although nothing runs that ends by itself (slotmodel.View.AtRest):
// reduces that wait for maps hold what it needs, perhaps for maps of the jobs behind it.
//
// After each call Greedy asks to be woken at the earlier alarm of Inner and Filter.
//
// Without a filter a start costs O(log nodes) and the first step of a walk of Inner, plus a step for each job that is passed over. With
// a filter, or where tasks need memory, each call of Decide asks about each free node each job that is before its first taker: at most
// free nodes times waiting jobs. With a Delay it costs much less, as Delay says. Nothing is allocated in the steady state.
type Greedy struct {
	Inner    Ranker // nil: by arrival
	Filter   Filter // nil: every start is accepted
	Overtake bool   // jobs behind a rigid job that waits may start; it may then wait for as long as they come

	walk []slotmodel.Job  // what Inner has given since its last Begin, None included; nodes offered after one another share it
	gang []slotmodel.Node // scratch
	rest bool             // the decision began AtRest, and no start has come before a rigid job that lacks room
	wake wake
}

// parts returns Inner and Filter.
func (g *Greedy) parts() []any {
	if g == nil {
		return nil
	}
	return []any{g.Inner, g.Filter}
}

// Check checks the settings of Inner and Filter.
func (g *Greedy) Check() error { return check(g.parts()...) }

// BeginRun forgets the previous run and hands the call on.
func (g *Greedy) BeginRun(v *slotmodel.View) {
	if g != nil {
		g.wake = wake{}
	}
	beginRun(v, g.parts()...)
}

// Observe hands an event on to Inner and Filter.
func (g *Greedy) Observe(v *slotmodel.View, e slotmodel.Event) { observe(v, e, g.parts()...) }

// Heartbeat returns the period that Inner or Filter asks for, the shorter one of two; 0: none.
func (g *Greedy) Heartbeat() float64 { return heartbeat(g.parts()...) }

// Decide fills the free slots, maps first.
func (g *Greedy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if g != nil {
		g.fill(v, a, slotmodel.Map)
		g.fill(v, a, slotmodel.Reduce)
		g.wake.ask(v, a, alarmOf(v, g.parts()...))
	}
}

// next returns the job after j in the order of Inner, the first one for slotmodel.None.
func (g *Greedy) next(v *slotmodel.View, k slotmodel.Kind, j slotmodel.Job) slotmodel.Job {
	if g.Inner == nil {
		return v.NextRunnable(k, j)
	}
	if j == slotmodel.None {
		g.Inner.Begin(v, k)
	}
	return g.Inner.Next(v)
}

// rewind ends the walk that nodes share: what comes next may change the order.
func (g *Greedy) rewind() { g.walk = g.walk[:0] }

// at returns job i of the order that Inner had at the first call since the last rewind, None at its
// end. Jobs are asked for from 0 on; last is job i-1.
func (g *Greedy) at(v *slotmodel.View, k slotmodel.Kind, i int, last slotmodel.Job) slotmodel.Job {
	switch {
	case g.Inner == nil:
		return v.NextRunnable(k, last)
	case i < len(g.walk):
		return g.walk[i]
	case i == 0:
		g.Inner.Begin(v, k)
	}
	g.walk = append(g.walk, g.Inner.Next(v))
	return g.walk[i]
}

// served says what became of a node with a free slot.
type served uint8

const (
	started served = iota // a task started
	refused               // no job of the walk takes the node
	nobody                // no other node would be taken either: no job waits, or a rigid one holds up the others
)

// offer offers each node that next gives until it is refused, and reports whether a start came after a refusal.
func offer(next func(slotmodel.Node) slotmodel.Node, serve func(slotmodel.Node) served) (again bool) {
	passed := false
	for n := next(slotmodel.None); n != slotmodel.None; {
		switch serve(n) {
		case started:
			again = passed
			n = next(n - 1) // the node may have another free slot
		case refused:
			passed = true
			n = next(n)
		case nobody:
			return again
		}
	}
	return again
}

// fill gives the free slots of one kind to the jobs of the Ranker. A start may change what the filter answers: with a filter, nodes are
// offered again until each has been refused by the jobs as they are.
//
// A Delay makes the same starts with fewer questions. It is known by its type, not by its methods, as a filter that embeds a Delay has these
// methods too, and may have an Accept of its own.
func (g *Greedy) fill(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	g.rest = v.AtRest()
	g.rewind()
	if d, ok := g.Filter.(*Delay); ok && k == slotmodel.Map && d.indexed(v) {
		for d.start(v, a, g) {
		}
		return
	}
	next := func(n slotmodel.Node) slotmodel.Node { return v.NextFree(k, n) }
	serve := func(n slotmodel.Node) served { return g.serve(v, a, k, n) }
	for offer(next, serve) && g.Filter != nil {
	}
}

// serve gives a slot of node n to the first job that takes it.
func (g *Greedy) serve(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, n slotmodel.Node) served {
	result, passed := nobody, false
	j := slotmodel.Job(slotmodel.None)
	for i := 0; ; i++ {
		if j = g.at(v, k, i, j); j == slotmodel.None {
			return result
		}
		switch w := width(v, j); {
		case w == 1 && v.Runnable(j, k) && (!v.Fits(j, k, n) || g.Filter != nil && !g.Filter.Accept(v, j, k, n)):
			result = refused
		case w == 1 && a.Start(j, k, n), w > 1 && g.startGang(v, a, j, w):
			g.rest = g.rest && passed
			g.rewind()
			return started
		case w == 1, g.holdsUp(v, j, w): // a start is refused where the Ranker is at fault; it ends the run
			return nobody
		default:
			passed = passed || w <= v.Capacity(j, k)
		}
	}
}

// first returns the first job that may have the next slot or holds up the jobs after it, None when there is none.
func (g *Greedy) first(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	j := g.next(v, k, slotmodel.None)
	for ; j != slotmodel.None; j = g.next(v, k, j) {
		if w := width(v, j); w == 1 || gangFits(v, j, w) || g.holdsUp(v, j, w) {
			break
		}
	}
	return j
}

// waiting returns the first job that is not rigid, None when there is none or a rigid job holds it up.
func (g *Greedy) waiting(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	j := g.next(v, k, slotmodel.None)
	for ; j != slotmodel.None; j = g.next(v, k, j) {
		if w := width(v, j); w == 1 {
			break
		} else if g.holdsUp(v, j, w) {
			return slotmodel.None
		}
	}
	return j
}

// holdsUp reports whether a rigid job that cannot start keeps the jobs after it from starting.
func (g *Greedy) holdsUp(v *slotmodel.View, j slotmodel.Job, width int) bool {
	return !g.Overtake && !g.rest && width <= v.Capacity(j, slotmodel.Map)
}

// gangFits reports whether there is room for all maps of a rigid job.
func gangFits(v *slotmodel.View, j slotmodel.Job, width int) bool {
	if width > v.FreeSlots(slotmodel.Map) {
		return false
	}
	room := 0
	for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None && room < width; n = v.NextFree(slotmodel.Map, n) {
		room += v.Room(j, slotmodel.Map, n)
	}
	return room >= width
}

// startGang starts a rigid job on the first nodes with room, if
// there is room for all of its maps, and reports whether there was.
func (g *Greedy) startGang(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job, width int) bool {
	if !gangFits(v, j, width) {
		return false
	}
	g.gang = g.gang[:0]
	for n := v.NextFree(slotmodel.Map, slotmodel.None); len(g.gang) < width; n = v.NextFree(slotmodel.Map, n) {
		for range min(v.Room(j, slotmodel.Map, n), width-len(g.gang)) {
			g.gang = append(g.gang, n)
		}
	}
	return a.StartGang(j, g.gang)
}

// width returns how many slots a job needs at once.
func width(v *slotmodel.View, j slotmodel.Job) int {
	if s := v.Spec(j); s != nil && s.Rigid && s.Maps.Tasks > 1 {
		return s.Maps.Tasks
	}
	return 1
}
