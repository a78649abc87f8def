package lof_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/lof"
)

// figure6 draws laxities like those of Figure 6, in ms: 59 workers about 1650, of which the first
// five straggle, rounded to ticks (0: not).
func figure6(rng *rand.Rand, stragglers int, tick float64) []float64 {
	xs := make([]float64, 59)
	for i := range xs {
		xs[i] = 1650 + 25*rng.NormFloat64()
		if i < stragglers {
			xs[i] = 850 + 400*rng.Float64()
		}
		if tick > 0 {
			xs[i] = math.Round(xs[i]/tick) * tick
		}
	}
	return xs
}

// TestFigure6: in each of 1,000 draws the five stragglers are found, and few others are flagged. A
// tick of 10 ms is .4 standard deviations.
func TestFigure6(t *testing.T) {
	const draws, inliers = 1000, 54
	for _, c := range []struct {
		name             string
		tick, resolution float64
		least, most      float64 // bounds of the percentage of inliers flagged
	}{
		{"continuous", 0, 0, 0, 1},
		{"rounded", 10, 10, 0, 1},
		{"rounded, no floor", 10, 0, 3, 10}, // densities are infinite
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(6, 59))
			others := 0
			for draw := range draws {
				xs := figure6(rng, 5, c.tick)
				got, err := lof.Stragglers(nil, xs, lof.StragglerOptions{Resolution: c.resolution})
				if err != nil || len(got) < 5 || got[4].Index != 4 {
					t.Fatalf("draw %d: Stragglers(%v) = %v, %v, want 0 to 4 first", draw, xs, got, err)
				}
				others += len(got) - 5
			}
			rate := 100 * float64(others) / (draws * inliers)
			t.Logf("the five stragglers found in %d draws; of the others %.2f%% flagged, %.1f of 1,080", draws, rate, 10.8*rate)
			if !(rate >= c.least && rate <= c.most) {
				t.Errorf("%.2f%% of inliers flagged, want %v to %v", rate, c.least, c.most)
			}
		})
	}
}

// TestPaperThreshold: the paper's rule, a factor above 1, flags most workers.
func TestPaperThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 59))
	above, all := 0, 0
	for range 200 {
		xs := figure6(rng, 5, 0)
		got, err := lof.Scores1D(nil, xs, 10, lof.Options{})
		must(t, err)
		for _, s := range got {
			if all++; s > 1 {
				above++
			}
		}
	}
	if share := 100 * float64(above) / float64(all); share < 50 {
		t.Errorf("%.0f%% of scores are above 1, want more than half", share)
	} else {
		t.Logf("%.0f%% of scores are above 1", share)
	}
}

// TestGroupsHide: stragglers near each other are not found with a k below their number, and are
// with one above.
func TestGroupsHide(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 59))
	for range 100 {
		xs := figure6(rng, 0, 0)
		for i := range 5 {
			xs[i] = 1000 + 5*rng.NormFloat64()
		}
		few, err := lof.Stragglers(nil, xs, lof.StragglerOptions{K: 4})
		many, err1 := lof.Stragglers(nil, xs, lof.StragglerOptions{})
		if err != nil || err1 != nil || len(many) < 5 || many[4].Index != 4 {
			t.Fatalf("Stragglers(%v) = %v, %v, want 0 to 4 first", xs, many, err1)
		}
		found := 0
		for _, s := range few {
			if s.Index < 5 {
				found++
			}
		}
		if found == 5 {
			t.Errorf("Stragglers(%v) with K 4 = %v, want some of the five hidden", xs, few)
		}
	}
}

// TestGroupsFound: the default K finds groups of four fifths of its size, however many workers
// there are, and none larger than itself.
func TestGroupsFound(t *testing.T) {
	for _, n := range []int{9, 13, 21, 22, 59, 65, 66, 120, 300} {
		k := min(max(10, n/6), (n-1)/2)
		for _, group := range []int{4 * k / 5, k + 1} {
			rng := rand.New(rand.NewPCG(3, uint64(n)))
			found := 0
			for range 50 {
				xs := make([]float64, n)
				for i := range xs {
					xs[i] = 1650 + 25*rng.NormFloat64()
					if i < group {
						xs[i] = 1000 + 5*rng.NormFloat64()
					}
				}
				got, err := lof.Stragglers(nil, xs, lof.StragglerOptions{})
				must(t, err)
				if len(got) >= group && got[group-1].Index == group-1 {
					found++
				}
			}
			if group <= k && found < 45 || group > k && found > 0 {
				t.Errorf("a group of %d among %d workers is found whole in %d of 50 draws, K is %d", group, n, found, k)
			}
		}
	}
}

