package estimate_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var (
	nan  = math.NaN()
	inf  = math.Inf(1)
	huge = math.MaxFloat64
	most = 0x1p200 // the largest time
	tiny = math.SmallestNonzeroFloat64
	zero = math.Copysign(0, -1) // -0

	tenth = 0.1 // a variable: constants multiply without rounding
)

func TestSizes(t *testing.T) {
	type call struct {
		name string
		got  func() (float64, error)
		want float64
	}
	initial := func(k int, l, xi float64) func() (float64, error) {
		return func() (float64, error) { return estimate.InitialSize(k, l, xi) }
	}
	phase := func(k int, xs ...float64) func() (float64, error) {
		return func() (float64, error) { return estimate.PhaseSize(xs, k) }
	}
	extrapolate := func(d, p float64) func() (float64, error) {
		return func() (float64, error) { return estimate.Extrapolate(d, p) }
	}
	shuffle := func(k int, times, inputs []float64) func() (float64, error) {
		return func() (float64, error) { return estimate.ShuffleSize(times, inputs, k) }
	}
	reduce := func(a, b float64) func() (float64, error) {
		return func() (float64, error) { return estimate.ReduceSize(a, b) }
	}
	for _, c := range []call{
		{"InitialSize(40, 12, 1)", initial(40, 12, 1), 480},
		{"InitialSize(40, 12, 2.5)", initial(40, 12, 2.5), 1200},
		{"InitialSize(0, 12, 1)", initial(0, 12, 1), 0},
		{"InitialSize(0, most, most)", initial(0, most, most), 0},
		{"InitialSize(3, -0, 1)", initial(3, zero, 1), 0},
		{"InitialSize(3, .1, 1)", initial(3, 0.1, 1), 3 * tenth},
		{"InitialSize(1, most, 1)", initial(1, most, 1), most},
		{"InitialSize(1000, tiny, most)", initial(1000, tiny, most), math.Ldexp(1000, 200-1074)},
		{"InitialSize(7, tiny, 1)", initial(7, tiny, 1), 7 * tiny},

		{"PhaseSize([8 10 9 11 12], 100)", phase(100, 8, 10, 9, 11, 12), 1000},
		{"PhaseSize([8 10], 2)", phase(2, 8, 10), 18},
		{"PhaseSize([3], 0)", phase(0, 3), 0},
		{"PhaseSize([-0 -0], 4)", phase(4, zero, zero), 0},
		{"PhaseSize([1 2 3], 2)", phase(2, 1, 2, 3), 4}, // more samples than tasks
		{"PhaseSize([most most 0], 1)", phase(1, most, most, 0), most / 3 * 2},
		{"PhaseSize([most 0 0 0], 4)", phase(4, most, 0, 0, 0), most},
		{"PhaseSize([most -0 tiny], 1)", phase(1, most, zero, tiny), most / 3},
		{"PhaseSize([tiny tiny tiny], 3)", phase(3, tiny, tiny, tiny), 3 * tiny},
		{"PhaseSize([1e16 1 1], 3)", phase(3, 1e16, 1, 1), 1e16 + 2},
		{"PhaseSize([1 1e16 1], 3)", phase(3, 1, 1e16, 1), 1e16 + 2},

		{"Extrapolate(10, .25)", extrapolate(10, 0.25), 40},
		{"Extrapolate(10, 1)", extrapolate(10, 1), 10},
		{"Extrapolate(-0, .5)", extrapolate(zero, 0.5), 0},
		{"Extrapolate(tiny, tiny)", extrapolate(tiny, tiny), 1},
		{"Extrapolate(most, 1)", extrapolate(most, 1), most},

		// 20*300/400 + 10*100/400 = 17.5
		{"ShuffleSize([20 10], [300 100], 8)", shuffle(8, []float64{20, 10}, []float64{300, 100}), 140},
		{"ShuffleSize([20 10], [0 0], 8)", shuffle(8, []float64{20, 10}, []float64{0, zero}), 120},
		{"ShuffleSize([20 10], [0 1/most], 8)", shuffle(8, []float64{20, 10}, []float64{0, 1 / most}), 80},
		{"ShuffleSize([20 10], [most most], 8)", shuffle(8, []float64{20, 10}, []float64{most, most}), 120},
		{"ShuffleSize([most 0], [1 1], 1)", shuffle(1, []float64{most, 0}, []float64{1, 1}), most / 2},
		{"ShuffleSize([0 most], [1 1/most], 1)", shuffle(1, []float64{0, most}, []float64{1, 1 / most}), 1},
		{"ShuffleSize([-0], [5], 3)", shuffle(3, []float64{zero}, []float64{5}), 0},
		{"ShuffleSize([5], [5], 0)", shuffle(0, []float64{5}, []float64{5}), 0},

		{"ReduceSize(140, 60)", reduce(140, 60), 200},
		{"ReduceSize(-0, -0)", reduce(zero, zero), 0},
		{"ReduceSize(most, 0)", reduce(most, 0), most},
		{"ReduceSize(tiny, tiny)", reduce(tiny, tiny), 2 * tiny},
	} {
		if got, err := c.got(); err != nil || got != c.want || math.Signbit(got) {
			t.Errorf("%s = %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

// wantInput checks that err is an InputError of this function, argument and index.
func wantInput(t *testing.T, err error, call, fn, arg string, index int) {
	t.Helper()
	expect.InputError(t, call, err, fn, arg, index)
}

func TestSizeErrors(t *testing.T) {
	for _, k := range []int{-1, math.MinInt} {
		_, err := estimate.InitialSize(k, 1, 1)
		wantInput(t, err, "InitialSize", "estimate.InitialSize", "tasks", -1)
		_, err = estimate.PhaseSize([]float64{1}, k)
		wantInput(t, err, "PhaseSize", "estimate.PhaseSize", "tasks", -1)
		_, err = estimate.ShuffleSize([]float64{1}, []float64{1}, k)
		wantInput(t, err, "ShuffleSize", "estimate.ShuffleSize", "tasks", -1)
	}
	_, err := estimate.ShuffleSize([]float64{1, 1}, []float64{1, math.Nextafter(1/most, 0)}, 1)
	wantInput(t, err, "ShuffleSize", "estimate.ShuffleSize", "inputs", 1)
	for _, bad := range []float64{nan, inf, -inf, -1, -tiny, huge, math.Nextafter(most, inf)} {
		_, err := estimate.InitialSize(1, bad, 1)
		wantInput(t, err, "InitialSize", "estimate.InitialSize", "meanTask", -1)
		_, err = estimate.PhaseSize([]float64{1, 2, bad}, 1)
		wantInput(t, err, "PhaseSize", "estimate.PhaseSize", "samples", 2)
		_, err = estimate.Extrapolate(bad, 0.5)
		wantInput(t, err, "Extrapolate", "estimate.Extrapolate", "elapsed", -1)
		_, err = estimate.ShuffleSize([]float64{1, bad}, []float64{1, 1}, 1)
		wantInput(t, err, "ShuffleSize", "estimate.ShuffleSize", "times", 1)
		_, err = estimate.ShuffleSize([]float64{1, 1}, []float64{bad, 1}, 1)
		wantInput(t, err, "ShuffleSize", "estimate.ShuffleSize", "inputs", 0)
		_, err = estimate.ReduceSize(bad, 1)
		wantInput(t, err, "ReduceSize", "estimate.ReduceSize", "shuffle", -1)
		_, err = estimate.ReduceSize(1, bad)
		wantInput(t, err, "ReduceSize", "estimate.ReduceSize", "execution", -1)
	}
	for _, bad := range []float64{nan, inf, 0, math.Nextafter(1, 0), -1, math.Nextafter(most, inf)} {
		_, err := estimate.InitialSize(1, 1, bad)
		wantInput(t, err, "InitialSize", "estimate.InitialSize", "xi", -1)
	}
	for _, bad := range []float64{nan, inf, 0, zero, math.Nextafter(1, 2), -1} {
		_, err := estimate.Extrapolate(1, bad)
		wantInput(t, err, "Extrapolate", "estimate.Extrapolate", "progress", -1)
	}
	_, err = estimate.PhaseSize(nil, 1)
	wantInput(t, err, "PhaseSize(nil)", "estimate.PhaseSize", "samples", -1)
	_, err = estimate.ShuffleSize(nil, nil, 1)
	wantInput(t, err, "ShuffleSize(nil)", "estimate.ShuffleSize", "times", -1)
	_, err = estimate.ShuffleSize([]float64{1}, nil, 1)
	wantInput(t, err, "ShuffleSize(1, 0)", "estimate.ShuffleSize", "inputs", -1)
	_, err = estimate.ShuffleSize([]float64{1}, []float64{1, 2}, 1)
	wantInput(t, err, "ShuffleSize(1, 2)", "estimate.ShuffleSize", "inputs", -1)

	// Results beyond 2^200.
	_, err = estimate.InitialSize(2, most, 1)
	wantInput(t, err, "InitialSize(2, most)", "estimate.InitialSize", "meanTask", -1)
	_, err = estimate.PhaseSize([]float64{most}, 2)
	wantInput(t, err, "PhaseSize(most)", "estimate.PhaseSize", "samples", -1)
	_, err = estimate.Extrapolate(1, tiny)
	wantInput(t, err, "Extrapolate(1, tiny)", "estimate.Extrapolate", "progress", -1)
	_, err = estimate.ShuffleSize([]float64{most}, []float64{1}, 2)
	wantInput(t, err, "ShuffleSize(most)", "estimate.ShuffleSize", "times", -1)
	_, err = estimate.ShuffleSize([]float64{most}, []float64{0}, 2)
	wantInput(t, err, "ShuffleSize(most, 0)", "estimate.ShuffleSize", "times", -1)
	_, err = estimate.ReduceSize(most, most)
	wantInput(t, err, "ReduceSize(most, most)", "estimate.ReduceSize", "execution", -1)
}

// anyTime draws a time whose logarithm is spread over 2^±spread, sometimes 0.
func anyTime(rng *rand.Rand, spread float64) float64 {
	if rng.IntN(10) == 0 {
		return 0
	}
	return math.Ldexp(1+rng.Float64(), int((2*rng.Float64()-1)*spread))
}

// rational is x exactly; the oracles below add, multiply and divide rationals, in the order of the
// paper's formulas.
func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// ulps returns how many units in the last place got is away from want, roughly, at least one
// subnormal unit.
func ulps(got float64, want *big.Rat) float64 {
	unit := math.Nextafter(got, inf) - got
	diff := new(big.Rat).Sub(rational(got), want)
	diff.Quo(diff, rational(unit))
	f, _ := diff.Float64()
	return math.Abs(f)
}

func TestSizesAgainstRationals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		spread := []float64{2, 60, 190}[rng.IntN(3)]
		n := 1 + rng.IntN(9)
		k := rng.IntN(1000)
		xs, ws := make([]float64, n), make([]float64, n)
		sum, weighted, weight := new(big.Rat), new(big.Rat), new(big.Rat)
		for i := range xs {
			xs[i], ws[i] = anyTime(rng, spread), anyTime(rng, spread)
			x, w := rational(xs[i]), rational(ws[i])
			sum.Add(sum, x)
			weight.Add(weight, w)
			weighted.Add(weighted, new(big.Rat).Mul(w, x))
		}
		tasks := new(big.Rat).SetInt64(int64(k))

		mean := new(big.Rat).Quo(sum, new(big.Rat).SetInt64(int64(n)))
		want := mean.Mul(mean, tasks)
		got, err := estimate.PhaseSize(xs, k)
		if tooLarge := want.Cmp(rational(most)) > 0; tooLarge != (err != nil) || !tooLarge && ulps(got, want) > 1 {
			t.Fatalf("PhaseSize(%v, %d) = %v, %v, want %s to one unit", xs, k, got, err, want.FloatString(20))
		}

		if weight.Sign() > 0 {
			want = weighted.Quo(weighted, weight)
			want.Mul(want, tasks)
		}
		got, err = estimate.ShuffleSize(xs, ws, k)
		if tooLarge := want.Cmp(rational(most)) > 0; tooLarge != (err != nil) || !tooLarge && ulps(got, want) > 2 {
			t.Fatalf("ShuffleSize(%v, %v, %d) = %v, %v, want %s to two units", xs, ws, k, got, err, want.FloatString(20))
		}

		xi := 1 + rng.ExpFloat64()
		want = new(big.Rat).Mul(tasks, rational(xs[0]))
		want.Mul(want, rational(xi))
		got, err = estimate.InitialSize(k, xs[0], xi)
		// two roundings
		if tooLarge := want.Cmp(rational(most)) > 0; tooLarge != (err != nil) || !tooLarge && ulps(got, want) > 2 {
			t.Fatalf("InitialSize(%d, %v, %v) = %v, %v, want %s to two units", k, xs[0], xi, got, err, want.FloatString(20))
		}
	}
}

func TestSizeLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 5000 {
		n := 1 + rng.IntN(9)
		k := 1 + rng.IntN(1000)
		xs, ws, ys := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range xs {
			xs[i], ws[i] = anyTime(rng, 30), anyTime(rng, 30)
		}
		phase, _ := estimate.PhaseSize(xs, k)
		shuffle, _ := estimate.ShuffleSize(xs, ws, k)
		initial, _ := estimate.InitialSize(k, xs[0], 1.5)

		// Scaling by powers of two is exact; the inputs' scale does not matter at all.
		e := rng.IntN(280) - 140
		for i := range xs {
			ys[i] = math.Ldexp(xs[i], e)
		}
		if got, err := estimate.PhaseSize(ys, k); err != nil || got != math.Ldexp(phase, e) {
			t.Fatalf("PhaseSize(2^%d * %v, %d) = %v, %v, want 2^%d * %v", e, xs, k, got, err, e, phase)
		}
		if got, err := estimate.ShuffleSize(ys, ws, k); err != nil || got != math.Ldexp(shuffle, e) {
			t.Fatalf("ShuffleSize(2^%d * %v, %v, %d) = %v, %v, want 2^%d * %v", e, xs, ws, k, got, err, e, shuffle)
		}
		if got, err := estimate.InitialSize(k, ys[0], 1.5); err != nil || got != math.Ldexp(initial, e) {
			t.Fatalf("InitialSize(%d, 2^%d * %v, 1.5) = %v, %v, want 2^%d * %v", k, e, xs[0], got, err, e, initial)
		}
		for i := range ws {
			ys[i] = math.Ldexp(ws[i], e)
		}
		if got, err := estimate.ShuffleSize(xs, ys, k); err != nil || got != shuffle {
			t.Fatalf("ShuffleSize(%v, 2^%d * %v, %d) = %v, %v, want %v", xs, e, ws, k, got, err, shuffle)
		}

		// Scaling by 1e9 and 1e-9, and permuting, to rounding: each result is within a unit of the
		// exact one.
		const rounding = 3 * 0x1p-52
		for _, f := range []float64{1e9, 1e-9} {
			for i := range xs {
				ys[i] = xs[i] * f
			}
			if got, err := estimate.PhaseSize(ys, k); err != nil || math.Abs(got-f*phase) > rounding*got {
				t.Fatalf("PhaseSize(%g * %v, %d) = %v, %v, want %v", f, xs, k, got, err, f*phase)
			}
		}
		order := rng.Perm(n)
		vs := make([]float64, n)
		for i, o := range order {
			ys[i], vs[i] = xs[o], ws[o]
		}
		if got, err := estimate.PhaseSize(ys, k); err != nil || math.Abs(got-phase) > 0x1p-52*got {
			t.Fatalf("PhaseSize(%v, %d) = %v, %v, permuted %v", ys, k, got, err, phase)
		}
		if got, err := estimate.ShuffleSize(ys, vs, k); err != nil || math.Abs(got-shuffle) > rounding*got {
			t.Fatalf("ShuffleSize(%v, %v, %d) = %v, %v, permuted %v", ys, vs, k, got, err, shuffle)
		}

		// Equal samples: exactly the rounded product. Equal weights: the plain mean.
		for i := range ys {
			ys[i], vs[i] = xs[0], 3
		}
		if got, err := estimate.PhaseSize(ys, k); err != nil || got != xs[0]*float64(k) {
			t.Fatalf("PhaseSize(%v, %d) = %v, %v, want %v", ys, k, got, err, xs[0]*float64(k))
		}
		if got, err := estimate.ShuffleSize(xs, vs, k); err != nil || math.Abs(got-phase) > rounding*got {
			t.Fatalf("ShuffleSize(%v, equal inputs, %d) = %v, %v, want %v", xs, k, got, err, phase)
		}
	}
}

// Whatever is wrong, the results beside the error are zero values.
func TestZerosBesideErrors(t *testing.T) {
	src := rand.NewPCG(1, 1)
	for call, f := range map[string]func() ([]any, error){
		"InitialSize(-1, 1, 1)":   func() ([]any, error) { x, err := estimate.InitialSize(-1, 1, 1); return []any{x}, err },
		"InitialSize(1, nan, 1)":  func() ([]any, error) { x, err := estimate.InitialSize(1, nan, 1); return []any{x}, err },
		"InitialSize(1, 1, 0)":    func() ([]any, error) { x, err := estimate.InitialSize(1, 1, 0); return []any{x}, err },
		"InitialSize(2, most, 1)": func() ([]any, error) { x, err := estimate.InitialSize(2, most, 1); return []any{x}, err },
		"PhaseSize([1], -1)":      func() ([]any, error) { x, err := estimate.PhaseSize([]float64{1}, -1); return []any{x}, err },
		"PhaseSize([], 1)":        func() ([]any, error) { x, err := estimate.PhaseSize(nil, 1); return []any{x}, err },
		"PhaseSize([1 nan], 1)":   func() ([]any, error) { x, err := estimate.PhaseSize([]float64{1, nan}, 1); return []any{x}, err },
		"PhaseSize([most], 2)":    func() ([]any, error) { x, err := estimate.PhaseSize([]float64{most}, 2); return []any{x}, err },
		"Extrapolate(nan, 1)":     func() ([]any, error) { x, err := estimate.Extrapolate(nan, 1); return []any{x}, err },
		"Extrapolate(1, 0)":       func() ([]any, error) { x, err := estimate.Extrapolate(1, 0); return []any{x}, err },
		"ShuffleSize([1], [], 1)": func() ([]any, error) { x, err := estimate.ShuffleSize([]float64{1}, nil, 1); return []any{x}, err },
		"ShuffleSize([1 nan], [1 1], 1)": func() ([]any, error) {
			x, err := estimate.ShuffleSize([]float64{1, nan}, []float64{1, 1}, 1)
			return []any{x}, err
		},
		"ShuffleSize([1 1], [1 nan], 1)": func() ([]any, error) {
			x, err := estimate.ShuffleSize([]float64{1, 1}, []float64{1, nan}, 1)
			return []any{x}, err
		},
		"ShuffleSize([most], [1], 2)": func() ([]any, error) {
			x, err := estimate.ShuffleSize([]float64{most}, []float64{1}, 2)
			return []any{x}, err
		},
		"ReduceSize(1, nan)":     func() ([]any, error) { x, err := estimate.ReduceSize(1, nan); return []any{x}, err },
		"ReduceSize(nan, 1)":     func() ([]any, error) { x, err := estimate.ReduceSize(nan, 1); return []any{x}, err },
		"ReduceSize(most, most)": func() ([]any, error) { x, err := estimate.ReduceSize(most, most); return []any{x}, err },
		"FitLogNormal([1 0])":    func() ([]any, error) { l, err := estimate.FitLogNormal([]float64{1, 0}); return []any{l}, err },
		"KS([2 nan])": func() ([]any, error) {
			d, p, err := estimate.LogNormal{Sigma: 1}.KS([]float64{2, nan})
			return []any{d, p}, err
		},
		"KS of a bad distribution": func() ([]any, error) {
			d, p, err := estimate.LogNormal{Sigma: nan}.KS([]float64{2, 1})
			return []any{d, p}, err
		},
		"FitKS([1 0])": func() ([]any, error) {
			l, d, p, err := estimate.FitKS([]float64{1, 0}, 9, src)
			return []any{l, d, p}, err
		},
		"FitKS of 0 replications": func() ([]any, error) {
			l, d, p, err := estimate.FitKS([]float64{1, 2}, 0, src)
			return []any{l, d, p}, err
		},
		"FitKS without a source": func() ([]any, error) {
			l, d, p, err := estimate.FitKS([]float64{1, 2}, 9, nil)
			return []any{l, d, p}, err
		},
		"Rand without a source": func() ([]any, error) { x, err := estimate.LogNormal{}.Rand(nil); return []any{x}, err },
		"Started of nobody": func() ([]any, error) {
			n, err := new(estimate.Trainer[int]).Started(3)
			return []any{n}, err
		},
	} {
		results, err := f()
		if !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("%s: error %v, want an InputError", call, err)
		}
		for _, x := range results {
			if !reflect.ValueOf(x).IsZero() {
				t.Errorf("%s: %v beside the error %v, want zero", call, results, err)
			}
		}
	}
}
