package precedence_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/precedence"
)

// Of the paper's two datasets, red has three scans under way when a fourth arrives and blue one
// when a second does: subjobs with 4, 3, 2 and 1 members and with 2 and 1, of which the first of
// each chain has the blocks that all its members still need. Each subjob completes one scan, weight
// 1. The whole of a chain can beat its first subjob.
func TestSmithTwoChains(t *testing.T) {
	g, err := precedence.Chains(4, 2)
	must(t, err)
	for _, c := range []struct {
		work, weight []int64
		order        []int
		value        float64
	}{
		{[]int64{2, 3, 1, 4, 5, 1}, []int64{1, 1, 1, 1, 1, 1}, []int{0, 1, 2, 4, 5, 3}, 2 + 5 + 6 + 11 + 12 + 16},
		{[]int64{6, 1, 1, 1, 4, 5}, []int64{1, 1, 1, 1, 1, 1}, []int{0, 1, 2, 3, 4, 5}, 6 + 7 + 8 + 9 + 13 + 18},
	} {
		in := sumCase{kind: "chains", n: 6, arcs: [][2]int{{0, 1}, {1, 2}, {2, 3}, {4, 5}}, work: c.work, weight: c.weight}
		s, err := precedence.Smith(g, floats(c.work), floats(c.weight))
		if err != nil || !slices.Equal(s.Order, c.order) || s.Value != c.value || s.Value != float64(in.tableSum()) || s.Method != precedence.MethodSmith {
			t.Errorf("Smith(Chains(4, 2), %v, %v) = %+v, %v, want %v, %v", c.work, c.weight, s, err, c.order, c.value)
		}
	}
}

// printedB1 is the paper's generalized Smith's rule as printed: line 10 removes the block from the
// list, and nothing moves the beginning of the chain, so that the next partial sum starts with jobs
// already done.
func printedB1(lengths []int, work, weight []int64, moveBeginning bool) (order []int) {
	begin, first := make([]int, len(lengths)), make([]int, len(lengths))
	done := make([]bool, len(work))
	for d := 1; d < len(lengths); d++ {
		first[d] = first[d-1] + lengths[d-1]
	}
	for range len(work) { // the printed loop need not end
		bestD, bestK := -1, -1
		var bestP, bestW int64
		for d, n := range lengths {
			var p, w int64
			for k := begin[d]; k < n; k++ {
				p += work[first[d]+k]
				w += weight[first[d]+k]
				if !done[first[d]+k] && (bestD < 0 || p*bestW < bestP*w) {
					bestD, bestK, bestP, bestW = d, k, p, w
				}
			}
		}
		if bestD < 0 {
			break
		}
		for k := begin[bestD]; k <= bestK; k++ {
			if j := first[bestD] + k; !done[j] {
				done[j] = true
				order = append(order, j)
			}
		}
		if moveBeginning {
			begin[bestD] = bestK + 1
		}
	}
	return order
}

func TestErrataB1(t *testing.T) {
	// After job 0 (ratio 1) the printed ratio of job 1 is (1 + 9)/(10 + 1) with job 0 in it, and
	// beats job 2's 2/1.
	lengths, work, weight := []int{2, 1}, []int64{1, 9, 2}, []int64{10, 1, 1}
	in := sumCase{kind: "chains", n: 3, arcs: [][2]int{{0, 1}}, work: work, weight: weight}
	g := in.graph(t)
	cost := func(order []int) (sum int64) {
		var now int64
		for _, j := range order {
			now += work[j]
			sum += weight[j] * now
		}
		return sum
	}
	s, err := precedence.Smith(g, floats(work), floats(weight))
	if err != nil || s.Value != 25 || in.tableSum() != 25 {
		t.Fatalf("Smith(%v) = %+v, %v, want 25", in, s, err)
	}
	if got := printedB1(lengths, work, weight, false); cost(got) != 32 {
		t.Errorf("B.1 as printed gives %v, %d, want the worse 32", got, cost(got))
	}
	if got := printedB1(lengths, work, weight, true); cost(got) != 25 {
		t.Errorf("B.1 with line 10 moving the beginning gives %v, %d, want 25", got, cost(got))
	}
}

// With zero work and zero weight a bare comparison of cross products finds the job equal to all
// others, so a stable sort leaves (1, 0) before (1, 1).
func TestErrataZeroOverZero(t *testing.T) {
	work, weight := []float64{1, 0, 1}, []float64{0, 0, 1}
	order := []int{0, 1, 2}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := weight[a]*work[b], weight[b]*work[a]
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	if !slices.Equal(order, []int{0, 1, 2}) {
		t.Errorf("the bare comparison sorts %v, want it to leave [0 1 2]", order)
	}
	s, err := precedence.Smith(nil, work, weight)
	if err != nil || s.Value != 1 || s.Order[0] != 2 || s.Method != precedence.MethodSmith {
		t.Errorf("Smith(nil, %v, %v) = %+v, %v, want job 2 first and 1 by Smith's rule", work, weight, s, err)
	}
	// At the head of a chain it must not keep the urgent job behind it back; at the tail it waits.
	g := mustGraph(t, 4, [][2]int{{0, 1}, {2, 3}})
	s, err = precedence.Smith(g, []float64{0, 1, 1, 0}, []float64{0, 5, 3, 0})
	if err != nil || s.Value != 5+6 || !slices.Equal(s.Order, []int{0, 1, 2, 3}) {
		t.Errorf("Smith(0/0 before 5/1, 3/1 before 0/0) = %+v, %v, want [0 1 2 3], 11", s, err)
	}
}
