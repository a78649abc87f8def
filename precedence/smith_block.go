package precedence

import "cmp"

// block is a set of jobs that an optimal order keeps together: a list linked through a table of next jobs.
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
		if r := &blocks[k].ratio; !r.weight.isZero() {
			keys[k] = -r.weight.approx() / r.work.approx()
		}
	}
	return sortBy(keys, func(a, b int32) int { return compareBlocks(&blocks[a], &blocks[b]) })
}
