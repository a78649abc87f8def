package malleable

import (
	"math"

	"github.com/schedmath/schedmath/precedence"
)

// Completions appends the completion times of Pack to dst without making its pieces, for jobs without minima. Its cost does not
// grow with the number of changes: a tree over the jobs by priority takes the time that passes from all jobs at their Max in
// one step. Its times and those of Pack agree to rounding, where the tie rule decides alike.
//
// Cost O((n + e) log n) for n jobs and e arcs; 48 bytes a job of scratch. Where changes are few Pack is as fast.
//
// Errors: those of Pack, and an InputError for a Min above 0; dst is then returned as it was.
func Completions(dst []float64, slots int, jobs []Job, g *precedence.Graph, priority []int) ([]float64, error) {
	const fn = "malleable.Completions"
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return dst, err
	}
	for j := range jobs {
		if jobs[j].Min > 0 {
			return dst, badInput(fn, "jobs", j, "Min is %d, want 0", jobs[j].Min)
		}
	}
	n := len(jobs)
	rank := make([]int32, n)
	if err := checkPriority(fn, rank, priority); err != nil {
		return dst, err
	}
	waits := make([]int32, n) // predecessors that have not completed
	var fresh []int32         // ranks of the jobs that have become ready
	for r, j := range priority {
		if g != nil {
			waits[j] = int32(len(g.Preds(j)))
		}
		if waits[j] == 0 {
			fresh = append(fresh, int32(r))
		}
	}
	from := len(dst)
	dst = append(dst, make([]float64, n)...)
	times := dst[from:]
	tree := newPrefixTree(n)
	var done []int32
	retire := func(r int32, now float64) {
		j := priority[r]
		times[j] = now
		if g == nil {
			return
		}
		for _, k := range g.Succs(j) {
			if waits[k]--; waits[k] == 0 {
				fresh = append(fresh, rank[k])
			}
		}
	}
	for now := 0.0; ; {
		for i := 0; i < len(fresh); i++ { // grows as jobs without work complete
			r := fresh[i]
			if job := &jobs[priority[r]]; job.Work > 0 {
				most := job.most(slots)
				tree.set(int(r), job.Work/float64(most), int64(most))
			} else {
				retire(r, now)
			}
		}
		fresh = fresh[:0]
		if tree.node[1].most == 0 {
			return dst, nil
		}
		step, boundary, rest := tree.next(int64(slots))
		now += step
		done = tree.advance(done[:0], step, boundary, rest, float64(now*simultaneous))
		for _, r := range done {
			retire(r, now)
		}
	}
}

// prefixTree holds for each ready job, by rank, the time that it still needs at its max and the max.
type prefixTree struct {
	node []prefixNode // node 1 is the root, i's children are 2i and 2i+1, rank r is the leaf size+r
	size int
}

type prefixNode struct {
	least float64 // least time needed below here, less nothing that is pending above; +Inf if nobody is ready
	owed  float64 // time that has passed for all below here and that the children do not know of yet
	most  int64   // sum of the maxima
}

func newPrefixTree(n int) *prefixTree {
	t := &prefixTree{size: 1}
	for t.size < n {
		t.size *= 2
	}
	t.node = make([]prefixNode, 2*t.size)
	for i := range t.node {
		t.node[i].least = math.Inf(1)
	}
	return t
}

// pass lets time go by for all below node i.
func (t *prefixTree) pass(i int, time float64) {
	t.node[i].least -= time
	t.node[i].owed += time
}

func (t *prefixTree) push(i int) {
	if owed := t.node[i].owed; owed != 0 {
		t.pass(2*i, owed)
		t.pass(2*i+1, owed)
		t.node[i].owed = 0
	}
}

func (t *prefixTree) pull(i int) {
	l, r := &t.node[2*i], &t.node[2*i+1]
	t.node[i].least = min(l.least, r.least)
	t.node[i].most = l.most + r.most
}

// set puts a job in, or takes it out with most 0 and time +Inf.
func (t *prefixTree) set(rank int, time float64, most int64) {
	leaf := t.size + rank
	for half := t.size; half > 1; half /= 2 {
		t.push(leaf / half)
	}
	t.node[leaf] = prefixNode{time, 0, most}
	for i := leaf / 2; i >= 1; i /= 2 {
		t.pull(i)
	}
}

// next returns the time until the next completion: of the jobs below boundary, which run at their max, or of the one at boundary,
// which gets the rest.
func (t *prefixTree) next(slots int64) (step float64, boundary int, rest int64) {
	if t.node[1].most <= slots {
		return t.node[1].least, t.size, 0
	}
	step = math.Inf(1)
	i := 1
	for i < t.size {
		t.push(i)
		i *= 2
		if left := &t.node[i]; left.most <= slots {
			step = min(step, left.least)
			slots -= left.most
			i++
		}
	}
	if leaf := &t.node[i]; slots > 0 {
		step = min(step, leaf.least*float64(leaf.most)/float64(slots))
	}
	return step, i - t.size, slots
}

// advance lets step pass for the jobs below boundary and its part for the one at boundary, and moves those that then need no
// more than tie from the tree to done.
func (t *prefixTree) advance(done []int32, step float64, boundary int, rest int64, tie float64) []int32 {
	if boundary == t.size {
		t.pass(1, step)
		return t.take(done, 1, tie)
	}
	leaf := t.size + boundary
	for half := t.size; half > 1; half /= 2 { // from the root down; next has pushed what was owed
		if i := leaf / (half / 2); i&1 == 1 {
			t.pass(i-1, step)
			done = t.take(done, i-1, tie)
		}
	}
	if rest > 0 {
		l := &t.node[leaf]
		speed := float64(rest) / float64(l.most)
		l.least -= float64(step * speed)
		if l.least <= float64(tie*speed) {
			done = t.take(done, leaf, l.least)
		}
	}
	for i := leaf / 2; i >= 1; i /= 2 {
		t.pull(i)
	}
	return done
}

// take moves the jobs below node i that need no more than tie from the tree to done.
func (t *prefixTree) take(done []int32, i int, tie float64) []int32 {
	if !(t.node[i].least <= tie) {
		return done
	}
	if i >= t.size {
		t.node[i] = prefixNode{math.Inf(1), 0, 0}
		return append(done, int32(i-t.size))
	}
	t.push(i)
	done = t.take(done, 2*i, tie)
	done = t.take(done, 2*i+1, tie)
	t.pull(i)
	return done
}
