package lof_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/lof"
)

var modes = []lof.Ties{lof.WithTies, lof.ExactK, lof.Distinct}

// drawPoints draws points whose differences and squared distances are exact: on a coarse grid,
// where ties and equal points abound, or on a fine one. Rounding then cannot decide what is a tie.
func drawPoints(t *rapid.T) [][]float64 {
	dim := rapid.IntRange(1, 3).Draw(t, "dim")
	coarse := rapid.IntRange(0, rapid.IntRange(0, 6).Draw(t, "width"))
	coordinate := rapid.OneOf(coarse, coarse, rapid.IntRange(-1e6, 1e6))
	if rapid.Bool().Draw(t, "fine") {
		coordinate = rapid.IntRange(-1e6, 1e6)
	}
	return rapid.SliceOfN(rapid.SliceOfN(rapid.Map(coordinate, func(i int) float64 { return float64(i) / 8 }), dim, dim), 1, 40).Draw(t, "points")
}

func drawOptions(t *rapid.T) lof.Options {
	return lof.Options{Ties: rapid.SampledFrom(modes).Draw(t, "ties"), Floor: rapid.SampledFrom([]float64{0, 0, 0.125, 1, 1e5, 1e300}).Draw(t, "floor")}
}

func scores(t rapid.TB, points [][]float64, k int, o lof.Options) []float64 {
	t.Helper()
	got, err := lof.Scores(nil, matrix(points), k, o)
	if err != nil {
		t.Fatalf("Scores(%v, %d, %+v): %v", points, k, o, err)
	}
	if len(points) > 0 && len(points[0]) == 1 {
		line, err := lof.Scores1D(nil, column(points), k, o)
		if err != nil || differ(line, got, 1e-12) >= 0 {
			t.Fatalf("Scores1D(%v, %d, %+v) = %v, %v, but Scores = %v", column(points), k, o, line, err, got)
		}
	}
	return got
}

func TestAgainstDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points, o := drawPoints(t), drawOptions(t)
		k := rapid.IntRange(1, len(points)+1).Draw(t, "k")
		got, want := scores(t, points, k, o), brute(points, k, o)
		if i := differ(got, want, 1e-11); i >= 0 {
			t.Fatalf("Scores(%v, %d, %+v) = %v, want %v; differs at %d", points, k, o, got, want, i)
		}
	})
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points, o := drawPoints(t), drawOptions(t)
		o.Floor = min(o.Floor, 1)
		k := rapid.IntRange(1, len(points)+1).Draw(t, "k")
		want := scores(t, points, k, o)
		moved := func(f func(j int, x float64) float64) [][]float64 {
			var all [][]float64
			for _, p := range points {
				q := slices.Clone(p)
				for j := range q {
					q[j] = f(j, q[j])
				}
				all = append(all, q)
			}
			return all
		}
		by := float64(rapid.IntRange(-1000, 1000).Draw(t, "by"))
		if got := scores(t, moved(func(j int, x float64) float64 { return x + by*float64(j+1) }), k, o); differ(got, want, 1e-11) >= 0 {
			t.Fatalf("Scores of %v moved by %v = %v, want %v", points, by, got, want)
		}
		factor := math.Ldexp(1, rapid.IntRange(-900, 900).Draw(t, "exponent"))
		if got := scores(t, moved(func(_ int, x float64) float64 { return x * factor }), k, lof.Options{Ties: o.Ties, Floor: o.Floor * factor}); !slices.Equal(got, want) {
			t.Fatalf("Scores of %v times %v = %v, want %v to the bit", points, factor, got, want)
		}
		order := rapid.Permutation(indices(len(points))).Draw(t, "order")
		if o.Ties == lof.ExactK {
			return
		}
		var shuffled [][]float64
		var expected []float64
		for _, i := range order {
			shuffled, expected = append(shuffled, points[i]), append(expected, want[i])
		}
		if got := scores(t, shuffled, k, o); !slices.Equal(got, expected) {
			t.Fatalf("Scores(%v) = %v, want %v as in another order, to the bit", shuffled, got, expected)
		}
	})
}

