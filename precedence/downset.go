package precedence

// The exact programme over down-sets: sets of jobs that can have been done first, because they hold
// every predecessor of their members. The last job of a down-set completes at the sum of its works,
// so
//
//	f(S) = min over the jobs j of S without successor in S of f(S - j) + F_j(work of S).
//
// Each value of f takes 8 bytes; the choice is made again on the way back from the set of all jobs.
// Down-sets are numbered in lexicographic order (trie).

// downsets returns an order of least sum, found by the exact programme, or false if there are more
// than limit down-sets or the graph is too large. Of equal sums it takes the first found; which one
// that is depends on the input alone.
func (p *problem) downsets(limit int) ([]int, bool) {
	n := len(p.work)
	if n == 0 {
		return []int{}, true
	}
	limit = min(limit, 1<<30)
	if p.manyDownsets(limit) {
		return nil, false
	}
	chains, ok := p.cover(limit)
	if !ok {
		return nil, false
	}
	return p.trie(chains, limit)
}

// manyDownsets counts the down-sets made of all jobs of depth below d and some of depth d, for
// each d: if these are more than limit, it returns true at once, and saves the search. Without arcs
// these are all.
func (p *problem) manyDownsets(limit int) bool {
	depth := make([]int32, len(p.work))
	var wide []int
	for _, j := range p.g.topo {
		for _, i := range p.g.Preds(int(j)) {
			depth[j] = max(depth[j], depth[i]+1)
		}
		if int(depth[j]) == len(wide) {
			wide = append(wide, 0)
		}
		wide[depth[j]]++
	}
	known := uint64(1)
	for _, w := range wide {
		if w >= 32 {
			return true
		}
		if known += 1<<w - 1; known > uint64(limit) {
			return true
		}
	}
	return false
}

// signed says whether some penalty can be negative, so that a job more can make a sum less.
func (p *problem) signed() bool {
	for j := range p.cost {
		if p.cost[j].at(0) < 0 {
			return true
		}
	}
	return false
}
