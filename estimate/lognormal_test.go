package estimate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/estimate"
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

// The fit is where the likelihood is greatest: any step away from it lowers the likelihood, summed
// by its own formula.
func TestFitIsMostLikely(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 200 {
		ratios := make([]float64, 2+rng.IntN(20))
		for i := range ratios {
			ratios[i] = math.Exp(3 * rng.NormFloat64())
		}
		likelihood := func(l estimate.LogNormal) (sum float64) {
			for _, r := range ratios {
				z := (math.Log(r) - l.Mu) / l.Sigma
				sum -= z*z/2 + math.Log(l.Sigma)
			}
			return sum
		}
		fit, err := estimate.FitLogNormal(ratios)
		must(t, err)
		best := likelihood(fit)
		for _, h := range []float64{1e-3, 1e-1} {
			for _, other := range []estimate.LogNormal{
				{Mu: fit.Mu + h*fit.Sigma, Sigma: fit.Sigma}, {Mu: fit.Mu - h*fit.Sigma, Sigma: fit.Sigma},
				{Mu: fit.Mu, Sigma: fit.Sigma * (1 + h)}, {Mu: fit.Mu, Sigma: fit.Sigma * (1 - h)},
			} {
				if l := likelihood(other); !(l < best) {
					t.Fatalf("FitLogNormal(%v) = %v of log-likelihood %v, but %v has %v", ratios, fit, best, other, l)
				}
			}
		}

		// Laws: order does not matter at all, scaling shifts Mu, powers scale both.
		permuted := make([]float64, len(ratios))
		doubled := make([]float64, len(ratios))
		squared := make([]float64, len(ratios))
		for i, o := range rng.Perm(len(ratios)) {
			permuted[i], doubled[i], squared[i] = ratios[o], 1e9*ratios[o], ratios[o]*ratios[o]
		}
		if got, _ := estimate.FitLogNormal(permuted); got != fit {
			t.Fatalf("FitLogNormal(%v) = %v, permuted %v", permuted, got, fit)
		}
		const rounding = 1e-13 // of logarithms up to 40
		if got, _ := estimate.FitLogNormal(doubled); math.Abs(got.Mu-fit.Mu-math.Log(1e9)) > rounding || math.Abs(got.Sigma-fit.Sigma) > rounding {
			t.Fatalf("FitLogNormal(1e9 * %v) = %v, want %v shifted by log 1e9", ratios, got, fit)
		}
		if got, _ := estimate.FitLogNormal(squared); math.Abs(got.Mu-2*fit.Mu) > rounding || math.Abs(got.Sigma-2*fit.Sigma) > rounding {
			t.Fatalf("FitLogNormal(%v squared) = %v, want twice %v", ratios, got, fit)
		}
	}
}

// The published fits come back from samples of them, within four standard errors: sigma/sqrt(n) and
// sigma/sqrt(2n).
func TestFitRecovers(t *testing.T) {
	for i, want := range []estimate.LogNormal{{Mu: 0.0976, Sigma: 0.411}, {Mu: 0.0878, Sigma: 0.228}, {Mu: 0, Sigma: 1}} {
		const n = 20000
		src := rand.NewPCG(5, uint64(i))
		ratios := make([]float64, n)
		for j := range ratios {
			var err error
			ratios[j], err = want.Rand(src)
			must(t, err)
		}
		got, err := estimate.FitLogNormal(ratios)
		must(t, err)
		if math.Abs(got.Mu-want.Mu) > 4*want.Sigma/math.Sqrt(n) || math.Abs(got.Sigma-want.Sigma) > 4*want.Sigma/math.Sqrt(2*n) {
			t.Errorf("the fit of %d draws from %v is %v", n, want, got)
		}
	}
}

func TestLogNormalRand(t *testing.T) {
	l := estimate.LogNormal{Mu: 0.0976, Sigma: 0.411}
	a, b := rand.NewPCG(6, 1), rand.NewPCG(6, 1)
	for range 100 {
		x, err := l.Rand(a)
		must(t, err)
		if y, _ := l.Rand(b); y != x || !(x > 0) {
			t.Fatalf("equal sources draw %v and %v", x, y)
		}
	}
	point := estimate.LogNormal{Mu: 1}
	if x, err := point.Rand(a); err != nil || x != math.E {
		t.Errorf("%v.Rand = %v, %v, want %v", point, x, err, math.E)
	}
	var src rand.Source = a
	if n := testing.AllocsPerRun(100, func() { _, _ = l.Rand(src) }); n != 0 {
		t.Errorf("Rand allocates %v times, want 0", n)
	}
}

func TestLogNormalErrors(t *testing.T) {
	src := rand.NewPCG(1, 1)
	for _, bad := range []float64{nan, inf, -inf, 0, zero, -1} {
		_, err := estimate.FitLogNormal([]float64{1, bad})
		wantInput(t, err, "FitLogNormal", "estimate.FitLogNormal", "ratios", 1)
		_, _, err = estimate.LogNormal{Sigma: 1}.KS([]float64{bad, 1})
		wantInput(t, err, "KS", "estimate.LogNormal.KS", "ratios", 0)
		_, _, _, err = estimate.FitKS([]float64{1, 2, bad}, 10, src)
		wantInput(t, err, "FitKS", "estimate.FitKS", "ratios", 2)
	}
	_, err := estimate.FitLogNormal(nil)
	wantInput(t, err, "FitLogNormal(nil)", "estimate.FitLogNormal", "ratios", -1)
	_, _, err = estimate.LogNormal{}.KS(nil)
	wantInput(t, err, "KS(nil)", "estimate.LogNormal.KS", "ratios", -1)
	_, _, _, err = estimate.FitKS(nil, 10, src)
	wantInput(t, err, "FitKS(nil)", "estimate.FitKS", "ratios", -1)
	for _, b := range []int{0, -1, math.MinInt} {
		_, _, _, err = estimate.FitKS([]float64{1}, b, src)
		wantInput(t, err, "FitKS without replications", "estimate.FitKS", "replications", -1)
	}
	_, _, _, err = estimate.FitKS([]float64{1}, 1, nil)
	wantInput(t, err, "FitKS without a source", "estimate.FitKS", "src", -1)
	_, err = estimate.LogNormal{}.Rand(nil)
	wantInput(t, err, "Rand(nil)", "estimate.LogNormal.Rand", "src", -1)

	for _, l := range []estimate.LogNormal{{Mu: nan}, {Mu: inf}, {Mu: -inf}, {Sigma: nan}, {Sigma: inf}, {Sigma: -tiny}} {
		_, err := l.Rand(src)
		wantInput(t, err, "Rand", "estimate.LogNormal.Rand", "l", -1)
		_, _, err = l.KS([]float64{1})
		wantInput(t, err, "KS", "estimate.LogNormal.KS", "l", -1)
	}
}
