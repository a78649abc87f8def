package malleable

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// heaviestAntichain returns the most that the Min of jobs with work add up to of which none
// precedes another. Without arcs these are all jobs. On forests it chooses between each job and
// what is below it. In general the sum is that of a minimum flow that passes each job with at least
// Min units, the weighted form of Dilworth's theorem [5]. Whatever the works, the jobs of an
// antichain may all be ready at once; so the minima can always be kept if the sum is at most the
// slots there are.
func heaviestAntichain(fn string, jobs []Job, g *precedence.Graph) (int, error) {
	sum := 0
	weight := make([]int, len(jobs))
	for j := range jobs {
		if jobs[j].Work == 0 {
			continue
		}
		weight[j] = jobs[j].Min
		if sum = addClamped(sum, jobs[j].Min); sum > math.MaxInt/4 {
			return 0, input.Bad(fn, "jobs", j, "the minima up to here add up to more than %d", math.MaxInt/4)
		}
	}
	if g == nil {
		return sum, nil
	}
	switch g.Shape() {
	case precedence.ShapeIndependent:
		return sum, nil
	case precedence.ShapeChains, precedence.ShapeInForest:
		g = g.Reduce() // Shape looks through arcs that others imply
		return antichainOfForest(weight, g.Topological(nil), g.Preds, g.Succs), nil
	case precedence.ShapeOutForest:
		g = g.Reduce()
		order := g.Topological(nil)
		slices.Reverse(order)
		return antichainOfForest(weight, order, g.Succs, g.Preds), nil
	}
	return sum - sharedWeight(weight, g), nil
}

// antichainOfForest chooses between each job and the heaviest antichain below it. A job can have
// many children and has at most one parent. order has children first.
func antichainOfForest(weight, order []int, children, parents func(int) []int32) int {
	best := make([]int, len(weight))
	sum := 0
	for _, j := range order {
		for _, c := range children(j) {
			best[j] += best[c]
		}
		best[j] = max(best[j], weight[j])
		if len(parents(j)) == 0 {
			sum += best[j]
		}
	}
	return sum
}

// sharedWeight returns how much of the jobs' weights can share a path with that of a later job, a
// maximum flow; the weight that is left is what disjoint paths must carry. Each job has a left
// side, filled from the source with its weight, and a right side, emptied into the sink with its
// weight; an arc leads from the left of i to the right of j, and from the right of j on to its
// left, so that flow may pass jobs by.
func sharedWeight(weight []int, g *precedence.Graph) int {
	n := len(weight)
	source, sink := 2*n, 2*n+1
	f := newFlow(2*n+2, 3*n+g.Arcs())
	for j, w := range weight {
		if w > 0 {
			f.arc(source, j, w)
			f.arc(n+j, sink, w)
		}
		f.arc(n+j, j, math.MaxInt/2)
		for _, k := range g.Succs(j) {
			f.arc(j, n+int(k), math.MaxInt/2)
		}
	}
	return f.run(source, sink)
}

// flow is Dinic's maximum flow.
type flow struct {
	head []int32 // first arc of each vertex, -1 if there is none
	next []int32 // arc e's successor in its vertex's list; e^1 is its reverse
	to   []int32 // end of each arc
	room []int   // what each arc can still take
	// level: distance of each vertex from the source; negative if the source does not reach it
	level []int32
	at    []int32 // the arc of each vertex to try next
}

func newFlow(vertices, arcs int) *flow {
	f := &flow{
		head: make([]int32, vertices), level: make([]int32, vertices), at: make([]int32, vertices),
		next: make([]int32, 0, 2*arcs), to: make([]int32, 0, 2*arcs), room: make([]int, 0, 2*arcs),
	}
	for i := range f.head {
		f.head[i] = -1
	}
	return f
}

func (f *flow) arc(from, to, room int) {
	f.next = append(f.next, f.head[from], f.head[to])
	f.head[from], f.head[to] = int32(len(f.to)), int32(len(f.to)+1)
	f.to = append(f.to, int32(to), int32(from))
	f.room = append(f.room, room, 0)
}

// run returns the value of a maximum flow.
func (f *flow) run(source, sink int) int {
	value := 0
	queue := make([]int32, 0, len(f.head))
	path := make([]int32, 0, len(f.head))
	for {
		for v := range f.level {
			f.level[v] = -1
		}
		f.level[source] = 0
		queue = append(queue[:0], int32(source))
		for i := 0; i < len(queue); i++ {
			v := queue[i]
			for e := f.head[v]; e >= 0; e = f.next[e] {
				if u := f.to[e]; f.room[e] > 0 && f.level[u] < 0 {
					f.level[u] = f.level[v] + 1
					queue = append(queue, u)
				}
			}
		}
		if f.level[sink] < 0 {
			return value
		}
		copy(f.at, f.head)
		path = path[:0]
		for v := source; ; {
			if v == sink {
				least := f.room[path[0]]
				for _, e := range path {
					least = min(least, f.room[e])
				}
				value += least
				cut := 0
				for i := len(path) - 1; i >= 0; i-- {
					e := path[i]
					f.room[e] -= least
					f.room[e^1] += least
					if f.room[e] == 0 {
						cut = i
					}
				}
				v = int(f.to[path[cut]^1])
				path = path[:cut]
				continue
			}
			e := f.at[v]
			for e >= 0 && (f.room[e] == 0 || f.level[f.to[e]] != f.level[v]+1) {
				e = f.next[e]
			}
			f.at[v] = e
			if e >= 0 {
				path = append(path, e)
				v = int(f.to[e])
				continue
			}
			if len(path) == 0 {
				break
			}
			f.level[v] = -2 // a dead end of this phase
			v = int(f.to[path[len(path)-1]^1])
			path = path[:len(path)-1]
		}
	}
}
