package precedence

import "github.com/schedmath/schedmath/internal/dd"

// A trie is the programme over down-sets as vectors of counts: how many jobs of each chain are
// done. The vectors are the leaves of a tree: a node of depth k is the counts of the first k
// chains in some down-set. Given these counts, the counts of the next chain are an interval, so
// that a node stores only where its children begin in the array of the next depth. The leaves are
// the down-sets, without gaps and in lexicographic order. A down-set that lacks the last job of
// one of the chains comes earlier in this order. The walk keeps, beside its own node, the node of
// each down-set with one job less, and moves all of them on together. So nothing is looked up, and
// memory is read forwards.
type trie struct {
	*problem
	*needs
	limit  int
	signed bool      // some penalty is negative
	whole  bool      // sums of works are exact in one float64
	jobs   [][]int32 // the chains
	sums   [][]dd.T  // sums[k][x]: the work of the first x jobs of chain k
	later  [][]int32 // by chain: the chains after it with precedence to or from it
	// rules: by chain: for each of its counts, the counts that the chains in later may have
	rules [][]counts
	depth []depth
	value []float64 // of the leaves
}

// A depth is the nodes of one depth k and what the walk knows at its present node of that depth.
type depth struct {
	nodes      []node
	allow      []counts // counts that the chains from k on may have
	neighbours []neighbour
}

// counts is the interval of counts from low to high.
type counts struct{ low, high int32 }

// A node has a child for each count of the next chain from some least count up to high. The child
// for count x is element begin + x of the next depth.
type node struct{ begin, high int32 }

// A neighbour is the node with the same counts as the walk except for one chain, of which one job
// less is done.
type neighbour struct {
	node
	job int32
}

// trie runs the programme. It returns false if there are more than limit down-sets.
func (p *problem) trie(chains [][]int32, limit int) ([]int, bool) {
	n, d := len(p.work), len(chains)
	t := &trie{problem: p, limit: limit, signed: p.signed(), jobs: chains, sums: make([][]dd.T, 0, d), depth: make([]depth, d),
		needs: &needs{chain: make([]int32, n), place: make([]int32, n), rows: make([][]int32, n)}}
	_, unit, _ := wholeUnits(p.work)
	t.whole = unit > 0
	allow, sums := make([]counts, d*d), make([]dd.T, n+d)
	for k, jobs := range chains {
		sum := sums[:len(jobs)+1]
		sums = sums[len(jobs)+1:]
		for x, j := range jobs {
			t.chain[j], t.place[j] = int32(k), int32(x)
			sum[x+1] = sum[x].AddFloat(p.work[j])
		}
		t.sums = append(t.sums, sum)
		t.depth[k].allow = allow[k*d:][:d]
		t.depth[0].allow[k].high = int32(len(jobs))
	}
	for _, j := range p.g.topo {
		t.add(j, p.g.Preds(int(j)), d)
	}
	t.makeRules()
	if !t.visit(0, dd.T{}) {
		return nil, false
	}
	return t.wayBack(), true
}

// makeRules derives from the needs which counts of later chains go with each count of a chain.
func (t *trie) makeRules() {
	d := len(t.jobs)
	t.later, t.rules = make([][]int32, d), make([][]counts, d)
	for i, jobs := range t.jobs {
		for m := i + 1; m < d; m++ {
			if t.rows[jobs[len(jobs)-1]][m] > 0 || t.rows[t.jobs[m][len(t.jobs[m])-1]][i] > 0 {
				t.later[i] = append(t.later[i], int32(m))
			}
		}
		if len(t.later[i]) == 0 {
			continue
		}
		high := make([]int32, len(t.later[i]))
		t.rules[i] = make([]counts, 0, (len(jobs)+1)*len(high))
		for x := range len(jobs) + 1 {
			for q, m := range t.later[i] {
				for int(high[q]) < len(t.jobs[m]) && int(t.rows[t.jobs[m][high[q]]][i]) <= x {
					high[q]++
				}
				low := int32(0)
				if x > 0 {
					low = t.rows[jobs[x-1]][m]
				}
				t.rules[i] = append(t.rules[i], counts{low, high[q]})
			}
		}
	}
}

