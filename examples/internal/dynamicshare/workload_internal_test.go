package dynamicshare

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// TestZeta: the law's ratios, by another formula, and its sum.
func TestZeta(t *testing.T) {
	for _, exponent := range []float64{0, .5, 1, 1.2, 3} {
		shares := zeta(nil, keys, exponent)
		sum := 0.0
		for k, x := range shares {
			if want := shares[0] / math.Pow(float64(k+1), exponent); math.Abs(x-want) > 1e-12*want {
				t.Fatalf("zeta(%v)[%d] = %v, want %v", exponent, k, x, want)
			}
			sum += x
		}
		if len(shares) != keys || math.Abs(sum-1) > 1e-9 {
			t.Errorf("zeta(%v) has %d shares that sum to %v, want %d and 1", exponent, len(shares), sum, keys)
		}
	}
}

// TestPopulation: the partitions of even hashing have the skewness that was asked for, and more
// skewness takes a heavier key.
func TestPopulation(t *testing.T) {
	for ji, j := range jobs {
		set, before := newKeySet(j, report.Stream(1, 3, keyStream+ji)), 0.0
		for _, want := range []float64{20, 40, 60, 80} {
			p := set.population(want)
			sizes, longest := p.sizes(), p.longest(p.divided(reduces), reduces)
			total := 0.0
			for i, x := range sizes {
				if total += x; longest[i] > x {
					t.Errorf("%s: the longest list of partition %d has %v values, the partition %v", j.name, i, longest[i], x)
				}
			}
			if total != p.total || math.Abs(total-float64(j.values)) > .01*float64(j.values) {
				t.Errorf("%s at %v%%: the partitions hold %v values, want %v, near %d", j.name, want, total, p.total, j.values)
			}
			if got := skewnessOf(sizes); math.Abs(got-want) > .05 {
				t.Errorf("%s: skewness %v, want %v", j.name, got, want)
			}
			// The largest of R partitions has 1/(R (1 - skewness)) of all values, and the heaviest
			// key is in some partition.
			if h := p.heaviest(); h <= before || h > 1/(reduces*(1-want/100))+1e-3 || slices.Min(p.values) < 1 || p.values[0] != slices.Max(p.values) {
				t.Errorf("%s at %v%%: the heaviest key has %v, after %v; lists from %v to %v", j.name, want, h, before, slices.Min(p.values), p.values[0])
			} else {
				before = h
			}
		}
	}
}

// TestOf: the default hash function gives each partition its share of the hashes.
func TestOf(t *testing.T) {
	set := newKeySet(&youTube, report.Stream(1, 0, keyStream))
	for _, exponent := range []float64{0, .7, 2} {
		shares := zeta(nil, reduces, exponent)
		for k, i := range set.of(reduces, exponent) {
			low := 0.0
			for _, x := range shares[:i] {
				low += x
			}
			if h := set.hash[k]; h < low-1e-12 || h > low+shares[i]+1e-12 {
				t.Fatalf("exponent %v: key %d of hash %v is in partition %d, from %v to %v", exponent, k, h, i, low, low+shares[i])
			}
		}
	}
}

func TestSolve(t *testing.T) {
	of := make([]int, keys)
	for k := range of {
		of[k] = k % 10
	}
	at := func(exponent float64) float64 { return skewnessOf(sum(zeta(nil, keys, exponent), of, 10)) }
	for _, want := range []float64{5, 50, 85} {
		if s := solve(want, at); math.Abs(at(s)-want) > 1e-4 {
			t.Errorf("solve(%v) = %v, which gives %v", want, s, at(s))
		}
	}
	of[1] = 0 // equal lists are a little skewed now
	if s := solve(1e-3, at); s != 0 {
		t.Errorf("solve below the skewness of equal lists = %v, want 0", s)
	}
}

func TestSpeeds(t *testing.T) {
	a, b := speeds(reduces, fastest, report.Stream(1, 0, speedStream)), speeds(reduces, fastest, report.Stream(1, 1, speedStream))
	if slices.Equal(a, b) {
		t.Errorf("two seeds give the speeds %v", a)
	}
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) || a[0] != 1 || a[reduces-1] != fastest || math.Abs(a[11]-(1+fastest)/2) > 1e-12 {
		t.Errorf("speeds are %v and %v, want 1 to %v in equal steps", a, b, fastest)
	}
	if got := speeds(1, fastest, report.Stream(1, 0, speedStream)); !slices.Equal(got, []float64{1}) {
		t.Errorf("speeds(1) = %v, want 1", got)
	}
	if got := rotated([]float64{1, 2, 4}, func(v []float64) float64 { return v[0] + 10*v[1] }); math.Abs(got-11*7/3.) > 1e-12 {
		t.Errorf("rotated = %v, want the mean of 21, 42, 14", got)
	}
}
