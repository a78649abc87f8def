package hfsp

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// side is the state of one kind of slots: its phases, their virtual cluster and their order.
type side struct {
	kind     slotmodel.Kind
	policy   *Policy
	allSlots float64                            // slots when all nodes are up; a cap of as many never binds
	phases   []phase                            // by job
	present  int                                // number of phases present
	trainers []*estimate.Trainer[slotmodel.Job] // run and, of reduces, shuffle

	virtual *aging.Cluster[slotmodel.Job]
	at      float64 // time that the virtual cluster has reached
	due     float64 // no phase becomes late before this time; 0: ask when one does

	order     []slotmodel.Job // phases on time, by priority; some may have become late since
	listed    bool            // order is complete
	head      slotmodel.Job   // first phase on time that has a task to start
	headKnown bool            // head has been asked for, and no other phase can have come before it

	late      internal.Order  // late phases with tasks to start, by the slots held
	lateCount int32           // number of times that a phase became late
	newcomers []slotmodel.Job // phases present that may preempt, each once
	lapsed    []slotmodel.Job // scratch
	times     [2][]float64    // scratch, by trainer
}

// Trainers of a side.
const (
	run     = iota // times from when a reduce computes, of a map from its start
	shuffle        // times that a reduce shuffled before it computed
)

// phase is the state of one phase.
type phase struct {
	size    float64 // estimated last
	rank    int32   // index in order, if the phase is on time and the order is complete
	late    int32   // number in the order of becoming late, from 1; 0: on time
	lost    int32   // maps to run again since the phase had ended; 0: the phase is in its first run
	victims int32   // attempts lost to preemption
	present bool    // the tasks may start and are not all done
}

// refresh notes the phases that have become late. By rounding more than one virtual finish may come
// now, one after another.
func (s *side) refresh(v *slotmodel.View) {
	if v.Now() < s.due {
		return
	}
	for _, is := s.overdue(v.Now()); is && s.advance(v.Now()) == nil; {
		_, is = s.overdue(v.Now())
	}
	s.lapsed = s.virtual.Lapsed(s.lapsed[:0])
	for _, j := range s.lapsed {
		s.lateCount++
		s.phases[j].late = s.lateCount
		s.requeue(v, j)
	}
}

// list completes the order of the phases on time.
func (s *side) list() {
	if s.listed {
		return
	}
	s.listed = true
	for j := range s.virtual.All(aging.ByFinish) {
		if p := &s.phases[j]; p.late == 0 {
			p.rank = int32(len(s.order))
			s.order = append(s.order, j)
		}
	}
}

// starts reports whether a phase is on time and has a task to start.
func (s *side) starts(v *slotmodel.View, j slotmodel.Job) bool {
	return s.phases[j].late == 0 && v.Runnable(j, s.kind)
}

// precedes reports whether phase a goes before phase b: late phases in the order of becoming late,
// then phases on time by priority.
func (s *side) precedes(a, b slotmodel.Job) bool {
	if s.phases[a].late == 0 && s.phases[b].late == 0 {
		if s.surelyBefore(a, b) {
			return true
		}
		if s.surelyBefore(b, a) {
			return false
		}
		s.list()
	}
	return s.turn(a) < s.turn(b)
}

// turn is the key by which precedes orders phases. Of phases on time it needs a complete order.
func (s *side) turn(j slotmodel.Job) int64 {
	if p := &s.phases[j]; p.late == 0 {
		return math.MaxInt32 + 1 + int64(p.rank)
	}
	return int64(s.phases[j].late)
}

// surelyBefore reports whether two numbers of each phase show, without the complete order, that
// phase a on time comes before phase b on time.
//
// While no phase enters, the virtual cluster serves each phase at its present rate or faster,
// and at most at its cap. A phase of less work therefore ends before one whose cap and weight are
// no larger.
// A phase that ends at its present rate before the other could at its cap ends before it, too.
// Differences below one part in 10^9 are left to the complete order.
func (s *side) surelyBefore(a, b slotmodel.Job) bool {
	const grain = 1 + 1e-9
	x, _ := s.virtual.Job(a)
	y, _ := s.virtual.Job(b)
	capX, capY := cmp.Or(x.Slots, s.allSlots), cmp.Or(y.Slots, s.allSlots)
	rate, _ := s.virtual.Rate(a)
	return capX >= capY && x.Weight >= y.Weight && x.Work*grain < y.Work || x.Work*grain*capY < y.Work*rate
}

// becomeOnTime takes a phase from the late ones, if it is late.
func (s *side) becomeOnTime(j slotmodel.Job) {
	s.late.Remove(int32(j))
	s.phases[j].late = 0
}

// requeue follows a change in the tasks of a phase that run or wait. It tells the virtual cluster
// whether the phase has a task to start, and gives a late phase its place among the late ones.
func (s *side) requeue(v *slotmodel.View, j slotmodel.Job) {
	_ = s.virtual.SetReady(j, v.Runnable(j, s.kind)) // fails for a phase that has left
	switch {
	case s.phases[j].late == 0:
		s.headKnown = s.headKnown && (j == s.head || !v.Runnable(j, s.kind))
	case !v.Runnable(j, s.kind):
		s.late.Remove(int32(j))
	default:
		s.late.Set(int32(j), s.held(v, j))
	}
}

// held returns how many slots a phase holds for each unit of its weight.
func (s *side) held(v *slotmodel.View, j slotmodel.Job) float64 {
	x, _ := s.virtual.Job(j)
	return float64(v.Count(j, s.kind).Running) / x.Weight
}

// Before breaks ties in late: the phase that became late first goes first.
func (s *side) Before(a, b int32) bool {
	return s.phases[a].late < s.phases[b].late
}
