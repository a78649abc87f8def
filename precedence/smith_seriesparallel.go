package precedence

// seriesParallel is Lawler's algorithm. From the leaves of the tree up, each node holds the blocks
// of its jobs; blocks in series have strictly falling ratios. The blocks of two parallel children
// are put together. For children in series, if the lowest ratio on the left is not above the
// highest ratio on the right, these two blocks become one, which then swallows the blocks on the
// left whose ratios are not higher and the blocks on the right whose ratios are not lower. Blocks
// of equal ratio must be merged too: sorted by ratio, they would lose their order.
//
// Every node has two heaps, one with the highest block on top and one with the lowest. A block
// taken from one heap is dead in the other, so a merged block gets a new index.
func (s *smith) seriesParallel(tree []composite) []int {
	n := s.g.n
	blocks := make([]block, n, 2*n)
	next := make([]int32, n)
	high, low := newHeaps(nil, 2*n, +1), newHeaps(nil, 2*n, -1)
	type node struct{ high, low int32 }
	nodes := make([]node, n+len(tree))
	for j := range int32(n) {
		blocks[j] = block{ratio: s.ratio(j), first: j, last: j, tie: j}
		next[j] = -1
		nodes[j] = node{high.single(j), low.single(j)}
	}
	high.blocks, low.blocks = blocks, blocks
	// top pops the dead until a live block is on top.
	top := func(h *heaps, root int32) int32 {
		for root >= 0 && blocks[root].first < 0 {
			root = h.pop(root)
		}
		return root
	}
	// glue appends b's jobs to a's and kills b.
	glue := func(a, b *block) {
		a.ratio = a.ratio.plus(b.ratio)
		next[a.last] = b.first
		a.last = b.last
		b.first = -1
	}
	for k, c := range tree {
		left, right := &nodes[c.left], &nodes[c.right]
		if c.series {
			left.low = top(low, left.low)
			right.high = top(high, right.high)
			if blocks[left.low].ratio.compare(blocks[right.high].ratio) <= 0 {
				m := block{ratio: blocks[left.low].ratio, first: blocks[left.low].first, last: blocks[left.low].last}
				blocks[left.low].first = -1
				glue(&m, &blocks[right.high])
				for {
					if left.low = top(low, left.low); left.low >= 0 && blocks[left.low].ratio.compare(m.ratio) <= 0 {
						b := &blocks[left.low]
						m.first = prepend(next, b, m.first)
						b.first = -1
						m.ratio = m.ratio.plus(b.ratio)
						continue
					}
					if right.high = top(high, right.high); right.high >= 0 && blocks[right.high].ratio.compare(m.ratio) >= 0 {
						glue(&m, &blocks[right.high])
						continue
					}
					break
				}
				m.tie = m.first
				id := int32(len(blocks))
				// within its capacity: each merged block takes the place of two
				blocks = append(blocks, m)
				high.blocks, low.blocks = blocks, blocks
				left.high = high.meld(left.high, high.single(id))
				left.low = low.meld(left.low, low.single(id))
			}
		}
		nodes[n+k] = node{high.meld(left.high, right.high), low.meld(left.low, right.low)}
	}
	return listBlocks(blocks, next)
}

// prepend links b's jobs before the job first and returns the first of all.
func prepend(next []int32, b *block, first int32) int32 {
	next[b.last] = first
	return b.first
}
