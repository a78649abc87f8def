package policy

import (
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// FIFO serves jobs in the order of arrival: Hadoop's first scheduler without its priorities; on
// rigid jobs it is strict FCFS. It does what Greedy does by arrival and without a filter, and has
// no state, so that one value serves any number of runs.
//
// A start costs O(log nodes + log jobs). Only the start of a rigid job allocates: the list of its
// nodes.
type FIFO struct {
	Overtake bool // jobs behind a rigid job that waits may start
}

// Decide fills the free slots, maps first.
func (p FIFO) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	s := internal.Steps{Overtake: p.Overtake}
	s.Fill(v, a, slotmodel.Map)
	s.Fill(v, a, slotmodel.Reduce)
}
