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
// A rigid job starts when as many slots are free as it has maps, on the nodes of the lowest numbers; the filter is not asked. While it
// is its turn and fewer are free, or the nodes lack the memory, no map of a job after it starts, unless Overtake is set. A rigid job that has
// more maps than there are slots on nodes that are up holds up nobody.
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

	gang     []slotmodel.Node // scratch
	arrivals ByArrival        // stands for an Inner that is nil
	wake     wake
}

// Check checks the settings of Inner and Filter.
func (g *Greedy) Check() error {
	if g == nil {
		return nil
	}
	return check(g.Inner, g.Filter)
}

// BeginRun forgets the previous run and hands the call on.
func (g *Greedy) BeginRun(v *slotmodel.View) {
	if g != nil {
		g.wake = wake{}
		beginRun(v, g.Inner, g.Filter)
	}
}

// Observe hands an event on to Inner and Filter.
func (g *Greedy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if g != nil {
		observe(v, e, g.Inner)
		observe(v, e, g.Filter)
	}
}

// Heartbeat returns the period that Inner or Filter asks for, the shorter one of two; 0: none.
func (g *Greedy) Heartbeat() float64 {
	if g == nil {
		return 0
	}
	return heartbeat(g.Inner, g.Filter)
}

// Decide fills the free slots, maps first.
func (g *Greedy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if g != nil {
		g.fill(v, a, slotmodel.Map)
		g.fill(v, a, slotmodel.Reduce)
		g.wake.ask(v, a, alarmOf(v, g.Inner, g.Filter))
	}
}

// ranker returns Inner, or the order of arrival.
func (g *Greedy) ranker() Ranker {
	if g.Inner == nil {
		return &g.arrivals
	}
	return g.Inner
}

// served says what became of a node with a free slot.
type served uint8

const (
	started served = iota // a job started
	refused               // no job of the walk takes the node
	nobody                // no other node would be taken either: no job waits, or a rigid one holds up the others
)

// fill gives the free slots of one kind to the jobs of the Ranker. A start may change what the filter answers: with a filter, nodes are
// offered again until each has been refused by the jobs as they are.
//
// A Delay makes the same starts with fewer questions. It is known by its type, not by its methods, as a filter that embeds a Delay has these
// methods too, and may have an Accept of its own.
func (g *Greedy) fill(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	if d, ok := g.Filter.(*Delay); ok && k == slotmodel.Map && d.indexed(v) {
		for d.start(v, a, g.ranker()) {
		}
		return
	}
	for g.pass(v, a, k) && g.Filter != nil {
	}
}

// pass offers each free node once, and reports whether a job started after another node was refused.
func (g *Greedy) pass(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) (again bool) {
	passed := false
	for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; {
		switch g.serve(v, a, k, n) {
		case started:
			again = passed
			n = v.NextFree(k, n-1) // the node may have another free slot
		case refused:
			passed = true
			n = v.NextFree(k, n)
		case nobody:
			return again
		}
	}
	return again
}

// serve gives a slot of node n to the first job that takes it.
func (g *Greedy) serve(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, n slotmodel.Node) served {
	r, result := g.ranker(), nobody
	r.Begin(v, k)
	for j := r.Next(v); j != slotmodel.None; j = r.Next(v) {
		w, done := width(v, j), false
		switch {
		case w == 1 && v.Runnable(j, k):
			if result = refused; !v.Fits(j, k, n) || g.Filter != nil && !g.Filter.Accept(v, j, k, n) {
				continue
			}
			done = a.Start(j, k, n)
		case w == 1: // the Ranker is at fault, and the refused start ends the run
			done = a.Start(j, k, n)
		case w <= v.FreeSlots(k) && g.startGang(v, a, j, w):
			done = true
		case g.Overtake || w > v.Slots(k):
			continue
		}
		if done {
			return started
		}
		return nobody
	}
	return result
}

// first returns the first job that may have the next slot or holds up the jobs after it, None when there is none.
func (g *Greedy) first(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	r := g.ranker()
	r.Begin(v, k)
	j := r.Next(v)
	for ; j != slotmodel.None; j = r.Next(v) {
		if w := width(v, j); w == 1 || w <= v.FreeSlots(k) || !g.Overtake && w <= v.Slots(k) {
			break
		}
	}
	return j
}

// waiting returns the first job that is not rigid, None when there is none or a rigid job holds it up.
func (g *Greedy) waiting(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	r := g.ranker()
	r.Begin(v, k)
	for j := r.Next(v); j != slotmodel.None; j = r.Next(v) {
		if w := width(v, j); w == 1 {
			return j
		} else if !g.Overtake && w <= v.Slots(k) {
			break
		}
	}
	return slotmodel.None
}

// startGang starts a rigid job on the first free slots, and reports whether the nodes had the memory.
func (g *Greedy) startGang(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job, width int) bool {
	return g.layGang(v, j, width) && a.StartGang(j, g.gang)
}

// layGang lists the nodes of the first free slots for a rigid job, and reports whether the nodes have the memory.
func (g *Greedy) layGang(v *slotmodel.View, j slotmodel.Job, width int) bool {
	g.gang = g.gang[:0]
	memory := v.Spec(j).Maps.Memory
	for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None && len(g.gang) < width; n = v.NextFree(slotmodel.Map, n) {
		_, free := v.Memory(n)
		for i := range min(v.Free(n, slotmodel.Map), width-len(g.gang)) {
			if float64(i+1)*memory <= free {
				g.gang = append(g.gang, n)
			}
		}
	}
	return len(g.gang) == width
}

// width returns how many slots a job needs at once.
func width(v *slotmodel.View, j slotmodel.Job) int {
	if s := v.Spec(j); s != nil && s.Rigid && s.Maps.Tasks > 1 {
		return s.Maps.Tasks
	}
	return 1
}
