package hfsp

import (
	"cmp"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Policy is HFSP. The same settings hold for map slots and for reduce slots. The zero value has the
// numbers of the paper's experiment: five samples for each phase, as many slots for samples as
// there are, initial sizes taken as they are (xi = 1) and a timeout of 10 s.
//
// Ties: the phase whose tasks could start first. A free slot is filled on the node of the lowest
// number. As a policy.Ranker it extrapolates samples at the next walk after their time. A Policy
// begins anew in each run, but functions among its settings that draw numbers go on drawing.
type Policy struct {
	// Samples is s, the number of sample tasks of each phase, >= 0; 0 means 5.
	Samples int
	// Limit is t, the fraction of the slots that samples may take, within [0, 1]; 0 means 1.
	Limit float64
	// Xi is xi, >= 1; 0 means 1. The initial size of a phase is xi * tasks * mean time of past
	// tasks.
	Xi float64
	// FirstTask is how long a task is taken to last before any task of its kind has ended, in
	// seconds, >= 0; 0 means 60.
	FirstTask float64
	// Delta is for how long a sample reduce computes before its time is extrapolated from its
	// progress, in seconds, >= 0; 0 means 10, +Inf never.
	Delta float64

	// NoTraining runs no samples: the initial size stands.
	NoTraining bool
	// Size gives the initial size of a phase when its tasks may start, in slot-seconds; see
	// TrueSize. nil: by Xi. A size that is negative or NaN counts as 0, and a phase
	// of size 0 is late at once.
	Size func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64
	// Estimate gives the size of a phase when all of its samples have a time, and again when a true
	// time replaces an extrapolated one. nil: estimate.PhaseSize of the times, to which reduces add
	// estimate.ShuffleSize. It must not keep the slices that it is given.
	Estimate func(v *slotmodel.View, s Samples) float64

	// Weight is the weight of a job's phases in the virtual cluster, asked for when they enter it,
	// and of late phases that share. nil: 1. A weight outside of [2^-200, 2^200] counts as 1. With
	// weights virtual sharing is generalized processor sharing.
	Weight func(v *slotmodel.View, j slotmodel.Job) float64

	NoCaps  bool              // a phase can use any number of virtual slots, not as many as it has tasks
	Preempt policy.Preemption // what happens to running tasks of lower priority

	delta    float64 // Delta, or its default
	steps    internal.Steps
	wake     internal.Wake
	sides    [2]side // by kind; without virtual clusters before a run and with a wrong setting
	walk     walk
	watches  []watch // sample reduces to look at, by time
	attempts []attempt
	asleep   internal.Suspended
	taker    internal.Taker
}

// attempt is what a Policy knows of an attempt.
type attempt struct {
	sample    int32 // number among the samples of the phase, from 1; 0: not a sample
	suspended bool  // the attempt has been suspended, perhaps resumed since
}

// BeginRun forgets the previous run.
func (h *Policy) BeginRun(v *slotmodel.View) {
	h.wake, h.walk, h.sides = internal.Wake{}, walk{}, [2]side{}
	h.watches = h.watches[:0]
	h.attempts = h.attempts[:0]
	h.asleep.Begin(v)
	h.taker.Begin(v)
	if h.Check() != nil {
		return // no virtual cluster, no order: nothing starts
	}
	h.delta = cmp.Or(h.Delta, 10)
	for k := range h.sides {
		h.sides[k].begin(v, slotmodel.Kind(k), h)
	}
}

// begin sets the state of one kind of slots to that before any event.
func (s *side) begin(v *slotmodel.View, k slotmodel.Kind, h *Policy) {
	slots := v.Slots(k)
	*s = side{kind: k, policy: h, allSlots: float64(slots), phases: make([]phase, v.Jobs())}
	// Neither call can fail: slots are between 0 and 2^31, and the settings have been checked.
	s.virtual, _ = aging.New[slotmodel.Job](float64(slots))
	for range 1 + k {
		t, _ := estimate.NewTrainer[slotmodel.Job](slots, estimate.TrainerOptions{Samples: h.Samples, Limit: h.Limit})
		s.trainers = append(s.trainers, t)
	}
	s.late = internal.Order{At: internal.Places(v.Jobs()), Ties: s}
}

// Decide fills the free slots of each kind and then preempts as Preempt says.
func (h *Policy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	h.steps.Inner = h
	for k := range slotmodel.Kind(2) {
		h.asleep.Fill(v, a, k, &h.steps, (*order)(h))
		if h.Preempt != policy.PreemptWait {
			h.preempt(v, a, k)
		}
	}
	h.wake.Ask(v, a, h.nextLook(v))
}
