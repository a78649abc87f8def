package precedence

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// Graph is a precedence relation among the jobs 0 to n-1: an arc (i, j) says that j cannot begin
// before i has ended. It is immutable and safe for concurrent use. The zero value has no jobs.
// Memory: 8 bytes an arc and 12 a job.
type Graph struct {
	n         int
	succBegin []int32 // successors of i: succ[succBegin[i]:succBegin[i+1]]
	succ      []int32
	predBegin []int32
	pred      []int32
	topo      []int32 // the topological order with the least index first among what is available
	isReduced bool    // known to have no arc that a longer path implies
}

// CycleError says which jobs form a cycle: each precedes the next, and the last the first. It is
// also schedmath.ErrInput.
type CycleError struct{ Cycle []int }

const cycleShown = 12

// Error returns the number of jobs of the cycle and the first 12 of them, in the order of the arcs.
func (e *CycleError) Error() string {
	if n := len(e.Cycle); n > cycleShown {
		return fmt.Sprintf("precedence: the arcs form a cycle of %d jobs: %v and %d more", n, e.Cycle[:cycleShown], n-cycleShown)
	}
	return fmt.Sprintf("precedence: the arcs form a cycle of %d jobs: %v", len(e.Cycle), e.Cycle)
}

// Unwrap returns schedmath.ErrInput.
func (e *CycleError) Unwrap() error { return schedmath.ErrInput }

// maxJobs is below half of what an int32 can number, so that jobs and the composites of a
// decomposition tree fit into one.
const maxJobs = math.MaxInt32 / 2

// NewGraph returns the graph of n jobs in which arcs[k][0] precedes arcs[k][1] for each k. Arcs may
// repeat, and may be implied by others; Reduce takes the implied ones away.
//
// Errors: n outside 0 to 2^30 - 1; more than 2^31 - 1 arcs; an arc that names no job; *CycleError
// with a cycle when there is one.
func NewGraph(n int, arcs [][2]int) (*Graph, error) {
	const fn = "precedence.NewGraph"
	if n < 0 || n > maxJobs {
		return nil, input.Bad(fn, "n", -1, "%d, want 0 to %d", n, maxJobs)
	}
	if uint64(len(arcs)) > math.MaxInt32 {
		return nil, input.Bad(fn, "arcs", -1, "%d arcs, want at most %d", len(arcs), math.MaxInt32)
	}
	for k, a := range arcs {
		if uint(a[0]) >= uint(n) || uint(a[1]) >= uint(n) {
			return nil, input.Bad(fn, "arcs", k, "%v, want two jobs from 0 to %d", a, n-1)
		}
	}

	// Two passes of counting sort, by the end and then by the beginning, leave each list of
	// successors ascending.
	predBegin := make([]int32, n+1)
	for _, a := range arcs {
		predBegin[a[1]+1]++
	}
	for j := range n {
		predBegin[j+1] += predBegin[j]
	}
	pred := make([]int32, len(arcs))
	for _, a := range arcs {
		pred[predBegin[a[1]]] = int32(a[0])
		predBegin[a[1]]++
	}
	copy(predBegin[1:], predBegin[:n])
	predBegin[0] = 0
	succBegin, succ := transpose(n, predBegin, pred)
	succ = distinct(succBegin, succ)
	predBegin, pred = transpose(n, succBegin, succ)

	g := &Graph{n: n, succBegin: succBegin, succ: succ, predBegin: predBegin, pred: pred}
	if err := g.sort(); err != nil {
		return nil, err
	}
	return g, nil
}

// Chains returns the graph of one chain for each length: jobs 0 to lengths[0]-1 in this order,
// then the next lengths[1] jobs, and so on. A length of 1 is a job without arcs.
//
// Errors: a length that is negative, or a sum above 2^30 - 1.
func Chains(lengths ...int) (*Graph, error) {
	const fn = "precedence.Chains"
	n := 0
	for k, length := range lengths {
		if length < 0 || length > maxJobs-n {
			return nil, input.Bad(fn, "lengths", k, "%d, want at least 0 and a sum of at most %d", length, maxJobs)
		}
		n += length
	}
	arcs := make([][2]int, 0, n)
	end := 0
	for _, length := range lengths {
		end += length
		for j := end - length + 1; j < end; j++ {
			arcs = append(arcs, [2]int{j - 1, j})
		}
	}
	return NewGraph(n, arcs)
}