// Points in tenths, or in any other decimal unit, score as the same in whole numbers: what rounding
// makes of equal distances is still equal.
func TestDecimalScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 4).Draw(t, "dim")
		coordinate := rapid.IntRange(0, rapid.SampledFrom([]int{2, 9, 50}).Draw(t, "width"))
		whole := rapid.SliceOfN(rapid.SliceOfN(rapid.Map(coordinate, func(i int) float64 { return float64(i) }), dim, dim), 1, 40).Draw(t, "points")
		ties := rapid.SampledFrom(modes).Draw(t, "ties")
		k := rapid.IntRange(1, len(whole)+1).Draw(t, "k")
		unit := rapid.SampledFrom([]float64{10, 100, 3, 1e9 / 7}).Draw(t, "unit")
		var tenths [][]float64
		for _, p := range whole {
			q := slices.Clone(p)
			for j := range q {
				q[j] /= unit
			}
			tenths = append(tenths, q)
		}
		want, got := scores(t, whole, k, lof.Options{Ties: ties}), scores(t, tenths, k, lof.Options{Ties: ties})
		if i := differ(got, want, 1e-11); i >= 0 {
			t.Fatalf("Scores(%v, %d, %v) = %v, want %v as of whole numbers; differs at %d", tenths, k, ties, got, want, i)
		}
	})
}

// 0 to 6 and 9 in tenths: the last two scores are those of the whole numbers.
func TestTenths(t *testing.T) {
	var tenths []float64
	for _, x := range []float64{0, 1, 2, 3, 4, 5, 6, 9} {
		tenths = append(tenths, x/10)
	}
	got, err := lof.Scores1D(nil, tenths, 3, lof.Options{})
	if err != nil || math.Abs(got[6]-1.217) > 5e-4 || math.Abs(got[7]-1.608) > 5e-4 {
		t.Errorf("Scores1D(%v, 3) = %v, %v, want 1.217, 1.608 at the end", tenths, got, err)
	}
	// Of the three points .1 away or within that of .4, the two with the lowest indices count.
	xs, want := []float64{.3, .3, .4, .5}, []float64{1, 1, 1, 1.5}
	if got, err := lof.Scores1D(nil, xs, 2, lof.Options{Ties: lof.ExactK}); err != nil || differ(got, want, 1e-11) >= 0 {
		t.Errorf("Scores1D(%v, 2, exactly k) = %v, %v, want %v", xs, got, err, want)
	}
}

func indices(n int) []int {
	var all []int
	for i := range n {
		all = append(all, i)
	}
	return all
}

// TestSymmetric is a case of the literature: seven points in a row have scores that are symmetric
// if ties are included.
func TestSymmetric(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 5, 6, 7}
	want := []float64{1.0679012, 1.0679012, 1.0133929, 0.8730159, 1.0133929, 1.0679012, 1.0679012}
	got, err := lof.Scores1D(nil, xs, 3, lof.Options{})
	if err != nil || differ(got, want, 1e-7) >= 0 {
		t.Errorf("Scores1D(%v, 3) = %v, %v, want %v", xs, got, err, want)
	}
}

func TestNeighbours(t *testing.T) {
	for _, c := range [][2]int{{-1, 1}, {0, 1}, {1, 1}, {2, 1}, {5, 4}, {11, 10}, {12, 10}, {59, 10}, {66, 11}, {84, 14}, {600, 100}} {
		if got := lof.Neighbours(c[0]); got != c[1] {
			t.Errorf("Neighbours(%d) = %d, want %d", c[0], got, c[1])
		}
	}
}

// TestRoundedTies: points whose distances are equal once rounded are tied, on either side.
func TestRoundedTies(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		points := [][]float64{{0}, {sign * 1e-20}, {sign * 3e-20}, {sign}, {sign * 1.5}}
		for k := 1; k <= 4; k++ {
			for _, ties := range []lof.Ties{lof.WithTies, lof.Distinct} {
				o := lof.Options{Ties: ties}
				if got, want := scores(t, points, k, o), brute(points, k, o); differ(got, want, 1e-12) >= 0 {
					t.Errorf("Scores(%v, %d, %+v) = %v, want %v", points, k, o, got, want)
				}
			}
		}
	}
}
