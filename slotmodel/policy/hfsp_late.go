package policy

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/slotmodel"
)

// Before breaks ties among late phases: the one that became late first.
func (s *hfspSide) Before(a, b int32) bool { return s.phases[a].late < s.phases[b].late }

// becomeLate notes that a phase has ended in virtual time and not in reality.
func (s *hfspSide) becomeLate(v *slotmodel.View, j slotmodel.Job) {
	p := &s.phases[j]
	s.lates++
	p.late = s.lates
	if p.want > 0 {
		s.wantLate++
	}
	s.requeue(v, j)
}

// becomeOnTime lets a late phase that has got a greater size age again, or forgets its lateness when it leaves.
func (s *hfspSide) becomeOnTime(j slotmodel.Job) {
	p := &s.phases[j]
	if p.queued {
		s.late.Remove(s.pos[j], s.pos, s)
		p.queued = false
	}
	if p.want > 0 {
		s.wantLate--
	}
	p.late = 0
	s.ready(j)
}

// requeue puts a late phase where its number of running tasks has it.
func (s *hfspSide) requeue(v *slotmodel.View, j slotmodel.Job) {
	p := &s.phases[j]
	switch runnable := v.Runnable(j, s.kind); {
	case !runnable && p.queued:
		s.late.Remove(s.pos[j], s.pos, s)
		p.queued = false
	case runnable && !p.queued:
		s.late.Push(heap.Entry{Key: s.lateKey(v, j), ID: int32(j)}, s.pos, s)
		p.queued = true
	case runnable:
		s.late.Fix(s.pos[j], s.lateKey(v, j), s.pos, s)
	}
}

func (s *hfspSide) lateKey(v *slotmodel.View, j slotmodel.Job) float64 {
	if s.options.Late == LateFirst {
		return float64(s.phases[j].late)
	}
	return float64(v.Count(j, s.kind).Running)
}

// sortLate sorts late phases by the late rule.
func (s *hfspSide) sortLate(v *slotmodel.View, jobs []slotmodel.Job) {
	slices.SortFunc(jobs, func(a, b slotmodel.Job) int {
		return cmp.Or(cmp.Compare(s.lateKey(v, a), s.lateKey(v, b)), cmp.Compare(s.phases[a].late, s.phases[b].late))
	})
}
