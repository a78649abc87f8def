package estimate

import (
	"cmp"
	"iter"
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
)

// order breaks the ties of the ready heap. Its keys are the numbers of tasks as float64, which may round two huge numbers to one.
type order[K comparable] struct{ trainer *Trainer[K] }

// Before orders jobs as Next does.
func (o order[K]) Before(a, b int32) bool { return o.trainer.compare(a, b) < 0 }

func (t *Trainer[K]) compare(a, b int32) int {
	x, y := &t.jobs[a], &t.jobs[b]
	return cmp.Or(cmp.Compare(x.tasks, y.tasks), cmp.Compare(x.added, y.added))
}

// place puts job i into the ready heap if it has samples waiting and takes it out if not. Its rank never changes inside.
func (t *Trainer[K]) place(i int32) {
	j := &t.jobs[i]
	switch at := t.at[i]; {
	case j.waiting() > 0 && at < 0:
		t.ready.Push(heap.Entry{Key: float64(j.tasks), ID: i}, t.at, order[K]{t})
	case j.waiting() == 0 && at >= 0:
		t.ready.Remove(at, t.at, order[K]{t})
		t.at[i] = -1
	}
}

// Next returns the job whose sample task to start now: of the jobs with samples waiting the one with the fewest tasks, ties
// to the job added first. ok is false if the limit is reached or no job has a sample waiting. Nothing changes until the caller
// reports Started. O(1), no allocation.
func (t *Trainer[K]) Next() (key K, ok bool) {
	if t == nil || t.ready.Len() == 0 || t.Room() == 0 {
		return key, false
	}
	return t.jobs[t.ready.ID(0)].key, true
}

// Waiting yields the jobs with samples to be started, with the number of these, in the order of Next and whatever the
// limit: for a caller that must pass over jobs, because their data is elsewhere, say. O(n log n). A change of the trainer ends
// the sequence.
func (t *Trainer[K]) Waiting() iter.Seq2[K, int] {
	return func(yield func(K, int) bool) {
		if t == nil {
			return
		}
		ids := make([]int32, t.ready.Len())
		for i := range ids {
			ids[i] = t.ready.ID(int32(i))
		}
		slices.SortFunc(ids, t.compare)
		changes := t.changes
		for _, i := range ids {
			if !yield(t.jobs[i].key, t.jobs[i].waiting()) || t.changes != changes {
				return
			}
		}
	}
}
