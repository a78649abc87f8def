package nearest_test

import (
	"errors"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/knn"
)

// Whatever the runs and the question, the guess is unknown or a time within its interval.
func FuzzFit(f *testing.F) {
	drawn.Seed(f, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := drawn.Bytes(data)
		o := knn.Options{Scaling: knn.Scaling(b.Below(4)), Bandwidth: knn.Bandwidth(b.Below(3)), Kernel: knn.Kernel(b.Below(3)),
			Window: b.Below(9), Extrapolate: b.Below(2) == 0}
		if b.Below(2) == 0 {
			o.Alpha = b.Number() / 32
		}
		fit, err := nearest.Fit(o)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) {
				t.Fatalf("Fit(%+v) = %v, want an InputError", o, err)
			}
			return
		}
		features, runs := b.Below(4), make([]estimate.Run, b.Below(20))
		for i := range runs {
			runs[i] = estimate.Run{X: b.Numbers(features), Time: b.Number()}
		}
		predict := fit(runs)
		for range 3 {
			x := b.Numbers(features)
			if g := predict(x); g != (estimate.Guess{}) && !(g.Known && g.Value >= 0 && g.Low <= g.Value && g.Value <= g.High) {
				t.Errorf("Fit(%+v) of %v: the guess at %v is %+v", o, runs, x, g)
			}
		}
	})
}
