// Package orders draws graphs of precedence and answers questions about them by definition, for a
// few jobs. It shares no code with what it checks.
package orders

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Kinds are the kinds of graph that Draw knows.
var Kinds = []string{"independent", "chains", "outforest", "inforest", "seriesparallel", "dag", "bipartite", "dense", "grid", "layers", "intervals"}

// Draw returns the arcs of a graph of the kind between n jobs with shuffled labels, in any order, some
// of them implied by others.
func Draw(r *rand.Rand, kind string, n int) (arcs [][2]int) {
	add := func(i, j int) { arcs = append(arcs, [2]int{i, j}) }
	switch kind {
	case "independent":
	case "chains":
		for j := 1; j < n; j++ {
			if r.IntN(3) > 0 {
				add(j-1, j)
			}
		}
	case "outforest":
		for j := 1; j < n; j++ {
			if r.IntN(6) > 0 {
				add(r.IntN(j), j)
			}
		}
	case "inforest":
		for i := range n - 1 {
			if r.IntN(6) > 0 {
				add(i, i+1+r.IntN(n-1-i))
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
						add(i, j)
					}
				}
			}
		}
		build(0, n)
	case "dag":
		return Random(r, n, .25)
	case "dense":
		return Random(r, n, .6)
	case "bipartite":
		for i := range n / 2 {
			for j := n / 2; j < n; j++ {
				if r.IntN(2) == 0 {
					add(i, j)
				}
			}
		}
	case "grid": // each job after those above it and to its left
		side := max(1, int(math.Sqrt(float64(n))))
		for k := range n {
			if k%side > 0 {
				add(k-1, k)
			}
			if k >= side {
				add(k-side, k)
			}
		}
	case "layers": // of four jobs
		for j := 4; j < n; j++ {
			for i := j/4*4 - 4; i < j/4*4; i++ {
				if r.IntN(2) == 0 {
					add(i, j)
				}
			}
		}
	case "intervals": // of time
		begin, end := make([]int, n), make([]int, n)
		for j := range n {
			begin[j] = r.IntN(3 * n)
			end[j] = begin[j] + r.IntN(n)
		}
		for i := range n {
			for j := range n {
				if end[i] < begin[j] {
					add(i, j)
				}
			}
		}
	default:
		panic("orders: no kind " + kind)
	}
	return shuffled(r, n, arcs)
}

// Random returns each arc of a random order of n jobs with the probability density.
func Random(r *rand.Rand, n int, density float64) (arcs [][2]int) {
	for j := range n {
		for i := range j {
			if r.Float64() < density {
				arcs = append(arcs, [2]int{i, j})
			}
		}
	}
	return shuffled(r, n, arcs)
}

func shuffled(r *rand.Rand, n int, arcs [][2]int) [][2]int {
	label := r.Perm(n)
	for k, a := range arcs {
		arcs[k] = [2]int{label[a[0]], label[a[1]]}
	}
	r.Shuffle(len(arcs), func(a, b int) { arcs[a], arcs[b] = arcs[b], arcs[a] })
	return arcs
}

// Ancestors returns the set of the ancestors of each of at most 64 jobs; a job of a cycle is its own.
func Ancestors(n int, arcs [][2]int) []uint64 {
	before := make([]uint64, n)
	for range n {
		for _, a := range arcs {
			before[a[1]] |= before[a[0]] | 1<<a[0]
		}
	}
	return before
}

// Antichain returns the greatest weight of jobs none of which is before another, among all sets of
// jobs.
func Antichain(n int, arcs [][2]int, weight func(j int) int) (heaviest int) {
	before := Ancestors(n, arcs)
sets:
	for set := range uint64(1) << n {
		sum := 0
		for s := set; s != 0; s &= s - 1 {
			j := bits.TrailingZeros64(s)
			if before[j]&set != 0 {
				continue sets
			}
			sum += weight(j)
		}
		heaviest = max(heaviest, sum)
	}
	return heaviest
}

// Least returns the least sum over all orders that keep the arcs, or with most the least maximum, of
// what each job costs at its completion; and the number of down-sets, which it lists forwards.
func Least(n int, arcs [][2]int, work []int64, cost func(j int, end int64) int64, most bool) (least int64, downsets int) {
	before := Ancestors(n, arcs)
	now := map[uint64]int64{0: 0}
	if most {
		now[0] = math.MinInt64
	}
	downsets = 1
	for range n {
		next := map[uint64]int64{}
		for set, value := range now {
			end := int64(0)
			for s := set; s != 0; s &= s - 1 {
				end += work[bits.TrailingZeros64(s)]
			}
			for j := range n {
				if set>>j&1 == 1 || before[j]&^set != 0 {
					continue
				}
				v := cost(j, end+work[j])
				if most {
					v = max(v, value)
				} else {
					v += value
				}
				if old, ok := next[set|1<<j]; !ok || v < old {
					next[set|1<<j] = v
				}
			}
		}
		now = next
		downsets += len(now)
	}
	return now[1<<n-1], downsets
}
