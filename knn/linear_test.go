package knn_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/knn"
)

// Against weighted least squares by gonum's QR, with the weights of the definition.
func TestExtrapolateAgainstQR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 3).Draw(t, "dim")
		seed := rapid.Uint64().Draw(t, "seed")
		points := cloud(50, dim, seed)
		var obs []observation
		for i := range 50 {
			x := points[i*dim : (i+1)*dim]
			obs = append(obs, observation{x, math.Exp(x[0]) + float64(i%5)})
		}
		k := rapid.IntRange(12, 50).Draw(t, "k")
		query := cloud(1, dim, seed+1)
		query[0] = 6
		p, err := estimator(t, obs, knn.Options{Scaling: knn.Unscaled, K: knn.Fixed(k), Extrapolate: true}).Predict(query)
		must(t, err)
		want := regress(obs, units2(obs, knn.Unscaled), query, k, false)
		a, b := mat.NewDense(len(obs), dim+1, nil), mat.NewVecDense(len(obs), nil)
		for i, o := range obs {
			d2 := 0.0
			for j, v := range o.x {
				d2 += (v - query[j]) * (v - query[j])
			}
			w := math.Sqrt(max(0, want.r2-d2))
			a.Set(i, 0, w)
			for j, v := range o.x {
				a.Set(i, j+1, w*(v-query[j])) // the constant term is the value at the query
			}
			b.SetVec(i, w*o.y)
		}
		var solution mat.VecDense
		must(t, solution.SolveVec(a, b))
		if !p.Extrapolated || !near(p.Value, solution.AtVec(0), 1e-6*(1+math.Abs(solution.AtVec(0)))) {
			t.Fatalf("seed %d, k %d: Predict = %+v, want %v", seed, k, p, solution.AtVec(0))
		}
	})
}

// Where no coordinate varies among the neighbours the plateau stands.
func TestExtrapolateFallsBack(t *testing.T) {
	for _, c := range []struct {
		name string
		obs  []observation
		k    int
	}{
		{"one observation", []observation{{[]float64{1, 2}, 5}}, 3},
		{"one point", []observation{{[]float64{1, 2}, 4}, {[]float64{1, 2}, 6}}, 2},
		{"one neighbour", []observation{{[]float64{1, 2}, 5}, {[]float64{0, 0}, 0}}, 2},
	} {
		e := estimator(t, c.obs, knn.Options{Extrapolate: true, K: knn.Fixed(c.k), Scaling: knn.Unscaled})
		p, err := e.Predict([]float64{9, 9})
		must(t, err)
		if p.Value != 5 || p.Extrapolated || !p.Outside {
			t.Errorf("%s: %+v, want the plateau 5", c.name, p)
		}
	}
	// The result may lie beyond float64.
	e := estimator(t, []observation{{[]float64{0}, 0}, {[]float64{1e-300}, 1e300}, {[]float64{2e-300}, 1.5e300}}, knn.Options{Extrapolate: true, Scaling: knn.Unscaled})
	if p, err := e.Predict([]float64{1e300}); err != nil || math.IsNaN(p.Value) || math.IsInf(p.Value, 0) || p.Extrapolated {
		t.Errorf("far extrapolation: %+v, %v, want the plateau", p, err)
	}
}

// A coordinate that is another one over again changes nothing: one of the two has the coefficient
// 0, so that a query off their line does not divide by rounding.
func TestExtrapolateCollinear(t *testing.T) {
	points := cloud(300, 2, 8)
	once, twice := make([]observation, 300), make([]observation, 300)
	for i := range once {
		x, y := points[2*i], points[2*i+1]
		v := math.Sin(3*x) + y + float64(i%3)
		once[i], twice[i] = observation{[]float64{x, y}, v}, observation{[]float64{x, x/3 + 1, y}, v}
	}
	o := knn.Options{Extrapolate: true, K: knn.Fixed(300), Kernel: knn.Uniform}
	at := func(obs []observation, query ...float64) float64 {
		p, err := estimator(t, obs, o).Predict(query)
		must(t, err)
		if !p.Extrapolated {
			t.Fatalf("Predict(%v) = %+v, want it extrapolated", query, p)
		}
		return p.Value
	}
	want := at(once, 5, 1)
	if got := at(twice, 5, 5./3+1, 1); !near(got, want, 1e-9*math.Abs(want)) {
		t.Errorf("with a coordinate twice %v, without %v", got, want)
	}
	if a, b := at(twice, 5, 4, 1), at(twice, 6, 5./3+1, 1); !near(a, want, 1e-9*math.Abs(want)) && !near(b, want, 1e-9*math.Abs(want)) {
		t.Errorf("off the line %v and %v, want one of them %v", a, b, want)
	}
}
