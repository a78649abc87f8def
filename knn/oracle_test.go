package knn_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/knn"
)

// observation is one row of what an estimator is given.
type observation struct {
	x []float64
	y float64
}

// exact is a prediction in rational arithmetic.
type exact struct {
	value      *big.Rat
	r2         float64
	neighbours int
	degenerate bool
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// units2 returns the squared unit of each column, 0 for one that does not count: the variance over
// n, the squared range, 1.
func units2(obs []observation, s knn.Scaling) []*big.Rat {
	units := make([]*big.Rat, len(obs[0].x))
	n := big.NewRat(int64(len(obs)), 1)
	for j := range units {
		lo, hi := obs[0].x[j], obs[0].x[j]
		sum, square := new(big.Rat), new(big.Rat)
		for _, o := range obs {
			lo, hi = min(lo, o.x[j]), max(hi, o.x[j])
			v := rat(o.x[j])
			sum.Add(sum, v)
			square.Add(square, v.Mul(v, v))
		}
		switch s {
		case knn.Unscaled:
			units[j] = big.NewRat(1, 1)
		case knn.MinMax:
			d := new(big.Rat).Sub(rat(hi), rat(lo))
			units[j] = d.Mul(d, d)
		default:
			sum.Quo(sum, n)
			square.Quo(square, n)
			units[j] = square.Sub(square, sum.Mul(sum, sum))
		}
	}
	return units
}

// regress is the definition: all distances, sorted; R is that of the rank-th; the mean weighted
// with 1 - d^2/R^2, or the plain mean over all within R where no weight is above 0, and for the
// uniform kernel.
func regress(obs []observation, units2 []*big.Rat, query []float64, rank int, uniform bool) exact {
	type far struct {
		d2 *big.Rat
		i  int
	}
	all := make([]far, len(obs))
	for i, o := range obs {
		d2 := new(big.Rat)
		for j, v := range o.x {
			if units2[j].Sign() > 0 {
				d := new(big.Rat).Sub(rat(v), rat(query[j]))
				d.Mul(d, d)
				d2.Add(d2, d.Quo(d, units2[j]))
			}
		}
		all[i] = far{d2, i}
	}
	slices.SortFunc(all, func(a, b far) int { return a.d2.Cmp(b.d2) })
	r2 := all[min(rank, len(all))-1].d2
	e := exact{r2: float(r2), degenerate: !uniform && all[0].d2.Cmp(r2) == 0}
	total, sum := new(big.Rat), new(big.Rat)
	for _, a := range all {
		w := big.NewRat(1, 1)
		if e.degenerate || uniform {
			if a.d2.Cmp(r2) > 0 {
				continue
			}
		} else {
			if a.d2.Cmp(r2) >= 0 {
				continue
			}
			w.Sub(w, new(big.Rat).Quo(a.d2, r2))
		}
		e.neighbours++
		total.Add(total, w)
		sum.Add(sum, new(big.Rat).Mul(w, rat(obs[a.i].y)))
	}
	e.value = sum.Quo(sum, total)
	return e
}

// most returns the greatest |y|, what errors of a value are measured by.
func most(obs []observation) float64 {
	m := 0.0
	for _, o := range obs {
		m = max(m, math.Abs(o.y))
	}
	return m
}

func wantExact(t rapid.TB, call string, got knn.Prediction, want exact, size float64) {
	t.Helper()
	if !near(got.Value, float(want.value), 1e-11*size) || !near(got.Radius, math.Sqrt(want.r2), 1e-12*math.Sqrt(want.r2)) || got.Neighbours != want.neighbours || got.Degenerate != want.degenerate {
		t.Fatalf("%s = %+v, want value %v, radius %v, %d neighbours, degenerate %t", call, got, float(want.value), math.Sqrt(want.r2), want.neighbours, want.degenerate)
	}
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// drawObservations draws up to n observations: on a small grid, where distances tie exactly as long
// as they are not scaled, or anywhere, with some at the same point.
func drawObservations(t *rapid.T, n, dim int, grid bool) []observation {
	coordinate := func() float64 { return float64(rapid.IntRange(-4, 4).Draw(t, "eighths")) / 8 }
	if !grid {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		coordinate = rng.NormFloat64
	}
	obs := make([]observation, rapid.IntRange(1, n).Draw(t, "n"))
	for i := range obs {
		obs[i].y = float64(rapid.IntRange(-1e6, 1e6).Draw(t, "y")) / 1e3
		if i > 0 && rapid.IntRange(0, 3).Draw(t, "again") == 0 {
			obs[i].x = obs[rapid.IntRange(0, i-1).Draw(t, "same as")].x
			continue
		}
		for range dim {
			obs[i].x = append(obs[i].x, coordinate())
		}
	}
	return obs
}

func matrix(obs []observation) (*mat.Dense, []float64) {
	x, y := mat.NewDense(len(obs), len(obs[0].x), nil), make([]float64, len(obs))
	for i, o := range obs {
		x.SetRow(i, o.x)
		y[i] = o.y
	}
	return x, y
}

func estimator(t rapid.TB, obs []observation, o knn.Options) *knn.Estimator {
	t.Helper()
	e, err := knn.New(len(obs[0].x), o)
	must(t, err)
	for _, o := range obs {
		must(t, e.Add(o.x, o.y))
	}
	return e
}

var must = expect.Must

func TestRegressAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim, grid := rapid.IntRange(1, 4).Draw(t, "dim"), rapid.Bool().Draw(t, "grid")
		obs := drawObservations(t, 30, dim, grid)
		query := drawObservations(t, 1, dim, grid)[0].x
		k := rapid.IntRange(1, len(obs)+2).Draw(t, "k")
		x, y := matrix(obs)
		got, err := knn.Regress(x, y, query, k)
		must(t, err)
		wantExact(t, fmt.Sprintf("Regress(%v, %v, %d)", obs, query, k), got, regress(obs, units2(obs, knn.Unscaled), query, k, false), most(obs))
		if !math.IsInf(got.Low, -1) || !math.IsInf(got.High, 1) {
			t.Fatalf("interval [%v, %v], want none", got.Low, got.High)
		}
		wantOutside := false
		for j, v := range query {
			below := slices.ContainsFunc(obs, func(o observation) bool { return o.x[j] <= v })
			above := slices.ContainsFunc(obs, func(o observation) bool { return o.x[j] >= v })
			wantOutside = wantOutside || !below || !above
		}
		if got.Outside != wantOutside {
			t.Fatalf("Regress(%v, %v).Outside = %t", obs, query, got.Outside)
		}
	})
}

func TestEstimatorAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 3).Draw(t, "dim")
		o := drawOptions(t)
		o.K, o.Window = nil, rapid.SampledFrom([]int{0, 1, 7, 100}).Draw(t, "window")
		// Scaled distances are rounded, so that equal ones on a grid may come out unequal.
		obs := drawObservations(t, 40, dim, o.Scaling == knn.Unscaled)
		k := rapid.IntRange(1, len(obs)+2).Draw(t, "k")
		if rapid.Bool().Draw(t, "fixed") {
			o.K = knn.Fixed(k)
		}
		e := estimator(t, obs, o)
		if o.Window > 0 {
			obs = obs[max(0, len(obs)-o.Window):]
		}
		if o.K == nil {
			k = knn.Rate(len(obs), dim)
		}
		if o.Bandwidth == knn.NextNeighbour && o.Kernel == knn.Epanechnikov {
			k = min(k, len(obs)) + 1
		}
		units := units2(obs, o.Scaling)
		queries := drawObservations(t, 5, dim, o.Scaling == knn.Unscaled)
		x, _ := matrix(queries)
		all, err := e.PredictAll(nil, x)
		must(t, err)
		for i, q := range queries {
			got, err := e.Predict(q.x)
			must(t, err)
			wantExact(t, fmt.Sprintf("%+v: %v: Predict(%v)", o, obs, q.x), got, regress(obs, units, q.x, k, o.Kernel == knn.Uniform), most(obs))
			if all[i] != got {
				t.Fatalf("PredictAll gives %+v, Predict %+v", all[i], got)
			}
		}
	})
}

