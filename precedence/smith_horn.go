package precedence

import (
	"cmp"
	"slices"
)

// forest is Horn's algorithm, in the form of Adolphson and Hu [3], from the leaves up: the blocks
// of the jobs after j wait in a heap, and j's own block swallows the block of the highest ratio
// for as long as that ratio is not below its own. In an in-forest the same is done for the reversed
// order with weights and works exchanged, since the sum of work[i] weight[j] over i before j or
// equal stays the same; the result is then reversed.
func (s *smith) forest(in bool) []int {
	g := s.g
	n := g.n
	blocks := make([]block, n)
	next := make([]int32, n)
	heap := newHeaps(blocks, n, +1)
	roots := make([]int32, n) // of the heap of the blocks after j
	for j := range roots {
		roots[j] = -1
	}
	for k := range n {
		j := g.topo[n-1-k]
		if in {
			j = g.topo[k]
		}
		b := &blocks[j]
		b.ratio, b.first, b.last, b.tie = s.ratio(j), j, j, j
		if in {
			b.weight, b.work, b.tie = b.work, b.weight, -j
		}
		next[j] = -1
		root := roots[j]
		for root >= 0 && blocks[root].ratio.compare(b.ratio) >= 0 {
			top := &blocks[root]
			b.ratio = b.ratio.plus(top.ratio)
			next[b.last] = top.first
			b.last = top.last
			top.first = -1 // swallowed
			root = heap.pop(root)
		}
		begin, list := g.predBegin, g.pred
		if in {
			begin, list = g.succBegin, g.succ
		}
		if begin[j] < begin[j+1] {
			up := &roots[list[begin[j]]]
			*up = heap.meld(*up, heap.meld(heap.single(j), root))
		}
	}
	order := listBlocks(blocks, next)
	if in {
		slices.Reverse(order)
	}
	return order
}

// block is a set of jobs that an optimal order keeps together: a list linked through a table of
// next jobs.
type block struct {
	ratio
	first, last int32
	tie         int32 // among blocks of equal ratio the lower comes first
}

// compareBlocks puts the higher ratio first, then the lower tie.
func compareBlocks(a, b *block) int {
	if c := b.ratio.compare(a.ratio); c != 0 {
		return c
	}
	return cmp.Compare(a.tie, b.tie)
}

// sortBlocks returns the indices of the blocks by descending ratio, ties by tie.
func sortBlocks(blocks []block) []int32 {
	keys := make([]float64, len(blocks))
	for k := range blocks {
		if r := &blocks[k].ratio; !r.weight.IsZero() {
			keys[k] = -r.weight.Approx() / r.work.Approx()
		}
	}
	return sortBy(keys, func(a, b int32) int { return compareBlocks(&blocks[a], &blocks[b]) })
}

// listBlocks sorts the blocks that have not been swallowed and lists their jobs.
func listBlocks(blocks []block, next []int32) []int {
	alive := blocks[:0:0]
	for b := range blocks {
		if blocks[b].first >= 0 {
			alive = append(alive, blocks[b])
		}
	}
	order := make([]int, 0, len(next))
	for _, b := range sortBlocks(alive) {
		for j := alive[b].first; j >= 0; j = next[j] {
			order = append(order, int(j))
		}
	}
	return order
}

// heaps are pairing heaps of blocks, each named by its root, -1 when empty. With sign +1 the
// highest ratio is the root, with -1 the lowest.
type heaps struct {
	blocks         []block
	child, sibling []int32 // a root has no sibling: what stands there is not read
	sign           int
}

func newHeaps(blocks []block, size, sign int) *heaps {
	return &heaps{blocks: blocks, child: make([]int32, size), sibling: make([]int32, size), sign: sign}
}

// single makes a heap of one block.
func (h *heaps) single(b int32) int32 {
	h.child[b] = -1
	return b
}

// meld joins two heaps. Cost O(1).
func (h *heaps) meld(a, b int32) int32 {
	if a < 0 {
		return b
	}
	if b < 0 {
		return a
	}
	if h.blocks[a].ratio.compare(h.blocks[b].ratio)*h.sign < 0 {
		a, b = b, a
	}
	h.sibling[b] = h.child[a]
	h.child[a] = b
	return a
}

// pop takes the root away and returns the heap of the rest. Cost O(log n) amortised.
func (h *heaps) pop(root int32) int32 {
	// Left to right in pairs, which are stacked, then from the top of the stack down.
	stack := int32(-1)
	for a := h.child[root]; a >= 0; {
		b, rest := h.sibling[a], int32(-1)
		if b >= 0 {
			rest = h.sibling[b]
		}
		pair := h.meld(a, b)
		h.sibling[pair] = stack
		stack, a = pair, rest
	}
	all := int32(-1)
	for stack >= 0 {
		pair := stack
		stack = h.sibling[pair]
		all = h.meld(all, pair)
	}
	return all
}
