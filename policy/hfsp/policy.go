package hfsp

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// HFSP is the Hadoop Fair Sojourn Protocol (Pastorelli and others, IEEE BigData 2013, sections III-B to III-D): size-based
// scheduling of phases, the maps and the reduces of a job apart. A phase enters when its tasks may start and leaves when the
// last has ended. Beside the real slots of each kind an aging.Cluster shares as many virtual ones max-min fairly; the phase
// that ends there first is served first, late ones before all.
//
// A free slot goes to the first phase in the order that still needs samples, while samples run on less than a fraction t of the slots;
// otherwise to the first phase that has a task to start. The first s tasks of a phase to start are its samples, also where a phase got the
// slot by its priority alone. The size assumed at first is xi * tasks * mean time of past tasks; when all samples have a time it becomes
// tasks * mean of these times. A reduce that still computes after Delta seconds counts with the time that its progress lets expect, and
// reduces add the mean time of their shuffles. The virtual service that a phase has received stays when its size changes. A phase of at
// most s tasks ends in training; its true size then goes on ageing, as FSP needs it.
//
// A sample that is lost with its attempt is drawn again. When nodes fail or return, the virtual capacity follows. Maps whose
// outputs are lost after the phase has ended make a new phase of that many tasks, of the mean size known for them and without
// samples. Rigid jobs are treated as under Greedy.
//
// Ties: the phase whose tasks could start first. A free slot is filled on the node of the lowest number; for locality HFSP is the
// Ranker of a Greedy with a Delay.
//
// # Preemption
//
// Only a phase that has just come, or has just got a new size, may preempt, once for each time, and only until it runs on its fair
// share of the slots: their number over the number of phases present, at least one. Victims are attempts of phases on time behind it in
// the order, the last phase first, its newest attempt first, samples never. A phase loses at most as many attempts as it has tasks. An attempt
// is killed only if the work lost is less than the time for which its slot would still be taken, half of the mean time of its phase's
// tasks; it is suspended only if it computes and its node has the memory. A suspended attempt goes on when a slot of its node is free and
// no phase with a task to start goes before its own. As a Ranker HFSP is an order alone, and preempts nobody.
//
// # Cost
//
// With n phases present, l of them late: the order of the phases on time is kept until a phase comes, gets a new size, or leaves
// unfinished, or a node fails or returns. Time that passes and tasks that start or end do not change the order by virtual finish. While it
// stands the first step of a walk costs amortised O(1), and O(log l) with late phases; a walk that goes on costs O(n). The first one that goes on after
// a change lists all phases: O(n log n). With ByWork and caps the order moves as time passes, and each
// instant counts as a change. A preemption costs O(n) besides. Nothing is allocated in the steady state.
//
// HFSP asks for calls of Decide when samples are to be extrapolated; as a Ranker it looks at the next walk after that time.
//
// A value begins anew in another run, where functions of its options that draw numbers go on drawing. The zero value is HFSP with the
// zero options.
type Policy struct {
	Samples   int     // s, sample tasks of each phase, >= 0; 0 means 5
	Limit     float64 // t, the fraction of the slots that samples may take, in (0, 1]; 0 means 1
	Xi        float64 // xi, a phase's initial size is xi * tasks * mean time of past tasks, >= 1; 0 means 1
	FirstTask float64 // s that a task is taken to last before any task of its kind has ended, > 0; 0 means 60
	Delta     float64 // s of computing after which a sample reduce is extrapolated from its progress, > 0; 0 means 10, +Inf never

	// NoTraining runs no samples: the size given at first stands.
	NoTraining bool
	// Size gives the size of a phase when its tasks may start, in slot-seconds, instead of the initial size; see TrueSize and
	// NoisySize. nil: by Xi. A size that is negative or NaN counts as 0, and a phase of size 0 is late at once.
	Size func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64
	// Estimate gives the size of a phase when all of its samples have a time, and again when a true time replaces an extrapolated one. nil:
	// estimate.PhaseSize of the times, to which reduces add estimate.ShuffleSize. It must not keep the slices that it is given.
	Estimate func(v *slotmodel.View, s Samples) float64

	ByWork  bool                // orders phases on time by remaining virtual work, not by virtual finish
	Late    Late                // how late phases are served
	Caps    Caps                // how many virtual slots a phase can use
	Preempt internal.Preemption // what happens to running tasks of lower priority

	Overtake bool // as for Greedy

	// The settings with their defaults.
	samples              int
	xi, firstTask, delta float64

	steps internal.Steps
	wake  internal.Wake
	sides [2]side
	walk  walk
	watch []watch // sample reduces to look at, by time

	attempts []attempt
	times    []float64 // scratch
	asleep   internal.Suspended
	taker    internal.Taker
}

