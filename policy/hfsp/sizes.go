package hfsp

import (
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// TrueSize is the true size of a phase, which no scheduler knows in advance: the sum of the work
// of its tasks, in seconds on a node of speed 1, without transfers. It is made for Policy.Size.
// Without a run, or for a job that the run does not have, it is 0. Cost O(tasks) where the work of
// tasks differs, else O(1).
func TrueSize(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
	spec := v.Spec(j)
	if spec == nil {
		return 0
	}
	return internal.TotalWork(internal.PhaseOf(spec, k))
}
