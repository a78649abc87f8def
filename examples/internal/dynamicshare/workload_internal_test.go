package dynamicshare

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/partition"
)

// TestZeta: the law's ratios, by another formula, and its sum.
func TestZeta(t *testing.T) {
	for _, exponent := range []float64{0, .5, 1, 1.2, 3} {
		shares := zeta(nil, exponent)
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

// TestPopulation: the partitions of simple hashing have the skewness that was asked for, the keys
// are the same at every number of partitions, and more skewness takes a heavier key.
func TestPopulation(t *testing.T) {
	for ji, j := range jobs {
		set, err := newKeySet(j, stream(1, 3, keyStream+ji))
		if err != nil {
			t.Fatal(err)
		}
		before := 0.0
		for _, want := range []float64{20, 40, 60, 80} {
			p := set.population(want)
			for _, n := range partitions {
				sketch, err := p.sketch(sketchRows, n)
				if err != nil {
					t.Fatal(err)
				}
				if got := float64(sketch.Total()); got != p.total || math.Abs(got-float64(j.values)) > .01*float64(j.values) {
					t.Errorf("%s at %v%%: %d partitions hold %v values, want %v, near %d", j.name, want, n, got, p.total, j.values)
				}
				sizes, err := sketch.Row(nil, 0)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := partition.Skewness(sizes); err != nil || n == reduces && math.Abs(got-want) > .05 || got < want-.05 && n == reduces {
					t.Errorf("%s with %d partitions: skewness %v, %v, want %v", j.name, n, got, err, want)
				}
				if n == reduces {
					for i, most := range p.longest() {
						if most > sizes[i] {
							t.Errorf("%s: the longest list of partition %d has %v values, the partition %v", j.name, i, most, sizes[i])
						}
					}
				}
			}
			// The largest of R partitions has 1/(R (1 - skewness)) of all values, and the heaviest
			// key is in some partition.
			if h := p.heaviest(); h <= before || h > 1/(reduces*(1-want/100))+1e-3 || slices.Min(p.values) < 1 || !slices.IsSortedFunc(p.values, func(a, b uint64) int { return int(b) - int(a) }) {
				t.Errorf("%s at %v%%: the heaviest key has %v, after %v; lists from %d to %d", j.name, want, h, before, slices.Min(p.values), p.values[0])
			} else {
				before = h
			}
		}
	}
}

func TestSolveExponent(t *testing.T) {
	of := make([]int, keys)
	for k := range of {
		of[k] = k % 10
	}
	for _, want := range []float64{5, 50, 85} {
		s := solveExponent(of, 10, want)
		if got := skewnessOf(zeta(nil, s), of, 10); math.Abs(got-want) > 1e-6 {
			t.Errorf("solveExponent(%v) = %v, which gives %v", want, s, got)
		}
	}
	of[1] = 0 // equal lists are a little skewed now
	if s := solveExponent(of, 10, 1e-3); s != 0 {
		t.Errorf("solveExponent below the skewness of equal lists = %v, want 0", s)
	}
}

func TestSpeeds(t *testing.T) {
	a, b := speeds(reduces, fastest, stream(1, 0, speedStream)), speeds(reduces, fastest, stream(1, 1, speedStream))
	if slices.Equal(a, b) {
		t.Errorf("two seeds give the speeds %v", a)
	}
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) || a[0] != 1 || a[reduces-1] != fastest || math.Abs(a[11]-2.5) > 1e-12 {
		t.Errorf("speeds are %v and %v, want 1 to %d in equal steps", a, b, fastest)
	}
	if got := speeds(1, fastest, stream(1, 0, speedStream)); !slices.Equal(got, []float64{1}) {
		t.Errorf("speeds(1) = %v, want 1", got)
	}
	if got := rotated([]float64{1, 2, 4}, func(v []float64) float64 { return v[0] + 10*v[1] }); math.Abs(got-11*7/3.) > 1e-12 {
		t.Errorf("rotated = %v, want the mean of 21, 42, 14", got)
	}
}
