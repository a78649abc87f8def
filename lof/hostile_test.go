package lof_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/lof"
)

// TestAnyNumbers: whatever the finite numbers, every score is at least 0 and none is NaN.
func TestAnyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		extreme := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 5e-324, -5e-324, 1e-310, 1e-200, 1, 1e300, -1e300, math.MaxFloat64, -math.MaxFloat64})
		dim := rapid.IntRange(1, 3).Draw(t, "dim")
		points := rapid.SliceOfN(rapid.SliceOfN(rapid.OneOf(extreme, rapid.Float64()), dim, dim), 1, 30).Draw(t, "points")
		o := lof.Options{Ties: rapid.SampledFrom(modes).Draw(t, "ties"), Floor: math.Abs(extreme.Draw(t, "floor"))}
		k := rapid.IntRange(1, 40).Draw(t, "k")
		got, err := lof.Scores(nil, matrix(points), k, o)
		line, err1 := lof.Scores1D(nil, column(points), k, o)
		for _, s := range append(got, line...) {
			if !(s >= 0) || err != nil || err1 != nil {
				t.Fatalf("Scores(%v, %d, %+v) = %v, %v; Scores1D = %v, %v", points, k, o, got, err, line, err1)
			}
		}
		slow, err := lof.Stragglers(nil, column(points), lof.StragglerOptions{MinGroup: 1, Resolution: o.Floor})
		for _, s := range slow {
			if !(s.Score > 3 && s.Gap > 0 && s.Gap <= math.MaxFloat64) || err != nil {
				t.Fatalf("Stragglers(%v) = %v, %v", column(points), slow, err)
			}
		}
	})
}

// TestExtremes: numbers whose distances overflow or are subnormal score as the same numbers in
// range do.
func TestExtremes(t *testing.T) {
	xs := []float64{-7, 0, 1, 2, 3, 3, 5, 8}
	for _, o := range []lof.Options{{}, {Ties: lof.ExactK}, {Ties: lof.Distinct}} {
		want, err := lof.Scores1D(nil, xs, 3, o)
		must(t, err)
		for _, factor := range []float64{0x1p1020, 5e-324} {
			var points [][]float64
			for _, x := range xs {
				points = append(points, []float64{x * factor})
			}
			if got := scores(t, points, 3, o); differ(got, want, 1e-12) >= 0 {
				t.Errorf("Scores(%v, %+v) = %v, want %v", points, o, got, want)
			}
		}
	}
}

// large are sets of n numbers with many equal ones.
func large(n int) map[string][]float64 {
	rng := rand.New(rand.NewPCG(7, 8))
	sets := map[string][]float64{}
	for name, x := range map[string]func(i int) float64{
		"equal":    func(i int) float64 { return 1650 },
		"two":      func(i int) float64 { return float64(i % 2) },
		"rounded":  func(i int) float64 { return math.Round(50 * rng.NormFloat64()) },
		"half":     func(i int) float64 { return float64(max(0, i-n/2)) },
		"integers": func(i int) float64 { return float64(i) },
	} {
		for i := range n {
			sets[name] = append(sets[name], x(i))
		}
	}
	return sets
}

// TestLarge: sets of equal points cost no more than others; with a list of all pairs the test would
// take minutes.
func TestLarge(t *testing.T) {
	const n = 20000
	for name, xs := range large(n) {
		for _, ties := range modes {
			t.Run(fmt.Sprintf("%s/%d", name, ties), func(t *testing.T) {
				o := lof.Options{Ties: ties}
				points := mat.NewDense(n, 3, nil) // two of its columns are constant
				for i, x := range xs {
					points.Set(i, 0, 7)
					points.Set(i, 1, x)
				}
				got, err := lof.Scores(nil, points, 20, o)
				line, err1 := lof.Scores1D(nil, xs, 20, o)
				if i := differ(got, line, 1e-9); i >= 0 || err != nil || err1 != nil {
					t.Fatalf("Scores and Scores1D differ at %d of %d; %v, %v", i, len(got), err, err1)
				}
				if name == "equal" && (slices.Min(got) != 1 || slices.Max(got) != 1) {
					t.Errorf("scores from %v to %v, want 1", slices.Min(got), slices.Max(got))
				}
			})
		}
	}
}