// hfspAttempt is what HFSP knows of an attempt.
type attempt struct {
	sample int32 // its number among the samples of the phase + 1; 0: it is not a sample
	slept  bool  // it has been suspended
	early  bool  // its time has been extrapolated
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming the setting that is out of its range.
func (h *Policy) Check() error {
	const fn = "hfsp.Policy.Check"
	switch {
	case h == nil:
		return nil
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
	case h.Late < LateShare || h.Late > LateNext:
		return input.Bad(fn, "Late", -1, "%v, want LateShare, LateFirst or LateNext", h.Late)
	case h.Caps < CapTasks || h.Caps > CapNone:
		return input.Bad(fn, "Caps", -1, "%v, want CapTasks, CapLeft or CapNone", h.Caps)
	case h.Preempt < internal.PreemptWait || h.Preempt > internal.PreemptSuspend:
		return input.Bad(fn, "Preempt", -1, "%d, want PreemptWait, PreemptKill or PreemptSuspend", h.Preempt)
	}
	return nil
}

// BeginRun forgets the previous run.
func (h *Policy) BeginRun(v *slotmodel.View) {
	if h == nil {
		return
	}
	h.wake, h.walk, h.sides = internal.Wake{}, walk{}, [2]side{}
	h.watch = h.watch[:0]
	h.attempts = h.attempts[:0]
	h.asleep.Begin(v)
	h.taker.Begin(v)
	if h.Check() != nil {
		return // as before a run: nothing is ordered, so that nothing starts
	}
	h.samples = cmp.Or(h.Samples, estimate.DefaultSamples)
	h.xi, h.firstTask, h.delta = cmp.Or(h.Xi, 1), cmp.Or(h.FirstTask, 60), cmp.Or(h.Delta, 10)
	for k := range h.sides {
		h.sides[k].begin(v, slotmodel.Kind(k), h)
	}
}

// begin lays out one kind of slots.
func (s *side) begin(v *slotmodel.View, k slotmodel.Kind, h *Policy) {
	slots := v.Slots(k)
	*s = side{kind: k, guest: slotmodel.None, policy: h, most: float64(slots), due: math.Inf(1), by: aging.ByFinish, phases: make([]phase, v.Jobs())}
	// Neither can fail: slots are between 0 and 2^31, and the options have been checked.
	s.virtual, _ = aging.NewCluster[slotmodel.Job](float64(slots))
	s.trainer, _ = estimate.NewTrainer[slotmodel.Job](slots, estimate.TrainerOptions{Samples: h.samples, Limit: h.Limit})
	s.late = internal.Order{At: internal.Places(v.Jobs()), Ties: s}
	if h.ByWork {
		s.by, s.moving = aging.ByWork, h.Caps != CapNone
	}
}

// Decide fills the free slots, and then preempts as the options say. Cost: see HFSP.
func (h *Policy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if h == nil {
		return
	}
	h.steps.Inner, h.steps.Overtake = h, h.Overtake
	for _, k := range [...]slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
		h.asleep.Fill(v, a, k, &h.steps, (*order)(h))
		if h.Preempt != internal.PreemptWait {
			h.preempt(v, a, k)
		}
	}
	h.wake.Ask(v, a, h.nextLook(v))
}
