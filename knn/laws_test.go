package knn_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/knn"
)

func drawOptions(t *rapid.T) knn.Options {
	return knn.Options{
		Scaling:   knn.Scaling(rapid.IntRange(0, 2).Draw(t, "scaling")),
		Bandwidth: knn.Bandwidth(rapid.IntRange(0, 1).Draw(t, "bandwidth")),
		Kernel:    knn.Kernel(rapid.IntRange(0, 1).Draw(t, "kernel")),
		K:         knn.Fixed(rapid.IntRange(1, 20).Draw(t, "k")),
	}
}

// same fails the test unless two predictions agree but for rounding.
func same(t rapid.TB, what string, a, b knn.Prediction, size float64) {
	t.Helper()
	if !near(a.Value, b.Value, 1e-9*size) || !near(a.Radius, b.Radius, 1e-9*a.Radius) || a.Neighbours != b.Neighbours || a.Degenerate != b.Degenerate || a.Outside != b.Outside {
		t.Fatalf("%s: %+v, want %+v", what, b, a)
	}
}

// Observations at the radius have no weight, however many there are.
func TestTiesAtTheRadius(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obs := drawObservations(t, 20, 2, true)
		query := drawObservations(t, 1, 2, true)[0].x
		o := knn.Options{Scaling: knn.Unscaled, K: knn.Fixed(rapid.IntRange(2, 20).Draw(t, "k"))}
		a, err := estimator(t, obs, o).Predict(query)
		must(t, err)
		if a.Degenerate {
			return
		}
		for range 5 {
			obs = append(obs, observation{[]float64{query[0] + a.Radius, query[1]}, 1e6})
		}
		b, err := estimator(t, obs, o).Predict(query)
		must(t, err)
		b.Outside = a.Outside
		if math.Trunc(a.Radius*8) != a.Radius*8 { // the new ones are not exactly at the radius
			return
		}
		same(t, "with ties", a, b, most(obs))
	})
}

// Multiplying y by a power of two multiplies the value exactly; equal y give that y.
func TestScaleOfY(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obs, o := drawObservations(t, 30, 2, true), drawOptions(t)
		o.Alpha = .3
		query := drawObservations(t, 1, 2, true)[0].x
		a, err := estimator(t, obs, o).Predict(query)
		must(t, err)
		factor := math.Ldexp(1, rapid.IntRange(-900, 900).Draw(t, "exponent"))
		for i := range obs {
			obs[i].y *= factor
		}
		b, err := estimator(t, obs, o).Predict(query)
		must(t, err)
		if b.Value != a.Value*factor || b.Low != a.Low*factor || b.High != a.High*factor {
			t.Fatalf("y times %v: %+v, want %+v times that", factor, b, a)
		}
		for i := range obs {
			obs[i].y = 0.1
		}
		if p, err := estimator(t, obs, o).Predict(query); err != nil || p.Value != 0.1 {
			t.Fatalf("all y 0.1: %+v, %v", p, err)
		}
	})
}
