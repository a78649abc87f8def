package workload

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// Poisson appends to dst the times of the first n arrivals of a Poisson process of the given rate
// (arrivals per unit of time, > 0) that starts at time 0: sums of independent exponential gaps of
// mean 1/rate, in ascending order.
//
// Each arrival takes one Uint64 of src; the cost is O(n). n outside 0..2^27, a rate that is
// not positive and finite or so small that an arrival could be beyond float64, and a nil src
// are *schedmath.InputErrors.
func Poisson(dst []float64, n int, rate float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "Poisson"}
	gap := distuv.Exponential{Rate: rate}
	g.count("n", n, 0)
	g.arg("rate", notPositive(rate))
	g.finite("rate", rate, maxDraws*gap.Quantile(maxUniform))
	out, err := g.draw(dst, n, src, "rate", rate, gap.Quantile)
	for i := len(dst) + 1; i < len(out); i++ {
		out[i] += out[i-1]
	}
	return out, err
}

// Stretch appends to dst the arrivals (ascending, in seconds) multiplied by the one factor that
// makes the load of the workload exactly load: the sum of sizes is then load times the last
// arrival. It is how synthetic workloads of the PSBS paper reach a load with heavy-tailed sizes,
// whose sum varies wildly from one draw to the next.
//
// The cost is O(n). No arrivals give none. Arrivals that are negative, not finite or descending,
// sizes that are negative or not finite or not as many as arrivals, and a load that is not positive
// and finite are *schedmath.InputErrors; so are arrivals that are all 0, sizes that are all 0, and
// a factor beyond float64.
func Stretch(dst, arrivals, sizes []float64, load float64) ([]float64, error) {
	g := guard{fn: "Stretch"}
	last, sum := 0.0, 0.0
	for i, t := range arrivals {
		g.elem("arrivals", i, notAmount(t))
		if t < last {
			g.elem("arrivals", i, text(t)+" is before the arrival "+text(last)+" ahead of it")
		}
		last = t
	}
	for i, size := range sizes {
		g.elem("sizes", i, notAmount(size))
		sum += size
	}
	if len(sizes) != len(arrivals) {
		g.arg("sizes", "has "+strconv.Itoa(len(sizes))+" elements, want one per arrival: "+strconv.Itoa(len(arrivals)))
	}
	g.arg("load", notPositive(load))
	if g.err != nil || len(arrivals) == 0 {
		return dst, g.err
	}
	if last == 0 {
		g.arg("arrivals", "the last one is 0, want a time to spread the load over")
	}
	if sum == 0 {
		g.arg("sizes", "sum is 0, want some work to put the load on")
	}
	factor := sum / load / last
	if !(factor > 0) {
		g.arg("load", text(load)+" asks for a factor below float64's range")
	}
	g.finite("load", load, sum)
	g.finite("load", load, factor)
	g.finite("load", load, factor*last)
	if g.err != nil {
		return dst, g.err
	}
	out := slices.Grow(dst, len(arrivals))
	for _, t := range arrivals {
		out = append(out, t*factor)
	}
	return out, nil
}
