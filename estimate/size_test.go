package estimate_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

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

func TestSizeErrors(t *testing.T) {
	type list = []float64
	one := list{1}
	initial := []expect.Call{expect.Bad("meanTask", -1, 2, most, 1)} // this and others: a result beyond 2^200
	phase := []expect.Call{expect.Bad("samples", -1, nil, 1), expect.Bad("samples", -1, list{most}, 2)}
	extrapolate := []expect.Call{expect.Bad("progress", -1, 1, tiny)}
	shuffle := []expect.Call{
		expect.Bad("times", -1, nil, nil, 1), expect.Bad("inputs", -1, one, nil, 1), expect.Bad("inputs", -1, one, list{1, 2}, 1),
		expect.Bad("times", -1, list{most}, one, 2), expect.Bad("times", -1, list{most}, list{0}, 2),
		expect.Bad("inputs", 1, list{1, 1}, list{1, math.Nextafter(1/most, 0)}, 1),
	}
	reduce := []expect.Call{expect.Bad("execution", -1, most, most)}
	for _, k := range []int{-1, math.MinInt} {
		initial = append(initial, expect.Bad("tasks", -1, k, 1, 1))
		phase = append(phase, expect.Bad("tasks", -1, one, k))
		shuffle = append(shuffle, expect.Bad("tasks", -1, one, one, k))
	}
	for _, bad := range []float64{nan, inf, -inf, -1, -tiny, huge, math.Nextafter(most, inf)} {
		initial = append(initial, expect.Bad("meanTask", -1, 1, bad, 1))
		phase = append(phase, expect.Bad("samples", 2, list{1, 2, bad}, 1))
		extrapolate = append(extrapolate, expect.Bad("elapsed", -1, bad, .5))
		shuffle = append(shuffle, expect.Bad("times", 1, list{1, bad}, list{1, 1}, 1), expect.Bad("inputs", 0, list{1, 1}, list{bad, 1}, 1))
		reduce = append(reduce, expect.Bad("shuffle", -1, bad, 1), expect.Bad("execution", -1, 1, bad))
	}
	for _, bad := range []float64{nan, inf, 0, math.Nextafter(1, 0), -1, math.Nextafter(most, inf)} {
		initial = append(initial, expect.Bad("xi", -1, 1, 1, bad))
	}
	for _, bad := range []float64{nan, inf, 0, zero, math.Nextafter(1, 2), -1} {
		extrapolate = append(extrapolate, expect.Bad("progress", -1, 1, bad))
	}
	expect.Refused(t, "estimate.InitialSize", estimate.InitialSize, nil, initial...)
	expect.Refused(t, "estimate.PhaseSize", estimate.PhaseSize, nil, phase...)
	expect.Refused(t, "estimate.Extrapolate", estimate.Extrapolate, nil, extrapolate...)
	expect.Refused(t, "estimate.ShuffleSize", estimate.ShuffleSize, nil, shuffle...)
	expect.Refused(t, "estimate.ReduceSize", estimate.ReduceSize, nil, reduce...)
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
