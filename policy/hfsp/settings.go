package hfsp

import (
	"math"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy"
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
	case h.Caps > CapNone:
		return input.Bad(fn, "Caps", -1, "%v, want CapTasks, CapLeft or CapNone", h.Caps)
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

// Caps says how many slots a phase can use in the virtual cluster.
type Caps uint8

const (
	// CapTasks: as many as the phase has tasks, done ones too. The virtual work drains at an even
	// rate, as if all tasks ran side by side and ended together.
	CapTasks Caps = iota
	// CapLeft: as many as the phase has tasks that are not done in reality. The cap changes
	// whenever a task ends or is lost, and with it the order. A phase that is almost done ages
	// slowly.
	CapLeft
	// CapNone: any number.
	CapNone
)

// String returns the name of the rule, "Caps(7)" for one that does not exist.
func (c Caps) String() string { return enum.Name(c, "Caps", "CapTasks", "CapLeft", "CapNone") }

// MarshalText returns the name as text.
func (c Caps) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
