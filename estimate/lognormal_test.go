package estimate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

func TestFitLogNormal(t *testing.T) {
	for _, c := range []struct {
		name   string
		ratios []float64
		mu     float64
		sigma  float64
		exact  bool
	}{
		{"one ratio", []float64{2}, math.Log(2), 0, true},
		{"equal ratios", []float64{0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, math.Log(0.3), 0, true},
		{"perfect estimates", []float64{1, 1, 1}, 0, 0, true},
		{"t and 1/t", []float64{4, 0.25}, 0, math.Log(4), false},
		{"1, e^2", []float64{1, math.Exp(2)}, 1, 1, false},
		{"1/n, not 1/(n-1)", []float64{1, 1, math.Exp(3)}, 1, math.Sqrt2, false},
		{"the ends of float64", []float64{tiny, huge}, (math.Log(tiny) + math.Log(huge)) / 2, (math.Log(huge) - math.Log(tiny)) / 2, false},
	} {
		got, err := estimate.FitLogNormal(c.ratios)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		tol := 4e-16 * math.Max(1, c.sigma) // a rounding or two
		if c.exact {
			tol = 0
		}
		if math.Abs(got.Mu-c.mu) > tol || math.Abs(got.Sigma-c.sigma) > tol {
			t.Errorf("%s: FitLogNormal(%v) = %v, want {%v %v}", c.name, c.ratios, got, c.mu, c.sigma)
		}
	}
}

func TestLogNormalErrors(t *testing.T) {
	type list = []float64
	src := rand.NewPCG(1, 1)
	fit := []expect.Call{expect.Bad("ratios", -1, nil)}
	ks := []expect.Call{expect.Bad("ratios", -1, nil)}
	fitKS := []expect.Call{expect.Bad("ratios", -1, nil, 10, src), expect.Bad("src", -1, list{1}, 1, nil)}
	for _, bad := range []float64{nan, inf, -inf, 0, zero, -1} {
		fit = append(fit, expect.Bad("ratios", 1, list{1, bad}))
		ks = append(ks, expect.Bad("ratios", 0, list{bad, 1}))
		fitKS = append(fitKS, expect.Bad("ratios", 2, list{1, 2, bad}, 10, src))
	}
	for _, b := range []int{0, -1, math.MinInt, 1<<20 + 1, math.MaxInt} {
		fitKS = append(fitKS, expect.Bad("replications", -1, list{1}, b, src))
	}
	expect.Refused(t, "estimate.FitLogNormal", estimate.FitLogNormal, nil, fit...)
	expect.Refused(t, "estimate.LogNormal.KS", estimate.LogNormal{Sigma: 1}.KS, nil, ks...)
	expect.Refused(t, "estimate.FitKS", estimate.FitKS, nil, fitKS...)
	for _, l := range []estimate.LogNormal{{Mu: nan}, {Mu: inf}, {Mu: -inf}, {Sigma: nan}, {Sigma: inf}, {Sigma: -tiny}} {
		expect.Refused(t, "estimate.LogNormal.KS", l.KS, nil, expect.Bad("l", -1, list{1}))
	}
}
