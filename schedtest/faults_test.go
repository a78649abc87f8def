package schedtest_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/schedtest"
)

// A task is what the comparators order.
type task struct{ priority, size int }

func drawTask(r *rapid.T) task {
	return task{rapid.IntRange(0, 3).Draw(r, "priority"), rapid.IntRange(0, 3).Draw(r, "size")}
}

func TestOrderFaults(t *testing.T) {
	for want, less := range map[string]func(a, b task) bool{
		"nothing comes before itself": func(a, b task) bool { return a.size <= b.size },
		"of two things":               func(a, b task) bool { return a.size < b.size || a.priority < b.priority },
		"equivalence is transitive":   func(a, b task) bool { return a.size+1 < b.size }, // nearly equal is equal
		"the order is transitive": func(a, b task) bool { // size decides only between unequal priorities
			if a.priority != b.priority && a.size != b.size {
				return a.size < b.size
			}
			return a.priority < b.priority
		},
	} {
		t.Run(want, func(t *testing.T) {
			caught(t, want, func(t testing.TB) { schedtest.Order(t, drawTask, less) })
		})
	}
	schedtest.Order(t, drawTask, func(a, b task) bool {
		if a.priority != b.priority {
			return a.priority > b.priority
		}
		return a.size < b.size
	})
}

// filled is max-min fairness, level by level.
func filled(capacity float64, demand, weight []float64) []float64 {
	got := make([]float64, len(demand))
	done := make([]bool, len(demand))
	for {
		left, sum := capacity, 0.0
		for i := range got {
			if done[i] {
				left -= got[i]
			} else {
				sum += weight[i]
			}
		}
		more := false
		for i := range got {
			if !done[i] && demand[i] <= weight[i]/sum*left {
				got[i], done[i], more = demand[i], true, true
			}
		}
		if !more {
			for i := range got {
				if !done[i] {
					got[i] = math.Max(0, weight[i]/sum*left)
				}
			}
			return got
		}
	}
}

func TestSharesFaults(t *testing.T) {
	for name, c := range map[string]struct {
		want   string
		shares func(capacity float64, demand, weight []float64) []float64
	}{
		"each share rounded down": {"nothing is left over", func(capacity float64, demand, weight []float64) []float64 {
			got := filled(capacity, demand, weight)
			for i := range got {
				got[i] = math.Floor(got[i])
			}
			return got
		}},
		"weights rounded": {"per weight", func(capacity float64, demand, weight []float64) []float64 {
			rounded := slices.Clone(weight)
			for i := range rounded {
				rounded[i] = math.Max(1, math.Round(rounded[i]))
			}
			return filled(capacity, demand, rounded)
		}},
		"what is not wanted is lost": {"nothing is left over", func(capacity float64, demand, weight []float64) []float64 {
			sum := 0.0
			for _, w := range weight {
				sum += w
			}
			got := make([]float64, len(demand))
			for i := range got {
				got[i] = math.Min(demand[i], capacity*weight[i]/sum)
			}
			return got
		}},
		"by demand": {"per weight", func(capacity float64, demand, _ []float64) []float64 {
			sum := 0.0
			for _, d := range demand {
				sum += d
			}
			got := make([]float64, len(demand))
			for i := range got {
				if got[i] = demand[i]; sum > capacity {
					got[i] *= capacity / sum
				}
			}
			return got
		}},
		"sorts the demands": {"stays as it is", func(capacity float64, demand, weight []float64) []float64 {
			got := filled(capacity, demand, weight)
			slices.Sort(demand)
			return got
		}},
		"last one forgotten": {"everybody has a share", func(capacity float64, demand, weight []float64) []float64 {
			return filled(capacity, demand, weight)[:max(0, len(demand)-1)]
		}},
		"more than is wanted": {"between 0 and the demand", func(capacity float64, demand, weight []float64) []float64 {
			sum := 0.0
			for _, w := range weight {
				sum += w
			}
			got := make([]float64, len(demand))
			for i := range got {
				got[i] = capacity * weight[i] / sum
			}
			return got
		}},
		"all that is wanted": {"at most the capacity", func(_ float64, demand, _ []float64) []float64 { return slices.Clone(demand) }},
	} {
		t.Run(name, func(t *testing.T) {
			caught(t, c.want, func(t testing.TB) { schedtest.Shares(t, c.shares) })
		})
	}
	schedtest.Shares(t, filled)
}

