package policy

import "github.com/schedmath/schedmath/slotmodel"

// FIFO serves jobs in the order of arrival: Hadoop's first scheduler without its priorities;
// on rigid jobs it is strict FCFS. It does what Greedy does by arrival and without a filter, and has no state, so that one value
// serves any number of runs.
//
// A start costs O(log nodes + log jobs). Only the start of a rigid job allocates: the list of its nodes.
type FIFO struct {
	Overtake bool // jobs behind a rigid job that waits may start
}

// Decide fills the free slots, maps first.
func (p FIFO) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	for _, k := range [...]slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
		for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; {
			switch p.serve(v, a, k, n) {
			case started:
				n = v.NextFree(k, n-1)
			case refused:
				n = v.NextFree(k, n)
			case nobody:
				n = slotmodel.None
			}
		}
	}
}

// serve starts the first job that can start on a node.
func (p FIFO) serve(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, n slotmodel.Node) served {
	result, done := nobody, false
	for j := v.NextRunnable(k, slotmodel.None); j != slotmodel.None; j = v.NextRunnable(k, j) {
		switch w := width(v, j); {
		case w == 1 && !v.Fits(j, k, n):
			result = refused
			continue
		case w == 1:
			done = a.Start(j, k, n)
		case w > 1 && w <= v.FreeSlots(k) && new(Greedy).startGang(v, a, j, w):
			done = true
		case p.Overtake || w > v.Slots(k):
			continue
		}
		if done {
			return started
		}
		return nobody
	}
	return result
}
