package estimate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath/estimate"
)

// draw returns n draws from l.
func draw(l estimate.LogNormal, n int, src rand.Source) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = distuv.LogNormal{Mu: l.Mu, Sigma: l.Sigma, Src: src}.Rand()
	}
	return xs
}

// distanceByCounting compares the share of ratios up to and below each ratio with the distribution
// function there.
func distanceByCounting(l estimate.LogNormal, ratios []float64) (d float64) {
	n := float64(len(ratios))
	for _, x := range ratios {
		f := (1 + math.Erf((math.Log(x)-l.Mu)/l.Sigma/math.Sqrt2)) / 2
		var upTo, below float64
		for _, y := range ratios {
			if y <= x {
				upTo++
			}
			if y < x {
				below++
			}
		}
		d = max(d, math.Abs(upTo/n-f), math.Abs(below/n-f))
	}
	return d
}

func TestKS(t *testing.T) {
	standard := estimate.LogNormal{Sigma: 1}
	point := estimate.LogNormal{Mu: math.Log(0.7)}
	upper := math.Exp(0.6744897501960817) // the upper quartile
	for _, c := range []struct {
		l      estimate.LogNormal
		ratios []float64
		d, p   float64
	}{
		{standard, []float64{1}, 0.5, 1},
		{standard, []float64{huge, huge}, 1, 0},
		{standard, []float64{tiny, tiny, tiny}, 1, 0},

		{point, []float64{0.7, 0.7, 0.7}, 0, 1},
		{point, []float64{0.7, 0.5, 0.7, 0.8, 0.9}, 0.4, 0},
		{point, []float64{0.7, 0.5, 0.6, 0.8, 0.4}, 0.6, 0},
		{point, []float64{1}, 1, 0},
		{estimate.LogNormal{}, []float64{1}, 0, 1},
	} {
		d, p, err := c.l.KS(c.ratios)
		if err != nil || math.Abs(d-c.d) > 1e-15 || math.Abs(p-c.p) > 1e-14 {
			t.Errorf("%v.KS(%v) = %v, %v, %v, want %v, %v", c.l, c.ratios, d, p, err, c.d, c.p)
		}
	}

	// Six equal ratios at the median: d 1/2, and P(D >= 1/2) is twice d * sum C(6,j) (1/2 -
	// j/6)^(6-j) (1/2 + j/6)^(j-1), j = 0, 1, 2.
	exact := 2 * 0.5 * (math.Pow(0.5, 5) + 6*math.Pow(1.0/3, 5) + 15*math.Pow(1.0/6, 4)*(5.0/6))
	if d, p, err := standard.KS([]float64{1, 1, 1, 1, 1, 1}); err != nil || d != 0.5 || math.Abs(p-exact) > documented(6) {
		t.Errorf("KS of six medians = %v, %v, %v, want 0.5, %v", d, p, err, exact)
	}
	if d, p, err := standard.KS([]float64{upper, 1 / upper}); err != nil || math.Abs(d-0.25) > 1e-15 || !(p > 0.99 && p <= 1) {
		t.Errorf("KS of the quartiles = %v, %v, %v, want the least distance of two, 0.25, and p near 1", d, p, err)
	}
	if d, _, err := (estimate.LogNormal{Sigma: tiny}).KS([]float64{1, 2}); err != nil || d != 0.5 {
		t.Errorf("KS of 1 and 2 against the least spread: d = %v, %v, want 0.5", d, err)
	}

	rng := rand.New(rand.NewPCG(7, 1))
	for range 500 {
		l := estimate.LogNormal{Mu: rng.NormFloat64(), Sigma: rng.ExpFloat64() + 0.01}
		ratios := draw(l, 1+rng.IntN(40), rng)
		if rng.IntN(2) == 0 { // ties
			for i := range ratios {
				ratios[i] = math.Ceil(ratios[i]*4) / 4
			}
		}
		before := slices.Clone(ratios)
		d, p, err := l.KS(ratios)
		// 1e-14: the distribution function is within a few units of 2^-53 of 1, taken by erf
		// here and by erfc there.
		if want := distanceByCounting(l, ratios); err != nil || math.Abs(d-want) > 1e-14 {
			t.Fatalf("%v.KS(%v) = %v, %v, %v, want distance %v", l, ratios, d, p, err, want)
		}
		if !slices.Equal(ratios, before) {
			t.Fatal("KS changed its argument")
		}
		if want := estimate.KolmogorovP(len(ratios), d); p != want {
			t.Fatalf("%v.KS(%v) = %v, %v, want p %v", l, ratios, d, p, want)
		}
		rng.Shuffle(len(ratios), func(i, j int) { ratios[i], ratios[j] = ratios[j], ratios[i] })
		if e, q, _ := l.KS(ratios); e != d || q != p {
			t.Fatalf("%v.KS(%v) = %v, %v, permuted %v, %v", l, ratios, d, p, e, q)
		}
	}
}

