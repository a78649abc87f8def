package precedence

// reduceWords is how many words of bits one pass of Reduce keeps for each job: a cache line.
const reduceWords = 8

// Reduce returns the transitive reduction: the same order with the fewest arcs, none of them
// implied by a longer path. The reduction of an acyclic graph is unique. A graph that is known to
// be reduced is returned itself (as the zero Graph is), and any without implied arcs shares its
// memory with the result.
//
// Cost O((n + e) n / 512) operations on cache lines and 64 n bytes, O(n + e) when no job has two
// predecessors or none two successors.
func (g *Graph) Reduce() *Graph {
	if g.isReduced {
		return g
	}
	if in, out := g.degrees(); in <= 1 || out <= 1 {
		return g
	}
	place := make([]int32, g.n) // in topo
	for k, j := range g.topo {
		place[j] = int32(k)
	}
	// One pass for each 512 jobs in topological order: above[k] holds which of them are ancestors
	// of topo[k]. An arc (i, j) is implied exactly when i is an ancestor of another predecessor of
	// j.
	const jobs = 64 * reduceWords
	above := make([][reduceWords]uint64, g.n)
	implied := make([]bool, len(g.pred))
	found := 0
	for from := 0; from < g.n; from += jobs {
		to := min(from+jobs, g.n)
		for k := from; k < g.n; k++ {
			j := g.topo[k]
			first, last := g.predBegin[j], g.predBegin[j+1]
			var all [reduceWords]uint64
			for _, i := range g.pred[first:last] {
				if p := int(place[i]); p >= from {
					a := &above[p]
					for b := range all {
						all[b] |= a[b]
					}
				}
			}
			direct := all
			for e := first; e < last; e++ {
				if p := int(place[g.pred[e]]); p >= from && p < to {
					b, bit := (p-from)>>6, uint64(1)<<((p-from)&63)
					if all[b]&bit != 0 {
						implied[e] = true
						found++
					}
					direct[b] |= bit
				}
			}
			above[k] = direct
		}
	}
	r := *g
	r.isReduced = true
	if found == 0 {
		return &r
	}
	r.predBegin = make([]int32, g.n+1)
	r.pred = make([]int32, 0, len(g.pred)-found)
	for j := range g.n {
		for e := g.predBegin[j]; e < g.predBegin[j+1]; e++ {
			if !implied[e] {
				r.pred = append(r.pred, g.pred[e])
			}
		}
		r.predBegin[j+1] = int32(len(r.pred))
	}
	r.succBegin, r.succ = transpose(g.n, r.predBegin, r.pred)
	return &r
}

// degrees returns the most predecessors and the most successors that a job has.
func (g *Graph) degrees() (in, out int) {
	for j := range g.n {
		in = max(in, int(g.predBegin[j+1]-g.predBegin[j]))
		out = max(out, int(g.succBegin[j+1]-g.succBegin[j]))
	}
	return in, out
}
