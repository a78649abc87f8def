package policy

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/slotmodel"
)

// HFSPOptions are the settings of HFSP. The zero value is the paper's experiment: five samples for each phase, as many slots for
// samples as there are, initial sizes taken as they are (xi = 1), a timeout of 10 s, priority by virtual finish with the
// max-min shares of phases that have few tasks, and preemption by waiting. Where the paper is silent late phases share the slots.
type HFSPOptions struct {
	Samples   int     // s, sample tasks of each phase, >= 0; 0 means 5
	Limit     float64 // t, the fraction of the slots that samples may take, in (0, 1]; 0 means 1
	Xi        float64 // xi, a phase's initial size is xi * tasks * mean time of past tasks, >= 1; 0 means 1
	FirstTask float64 // s that a task is taken to last before any task of its kind has ended, > 0; 0 means 60
	Delta     float64 // s of computing after which a sample reduce is extrapolated from its progress, > 0; 0 means 10, +Inf never

	// NoTraining runs no samples: the size given at first stands.
	NoTraining bool
	// Size gives the size of a phase when its tasks may start, in slot-seconds, instead of the initial size; see TrueSize and
	// NoisySize. nil: by Xi. What is negative or NaN counts as 0, and a phase of size 0 is late at once.
	Size func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64
	// Estimate gives the size of a phase when its samples are in, and again when a true time replaces an extrapolated one. nil:
	// estimate.PhaseSize of the times, to which reduces add estimate.ShuffleSize. It must not keep what it is given.
	Estimate func(v *slotmodel.View, s HFSPSamples) float64

	ByWork  bool           // orders phases on time by remaining virtual work, not by virtual finish
	Late    HFSPLate       // how late phases are served
	Caps    HFSPCaps       // how many virtual slots a phase can use
	Preempt HFSPPreemption // what happens to running tasks of lower priority

	// Refresh is for how many seconds an order may stand after a phase came or changed its size, >= 0. Until then such a phase goes
	// before the first with more virtual work left, and samples go by virtual work. 0: none. It saves time where many phases
	// with caps are present; Hadoop's HFSP made its order anew once per heartbeat of some seconds.
	Refresh  float64
	Overtake bool // as for Greedy
}

// HFSPSamples are the samples of a phase, in the order of their starts.
type HFSPSamples struct {
	Job      slotmodel.Job
	Kind     slotmodel.Kind
	Tasks    int       // of the phase
	Times    []float64 // s: of a map from its start, of a reduce from when it computes
	Shuffles []float64 // s that a reduce shuffled before; nil for maps
}

// HFSPLate is the rule by which late phases are served: those that have ended in virtual time and not in reality, since their
// sizes were underestimated. Whatever the rule, they go before those on time.
type HFSPLate int

const (
	LateShare HFSPLate = iota // the one with the fewest running tasks first; ties: in the order of becoming late
	LateFirst                 // in the order of becoming late
	LateNext                  // as LateShare, the first phase on time being one of those that share
)

// HFSPCaps says how many slots a phase can use in the virtual cluster.
type HFSPCaps int

const (
	// CapTasks: as many as it has tasks, done ones too. Its work drains evenly there, so that all of its virtual tasks end together.
	CapTasks HFSPCaps = iota
	// CapLeft: as many as it has tasks that are not done in reality, changed whenever one ends or is lost. A phase that is
	// almost done then ages slowly. Every task's end changes the order, and costs what a change does.
	CapLeft
	// CapNone: any number.
	CapNone
)

// HFSPPreemption says what happens to running tasks when a phase with a higher priority waits.
type HFSPPreemption int

const (
	PreemptWait    HFSPPreemption = iota // nothing: it waits for the next free slot
	PreemptKill                          // some are killed, see HFSP
	PreemptSuspend                       // some are suspended, and resumed when it is their turn on their node
)