func TestErrors(t *testing.T) {
	type (
		list = []float64
		o    = lof.Options
	)
	nan, inf := math.NaN(), math.Inf(1)
	one := mat.NewDense(2, 1, list{1, 2})
	dst := list{4}
	expect.Refused(t, "lof.Scores", lof.Scores, nil,
		expect.Bad("points", -1, dst, nil, 1, o{}),
		expect.Bad("points", -1, dst, (*mat.Dense)(nil), 1, o{}),
		expect.Bad("points", 1, dst, mat.NewDense(2, 2, list{1, 2, 3, nan}), 1, o{}),
		expect.Bad("points", 0, dst, mat.NewDense(2, 2, list{1, -inf, 3, nan}), 1, o{}),
		expect.Bad("k", -1, dst, one, 0, o{}),
		expect.Bad("o", -1, dst, one, 1, o{Ties: 3}),
		expect.Bad("o", -1, dst, one, 1, o{Floor: nan}))
	expect.Refused(t, "lof.Scores1D", lof.Scores1D, nil,
		expect.Bad("xs", 1, dst, list{1, inf}, 1, o{}),
		expect.Bad("xs", 0, dst, list{nan, inf}, 1, o{}),
		expect.Bad("k", -1, dst, nil, -1, o{}),
		expect.Bad("o", -1, dst, nil, 1, o{Ties: 255}),
		expect.Bad("o", -1, dst, nil, 1, o{Floor: -1}),
		expect.Bad("o", -1, dst, nil, 1, o{Floor: inf}))
	none := []lof.Straggler{{Index: 3}}
	calls := []expect.Call{
		expect.Bad("laxity", 2, none, list{1, 2, nan}, lof.StragglerOptions{}),
		expect.Bad("laxity", 0, none, list{-inf}, lof.StragglerOptions{}),
	}
	for _, x := range []lof.StragglerOptions{{K: -1}, {Threshold: -1}, {Threshold: nan}, {Threshold: inf}, {MinGap: inf}, {MinGap: -1},
		{Resolution: -1}, {Resolution: inf}, {Resolution: nan}, {MinGroup: -1}} {
		calls = append(calls, expect.Bad("o", -1, none, nil, x))
	}
	expect.Refused(t, "lof.Stragglers", lof.Stragglers, nil, calls...)
}

func TestAppend(t *testing.T) {
	dst := []float64{-1}
	got, err := lof.Scores1D(dst, []float64{1, 2, 4}, 1, lof.Options{})
	space, err1 := lof.Scores(dst, mat.NewDense(3, 1, []float64{1, 2, 4}), 1, lof.Options{})
	if err != nil || err1 != nil || len(got) != 4 || got[0] != -1 || !slices.Equal(got, space) {
		t.Errorf("Scores1D and Scores append to %v: %v, %v and %v, %v", dst, got, err, space, err1)
	}
	for _, m := range []mat.Matrix{&mat.Dense{}, new(mat.SymDense)} {
		if got, err := lof.Scores(dst, m, 1, lof.Options{}); err != nil || !slices.Equal(got, dst) {
			t.Errorf("Scores of no points = %v, %v, want %v", got, err, dst)
		}
	}
}

func TestAllocations(t *testing.T) {
	for _, n := range []int{1, 84, 5000} {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = math.Sin(float64(i))
		}
		dst := make([]float64, 0, n)
		if got := testing.AllocsPerRun(5, func() { lof.Scores1D(dst, xs, 20, lof.Options{}) }); got > 4 {
			t.Errorf("Scores1D of %d values allocates %v times, want 4", n, got)
		}
		slow := make([]lof.Straggler, 0, n)
		if got := testing.AllocsPerRun(5, func() { lof.Stragglers(slow, xs, lof.StragglerOptions{}) }); got > 5 {
			t.Errorf("Stragglers of %d values allocates %v times, want 5", n, got)
		}
	}
}
