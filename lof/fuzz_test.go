package lof_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/lof"
	"gonum.org/v1/gonum/mat"
)

// Whatever the arguments: an InputError, or scores that are numbers and, save under ExactK, do not
// depend on the order; and stragglers by ascending index, below the median.
func FuzzScores(f *testing.F) {
	drawn.Seed(f, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := drawn.Bytes(data)
		o, k := lof.Options{Ties: lof.Ties(b.Below(4)), Floor: b.Number()}, b.Below(9)
		xs := b.Numbers(1 + b.Below(30))
		scores, err := lof.Scores1D(nil, xs, k, o)
		cloud, errCloud := lof.Scores(nil, mat.NewDense(len(xs), 1, xs), k, o)
		if err != nil || errCloud != nil {
			if !errors.Is(err, schedmath.ErrInput) || !errors.Is(errCloud, schedmath.ErrInput) || scores != nil || cloud != nil {
				t.Fatalf("Scores1D(%v, %d, %+v) = %v, %v; Scores = %v, %v, want two InputErrors", xs, k, o, scores, err, cloud, errCloud)
			}
		}
		for i := range scores {
			if !(scores[i] >= 0) || !(cloud[i] >= 0) {
				t.Errorf("Scores1D(%v, %d, %+v) = %v, Scores = %v", xs, k, o, scores, cloud)
			}
		}
		if err == nil && o.Ties != lof.ExactK {
			turned := slices.Clone(xs)
			slices.Reverse(turned)
			again, err := lof.Scores1D(nil, turned, k, o)
			if slices.Reverse(again); err != nil || !slices.Equal(again, scores) {
				t.Errorf("Scores1D(%v, %d, %+v) = %v, of the reverse %v, %v", xs, k, o, scores, again, err)
			}
		}
		so := lof.StragglerOptions{K: k, Threshold: b.Number(), MinGap: b.Number(), Resolution: b.Number(), MinGroup: b.Below(9)}
		found, err := lof.Stragglers(nil, xs, so)
		if err != nil && (!errors.Is(err, schedmath.ErrInput) || found != nil) {
			t.Fatalf("Stragglers(%v, %+v) = %v, %v", xs, so, found, err)
		}
		last := -1
		for _, s := range found {
			if s.Index <= last || s.Index >= len(xs) || !(s.Gap > 0) || math.IsNaN(s.Score) {
				t.Errorf("Stragglers(%v, %+v) = %v", xs, so, found)
			}
			last = s.Index
		}
	})
}