// HFSP is the Hadoop Fair Sojourn Protocol (Pastorelli and others, IEEE BigData 2013, sections III-B to III-D): size-based
// scheduling of phases, the maps and the reduces of a job apart. A phase enters when its tasks may start and leaves when the
// last has ended. Beside the real slots of each kind an aging.Cluster shares as many virtual ones max-min fairly; the phase
// that ends there first is served first, late ones before all.
//
// When a slot is free: if samples run on less than t of the slots, and phases wait that still need some, the first of
// those gets it; otherwise the first of all that wait. The first s tasks of a phase to start are its samples, also where a
// phase got the slot by its priority alone. The size assumed at first is xi * tasks * mean time of past tasks, and when all samples
// have a time it becomes tasks * mean of these. A reduce that still computes after Delta seconds counts with the time
// that its progress lets expect, and reduces add the mean time of their shuffles. The virtual service that a phase has
// received stays when its size changes. A phase of at most s tasks ends in training; its true size then goes on ageing, as FSP
// needs it.
//
// A sample that is lost with its attempt is drawn again. When nodes fail or return, the virtual capacity follows. Maps whose
// outputs are lost after the phase has ended make a new phase of that many tasks, of the mean size known for them and without
// samples. Rigid jobs are treated as under Greedy.
//
// Ties: the lower job. A free slot is filled on the node of the lowest number; for locality wrap HFSP in Delay.
//
// # Preemption
//
// Only a phase that has just come, or has just got a new size, may preempt, once for each time, and only until it runs on its fair
// share of the slots: their number over that of the phases present, at least one. Victims are attempts of phases on time behind it in
// the order, the last phase first, its newest attempt first, samples never. A phase loses at most as many attempts as it has tasks. An attempt
// is killed only if the work lost is less than the time that its slot would still be taken, half of the mean time of its phase's
// tasks; it is suspended only if it computes and its node has the memory. Suspended attempts go on when their phase has its turn and
// a slot of their node is free. Maps that run again since a reduce was killed start in the same decision.
//
// # Cost
//
// With n phases present: O(1) for a decision while the order stands, and O(log l) with l late phases. Time that passes and
// tasks that start or end do not change the order by virtual finish; a phase that comes, goes or gets a new size does, and so
// does a node. Without caps the one phase then moves, in O(log n). With caps the next decision asks the virtual cluster anew. That has
// been told of the phases all of whose tasks run and passes over them: O(log n), and O(1) for each different number of tasks; or, where
// phases with tasks to start may yet meet their caps, O(1) for each phase passed over, those included that have ended but are not done in
// virtual time (see aging.Cluster.First). The first of several phases on time that need samples is asked of a second virtual cluster, which ages
// as the first does and where the others are passed over; so each change costs twice, and the question as much as the other. With Refresh it
// is O(w) for w phases that need samples. The phases behind the first, which longer walks and Refresh need, cost O(m log n) for m phases,
// those with nothing to start included. With ByWork and caps the order moves as time passes, and every instant costs a question.
//
// Preemption looks, in O(m log n), at the m phases up to the last on time that has attempts to lose, for phases that come or get a new
// size and do not run on their share. Where no task waits, only nodes with suspended attempts are looked at. Nothing is
// allocated in the steady state.
//
// Calls of Decide are asked for when samples are to be extrapolated; wrapped as a Ranker, HFSP looks at the next call after that time.
//
// A value begins anew in another run, where functions of its options that draw numbers go on drawing. The zero value is HFSP with the
// zero options.
type HFSP struct {
	filler
	options HFSPOptions
	run     *slotmodel.View // only to know it again
	begun   bool
	sides   [2]hfspSide
	walk    hfspWalk
	watch   []hfspWatch // sample reduces to look at, by time
	watched int         // those before have been looked at
	woken   int         // for those before a call has been asked for

	attempts []hfspAttempt
	times    []float64 // scratch
	asleep   asleep
}

// hfspAttempt is what HFSP knows of an attempt.
type hfspAttempt struct {
	sample int32 // its number + 1; 0: none
	slept  bool
	early  bool // extrapolated
}

var (
	_ slotmodel.Policy   = (*HFSP)(nil)
	_ slotmodel.Observer = (*HFSP)(nil)
	_ Ranker             = (*HFSP)(nil)
)