// chiSquared compares p-values with the uniform distribution in ten classes.
func chiSquared(ps []float64) (x float64) {
	var classes [10]float64
	for _, p := range ps {
		classes[min(9, int(math.Ceil(p*10))-1)]++ // p in (k/10, (k+1)/10]
	}
	want := float64(len(ps)) / 10
	for _, n := range classes {
		x += (n - want) * (n - want) / want
	}
	return x
}

// The 0.999 quantile of the chi-squared distribution with 9 degrees of freedom.
const chiSquared9 = 27.88

func TestFitKSUniform(t *testing.T) {
	l := estimate.LogNormal{Mu: -1, Sigma: 0.228}
	src, simulation := rand.NewPCG(9, 1), rand.NewPCG(9, 2)
	var ps []float64
	plain := 0 // p-values of the plain test that would reject at 0.05
	const samples = 1000
	for range samples {
		ratios := draw(l, 20, src)
		fit, _, p, err := estimate.FitKS(ratios, 99, simulation)
		must(t, err)
		ps = append(ps, p)
		if _, q, _ := fit.KS(ratios); q <= 0.05 {
			plain++
		}
	}
	if x := chiSquared(ps); x > chiSquared9 {
		t.Errorf("p-values after fitting: chi squared %v, want <= %v", x, chiSquared9)
	}
	// The reason for FitKS: the plain test after fitting rejects almost nothing where it should
	// reject 5 in 100.
	if plain > samples/200 {
		t.Errorf("the plain test rejects %d of %d fits, expected next to none", plain, samples)
	}
}

func TestFitKS(t *testing.T) {
	// Ratios without spread, and any two, fit as well as can be, whatever is drawn.
	for _, ratios := range [][]float64{{0.3}, {2, 2, 2, 2}, {1, 7}, {0.1, 0.3}, {tiny, huge}, {1, math.Nextafter(1, 2)}} {
		fit, d, p, err := estimate.FitKS(ratios, 50, rand.NewPCG(11, 1))
		if err != nil || p != 1 {
			t.Errorf("FitKS(%v) = %v, %v, %v, %v, want p = 1", ratios, fit, d, p, err)
		}
	}

	ratios := draw(estimate.LogNormal{Mu: 3, Sigma: 2}, 50, rand.NewPCG(11, 2))
	fit, d, p, err := estimate.FitKS(ratios, 199, rand.NewPCG(11, 3))
	must(t, err)
	if want, _ := estimate.FitLogNormal(ratios); fit != want {
		t.Errorf("FitKS fits %v, FitLogNormal %v", fit, want)
	}
	if want, _, _ := fit.KS(ratios); d != want {
		t.Errorf("FitKS distance %v, KS of the fit %v", d, want)
	}
	// Equal sources, equal results; order and scale do not matter (a power of two would still round
	// the logarithms).
	for name, change := range map[string]func(int) float64{
		"again":   func(i int) float64 { return ratios[i] },
		"reverse": func(i int) float64 { return ratios[len(ratios)-1-i] },
		"scaled":  func(i int) float64 { return ratios[i] * 1e-9 },
		"squared": func(i int) float64 { return ratios[i] * ratios[i] },
	} {
		other := make([]float64, len(ratios))
		for i := range other {
			other[i] = change(i)
		}
		if _, e, q, err := estimate.FitKS(other, 199, rand.NewPCG(11, 3)); err != nil || q != p || math.Abs(e-d) > 1e-12 {
			t.Errorf("FitKS %s = %v, %v, %v, want %v, %v", name, e, q, err, d, p)
		}
	}
	// A sample that no log-normal fits: the least p-value there is.
	for i := range ratios {
		ratios[i] = 1 + float64(i%2)
	}
	if _, d, p, err := estimate.FitKS(ratios, 199, rand.NewPCG(11, 4)); err != nil || p != 1.0/200 {
		t.Errorf("FitKS of two values, 25 times each: d %v, p %v, %v, want p 0.005", d, p, err)
	}
}