// transpose returns the lists of the reversed arcs, each ascending.
func transpose(n int, begin, list []int32) (tBegin, tList []int32) {
	tBegin = make([]int32, n+1)
	for _, j := range list {
		tBegin[j+1]++
	}
	for j := range n {
		tBegin[j+1] += tBegin[j]
	}
	tList = make([]int32, len(list))
	for i := range n {
		for _, j := range list[begin[i]:begin[i+1]] {
			tList[tBegin[j]] = int32(i)
			tBegin[j]++
		}
	}
	copy(tBegin[1:], tBegin[:n])
	tBegin[0] = 0
	return tBegin, tList
}

// distinct drops what repeats in each ascending list, in place.
func distinct(begin, list []int32) []int32 {
	out, from := int32(0), int32(0)
	for i := range len(begin) - 1 {
		to, last := begin[i+1], int32(-1)
		for _, j := range list[from:to] {
			if j != last {
				list[out], last = j, j
				out++
			}
		}
		from, begin[i+1] = to, out
	}
	return list[:out:out]
}

// sort fills topo, or returns a *CycleError.
func (g *Graph) sort() error {
	ascending := true
	for i := range g.n {
		if s := g.Succs(i); len(s) > 0 && int(s[0]) <= i {
			ascending = false
			break
		}
	}
	if ascending { // the lowest job left is always available
		g.topo = make([]int32, g.n)
		for i := range g.topo {
			g.topo[i] = int32(i)
		}
		return nil
	}
	g.topo = g.listBy(func(int32) float64 { return 0 })
	if len(g.topo) < g.n {
		return g.cycle()
	}
	return nil
}

// listBy takes, at each step, the job of least key among the jobs whose predecessors have all been
// taken, ties by index. Jobs of a cycle, and those after one, are not taken. Cost O((n + e) log n).
func (g *Graph) listBy(key func(j int32) float64) []int32 {
	waits := make([]int32, g.n)
	var ready heap.Heap
	push := func(j int32) { ready.Push(heap.Entry{Key: key(j), ID: j}, nil, heap.LowID{}) }
	for j := range int32(g.n) {
		if waits[j] = g.predBegin[j+1] - g.predBegin[j]; waits[j] == 0 {
			push(j)
		}
	}
	order := make([]int32, 0, g.n)
	for ready.Len() > 0 {
		i := ready.Pop(nil, heap.LowID{}).ID
		order = append(order, i)
		for _, j := range g.Succs(int(i)) {
			if waits[j]--; waits[j] == 0 {
				push(j)
			}
		}
	}
	return order
}

// cycle walks backwards among the jobs that are not in topo, each of which has a predecessor that
// is not, until a job comes again.
func (g *Graph) cycle() error {
	taken := make([]bool, g.n)
	for _, j := range g.topo {
		taken[j] = true
	}
	j := slices.Index(taken, false)
	at := make(map[int]int)
	var walk []int
	for {
		if k, seen := at[j]; seen {
			walk = walk[k:]
			break
		}
		at[j] = len(walk)
		walk = append(walk, j)
		before := g.Preds(j)
		j = int(before[slices.IndexFunc(before, func(i int32) bool { return !taken[i] })])
	}
	slices.Reverse(walk)
	return &CycleError{walk}
}

// Len returns the number of jobs.
func (g *Graph) Len() int { return g.n }

// Arcs returns the number of distinct arcs.
func (g *Graph) Arcs() int { return len(g.succ) }

// Preds returns the jobs with an arc to j, ascending. The slice belongs to the graph and must not
// be changed. It is empty for a j outside 0 to n-1.
func (g *Graph) Preds(j int) []int32 {
	if uint(j) >= uint(g.n) {
		return nil
	}
	return g.pred[g.predBegin[j]:g.predBegin[j+1]:g.predBegin[j+1]]
}

// Succs returns the jobs with an arc from j, ascending. The slice belongs to the graph and must not
// be changed. It is empty for a j outside 0 to n-1.
func (g *Graph) Succs(j int) []int32 {
	if uint(j) >= uint(g.n) {
		return nil
	}
	return g.succ[g.succBegin[j]:g.succBegin[j+1]:g.succBegin[j+1]]
}

// Topological appends all jobs to dst in the order that takes, at each step, the lowest job whose
// predecessors have all been taken. Cost O(n).
func (g *Graph) Topological(dst []int) []int {
	for _, j := range g.topo {
		dst = append(dst, int(j))
	}
	return dst
}

// ints returns the numbers as ints.
func ints(list []int32) []int {
	out := make([]int, len(list))
	for k, x := range list {
		out[k] = int(x)
	}
	return out
}