// TestSmallGroups: the default K finds a straggler among as few as seven workers, where a k of n-1
// finds none.
func TestSmallGroups(t *testing.T) {
	xs := []float64{1000, 1651, 1649, 1650, 1655, 1660, 1640}
	got, err := lof.Stragglers(nil, xs, lof.StragglerOptions{})
	if err != nil || len(got) != 1 || got[0].Index != 0 || got[0].Gap != 650 {
		t.Errorf("Stragglers(%v) = %v, %v, want worker 0, 650 below the median", xs, got, err)
	}
	for _, o := range []lof.StragglerOptions{{K: 6}, {MinGroup: 8}, {MinGap: 651}, {Threshold: 1e9}} {
		if got, err := lof.Stragglers(nil, xs, o); err != nil || len(got) != 0 {
			t.Errorf("Stragglers(%v, %+v) = %v, %v, want none", xs, o, got, err)
		}
	}
	if got, err := lof.Stragglers(nil, xs[:6], lof.StragglerOptions{}); err != nil || len(got) != 0 {
		t.Errorf("Stragglers(%v) = %v, %v, want none of six", xs[:6], got, err)
	}
	if got, err := lof.Stragglers(nil, xs[:6], lof.StragglerOptions{MinGroup: 1}); err != nil || len(got) != 1 {
		t.Errorf("Stragglers(%v) with MinGroup 1 = %v, %v, want one", xs[:6], got, err)
	}
}

// TestStragglersAgainstDefinitions compares with scores from the definitions, the median of the
// sorted laxities and the four conditions.
func TestStragglersAgainstDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tick := rapid.OneOf(rapid.IntRange(-8, 8), rapid.IntRange(-1e6, 1e6))
		xs := rapid.SliceOfN(rapid.Map(tick, func(i int) float64 { return float64(i) / 4 }), 0, 40).Draw(t, "laxity")
		o := lof.StragglerOptions{
			K:          rapid.IntRange(0, 20).Draw(t, "K"),
			Threshold:  rapid.SampledFrom([]float64{0, 1, 1.5, 10}).Draw(t, "Threshold"),
			MinGap:     rapid.SampledFrom([]float64{0, 1, 100}).Draw(t, "MinGap"),
			Resolution: rapid.SampledFrom([]float64{0, 0.25, 50}).Draw(t, "Resolution"),
			MinGroup:   rapid.IntRange(0, 20).Draw(t, "MinGroup"),
		}
		got, err := lof.Stragglers(nil, xs, o)
		must(t, err)
		n := len(xs)
		k, threshold, group := o.K, o.Threshold, o.MinGroup
		if k == 0 {
			k = max(1, min(max(10, n/6), (n-1)/2))
		}
		if threshold == 0 {
			threshold = 3
		}
		if group == 0 {
			group = 7
		}
		var want []lof.Straggler
		doubtful := make([]bool, n) // rounding decides
		if n >= group && n > 1 {
			sorted := slices.Clone(xs)
			slices.Sort(sorted)
			median := (sorted[(n-1)/2] + sorted[n/2]) / 2
			var points [][]float64
			for _, x := range xs {
				points = append(points, []float64{x})
			}
			for i, s := range brute(points, k, lof.Options{Floor: o.Resolution}) {
				doubtful[i] = math.Abs(s-threshold) <= 1e-9*threshold
				if s > threshold && !doubtful[i] && xs[i] < median && median-xs[i] >= o.MinGap {
					want = append(want, lof.Straggler{Index: i, Score: s, Gap: median - xs[i]})
				}
			}
		}
		got = slices.DeleteFunc(got, func(s lof.Straggler) bool { return doubtful[s.Index] })
		same := slices.EqualFunc(got, want, func(a, b lof.Straggler) bool {
			return a.Index == b.Index && a.Gap == b.Gap && (a.Score == b.Score || math.Abs(a.Score-b.Score) <= 1e-11*b.Score)
		})
		if !same {
			t.Fatalf("Stragglers(%v, %+v) = %v, want %v", xs, o, got, want)
		}
	})
}

// TestThresholdItself: a straggler exceeds the threshold, and is MinGap or more below the median.
func TestThresholdItself(t *testing.T) {
	xs := []float64{1000, 1651, 1649, 1650, 1655, 1660, 1640.1}
	scores, err := lof.Scores1D(nil, xs, 3, lof.Options{})
	must(t, err)
	for _, c := range []struct {
		o    lof.StragglerOptions
		want int
	}{
		{lof.StragglerOptions{K: 3, Threshold: scores[0]}, 0},
		{lof.StragglerOptions{K: 3, Threshold: math.Nextafter(scores[0], 0)}, 1},
		{lof.StragglerOptions{K: 3, MinGap: 650}, 1},
		{lof.StragglerOptions{K: 3, MinGap: math.Nextafter(650, 651)}, 0},
	} {
		if got, err := lof.Stragglers(nil, xs, c.o); err != nil || len(got) != c.want {
			t.Errorf("Stragglers(%v, %+v) = %v, %v, want %d", xs, c.o, got, err, c.want)
		}
	}
}
