package hfsp

import (
	"math"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// An interval is a mean over seeds and half the width of its 95% confidence interval, by Student's t.
type interval struct{ mean, half float64 }

func (i interval) low() float64  { return i.mean - i.half }
func (i interval) high() float64 { return i.mean + i.half }

// String writes the interval for people.
func (i interval) String() string { return report.Short(i.mean) + " ± " + short2(i.half) }

// short2 writes x with two significant digits, or its whole part where that is longer.
func short2(x float64) string {
	if !(math.Abs(x) < 10) {
		return report.Short(math.Round(x))
	}
	scale := math.Pow(10, math.Floor(math.Log10(math.Max(math.Abs(x), 1e-9)))-1)
	return report.Short(math.Round(x/scale) * scale)
}

// over returns the interval of independent values; of a single one half is +Inf, so that nothing is above or below.
func over(values []float64) interval {
	n := float64(len(values))
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / n
	squares := 0.0
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	if n < 2 {
		return interval{mean, math.Inf(1)}
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return interval{mean, t * math.Sqrt(squares/(n-1)/n)}
}

// ratios divides element by element.
func ratios(x, y []float64) []float64 {
	r := make([]float64, len(x))
	for i := range x {
		r[i] = x[i] / y[i]
	}
	return r
}

// within returns the share of ascending values that are at most x.
func within(ascending []float64, x float64) float64 {
	n := sort.Search(len(ascending), func(i int) bool { return ascending[i] > x })
	return float64(n) / float64(len(ascending))
}

func ascending(values []float64) []float64 { return slices.Sorted(slices.Values(values)) }

// parallel does n pieces of work on as many goroutines as GOMAXPROCS allows, and returns the error of the first piece, by number,
// that has one.
func parallel(n int, work func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = work(i)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
