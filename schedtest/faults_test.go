package schedtest_test

import (
	"math"
	"slices"
	"sort"
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

func bySize(a, b task) bool { return a.size < b.size }

func TestSortFaults(t *testing.T) {
	for name, c := range map[string]struct {
		want string
		sort func([]task)
	}{
		// One slice is sorted by the order of another, which does not move with it: YuniKorn v1.8.0.
		"by the order of another slice": {"no later one comes before an earlier one", func(x []task) {
			sizes := make([]int, len(x))
			for i := range x {
				sizes[i] = x[i].size
			}
			sort.SliceStable(x, func(i, j int) bool { return sizes[i] < sizes[j] })
		}},
		"the largest first": {"no later one comes before an earlier one", func(x []task) {
			slices.SortFunc(x, func(a, b task) int { return b.size - a.size })
		}},
		"one is there twice": {"each is there as often as it was", func(x []task) {
			slices.SortFunc(x, func(a, b task) int { return a.size - b.size })
			if len(x) > 1 {
				x[0] = x[1]
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			caught(t, c.want, func(t testing.TB) { schedtest.Sort(t, drawTask, c.sort, bySize) })
			caught(t, c.want, func(t testing.TB) { schedtest.SortStable(t, drawTask, c.sort, bySize) })
		})
	}
	stable := func(x []task) { slices.SortStableFunc(x, func(a, b task) int { return a.size - b.size }) }
	schedtest.Sort(t, drawTask, stable, bySize)
	schedtest.SortStable(t, drawTask, stable, bySize)
	unstable := func(x []task) { slices.Reverse(x); stable(x) }
	schedtest.Sort(t, drawTask, unstable, bySize)
	caught(t, "what is equivalent stays in its order", func(t testing.TB) { schedtest.SortStable(t, drawTask, unstable, bySize) })
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
		"two rounds":   {"nothing is left over", roundwise(2)},
		"three rounds": {"nothing is left over", roundwise(3)},
		"four rounds":  {"nothing is left over", roundwise(4)},
		"ten rounds":   {"nothing is left over", roundwise(10)},
		"the rounds' rest to all": {"per weight", func(capacity float64, demand, weight []float64) []float64 {
			got := roundwise(2)(capacity, demand, weight)
			rest := capacity
			for _, x := range got {
				rest -= x
			}
			for i := range got { // to the first who want it
				more := math.Max(0, math.Min(demand[i]-got[i], rest))
				got[i], rest = got[i]+more, rest-more
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
	schedtest.Shares(t, roundwise(16)) // as many as there are users
}

// roundwise divides what is left by weight among those who want more, that many times.
func roundwise(rounds int) func(capacity float64, demand, weight []float64) []float64 {
	return func(capacity float64, demand, weight []float64) []float64 {
		got := make([]float64, len(demand))
		for range rounds {
			sum, left := 0.0, capacity
			for i := range got {
				left -= got[i]
				if got[i] < demand[i] {
					sum += weight[i]
				}
			}
			for i := range got {
				if got[i] < demand[i] {
					got[i] = math.Min(demand[i], got[i]+math.Max(0, left)*weight[i]/sum)
				}
			}
		}
		return got
	}
}

// within and onTop divide with floors that fit, by bisection of the level.
func within(capacity float64, demand, weight, floor []float64) []float64 {
	return bisected(capacity, demand, weight, floor, func(d, w, f, level float64) float64 { return math.Min(d, math.Max(f, w*level)) })
}

func onTop(capacity float64, demand, weight, floor []float64) []float64 {
	return bisected(capacity, demand, weight, floor, func(d, w, f, level float64) float64 { return math.Min(d, math.Min(d, f)+w*level) })
}

func bisected(capacity float64, demand, weight, floor []float64, share func(d, w, f, level float64) float64) []float64 {
	sum, first := 0.0, make([]float64, len(floor))
	for i := range floor {
		first[i] = math.Min(floor[i], demand[i])
		sum += first[i]
	}
	if sum > capacity {
		return filled(capacity, first, weight)
	}
	at := func(level float64) (got []float64, sum float64) {
		for i := range demand {
			got = append(got, share(demand[i], weight[i], floor[i], level))
			sum += got[i]
		}
		return got, sum
	}
	low, high := 0.0, 1e6
	for range 200 {
		if _, sum := at((low + high) / 2); sum > capacity {
			high = (low + high) / 2
		} else {
			low = (low + high) / 2
		}
	}
	got, _ := at(low)
	return got
}

func TestSharesWithFloorsFaults(t *testing.T) {
	const more = "at most the capacity"
	for name, c := range map[string]struct {
		want   string
		onTop  bool
		shares func(capacity float64, demand, weight, floor []float64) []float64
	}{
		// What is deserved is the larger of the share by weight and the guarantee: Volcano (August 2026).
		"guarantees promised beyond what there is": {more, false, func(capacity float64, demand, weight, floor []float64) []float64 {
			got := filled(capacity, demand, weight)
			for i := range got {
				got[i] = math.Max(got[i], math.Min(floor[i], demand[i]))
			}
			return got
		}},
		"floors do not count": {"but for floors", false, func(capacity float64, demand, weight, _ []float64) []float64 {
			return filled(capacity, demand, weight)
		}},
		"floors beyond demands": {"between 0 and the demand", false, func(capacity float64, demand, weight, floor []float64) []float64 {
			got := within(capacity, demand, weight, floor)
			for i := range got {
				got[i] = math.Max(got[i], floor[i])
			}
			return got
		}},
		"on top, not within": {"but for floors", false, onTop},
		"within, not on top": {"but for floors", true, within},
		"floors that do not fit in turn": {"but for floors", false, func(capacity float64, demand, weight, floor []float64) []float64 {
			got, left := within(capacity, demand, weight, floor), capacity
			sum := 0.0
			for i := range floor {
				sum += math.Min(floor[i], demand[i])
			}
			for i := range got {
				if sum > capacity {
					got[i] = math.Min(left, math.Min(floor[i], demand[i]))
					left -= got[i]
				}
			}
			return got
		}},
	} {
		t.Run(name, func(t *testing.T) {
			caught(t, c.want, func(t testing.TB) { schedtest.SharesWithFloors(t, c.shares, c.onTop) })
		})
	}
	schedtest.SharesWithFloors(t, within, false)
	schedtest.SharesWithFloors(t, onTop, true)
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
	caught(t, "busiest machine", func(t testing.TB) { schedtest.Assignment(t, longestFirst, 1) })
	schedtest.Assignment(t, longestFirst, 4./3)
	schedtest.Assignment(t, exhaustive, 1)
}

// exhaustive tries all assignments.
func exhaustive(sizes []float64, machines int) []int {
	var best []int
	least := math.Inf(1)
	of := make([]int, len(sizes))
	var try func(i int)
	try = func(i int) {
		if i < len(of) {
			for m := range machines {
				of[i] = m
				try(i + 1)
			}
			return
		}
		loads := make([]float64, machines)
		for i, m := range of {
			loads[m] += sizes[i]
		}
		if most := slices.Max(loads); most < least {
			best, least = slices.Clone(of), most
		}
	}
	try(0)
	return best
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
