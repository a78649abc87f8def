package policy

import "github.com/schedmath/schedmath/slotmodel"

// Greedy is the policy that leaves no slot free which a job could use. It gives each free slot, in the order of the nodes'
// numbers, to the first job of a Ranker. A map with its block on that node goes first, then one with its block in that rack.
//
// A rigid job starts when so many slots are free as it has maps, on the nodes of the lowest numbers. While it is the next one
// and they are fewer, no map of a job after it starts, unless Overtake is set. A rigid job that has more maps than there are
// slots on nodes that are up holds up nobody.
//
// A start costs O(log nodes), plus what the Ranker costs for one job and for each rigid one that is passed over. Nothing is allocated in the steady state.
type Greedy struct {
	Inner    Ranker
	Overtake bool // jobs behind a rigid job that waits may start; it may then wait for as long as they come
	filler
}

// Decide fills the free slots, maps first.
func (g *Greedy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	g.fillAll(v, a, g.Inner, g.Overtake)
}

// Observe hands an event on to the Ranker.
func (g *Greedy) Observe(v *slotmodel.View, e slotmodel.Event) { observe(g.Inner, v, e) }

// observe shows an event to a Ranker that learns.
func observe(r Ranker, v *slotmodel.View, e slotmodel.Event) {
	if o, ok := r.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

// filler gives free slots to the jobs of a Ranker.
type filler struct {
	nodes []slotmodel.Node // scratch
}

// fillAll fills the slots of both kinds.
func (f *filler) fillAll(v *slotmodel.View, a *slotmodel.Actions, r Ranker, overtake bool) {
	f.fill(v, a, slotmodel.Map, r, overtake)
	f.fill(v, a, slotmodel.Reduce, r, overtake)
}

// fill starts tasks of one kind until no slot is free, no job is left, or a rigid job waits.
func (f *filler) fill(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, r Ranker, overtake bool) {
	for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n-1) {
		if !f.serve(v, a, k, n, r, overtake) {
			return
		}
	}
}

// serve starts the first job that may, and reports whether there was one.
func (f *filler) serve(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, n slotmodel.Node, r Ranker, overtake bool) bool {
	r.Begin(v, k)
	for j := r.Next(v); j != slotmodel.None; j = r.Next(v) {
		switch w := width(v, j); {
		case w == 1:
			return a.Start(j, k, n)
		case w <= v.FreeSlots(k):
			return f.gang(v, a, j, w)
		case !overtake && w <= v.Slots(k):
			return false
		}
	}
	return false
}

// gang starts a rigid job on the first free slots.
func (f *filler) gang(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job, width int) bool {
	f.nodes = f.nodes[:0]
	for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None && len(f.nodes) < width; n = v.NextFree(slotmodel.Map, n) {
		for range min(v.Free(n, slotmodel.Map), width-len(f.nodes)) {
			f.nodes = append(f.nodes, n)
		}
	}
	return a.StartGang(j, f.nodes)
}

// width returns how many slots a job needs at once.
func width(v *slotmodel.View, j slotmodel.Job) int {
	if s := v.Spec(j); s.Rigid && s.Maps.Tasks > 1 {
		return s.Maps.Tasks
	}
	return 1
}
