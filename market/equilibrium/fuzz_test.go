package equilibrium_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/market/equilibrium"
	"gonum.org/v1/gonum/mat"
)

// Whatever worths and bids: an InputError, or bids that sum to the budget and are worth no less
// than even ones; and a market of numbers.
func FuzzEquilibrium(f *testing.F) {
	drawn.Seed(f, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := drawn.Bytes(data)
		n, m := 1+b.Below(4), 1+b.Below(4)
		budget, worth, others := b.Number(), b.Numbers(m), b.Numbers(m)
		bids, err := equilibrium.BestResponse(nil, budget, worth, others)
		if err != nil && (!errors.Is(err, schedmath.ErrInput) || len(bids) > 0) {
			t.Fatalf("BestResponse(%v, %v, %v) = %v, %v, want nil and an InputError", budget, worth, others, bids, err)
		}
		sum, best, even := 0.0, 0.0, 0.0
		for j, x := range bids {
			if !(x >= 0) {
				t.Errorf("BestResponse(%v, %v, %v) = %v", budget, worth, others, bids)
			}
			if sum += x; x > 0 {
				best += worth[j] * (x / (x + others[j]))
			}
			if e := budget / float64(m); e > 0 {
				even += worth[j] * (e / (e + others[j]))
			}
		}
		if err == nil && (!(sum <= budget*(1+1e-9)) || !(best >= even*(1-1e-9))) {
			t.Errorf("BestResponse(%v, %v, %v) = %v, which is worth %v, even bids %v", budget, worth, others, bids, best, even)
		}
		budgets, worths := b.Numbers(n), mat.NewDense(n, m, b.Numbers(n*m))
		o := equilibrium.Options{Rounds: b.Below(30), Tolerance: b.Number() / 64, Damping: b.Number() / 16}
		if b.Below(2) == 0 {
			o.Reserve = b.Number()
		}
		e, err := equilibrium.Equilibrium(budgets, worths, o)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) {
				t.Fatalf("Equilibrium(%v, %v, %+v) = %v, want an InputError", budgets, mat.Formatted(worths), o, err)
			}
			return
		}
		numbers := append([]float64{e.Residual, e.Efficiency, e.Uniformity, e.EnvyFreeness}, append(e.Price, e.Utility...)...)
		for _, x := range append(numbers, e.Bids.RawMatrix().Data...) {
			if math.IsNaN(x) || x < 0 {
				t.Errorf("Equilibrium(%v, %v, %+v) = %+v", budgets, mat.Formatted(worths), o, e)
			}
		}
	})
}
