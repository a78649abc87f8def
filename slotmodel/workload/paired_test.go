package workload_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/slotmodel/workload"
)

// Quantiles of Student's t as tables print them, to 3 decimals.
func TestPairedTable(t *testing.T) {
	for _, c := range []struct {
		n        int
		level, t float64
	}{{2, 0.95, 12.706}, {3, 0.95, 4.303}, {5, 0.95, 2.776}, {11, 0.95, 2.228}, {31, 0.95, 2.042}, {2, 0.5, 1}, {6, 0.99, 4.032}, {11, 0.9, 1.812}} {
		a, b := make([]float64, c.n), make([]float64, c.n)
		for i := range a {
			a[i], b[i] = 0.1*float64(i), 7.1
		}
		// The variance of 0, 1, .. n-1 is n (n+1)/12.
		mean, half := 0.1*float64(c.n-1)/2-7.1, c.t*0.1*math.Sqrt(float64(c.n+1)/12)
		got, err := workload.Paired(a, b, c.level)
		if err != nil || math.Abs(got.Mean-mean) > 1e-12 || math.Abs(got.High-mean-half) > 5e-4*half || math.Abs(mean-half-got.Low) > 5e-4*half {
			t.Errorf("Paired of %d at %v = %+v, %v, want %v -+ %v", c.n, c.level, got, err, mean, half)
		}
	}
}

// With 1 and 2 degrees of freedom the quantile has a closed form. Swapped arguments give the
// mirrored interval, a shift of both nothing, a power of two as factor that factor.
func TestPairedLaws(t *testing.T) {
	const rounding = 1e-9
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 3).Draw(t, "n")
		number := rapid.OneOf(rapid.Float64Range(-1e3, 1e3), rapid.SampledFrom([]float64{0, 0.1, 0.3, 7.1, -7.1, 5}))
		a, b := rapid.SliceOfN(number, n, n).Draw(t, "a"), rapid.SliceOfN(number, n, n).Draw(t, "b")
		level := rapid.OneOf(rapid.Float64Range(0.001, 0.999), rapid.SampledFrom([]float64{0.5, 0.95, 0.999999})).Draw(t, "level")
		mean, squares := 0.0, 0.0
		for i := range a {
			mean += (a[i] - b[i]) / float64(n)
		}
		for i := range a {
			squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean)
		}
		quantile := math.Tan(math.Pi * level / 2)
		if n == 3 {
			quantile = level * math.Sqrt(2/(1-level*level))
		}
		half := quantile * math.Sqrt(squares/float64(n-1)/float64(n))
		got, err := workload.Paired(a, b, level)
		tol := rounding * (math.Abs(mean) + half + 1)
		if err != nil || math.Abs(got.Mean-mean) > tol || math.Abs(got.Low-(mean-half)) > tol || math.Abs(got.High-(mean+half)) > tol {
			t.Fatalf("Paired(%v, %v, %v) = %+v, %v, want %v -+ %v", a, b, level, got, err, mean, half)
		}
		if back, _ := workload.Paired(b, a, level); back != (workload.Difference{Mean: 0 - got.Mean, Low: 0 - got.High, High: 0 - got.Low}) {
			t.Fatalf("Paired(%v, %v, %v) = %+v, swapped %+v", a, b, level, got, back)
		}
		for i := range a {
			a[i], b[i] = a[i]*0x1p-300, b[i]*0x1p-300
		}
		if small, _ := workload.Paired(a, b, level); small != (workload.Difference{Mean: got.Mean * 0x1p-300, Low: got.Low * 0x1p-300, High: got.High * 0x1p-300}) {
			t.Fatalf("Paired of numbers 2^-300 as large = %+v, want %+v times that", small, got)
		}
	})
}

// Equal differences have an interval of no width, also where their mean cannot be summed exactly.
func TestPairedEqual(t *testing.T) {
	for _, d := range []float64{0, 0.5, 3} {
		a := []float64{1, 2, 3, 4, 5, 6, 7}
		b := make([]float64, len(a))
		for i := range a {
			b[i] = a[i] - d
		}
		if got, err := workload.Paired(a, b, 0.95); err != nil || got != (workload.Difference{Mean: d, Low: d, High: d}) {
			t.Errorf("Paired of differences %v = %+v, %v, want no width", d, got, err)
		}
	}
	big := []float64{math.MaxFloat64, math.MaxFloat64}
	if got, err := workload.Paired(big, []float64{0, 0}, 0.95); err != nil || got.Low != math.MaxFloat64 || got.High != math.MaxFloat64 {
		t.Errorf("Paired of the largest numbers = %+v, %v", got, err)
	}
}
