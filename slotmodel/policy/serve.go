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
	Inner    Ranker // nil: by arrival
	Overtake bool   // jobs behind a rigid job that waits may start; it may then wait for as long as they come
	filler
}

// Decide fills the free slots, maps first.
func (g *Greedy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if g != nil {
		g.fillAll(v, a, g.Inner, g.Overtake)
	}
}

// Observe hands an event on to the Ranker.
func (g *Greedy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if g != nil {
		observe(g.Inner, v, e)
	}
}

// observe shows an event to a Ranker that learns.
func observe(r Ranker, v *slotmodel.View, e slotmodel.Event) {
	if o, ok := r.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

// filler gives free slots to the jobs of a Ranker.
type filler struct {
	nodes    []slotmodel.Node // scratch
	arrivals ByArrival        // what a Ranker that is nil stands for
}

// ranker returns r, or the order of arrival.
func (f *filler) ranker(r Ranker) Ranker {
	if r == nil {
		return &f.arrivals
	}
	return r
}

// fillAll fills the slots of both kinds.
func (f *filler) fillAll(v *slotmodel.View, a *slotmodel.Actions, r Ranker, overtake bool) {
	r = f.ranker(r)
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
	j := first(v, k, r, overtake)
	if j == slotmodel.None {
		return false
	}
	switch w := width(v, j); {
	case w == 1:
		return a.Start(j, k, n)
	case w <= v.FreeSlots(k):
		return f.gang(v, a, j, w)
	}
	return false // it waits for more slots
}

// first returns the first job of a Ranker that may have the next slot, or holds up those after it; None when there is none.
func first(v *slotmodel.View, k slotmodel.Kind, r Ranker, overtake bool) slotmodel.Job {
	r.Begin(v, k)
	j := r.Next(v)
	for j != slotmodel.None {
		if w := width(v, j); w == 1 || w <= v.FreeSlots(k) || !overtake && w <= v.Slots(k) {
			break
		}
		j = r.Next(v)
	}
	return j
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
	if s := v.Spec(j); s != nil && s.Rigid && s.Maps.Tasks > 1 {
		return s.Maps.Tasks
	}
	return 1
}
