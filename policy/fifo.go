package policy

import (
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// FIFO serves jobs in the order of arrival: Hadoop's first scheduler without its priorities; on
// rigid jobs it is strict FCFS. It does what the zero Greedy does, and has no state, so that one
// value serves any number of runs.
//
// A start costs O(log nodes + log jobs). Only the start of a rigid job allocates: the list of its
// nodes.
type FIFO struct{}

// Decide fills the free slots, maps first.
func (FIFO) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	var s internal.Steps
	s.Fill(v, a, slotmodel.Map)
	s.Fill(v, a, slotmodel.Reduce)
}
