package precedence

import "math/bits"

// The exact programme over down-sets: sets of jobs that can have been done first, because they hold every predecessor of
// their members. The last job of a down-set completes at the sum of its works, so
//
//	f(S) = min over the jobs j of S without successor in S of f(S - j) + F_j(work of S).
//
// A down-set is a vector of counts: how many jobs of each of the chains that partition the graph are done. Vectors are
// numbered by mixed radix in a dense array where there are few enough (D chains have the product of their lengths plus one, and all
// of them are down-sets), and kept in a hash table for each number of jobs done otherwise. The array takes 8 bytes a vector, the
// tables 8 bytes a down-set and some 100 for each of the level with the most.

const (
	gaps        = 3    // vectors a state that a dense array may have; beyond, a hash table is smaller and faster
	alwaysExact = 20   // jobs up to which the programme runs whatever the limit
	maxClosure  = 4096 // jobs up to which the transitive closure, n^2/4 bytes, is made
)

// partition cuts the jobs into chains of the graph, from the arcs given and without looking for the fewest: the first
// predecessor that ends a chain is continued. of and pos are the chain and place of each job.
type partition struct {
	chains  [][]int32
	of, pos []int32
	// needs[j] lists, for job j, how many jobs of other chains must be done first.
	needs [][]need
}

type need struct{ chain, count int32 }

func (p *problem) partition() *partition {
	n := len(p.work)
	c := &partition{of: make([]int32, n), pos: make([]int32, n), needs: make([][]need, n)}
	for _, j := range p.g.Topological(nil) {
		c.of[j] = -1
		for _, i := range p.g.Preds(j) {
			if own := c.of[i]; int(c.pos[i]) == len(c.chains[own])-1 {
				c.of[j], c.pos[j] = own, c.pos[i]+1
				c.chains[own] = append(c.chains[own], int32(j))
				break
			}
		}
		if c.of[j] < 0 {
			c.of[j] = int32(len(c.chains))
			c.chains = append(c.chains, []int32{int32(j)})
		}
	}
	for j := range n {
	preds:
		for _, i := range p.g.Preds(j) {
			if c.of[i] == c.of[j] {
				continue
			}
			for k := range c.needs[j] {
				if x := &c.needs[j][k]; x.chain == c.of[i] {
					x.count = max(x.count, c.pos[i]+1)
					continue preds
				}
			}
			c.needs[j] = append(c.needs[j], need{c.of[i], c.pos[i] + 1})
		}
	}
	return c
}

// vectors returns the product of the lengths plus one, or limit+1 if it is more than limit.
func (c *partition) vectors(limit int) int {
	m := uint64(1)
	for _, jobs := range c.chains {
		hi, lo := bits.Mul64(m, uint64(len(jobs)+1))
		if m = lo; hi > 0 || m > uint64(limit) {
			return limit + 1
		}
	}
	return int(m)
}

// downsets returns an order of least sum, found by the exact programme, or false if there are more than limit down-sets.
// Of equal sums it takes the first found; which one that is depends on the input alone.
func (p *problem) downsets(limit int) ([]int, bool) {
	n := len(p.work)
	if n == 0 {
		return []int{}, true
	}
	if n <= alwaysExact {
		limit = max(limit, 1<<alwaysExact)
	}
	limit = min(limit, 1<<31/gaps-2)
	if p.manyDownsets(limit) {
		return nil, false
	}
	c := p.partition()
	if m := c.vectors(gaps * limit); m <= gaps*limit {
		return p.dense(c, m, limit)
	}
	return p.levels(c, limit, 64)
}

// manyDownsets counts the down-sets made of all jobs of depth below d and some of depth d, for each d: if these are more than limit, it
// returns true at once, and saves the search.
func (p *problem) manyDownsets(limit int) bool {
	depth := make([]int32, len(p.work))
	var wide []int
	for _, j := range p.g.Topological(nil) {
		for _, i := range p.g.Preds(j) {
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
