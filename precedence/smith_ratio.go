package precedence

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// u128 is an unsigned integer of 128 bits. No sum here reaches 2^127.
type u128 struct{ hi, lo uint64 }

func (a u128) plus(b u128) u128 {
	lo, c := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, c)
	return u128{hi, lo}
}

func (a u128) isZero() bool { return a.hi|a.lo == 0 }

func (a u128) float() float64 { return float64(a.hi)*(1<<64) + float64(a.lo) }

// times returns all 256 bits of a b, the least word first.
func (a u128) times(b u128) (r [4]uint64) {
	h, l := bits.Mul64(a.lo, b.lo)
	r[0], r[1] = l, h
	for _, f := range [2][2]uint64{{a.hi, b.lo}, {a.lo, b.hi}} {
		var c uint64
		h, l = bits.Mul64(f[0], f[1])
		r[1], c = bits.Add64(r[1], l, 0)
		r[2], c = bits.Add64(r[2], h, c)
		r[3] += c
	}
	var c uint64
	h, l = bits.Mul64(a.hi, b.hi)
	r[2], c = bits.Add64(r[2], l, 0)
	r[3] += h + c
	return r
}

// ratio is the weight over the work of one job or of a block of jobs, as two whole numbers.
type ratio struct{ weight, work u128 }

func (a ratio) plus(b ratio) ratio { return ratio{a.weight.plus(b.weight), a.work.plus(b.work)} }

// compare orders by weight/work exactly. Nothing over nothing counts as 0: a bare comparison of the cross products would find it
// equal to everything, and equality would not be transitive.
func (a ratio) compare(b ratio) int {
	if a.weight.hi|a.work.hi|b.weight.hi|b.work.hi == 0 {
		p, q := a.work.lo, b.work.lo
		if p|a.weight.lo == 0 {
			p = 1
		}
		if q|b.weight.lo == 0 {
			q = 1
		}
		xh, xl := bits.Mul64(a.weight.lo, q)
		yh, yl := bits.Mul64(b.weight.lo, p)
		switch {
		case xh != yh:
			return cmp.Compare(xh, yh)
		case xl != yl:
			return cmp.Compare(xl, yl)
		}
		return 0
	}
	return a.compareWide(b)
}

func (a ratio) compareWide(b ratio) int {
	p, q := a.work, b.work
	if p.isZero() && a.weight.isZero() {
		p.lo = 1
	}
	if q.isZero() && b.weight.isZero() {
		q.lo = 1
	}
	x, y := a.weight.times(q), b.weight.times(p)
	for k := 3; k >= 0; k-- {
		if x[k] != y[k] {
			return cmp.Compare(x[k], y[k])
		}
	}
	return 0
}

// digits falls as the ratio rises: the high half of a float64, turned round. It is rounded to the nearest, so that the ratios people
// use, 1 or 1/2, lie in the middle of what shares their digits. The quotient is off by a few parts in 2^53 and the digits have 20 bits of
// fraction, so of two ratios whose digits differ by more than one the order is sure.
func (a ratio) digits() uint32 {
	if a.weight.isZero() {
		return 1<<31 - 1
	}
	b := math.Float64bits(a.weight.float() / a.work.float())
	return uint32((math.MaxInt64 - b + 1<<31) >> 32)
}

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

// smallSort is how many blocks are not worth a radix sort.
const smallSort = 300

// sortBlocks returns the indices of the blocks by descending ratio, ties by tie: a radix sort of their digits, then exact
// comparisons of those whose digits are too close to tell.
func sortBlocks(blocks []block) []int32 {
	idx := make([]int32, len(blocks))
	if len(blocks) <= smallSort {
		for k := range idx {
			idx[k] = int32(k)
		}
		slices.SortFunc(idx, func(a, b int32) int { return compareBlocks(&blocks[a], &blocks[b]) })
		return idx
	}
	const digit, passes = 11, 3
	var counts [passes][1 << digit]int32
	from, to := make([]uint64, len(blocks)), make([]uint64, len(blocks)) // digits, index
	for k := range blocks {
		d := blocks[k].digits()
		from[k] = uint64(d)<<32 | uint64(k)
		for p := range counts {
			counts[p][d>>(digit*p)&(1<<digit-1)]++
		}
	}
	for p := range counts {
		c, shift := &counts[p], 32+digit*p
		if c[from[0]>>shift&(1<<digit-1)] == int32(len(from)) {
			continue
		}
		at := int32(0)
		for d, k := range c {
			c[d] = at
			at += k
		}
		for _, e := range from {
			d := e >> shift & (1<<digit - 1)
			to[c[d]] = e
			c[d]++
		}
		from, to = to, from
	}
	// Long runs of equal digits are sorted by comparison, the rest by insertion. The true order may disagree with the digits only
	// across the border of two of them, by a rounding of the quotient.
	compare := func(a, b uint64) int {
		if x, y := a>>32, b>>32; x+1 < y || y+1 < x {
			return cmp.Compare(x, y)
		}
		return compareBlocks(&blocks[uint32(a)], &blocks[uint32(b)])
	}
	for a := 0; a < len(from); {
		b := a + 1
		for b < len(from) && from[b]>>32 == from[a]>>32 {
			b++
		}
		if b-a > 12 && !slices.IsSortedFunc(from[a:b], compare) {
			slices.SortFunc(from[a:b], compare)
		}
		a = b
	}
	moves := 0
	for k := 1; k < len(from); k++ {
		e, at := from[k], k
		for at > 0 && from[at-1]>>32+1 >= e>>32 && compare(e, from[at-1]) < 0 {
			from[at] = from[at-1]
			at--
		}
		from[at] = e
		if moves += k - at; moves > 16*len(from) {
			slices.SortFunc(from, compare)
			break
		}
	}
	for k, e := range from {
		idx[k] = int32(uint32(e))
	}
	return idx
}
