package precedence

import "math/bits"

// bitSet is a set of numbers from 0 to 64 times its length.
type bitSet []uint64

// newBitSet returns an empty set of numbers below n.
func newBitSet(n int) bitSet { return make(bitSet, (n+63)/64) }

func (s bitSet) add(x int)      { s[x/64] |= 1 << (x % 64) }
func (s bitSet) has(x int) bool { return s[x/64]>>(x%64)&1 == 1 }

// join adds all of t, which is as long as s.
func (s bitSet) join(t bitSet) {
	for w, x := range t {
		s[w] |= x
	}
}

// sum returns the sum of x[j] over the set, ascending.
func (s bitSet) sum(x []float64) float64 {
	sum := 0.0
	for w, set := range s {
		for ; set != 0; set &= set - 1 {
			sum += x[w*64+bits.TrailingZeros64(set)]
		}
	}
	return sum
}
