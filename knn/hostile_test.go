package knn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/knn"
)

// Whatever finite numbers go in, no NaN comes out, and the value lies within the range of y unless
// it is extrapolated.
func TestAnyNumbers(t *testing.T) {
	number := rapid.OneOf(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), rapid.SampledFrom([]float64{
		0, math.Copysign(0, -1), 1, -1, 1e300, -1e300, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1060, 1e-200, 1e160, 1e-160}))
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		o.Extrapolate, o.Alpha = rapid.Bool().Draw(t, "extrapolate"), float64(rapid.IntRange(0, 9).Draw(t, "tenths"))/10
		var obs []observation
		lo, hi := inf, -inf
		for range rapid.IntRange(1, 30).Draw(t, "n") {
			y := number.Draw(t, "y")
			lo, hi = min(lo, y), max(hi, y)
			obs = append(obs, observation{[]float64{number.Draw(t, "x"), number.Draw(t, "x")}, y})
		}
		e := estimator(t, obs, o)
		for range 3 {
			p, err := e.Predict([]float64{number.Draw(t, "query"), number.Draw(t, "query")})
			must(t, err)
			if !(p.Low <= p.Value && p.Value <= p.High) || !(p.Radius >= 0) || p.Neighbours < 1 || math.IsInf(p.Value, 0) || !p.Extrapolated && !(lo <= p.Value && p.Value <= hi) {
				t.Fatalf("%+v: %v: Predict = %+v", o, obs, p)
			}
		}
		if r, err := e.LeaveOneOut(nil); err == nil && (slices.ContainsFunc(r, math.IsNaN) || len(r) != len(obs)) {
			t.Fatalf("%+v: %v: LeaveOneOut = %v", o, obs, r)
		}
	})
}

// Data so small or large that squares vanish or overflow give the answers that the same data give
// in other units.
func TestExtremeUnits(t *testing.T) {
	points := cloud(50, 2, 3)
	for i, x := range points {
		points[i] = math.Round(x*64) / 64
	}
	for _, scaling := range []knn.Scaling{knn.ZScore, knn.MinMax, knn.Unscaled} {
		o := knn.Options{Scaling: scaling, Extrapolate: true}
		want, err := filled(t, points, 2, o).Predict([]float64{0.5, 9})
		must(t, err)
		for _, exponent := range []int{1018, 990, 500, -500, -990, -1060} {
			e, err := knn.New(2, o)
			must(t, err)
			for i := 0; i < len(points); i += 2 {
				must(t, e.Add([]float64{math.Ldexp(points[i], exponent), math.Ldexp(points[i+1], exponent)}, points[i]*points[i]+float64(i%7)))
			}
			got, err := e.Predict([]float64{math.Ldexp(0.5, exponent), math.Ldexp(9, exponent)})
			must(t, err)
			radius := want.Radius
			if scaling == knn.Unscaled {
				radius = math.Ldexp(radius, exponent)
			}
			if !near(got.Value, want.Value, 1e-12*math.Abs(want.Value)) || !near(got.Radius, radius, 1e-12*radius+math.SmallestNonzeroFloat64) {
				t.Errorf("scaling %d, unit 2^%d: %+v, want %+v", scaling, exponent, got, want)
			}
		}
	}
}

// What a query costs does not depend on how many observations are at one point: the tests would
// run for minutes if it did.
func TestDuplicates(t *testing.T) {
	const n = 20000
	for _, places := range []int{1, 2, 200} {
		rng := rand.New(rand.NewPCG(7, 7))
		e, err := knn.New(3, knn.Options{Extrapolate: true})
		must(t, err)
		sum := 0.0
		for i := range n {
			must(t, e.Add([]float64{float64(rng.IntN(places)), 8, 0}, float64(i%10)))
			sum += float64(i % 10)
		}
		p, err := e.Predict([]float64{0, 8, 0})
		must(t, err)
		if places == 1 && (!near(p.Value, sum/n, 1e-12) || p.Neighbours != n || !p.Degenerate || p.Radius != 0) {
			t.Errorf("%d observations at one point: %+v, want their mean %v", n, p, sum/n)
		}
		x := mat.NewDense(n/10, 3, nil)
		for i := range n / 10 {
			x.SetRow(i, []float64{rng.Float64() * float64(places), 8, 0})
		}
		all, err := e.PredictAll(nil, x)
		must(t, err)
		residuals, err := e.LeaveOneOut(nil)
		must(t, err)
		if len(all) != n/10 || len(residuals) != n {
			t.Fatalf("%d predictions and %d residuals, want %d and %d", len(all), len(residuals), n/10, n)
		}
		if want := 0 - (sum / (n - 1)); places == 1 && !near(residuals[0], want, 1e-9) {
			t.Errorf("residual of one among equals: %v, want %v", residuals[0], want)
		}
	}
}

func TestAllocations(t *testing.T) {
	for _, o := range []knn.Options{{}, {Window: 1000, Alpha: .1}, {Kernel: knn.Uniform, Extrapolate: true}, {Scaling: knn.Unscaled, K: knn.Paper}} {
		const dim = 6
		points := cloud(2000, dim, 1)
		e := filled(t, points, dim, o)
		query := []float64{0.1, 9, 0.3, 0, 0, 0}
		ask := func() {
			if _, err := e.Predict(query); err != nil {
				t.Fatal(err)
			}
			query[0] += 0.01
		}
		for range 100 {
			ask()
		}
		if n := testing.AllocsPerRun(100, ask); n != 0 {
			t.Errorf("%+v: Predict allocates %v times, want 0", o, n)
		}
		all := make([]knn.Prediction, 0, 100)
		queries := mat.NewDense(100, dim, cloud(100, dim, 2))
		if n := testing.AllocsPerRun(10, func() {
			if _, err := e.PredictAll(all, queries); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%+v: PredictAll allocates %v times, want 0", o, n)
		}
		if o.Window == 0 {
			continue
		}
		// In steady state neither Add nor the Predict after it, which rescales, allocates; with
		// Alpha it builds a tree.
		o.Alpha = 0
		e = filled(t, points, dim, o)
		i := 0
		if n := testing.AllocsPerRun(100, func() {
			must(t, e.Add(points[i:i+dim], 1))
			i += dim
			ask()
		}); n != 0 {
			t.Errorf("%+v: Add and Predict allocate %v times, want 0", o, n)
		}
	}
}