// visit adds the node of depth k that the walk is at, whose jobs take time, and all below it. It
// returns false at the limit.
func (t *trie) visit(k int, time dd.T) bool {
	here := &t.depth[k]
	c := here.allow[k]
	if k == len(t.jobs)-1 {
		return t.leaves(c, time)
	}
	below := &t.depth[k+1]
	begin := int32(len(below.nodes)) - c.low
	here.nodes = append(here.nodes, node{begin, c.high})
	for x := c.low; x <= c.high; x++ {
		below.neighbours = below.neighbours[:0]
		for _, b := range here.neighbours {
			if x <= b.high {
				below.neighbours = append(below.neighbours, neighbour{below.nodes[b.begin+x], b.job})
			}
		}
		if x > c.low {
			below.neighbours = append(below.neighbours, neighbour{below.nodes[begin+x-1], t.jobs[k][x-1]})
		}
		copy(below.allow[k+1:], here.allow[k+1:])
		rules := t.rules[k][int(x)*len(t.later[k]):]
		for q, m := range t.later[k] {
			a := &below.allow[m]
			a.low, a.high = max(a.low, rules[q].low), min(a.high, rules[q].high)
		}
		if !t.visit(k+1, t.sum(time, t.sums[k][x])) {
			return false
		}
	}
	return true
}

// leaves adds the node of the last depth that the walk is at, and finds the values below it.
func (t *trie) leaves(c counts, time dd.T) bool {
	k := len(t.jobs) - 1
	last := &t.depth[k]
	length := int(c.high-c.low) + 1
	if len(t.value)+length > t.limit {
		return false
	}
	begin := int32(len(t.value)) - c.low
	last.nodes = append(last.nodes, node{begin, c.high})
	for x := c.low; x <= c.high; x++ {
		end := t.sum(time, t.sums[k][x]).Hi
		least := posInf
		if x > c.low {
			least = t.value[begin+x-1] + t.cost[t.jobs[k][x-1]].at(end)
		} else if len(t.value) == 0 {
			least = 0 // nothing is done
		}
		for i := range last.neighbours {
			b := &last.neighbours[i]
			if x > b.high {
				continue
			}
			before := t.value[b.begin+x]
			if before >= least && !t.signed {
				continue
			}
			if v := before + t.cost[b.job].at(end); v < least {
				least = v
			}
		}
		t.value = append(t.value, least)
	}
	return true
}

func (t *trie) sum(a, b dd.T) dd.T {
	if t.whole {
		return dd.T{Hi: a.Hi + b.Hi}
	}
	return a.Add(b)
}

// wayBack finds the order from its end.
func (t *trie) wayBack() []int {
	count := make([]int32, len(t.jobs))
	for k, jobs := range t.jobs {
		count[k] = int32(len(jobs))
	}
	order := make([]int, len(t.work))
	for place := len(order) - 1; place >= 0; place-- {
		var time dd.T
		for k, x := range count {
			time = t.sum(time, t.sums[k][x])
		}
		least, best := posInf, -1
		for i, x := range count {
			if x == 0 || !t.mayBeLast(i, count) {
				continue
			}
			count[i]--
			if v := t.at(count) + t.cost[t.jobs[i][x-1]].at(time.Hi); best < 0 || v < least {
				least, best = v, i
			}
			count[i]++
		}
		count[best]--
		order[place] = int(t.jobs[best][count[best]])
	}
	return order
}

// mayBeLast says whether no job done needs the last one done of chain i.
func (t *trie) mayBeLast(i int, count []int32) bool {
	for k, x := range count {
		if k != i && x > 0 && t.rows[t.jobs[k][x-1]][i] == count[i] {
			return false
		}
	}
	return true
}

// at returns the value of a down-set.
func (t *trie) at(count []int32) float64 {
	i := int32(0)
	for k, x := range count {
		i = t.depth[k].nodes[i].begin + x
	}
	return t.value[i]
}
