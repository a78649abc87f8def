package report

import (
	"io"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/program"
)

// Number returns how many things of a list a condition holds for.
func Number[T any](list []T, holds func(x T) bool) int {
	n := 0
	for _, x := range list {
		if holds(x) {
			n++
		}
	}
	return n
}

// Mean returns the mean, summed in the order of the values; of no values NaN.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// SD returns the standard deviation of independent values; of fewer than two NaN.
func SD(values []float64) float64 {
	if len(values) < 2 {
		return math.NaN()
	}
	return math.Sqrt(variance(values))
}

// variance is the square of SD.
func variance(values []float64) float64 {
	m, sum := Mean(values), 0.0
	for _, v := range values {
		sum += float64((v - m) * (v - m))
	}
	return sum / float64(len(values)-1)
}

// Box is the box of values in ascending order.
func Box(sorted []float64) draw.Box {
	q := func(p float64) float64 { return Quantile(sorted, p) }
	return draw.Box{Min: q(0), P5: q(.05), P25: q(.25), Median: q(.5), P75: q(.75), P95: q(.95), Max: q(1)}
}

// Quantile returns the p-quantile of values in ascending order, 0 <= p <= 1, by linear
// interpolation between the two values around place p (n - 1) counted from 0; of no values NaN.
func Quantile(sorted []float64, p float64) float64 {
	n := len(sorted)
	if n == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	place := p * float64(n-1)
	i := int(place)
	if i+1 >= n {
		return sorted[n-1]
	}
	return sorted[i] + float64((place-float64(i))*(sorted[i+1]-sorted[i]))
}

// Parallel does n pieces of work on as many goroutines as GOMAXPROCS allows, each with a worker W
// of its own that keeps its memory from piece to piece. It returns the error of the first piece,
// by number, that has one.
func Parallel[W any](n int, work func(w *W, i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Add(1)
		go func() {
			defer all.Done()
			w := new(W)
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = work(w, i)
			}
		}()
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Each does n pieces of work side by side, with their progress on w, and returns what they give;
// what says what is being done.
func Each[T any](w io.Writer, what string, n int, work func(i int) (T, error)) ([]T, error) {
	list := make([]T, n)
	bar := program.NewProgress(w, what, n)
	defer bar.Done()
	err := Parallel(n, func(_ *struct{}, i int) (err error) {
		defer bar.Add(1)
		list[i], err = work(i)
		return err
	})
	return list, err
}