// NewHFSP returns the policy.
//
// Errors: an *schedmath.InputError naming the option that is out of its range.
func NewHFSP(o HFSPOptions) (*HFSP, error) {
	fault := ""
	switch {
	case o.Samples < 0:
		fault = fmt.Sprintf("Samples is %d, want >= 0", o.Samples)
	case !(o.Limit >= 0 && o.Limit <= 1):
		fault = fmt.Sprintf("Limit is %v, want within [0, 1]", o.Limit)
	case !(o.Xi == 0 || o.Xi >= 1 && o.Xi <= math.MaxFloat64):
		fault = fmt.Sprintf("Xi is %v, want finite and >= 1, or 0", o.Xi)
	case !(o.FirstTask >= 0 && o.FirstTask <= math.MaxFloat64):
		fault = fmt.Sprintf("FirstTask is %v, want finite and >= 0", o.FirstTask)
	case !(o.Delta >= 0):
		fault = fmt.Sprintf("Delta is %v, want >= 0", o.Delta)
	case !(o.Refresh >= 0 && o.Refresh <= math.MaxFloat64):
		fault = fmt.Sprintf("Refresh is %v, want finite and >= 0", o.Refresh)
	case o.Late < LateShare || o.Late > LateNext:
		fault = fmt.Sprintf("Late is %d, want LateShare, LateFirst or LateNext", o.Late)
	case o.Caps < CapTasks || o.Caps > CapNone:
		fault = fmt.Sprintf("Caps is %d, want CapTasks, CapLeft or CapNone", o.Caps)
	case o.Preempt < PreemptWait || o.Preempt > PreemptSuspend:
		fault = fmt.Sprintf("Preempt is %d, want PreemptWait, PreemptKill or PreemptSuspend", o.Preempt)
	}
	if fault != "" {
		return nil, &schedmath.InputError{Func: "policy.NewHFSP", Arg: "o", Index: -1, Reason: fault}
	}
	return &HFSP{options: o}, nil
}

// setDefaults sets the options that are 0 to what that means.
func (o *HFSPOptions) setDefaults() {
	if o.Samples == 0 {
		o.Samples = estimate.DefaultSamples
	}
	if o.Xi == 0 {
		o.Xi = 1
	}
	if o.FirstTask == 0 {
		o.FirstTask = 60
	}
	if o.Delta == 0 {
		o.Delta = 10
	}
}

// meet begins anew in a run that is another than before.
func (h *HFSP) meet(v *slotmodel.View) {
	if !h.begun || h.run != v {
		h.begin(v)
	}
}

// begin lays out a run, when its first event or decision comes.
func (h *HFSP) begin(v *slotmodel.View) {
	h.run, h.begun = v, true
	h.options.setDefaults()
	h.walk, h.asleep = hfspWalk{}, newAsleep(v, h.options.Preempt)
	h.watch, h.watched, h.woken = h.watch[:0], 0, 0
	h.attempts = h.attempts[:0]
	for k := range h.sides {
		slots := v.Slots(slotmodel.Kind(k))
		h.sides[k] = hfspSide{kind: slotmodel.Kind(k), options: &h.options}
		s := &h.sides[k]
		s.most = float64(slots)
		// It cannot fail: slots are between 0 and 2^31, and the options have been checked.
		s.virtual = newHFSPVirtual(float64(slots), !h.options.NoTraining && h.options.Refresh == 0)
		s.trainer, _ = estimate.NewTrainer[slotmodel.Job](slots, estimate.TrainerOptions{Samples: h.options.Samples, Limit: h.options.Limit})
		if !h.options.NoTraining {
			s.lateSamples.pos = make([]int32, v.Jobs())
		}
		s.phases = make([]hfspPhase, v.Jobs())
		s.late.pos = make([]int32, v.Jobs())
		s.sample = slotmodel.None
		s.due = math.Inf(1)
		s.key = aging.ByFinish
		s.sparse = h.options.Caps != CapNone && h.options.Preempt == PreemptWait && h.options.Refresh == 0
		if h.options.ByWork {
			s.key, s.moving = aging.ByWork, h.options.Caps != CapNone
		}
	}
}
