package knn

import (
	"math"
	"math/big"
	"sort"

	"github.com/schedmath/schedmath/internal/input"
)

// Rate returns the least k with k^(4+dim) >= n^4, that is n^(4/(4+dim)) rounded up, computed
// exactly: the rate at which the variance and the squared bias of k-NN regression on dim
// coordinates decrease alike, for a function with two derivatives [H]. It returns 0 for n < 1;
// dim below 1 counts as 1.
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

// SetK replaces Options.K; nil means Rate.
//
// Errors: an *schedmath.InputError for a nil or zero Estimator.
func (e *Estimator) SetK(k func(n, dim int) int) error {
	if err := e.check("knn.Estimator.SetK"); err != nil {
		return err
	}
	e.options.K, e.rankOf, e.fresh = k, 0, false
	return nil
}

// ChooseK returns the candidate with the least mean squared error when each observation is
// predicted by the others (ties: the first in the list), for SetK(Fixed(k)). It changes nothing. No
// candidates: 2, 3, 4, 6, 8, 12 and so on below the number of observations. With Alpha it looks at
// none of the observations that are held out, so that intervals hold for the chosen k too.
//
// Cost: that of LeaveOneOut for each candidate.
//
// Errors: an *schedmath.InputError for a nil or zero Estimator, one with fewer than two
// observations, a candidate below 1.
func (e *Estimator) ChooseK(candidates []int) (k int, err error) {
	const fn = "knn.Estimator.ChooseK"
	for i, k := range candidates {
		if k < 1 {
			return 0, input.Bad(fn, "candidates", i, "%d, want >= 1", k)
		}
	}
	if err := e.ready(fn, 2); err != nil {
		return 0, err
	}
	m := &e.model
	if len(candidates) == 0 {
		for k, next := 2, 3; k < max(3, m.n); k, next = next, 2*k {
			candidates = append(candidates, k)
		}
	}
	least := math.Inf(1)
	for i, c := range candidates {
		rank, sum := m.options.rank(m.n-1, c), 0.0
		m.expect(m.n, rank)
		for j, s := range m.siteOf {
			if s >= 0 {
				r := e.residual(j, rank) * m.yUnit
				sum += r * r
			}
		}
		if i == 0 || sum < least {
			k, least = c, sum
		}
	}
	return k, nil
}
