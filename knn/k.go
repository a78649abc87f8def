package knn

import (
	"math/big"
	"sort"
)

// Rate returns n^(4/(4+dim)) rounded up, computed exactly: the k at which variance and squared bias
// of k-NN regression on dim coordinates decrease alike, for a function with two derivatives [H]. It
// returns 0 for n < 1; dim below 1 counts as 1.
func Rate(n, dim int) int {
	// 2^(4+dim) exceeds n^4 for every n < 2^63 from here on.
	const high = 248
	power := 4 + int64(min(max(dim, 1), high))
	n4 := new(big.Int).Exp(big.NewInt(int64(n)), big.NewInt(4), nil)
	return sort.Search(n, func(k int) bool {
		return new(big.Int).Exp(big.NewInt(int64(k)), big.NewInt(power), nil).Cmp(n4) >= 0
	})
}

// Paper returns n^(4/5) rounded up, computed exactly, whatever dim: the paper's "k in proportion to
// n^(4/5)" [DynamicShare 3.1], which is Rate for one coordinate. In float64, ceil(n^0.8) is one too
// many for 243, 1024, 100000 and other fifth powers.
func Paper(n, dim int) int { return Rate(n, 1) }

// Fixed returns a rule for Options.K that is k whatever n and dim.
func Fixed(k int) func(n, dim int) int {
	return func(int, int) int { return k }
}