// Both methods find the same to the bit.
func TestTreeAgainstAllDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim, grid := rapid.IntRange(1, 4).Draw(t, "dim"), rapid.Bool().Draw(t, "grid")
		obs := drawObservations(t, 150, dim, grid)
		o := knn.Options{Scaling: knn.Scaling(rapid.IntRange(0, 2).Draw(t, "scaling")), Kernel: knn.Kernel(rapid.IntRange(0, 1).Draw(t, "kernel"))}
		e := estimator(t, obs, o)
		query := drawObservations(t, 1, dim, grid)[0].x
		rank := rapid.IntRange(1, len(obs)).Draw(t, "rank")
		a, ra, da := e.Gather(query, rank, -1, false)
		b, rb, db := e.Gather(query, rank, -1, true)
		if !slices.Equal(a, b) || ra != rb || da != db {
			t.Fatalf("%v of %v: all distances %v, %v, %t, tree %v, %v, %t", query, obs, a, ra, da, b, rb, db)
		}
	})
}

type goldenCase struct {
	Name       string
	N, Dim, K  int
	X          [][]float64
	Y, Query   []float64
	Neighbours []int
	R          float64
	Weights    []float64
	Fallback   []int `json:"fallback_set"`
	Expected   float64
	Literal    *float64 `json:"literal_eq1_eq2"`
	Degenerate *string
	Effective  int `json:"effective_neighbours"`
	KEff       int `json:"k_eff"`
}

func readGolden(t testing.TB) []goldenCase {
	t.Helper()
	var f struct{ Cases []goldenCase }
	golden.Decode(t, "knn_epanechnikov.json", &f)
	if len(f.Cases) != 22 {
		t.Fatalf("%d cases, want 22", len(f.Cases))
	}
	return f.Cases
}

func TestGolden(t *testing.T) {
	degenerate := 0
	for _, c := range readGolden(t) {
		obs := make([]observation, c.N)
		for i := range obs {
			obs[i] = observation{c.X[i], c.Y[i]}
		}
		x, y := matrix(obs)
		got, err := knn.Regress(x, y, c.Query, c.K)
		must(t, err)
		neighbours := c.Effective
		if c.Degenerate != nil {
			neighbours = len(c.Fallback)
			degenerate++
		}
		if !near(got.Value, c.Expected, 1e-12*math.Abs(c.Expected)) || !near(got.Radius, c.R, 1e-12*c.R) || got.Neighbours != neighbours || got.Degenerate != (c.Degenerate != nil) {
			t.Errorf("%s: Regress = %+v, want value %v, radius %v, %d neighbours", c.Name, got, c.Expected, c.R, neighbours)
		}
		if got.Low != -inf || got.High != inf { // no interval was asked for
			t.Errorf("%s: Regress = %+v, want an infinite interval", c.Name, got)
		}
		// Equations (1) and (2) as printed.
		if c.Literal != nil && !near(got.Value*float64(c.KEff)/float64(c.N), *c.Literal, 1e-12*math.Abs(*c.Literal)) {
			t.Errorf("%s: Regress times k/n is %v, want %v", c.Name, got.Value*float64(c.KEff)/float64(c.N), *c.Literal)
		}
		e := estimator(t, obs, knn.Options{Scaling: knn.Unscaled, K: knn.Fixed(c.K)})
		if p, err := e.Predict(c.Query); err != nil || p != got {
			t.Errorf("%s: Predict = %+v, %v, Regress %+v", c.Name, p, err, got)
		}
		// The weight of a neighbour is the prediction when its y is 1 and that of all others 0.
		if c.Degenerate == nil {
			for i, id := range c.Neighbours {
				unit := make([]float64, c.N)
				unit[id] = 1
				if p, err := knn.Regress(x, unit, c.Query, c.K); err != nil || !near(p.Value, c.Weights[i], 1e-12) {
					t.Errorf("%s: weight of %d is %v, %v, want %v", c.Name, id, p.Value, err, c.Weights[i])
				}
			}
		}
	}
	if degenerate < 3 {
		t.Errorf("%d degenerate cases, want some", degenerate)
	}
}
