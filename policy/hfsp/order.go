package hfsp

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// hfspSide is the state of HFSP for one kind of slots.
type side struct {
	kind    slotmodel.Kind
	policy  *Policy
	by      aging.By
	moving  bool    // the order changes as time passes
	most    float64 // slots when all nodes are up: a larger cap is none
	phases  []phase
	present int // number of phases present
	trainer *estimate.Trainer[slotmodel.Job]

	virtual *aging.Cluster[slotmodel.Job]
	at      float64 // time that the virtual cluster has reached
	due     float64 // time of its next virtual finish
	in      float64 // seconds from at to due; at + in, which is due, may round

	order  []slotmodel.Job // the phases on time, by priority; some may have become late since they were listed
	listed bool            // order stands
	head   slotmodel.Job   // the first phase with a task to start
	asked  bool            // head was asked for, and no other phase can have come before it

	late      internal.Order  // late phases with tasks to start, by the late rule
	lates     int32           // number of the last phase that became late
	guest     slotmodel.Job   // under LateNext the phase on time that is in late, None
	wanting   int             // number of phases with samples to start
	newcomers []slotmodel.Job // phases that may preempt
	scratch   []slotmodel.Job

	shuffled float64     // s, of all reduces that have ended
	reduces  float64     // number of them
	spare    [][]float64 // room for shuffle times that no phase uses
}

// hfspPhase is the state of one phase.
type phase struct {
	size     float64   // as estimated last
	shuffles []float64 // shuffle times of the samples of reduces
	rank     int32     // place in order, if the phase is on time and the order stands
	late     int32     // number in the order of becoming late; 0: it is not late
	waiting  int32     // samples to start
	lost     int32     // maps to run again since the phase had ended; 0: the phase is in its first run
	victims  int32     // attempts lost to preemption
	stamp    uint32    // the walk that has given the phase
	present  bool      // its tasks may start and are not all done
	over     bool      // all of its tasks were done
}

// advance lets the virtual cluster reach the present.
func (s *side) advance(now float64) {
	elapsed := now - s.at
	if now >= s.due { // in may exceed elapsed by rounding
		elapsed = max(elapsed, s.in)
	}
	if elapsed > 0 {
		_ = s.virtual.Advance(elapsed) // fails for times beyond 2^200 alone
	}
	s.at = now
}

// change changes the virtual cluster as it is at present.
func (s *side) change(v *slotmodel.View, do func()) {
	s.advance(v.Now())
	do()
	s.foresee()
	s.unlist()
}

// foresee notes when the next phase ends in the virtual cluster.
func (s *side) foresee() {
	s.due = math.Inf(1)
	if _, in, ok := s.virtual.NextFinish(); ok {
		s.in, s.due = in, s.at+in
	}
}

// refresh brings the late phases and the order up to date.
func (s *side) refresh(v *slotmodel.View) {
	now := v.Now()
	moved := s.moving && now > s.at
	if moved {
		s.unlist()
	}
	if moved || now >= s.due {
		s.advance(now)
		s.foresee()
	}
	s.scratch = s.virtual.Lapsed(s.scratch[:0])
	for _, j := range s.scratch {
		if s.phases[j].late == 0 {
			s.becomeLate(v, j)
		}
	}
}

// list puts the phases on time into their order, unless it stands.
func (s *side) list() {
	if s.listed {
		return
	}
	s.listed = true
	for j := range s.virtual.All(s.by) {
		if p := &s.phases[j]; p.late == 0 {
			p.rank = int32(len(s.order))
			s.order = append(s.order, j)
		}
	}
}

// unlist notes that the order no longer stands.
func (s *side) unlist() {
	s.listed, s.asked, s.order = false, false, s.order[:0]
}

// starts reports whether a phase is on time and has a task to start, or a sample.
func (s *side) starts(v *slotmodel.View, j slotmodel.Job, sample bool) bool {
	p := &s.phases[j]
	return p.late == 0 && (!sample || p.waiting > 0) && v.Runnable(j, s.kind)
}

// precedes reports whether phase a goes before phase b: late phases in the order of becoming late, then phases on time.
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

// turn orders the phases as precedes does, once those on time are listed.
func (s *side) turn(j slotmodel.Job) int64 {
	if p := &s.phases[j]; p.late == 0 {
		return math.MaxInt32 + 1 + int64(p.rank)
	}
	return int64(s.phases[j].late)
}

// surelyBefore reports whether a phase on time comes before another, as far as that shows without listing the order. While no phase comes
// each gets at least what it gets now, and at most its cap. So a phase of less work comes before one of no larger cap, and one that ends
// even at its present rate before another at its cap could. A difference below one part in 10^9 is left to the order.
func (s *side) surelyBefore(a, b slotmodel.Job) bool {
	const grain = 1 + 1e-9
	x, _ := s.virtual.Job(a)
	y, _ := s.virtual.Job(b)
	if s.by == aging.ByWork {
		return x.Work*grain < y.Work
	}
	capX, capY := cmp.Or(x.Slots, s.most), cmp.Or(y.Slots, s.most)
	rate, _ := s.virtual.Rate(a)
	return capX >= capY && x.Work*grain < y.Work || x.Work*grain*capY < y.Work*rate
}

// becomeLate notes that a phase has ended in virtual time and not in reality.
func (s *side) becomeLate(v *slotmodel.View, j slotmodel.Job) {
	s.lates++
	s.phases[j].late = s.lates
	s.requeue(v, j)
}

// becomeOnTime lets a late phase that has got a greater size age again, or forgets its lateness when it leaves.
func (s *side) becomeOnTime(j slotmodel.Job) {
	s.late.Remove(int32(j))
	s.phases[j].late = 0
}

// requeue tells the virtual cluster whether a phase has a task to start, and gives a late phase the place in the late queue that its number of running
// tasks gives it.
func (s *side) requeue(v *slotmodel.View, j slotmodel.Job) {
	_ = s.virtual.SetReady(j, v.Runnable(j, s.kind)) // fails for a phase that has left
	switch late := s.phases[j].late; {
	case late == 0:
		s.asked = s.asked && (j == s.head || !v.Runnable(j, s.kind))
	case !v.Runnable(j, s.kind):
		s.late.Remove(int32(j))
	case s.policy.Late == LateFirst:
		s.late.Set(int32(j), float64(late))
	default:
		s.late.Set(int32(j), float64(v.Count(j, s.kind).Running))
	}
}

// Before breaks ties among late phases: the phase that became late first, the one on time last.
func (s *side) Before(a, b int32) bool {
	return s.turn(slotmodel.Job(a)) < s.turn(slotmodel.Job(b))
}

// setWaiting says how many samples of a phase wait to start.
func (s *side) setWaiting(j slotmodel.Job, n int32) {
	p := &s.phases[j]
	if p.waiting > 0 {
		s.wanting--
	}
	if n > 0 {
		s.wanting++
	}
	p.waiting = n
}
