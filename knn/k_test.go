package knn_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/knn"
)

func TestRates(t *testing.T) {
	for _, c := range []struct{ n, dim, want int }{
		{0, 1, 0}, {-5, 1, 0}, {1, 1, 1}, {2, 1, 2}, {5, 1, 4}, {10, 1, 7}, {32, 1, 16}, {100, 1, 40}, {1000, 1, 252}, {1e4, 1, 1585}, {1e5, 1, 1e4},
		{1e4, 3, 194}, {128, 3, 16}, {129, 3, 17}, {256, 4, 16}, {1e5, 0, 1e4}, {1e5, -1, 1e4}, {7, 1000, 2}, {math.MaxInt32, math.MaxInt, 2}, {1, 1000, 1},
	} {
		if got := knn.Rate(c.n, c.dim); got != c.want {
			t.Errorf("Rate(%d, %d) = %d, want %d", c.n, c.dim, got, c.want)
		}
		if got, want := knn.Paper(c.n, c.dim), knn.Rate(c.n, 1); got != want {
			t.Errorf("Paper(%d, %d) = %d, want %d", c.n, c.dim, got, want)
		}
	}
	// Fifth powers, exactly, and the numbers beside them.
	for i := 2; i <= 70; i++ {
		p := i * i * i * i * i
		if a, b, c := knn.Paper(p-1, 3), knn.Paper(p, 3), knn.Paper(p+1, 3); a != i*i*i*i || b != i*i*i*i || c != i*i*i*i+1 {
			t.Errorf("Paper of %d^5-1, %d^5, %d^5+1 = %d, %d, %d", i, i, i, a, b, c)
		}
	}
}

func TestRateByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dim := rapid.OneOf(rapid.IntRange(1, 3000), rapid.IntRange(1, math.MaxInt)).Draw(t, "n"), rapid.IntRange(1, 300).Draw(t, "dim")
		k := knn.Rate(n, dim)
		// The least k with k^(4+dim) >= n^4.
		power := func(b, e int) *big.Int { return new(big.Int).Exp(big.NewInt(int64(b)), big.NewInt(int64(e)), nil) }
		n4 := power(n, 4)
		if power(k, 4+dim).Cmp(n4) < 0 || power(k-1, 4+dim).Cmp(n4) >= 0 || k > n {
			t.Fatalf("Rate(%d, %d) = %d", n, dim, k)
		}
	})
}
