package estimate

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// PhaseTime returns how long a phase of tasks of the given times takes on so many slots, at least
// 1: its longest task if each task has a slot [DS 3.2], otherwise waves. Tasks then start in the
// order given, each in the slot that is free first, and end by longest + sum / slots at the latest
// [G]. Without tasks it is 0.
func PhaseTime(slots int, tasks []float64) (float64, error) {
	const fn = "estimate.PhaseTime"
	if slots < 1 {
		return 0, input.Bad(fn, "slots", -1, "%d, want >= 1", slots)
	}
	longest, err := longest(fn, "tasks", tasks)
	if err != nil || len(tasks) <= slots {
		return longest, err
	}
	var free heap.Heap // of the slots, by when they become free
	end := 0.0
	for i, t := range tasks {
		if i < slots {
			free.Push(heap.Entry{Key: t, ID: int32(i)}, nil, heap.LowID{})
		} else {
			free.Fix(0, free.Key(0)+t, nil, heap.LowID{})
		}
	}
	for i := range int32(free.Len()) {
		end = max(end, free.Key(i))
	}
	return size(end, fn, "tasks")
}

// ProjectedTime returns how long a job takes whose tasks take the given times and run side by side:
// the longest map plus the longest reduce [DS 3.2]. Where a phase has more tasks than slots, add
// the PhaseTime of both phases instead.
func ProjectedTime(maps, reduces []float64) (float64, error) {
	const fn = "estimate.ProjectedTime"
	m, err := longest(fn, "maps", maps)
	if err != nil {
		return 0, err
	}
	r, err := longest(fn, "reduces", reduces)
	if err != nil {
		return 0, err
	}
	return size(m+r, fn, "reduces")
}

// longest returns the greatest of some times, 0 of none.
func longest(fn, arg string, times []float64) (float64, error) {
	most := 0.0
	for i, t := range times {
		if !isTime(t) {
			return 0, notTime(fn, arg, i, t)
		}
		most = max(most, t)
	}
	return most, nil
}

// Laxity returns for how long a job may still be delayed: deadline - elapsed - remaining; below 0
// it is expected to miss its deadline. deadline, +Inf for none, and elapsed count from its arrival;
// remaining includes queueing. The paper takes off the projected time of the whole job alone [DS
// 3.2, equation 3].
func Laxity(deadline, elapsed, remaining float64) (float64, error) {
	const fn = "estimate.Laxity"
	if !isTime(deadline) && !math.IsInf(deadline, 1) {
		return 0, input.Bad(fn, "deadline", -1, "%v, want a time in [0, 2^200] or +Inf", deadline)
	}
	if !isTime(elapsed) {
		return 0, notTime(fn, "elapsed", -1, elapsed)
	}
	if !isTime(remaining) {
		return 0, notTime(fn, "remaining", -1, remaining)
	}
	return deadline - elapsed - remaining + 0, nil // no -0
}

// LaxityOrder appends to dst the indices of jobs in the order in which least laxity first serves
// them [DS 3.2]: those of non-negative laxity, the least first, then those of negative laxity, the
// least first; ties to the lower index. +Inf is the laxity of a job without deadline.
func LaxityOrder(dst []int, laxity []float64) ([]int, error) {
	for i, x := range laxity {
		if math.IsNaN(x) {
			return dst, input.Bad("estimate.LaxityOrder", "laxity", i, "NaN, want a number")
		}
	}
	from := len(dst)
	for i := range laxity {
		dst = append(dst, i)
	}
	late := func(i int) int {
		if laxity[i] < 0 {
			return 1
		}
		return 0
	}
	slices.SortFunc(dst[from:], func(a, b int) int {
		return cmp.Or(cmp.Compare(late(a), late(b)), cmp.Compare(laxity[a], laxity[b]), cmp.Compare(a, b))
	})
	return dst, nil
}
