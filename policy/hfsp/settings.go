package hfsp

import (
	"math"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming the setting that is out of its range.
func (h *Policy) Check() error {
	const fn = "hfsp.Policy.Check"
	switch {
	case h.Samples < 0:
		return input.Bad(fn, "Samples", -1, "%d, want >= 0", h.Samples)
	case !(h.Limit >= 0 && h.Limit <= 1):
		return input.Bad(fn, "Limit", -1, "%v, want within [0, 1]", h.Limit)
	case !(h.Xi == 0 || h.Xi >= 1 && h.Xi <= math.MaxFloat64):
		return input.Bad(fn, "Xi", -1, "%v, want finite and >= 1, or 0", h.Xi)
	case !(h.FirstTask >= 0 && h.FirstTask <= math.MaxFloat64):
		return input.Bad(fn, "FirstTask", -1, "%v, want finite and >= 0", h.FirstTask)
	case !(h.Delta >= 0):
		return input.Bad(fn, "Delta", -1, "%v, want >= 0", h.Delta)
	case h.Preempt > policy.PreemptSuspend:
		return input.Bad(fn, "Preempt", -1, "%d, want PreemptWait, PreemptKill or PreemptSuspend", h.Preempt)
	}
	return nil
}

// Samples are the samples of a phase, in the order of their starts.
type Samples struct {
	Job      slotmodel.Job
	Kind     slotmodel.Kind
	Tasks    int       // of the phase
	Times    []float64 // s: of a map from its start, of a reduce from when it computes
	Shuffles []float64 // s that a reduce shuffled before it computed; nil for maps
}

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
