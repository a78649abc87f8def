package policy

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/slotmodel"
)

// lateQueue holds late phases by the late rule.
type lateQueue struct {
	heap heap.Heap
	pos  []int32 // of each job in it, if it is there
}

// has reports whether a job is in the queue.
func (q *lateQueue) has(j slotmodel.Job) bool {
	i := q.pos[j]
	return int(i) < q.heap.Len() && q.heap.ID(i) == int32(j)
}

// set puts a job to where its key has it, or takes it out.
func (q *lateQueue) set(j slotmodel.Job, key float64, in bool, s *hfspSide) {
	switch {
	case !in:
		q.remove(j, s)
	case q.has(j):
		q.heap.Fix(q.pos[j], key, q.pos, s)
	default:
		q.heap.Push(heap.Entry{Key: key, ID: int32(j)}, q.pos, s)
	}
}

func (q *lateQueue) remove(j slotmodel.Job, s *hfspSide) {
	if q.has(j) {
		q.heap.Remove(q.pos[j], q.pos, s)
	}
}

// first returns the first of the queue; None: it is empty.
func (q *lateQueue) first() slotmodel.Job {
	if q.heap.Len() == 0 {
		return slotmodel.None
	}
	return slotmodel.Job(q.heap.ID(0))
}

// sorted appends all of the queue in their order. Cost O(l log l) for l of them.
func (q *lateQueue) sorted(dst []slotmodel.Job, s *hfspSide) []slotmodel.Job {
	for i := range int32(q.heap.Len()) {
		dst = append(dst, slotmodel.Job(q.heap.ID(i)))
	}
	slices.SortFunc(dst, func(a, b slotmodel.Job) int {
		return cmp.Or(cmp.Compare(q.heap.Key(q.pos[a]), q.heap.Key(q.pos[b])), cmp.Compare(s.phases[a].late, s.phases[b].late))
	})
	return dst
}

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
	s.late.remove(j, s)
	if p.want > 0 {
		s.wantLate--
		s.lateSamples.remove(j, s)
	}
	p.late = 0
	s.ready(j)
	s.unsated(j)
}

// requeue puts a late phase where its number of running tasks has it.
func (s *hfspSide) requeue(v *slotmodel.View, j slotmodel.Job) {
	runnable, key := v.Runnable(j, s.kind), s.lateKey(v, j)
	s.late.set(j, key, runnable, s)
	if len(s.wanting) > 0 {
		s.lateSamples.set(j, key, runnable && s.phases[j].want > 0, s)
	}
}

func (s *hfspSide) lateKey(v *slotmodel.View, j slotmodel.Job) float64 {
	if s.options.Late == LateFirst {
		return float64(s.phases[j].late)
	}
	return float64(v.Count(j, s.kind).Running)
}