// longestFirst is the rule of longest processing time.
func longestFirst(sizes []float64, machines int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if sizes[a] > sizes[b] {
			return -1
		}
		return 1
	})
	of, loads := make([]int, len(sizes)), make([]float64, machines)
	for _, i := range order {
		for m := range loads {
			if loads[m] < loads[of[i]] {
				of[i] = m
			}
		}
		loads[of[i]] += sizes[i]
	}
	return of
}

func TestAssignmentFaults(t *testing.T) {
	for name, c := range map[string]struct {
		want   string
		assign func(sizes []float64, machines int) []int
	}{
		"round robin": {"busiest machine", func(sizes []float64, machines int) []int {
			of := make([]int, len(sizes))
			for i := range of {
				of[i] = i % machines
			}
			return of
		}},
		"the last piece is lost": {"each piece is on one machine", func(sizes []float64, machines int) []int {
			return longestFirst(sizes[:max(0, len(sizes)-1)], machines)
		}},
		"machines counted from 1": {"a machine that there is", func(sizes []float64, machines int) []int {
			of := longestFirst(sizes, machines)
			for i := range of {
				of[i]++
			}
			return of
		}},
		"sorts what it is given": {"stays as it is", func(sizes []float64, machines int) []int {
			slices.Sort(sizes)
			return longestFirst(sizes, machines)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			caught(t, c.want, func(t testing.TB) { schedtest.Assignment(t, c.assign, 4./3) })
		})
	}
	schedtest.Assignment(t, longestFirst, 4./3)
}

// inTurn packs jobs one after the other, each with what it can use.
func inTurn(_ int, work []float64, most []int) []malleable.Piece {
	var pieces []malleable.Piece
	at := 0.0
	for j, w := range work {
		end := at + w/float64(most[j])
		pieces = append(pieces, malleable.Piece{Job: j, Slots: most[j], Start: at, End: end})
		at = end
	}
	return pieces
}

func TestPackingFaults(t *testing.T) {
	for name, c := range map[string]struct {
		want string
		pack func(slots int, work []float64, most []int) []malleable.Piece
	}{
		"one after the other": {"no slot idles", inTurn},
		"all at once": {"no more slots are held", func(_ int, work []float64, most []int) []malleable.Piece {
			pieces := inTurn(0, work, most)
			for i := range pieces {
				pieces[i].Start, pieces[i].End = 0, pieces[i].End-pieces[i].Start
			}
			return pieces
		}},
		"limits forgotten": {"no more slots than it can use", func(slots int, work []float64, most []int) []malleable.Piece {
			all := slices.Repeat([]int{slots}, len(most))
			return inTurn(slots, work, all)
		}},
		"one job too few": {"each job's work is done", func(_ int, work []float64, most []int) []malleable.Piece {
			return inTurn(0, work[:max(0, len(work)-1)], most)
		}},
		"a job too many": {"a piece is of a job", func(_ int, work []float64, most []int) []malleable.Piece {
			return append(inTurn(0, work, most), malleable.Piece{Job: len(work), Slots: 1})
		}},
		"before time 0": {"a piece begins at 0 or later", func(_ int, work []float64, most []int) []malleable.Piece {
			pieces := inTurn(0, work, most)
			for i := range pieces {
				pieces[i].Start, pieces[i].End = pieces[i].Start-1, pieces[i].End-1
			}
			return pieces
		}},
		"changes the works": {"stays as it is", func(_ int, work []float64, most []int) []malleable.Piece {
			pieces := inTurn(0, work, most)
			for i := range work {
				work[i]--
			}
			return pieces
		}},
	} {
		t.Run(name, func(t *testing.T) {
			caught(t, c.want, func(t testing.TB) { schedtest.Packing(t, c.pack) })
		})
	}
}
