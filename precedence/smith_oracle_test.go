package precedence_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/precedence"
)

// sumCase is a random problem in whole numbers small enough for int64 whatever the order.
type sumCase struct {
	kind         string
	n            int
	arcs         [][2]int
	work, weight []int64
}

var sumKinds = []string{"independent", "chains", "outforest", "inforest", "seriesparallel", "dag", "bipartite", "dense"}

// newSumCase draws an instance of the kind with shuffled labels, values 0 to most (0 often) and
// some implied arcs.
func newSumCase(r *rand.Rand, kind string, n int, most int64) sumCase {
	var arcs [][2]int
	switch kind {
	case "chains":
		for j := 1; j < n; j++ {
			if r.IntN(3) > 0 {
				arcs = append(arcs, [2]int{j - 1, j})
			}
		}
	case "outforest", "inforest":
		for j := 1; j < n; j++ {
			if r.IntN(6) > 0 {
				a := [2]int{r.IntN(j), j}
				if kind == "inforest" {
					a = [2]int{n - 1 - a[1], n - 1 - a[0]}
				}
				arcs = append(arcs, a)
			}
		}
	case "seriesparallel":
		var build func(lo, hi int)
		build = func(lo, hi int) {
			if hi-lo < 2 {
				return
			}
			mid := lo + 1 + r.IntN(hi-lo-1)
			build(lo, mid)
			build(mid, hi)
			if r.IntN(2) == 0 {
				for i := lo; i < mid; i++ {
					for j := mid; j < hi; j++ {
						arcs = append(arcs, [2]int{i, j})
					}
				}
			}
		}
		build(0, n)
	case "dag", "dense":
		p := 0.25
		if kind == "dense" {
			p = 0.6
		}
		for j := range n {
			for i := range j {
				if r.Float64() < p {
					arcs = append(arcs, [2]int{i, j})
				}
			}
		}
	case "bipartite":
		for i := range n / 2 {
			for j := n / 2; j < n; j++ {
				if r.IntN(2) == 0 {
					arcs = append(arcs, [2]int{i, j})
				}
			}
		}
	}
	label := r.Perm(n)
	for k, a := range arcs {
		arcs[k] = [2]int{label[a[0]], label[a[1]]}
	}
	r.Shuffle(len(arcs), func(a, b int) { arcs[a], arcs[b] = arcs[b], arcs[a] })
	in := sumCase{kind: kind, n: n, arcs: arcs, work: make([]int64, n), weight: make([]int64, n)}
	for j := range n {
		in.work[j], in.weight[j] = r.Int64N(most+1), r.Int64N(most+1)
		if r.IntN(8) == 0 {
			in.work[j] = 0
		}
		if r.IntN(8) == 0 {
			in.weight[j] = 0
		}
	}
	return in
}

func (in sumCase) graph(t testing.TB) *precedence.Graph {
	t.Helper()
	g, err := precedence.NewGraph(in.n, in.arcs)
	if err != nil {
		t.Fatalf("NewGraph(%d, %v) = %v, want no error", in.n, in.arcs, err)
	}
	return g
}

func floats(xs []int64) []float64 {
	f := make([]float64, len(xs))
	for k, x := range xs {
		f[k] = float64(x)
	}
	return f
}

// before[j] is the set of the direct predecessors of j, from the arcs alone.
func (in sumCase) before() []uint32 {
	b := make([]uint32, in.n)
	for _, a := range in.arcs {
		b[a[1]] |= 1 << a[0]
	}
	return b
}

// bruteSum is the least sum of weight times completion over every linear extension, by enumeration.
func (in sumCase) bruteSum() int64 {
	before := in.before()
	best := int64(-1)
	var walk func(done uint32, t, sum int64)
	walk = func(done uint32, t, sum int64) {
		if done == 1<<in.n-1 {
			if best < 0 || sum < best {
				best = sum
			}
			return
		}
		for j := range in.n {
			if done>>j&1 == 0 && before[j]&^done == 0 {
				walk(done|1<<j, t+in.work[j], sum+in.weight[j]*(t+in.work[j]))
			}
		}
	}
	walk(0, 0, 0)
	return best
}

// tableSum is the same by a table of all initial sets, for n <= 16 or so.
func (in sumCase) tableSum() int64 {
	before := in.before()
	best := map[uint32]int64{0: 0}
	for range in.n {
		next := map[uint32]int64{}
		for set, sum := range best {
			t := int64(0)
			for j := range in.n {
				if set>>j&1 != 0 {
					t += in.work[j]
				}
			}
			for j := range in.n {
				if set>>j&1 != 0 || before[j]&^set != 0 {
					continue
				}
				to := set | 1<<j
				s := sum + in.weight[j]*(t+in.work[j])
				if old, ok := next[to]; !ok || s < old {
					next[to] = s
				}
			}
		}
		best = next
	}
	return best[1<<in.n-1]
}

// bruteBlocks is the coarsest Sidney decomposition by its definition: among all initial sets of
// what is left, the union of those with the greatest weight/work, 0/0 counting as 0.
func (in sumCase) bruteBlocks() [][]int {
	before := in.before()
	left := uint32(1<<in.n - 1)
	var blocks [][]int
	for left != 0 {
		var bestW, bestP int64 = -1, 1
		best := uint32(0)
		for set := left; set != 0; set = (set - 1) & left {
			var w, p int64
			ok := true
			for j := range in.n {
				if set>>j&1 != 0 {
					w += in.weight[j]
					p += in.work[j]
					ok = ok && before[j]&left&^set == 0
				}
			}
			if !ok {
				continue
			}
			if p == 0 && w == 0 {
				p = 1
			}
			var higher, equal bool
			switch {
			case p == 0 && bestP == 0:
				equal = true
			case p == 0 || bestP == 0:
				higher = p == 0
			default:
				higher, equal = w*bestP > bestW*p, w*bestP == bestW*p
			}
			if higher {
				bestW, bestP, best = w, p, set
			} else if equal {
				best |= set
			}
		}
		var b []int
		for j := range in.n {
			if best>>j&1 != 0 {
				b = append(b, j)
			}
		}
		blocks = append(blocks, b)
		left &^= best
	}
	return blocks
}

// checkOrder fails unless order has each job once, after its predecessors, and costs value.
func (in sumCase) checkOrder(t testing.TB, call string, order []int, value float64) {
	t.Helper()
	if s := slices.Sorted(slices.Values(order)); len(s) != in.n {
		t.Fatalf("%s: order %v, want each of %d jobs once", call, order, in.n)
	} else {
		for k, j := range s {
			if k != j {
				t.Fatalf("%s: order %v, want each of %d jobs once", call, order, in.n)
			}
		}
	}
	at := make([]int, in.n)
	sum, now := int64(0), int64(0)
	for k, j := range order {
		at[j] = k
		now += in.work[j]
		sum += in.weight[j] * now
	}
	for _, a := range in.arcs {
		if at[a[0]] > at[a[1]] {
			t.Fatalf("%s: order %v has %d before %d, want the arc %v kept", call, order, a[1], a[0], a)
		}
	}
	if float64(sum) != value {
		t.Fatalf("%s: Value = %v, but its order %v costs %d", call, value, order, sum)
	}
}

func (in sumCase) String() string {
	return fmt.Sprintf("%s: NewGraph(%d, %v), work %v, weight %v", in.kind, in.n, in.arcs, in.work, in.weight)
}
