package precedence

import (
	"cmp"
	"math/bits"
	"slices"
)

// mostNeeds bounds a table of needs, in entries of 4 bytes.
const mostNeeds = 1 << 23

// A needs is how many jobs of each chain must be done before each job, for a partition into chains
// of the transitive closure: the first rows[j][k] jobs of chain k come before job j. A row may be
// cut off where the rest is 0.
type needs struct {
	chain, place []int32
	rows         [][]int32
}

// add makes the row of j, whose predecessors have theirs.
func (t *needs) add(j int32, preds []int32, width int) []int32 {
	row := make([]int32, width)
	for _, i := range slices.Backward(preds) { // often the last imply the others
		if c := t.chain[i]; row[c] <= t.place[i] {
			for k, x := range t.rows[i] {
				row[k] = max(row[k], x)
			}
			row[c] = t.place[i] + 1
		}
	}
	t.rows[j] = row
	return row
}

// cover cuts the jobs into the fewest chains of the transitive closure and returns them, the
// shortest first. It returns false if its table is too large, or if the chains are so many that
// there are more than limit down-sets: as many jobs, one of each chain, are without precedence
// among them (Dilworth 1950), and each set of these gives a down-set.
//
// Chains are fewest if the pairs of a job and the next of its chain are a largest matching
// (Fulkerson 1956). The first chains come from taking the jobs in topological order, and adding
// each to a chain whose last job precedes it, the latest of these; then alternating paths join
// chains.
func (p *problem) cover(limit int) ([][]int32, bool) {
	n := len(p.work)
	t := &needs{chain: make([]int32, n), place: make([]int32, n), rows: make([][]int32, n)}
	next, prev, rank := make([]int32, n), make([]int32, n), make([]int32, n)
	var first [][]int32
	size := 0
	for r, j := range p.g.topo {
		if size += len(first); size > mostNeeds {
			return nil, false
		}
		best, latest := -1, int32(-1)
		for c, x := range t.add(j, p.g.Preds(int(j)), len(first)) {
			if last := len(first[c]) - 1; int(x) > last && rank[first[c][last]] > latest {
				best, latest = c, rank[first[c][last]]
			}
		}
		next[j], prev[j], rank[j] = -1, -1, int32(r)
		if best < 0 {
			best = len(first)
			first = append(first, nil)
		} else {
			i := first[best][len(first[best])-1]
			next[i], prev[j] = j, i
		}
		t.chain[j], t.place[j] = int32(best), int32(len(first[best]))
		first[best] = append(first[best], j)
	}

	// An alternating path from each job that begins a chain leads to a chain that can end before
	// it; the jobs on the path change their next. Jobs that an unsuccessful search has looked at
	// lead later searches nowhere.
	seen, dead, by := make([]int32, len(first)), make([]int32, len(first)), make([]int32, n)
	var queue []int32
	search := func(j int32) bool {
		queue = append(queue[:0], j)
		for len(queue) > 0 {
			j := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for c, x := range t.rows[j] {
				for ; seen[c] < x; seen[c]++ {
					i := first[c][seen[c]]
					by[i] = j
					if next[i] >= 0 {
						queue = append(queue, next[i])
						continue
					}
					for i >= 0 {
						j := by[i]
						prev[j], next[i], i = i, j, prev[j]
					}
					return true
				}
			}
		}
		return false
	}
	var heads []int32
	for _, j := range p.g.topo {
		switch {
		case prev[j] >= 0:
		case search(j):
			copy(seen, dead)
		default:
			copy(dead, seen)
			if heads = append(heads, j); len(heads) >= bits.Len(uint(limit)) {
				return nil, false
			}
		}
	}
	if n > mostNeeds/len(heads) {
		return nil, false
	}
	chains := make([][]int32, len(heads))
	for k, j := range heads {
		for ; j >= 0; j = next[j] {
			chains[k] = append(chains[k], j)
		}
	}
	slices.SortStableFunc(chains, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) })
	return chains, true
}
