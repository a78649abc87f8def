package circumflex

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// mean and sd are of independent repetitions; of a single one sd is NaN.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

func sd(xs []float64) float64 {
	if len(xs) < 2 {
		return math.NaN()
	}
	m, sum := mean(xs), 0.0
	for _, x := range xs {
		sum += float64((x - m) * (x - m))
	}
	return math.Sqrt(sum / float64(len(xs)-1))
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// slope returns that of the least-squares line through (0, ys[0]), (1, ys[1]), ...
func slope(ys []float64) float64 {
	x, y := float64(len(ys)-1)/2, mean(ys)
	over, under := 0.0, 0.0
	for i := range ys {
		d := float64(i) - x
		over += float64(d * (ys[i] - y))
		under += float64(d * d)
	}
	return over / under
}

// parallel does n pieces of work on as many goroutines as GOMAXPROCS allows, each with a runner of its own, and returns the
// error of the first piece, by number, that has one.
func parallel(n int, work func(r *runner, i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			r := new(runner)
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = work(r, i)
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
