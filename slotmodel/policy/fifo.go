package policy

import "github.com/schedmath/schedmath/slotmodel"

// FIFO serves jobs in the order of arrival, those of one instant by index, and is Hadoop's first scheduler without its priorities;
// on rigid jobs it is strict FCFS. It does what Greedy does with ByArrival, rigid jobs included, and neither keeps nor observes
// anything, so that one value serves any number of runs.
//
// A start costs O(log nodes + log jobs). Only the start of a rigid job allocates: the list of its nodes.
type FIFO struct {
	Overtake bool // jobs behind a rigid job that waits may start
}

// Decide fills the free slots, maps first.
func (p FIFO) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	for _, k := range [...]slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
		for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n-1) {
			if !p.serve(v, a, k, n) {
				break
			}
		}
	}
}

// serve starts the first job that may, and reports whether there was one.
func (p FIFO) serve(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, n slotmodel.Node) bool {
	for j := v.NextRunnable(k, slotmodel.None); j != slotmodel.None; j = v.NextRunnable(k, j) {
		switch w := width(v, j); {
		case w == 1:
			return a.Start(j, k, n)
		case w <= v.FreeSlots(k):
			return new(filler).gang(v, a, j, w)
		case !p.Overtake && w <= v.Slots(k):
			return false
		}
	}
	return false
}
