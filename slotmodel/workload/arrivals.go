package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// Poisson appends to dst the times of the first n arrivals, at most 2^27, of a Poisson process of
// the given rate (arrivals per unit of time, > 0) that starts at time 0, in ascending order. Each
// takes one Uint64 of src. A rate so small that an arrival could be beyond float64 is an error.
func Poisson(dst []float64, n int, rate float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "Poisson"}
	gap := distuv.Exponential{Rate: rate}
	if n < 0 || n > maxDraws {
		g.arg("n", strconv.Itoa(n)+", want 0 to "+strconv.Itoa(maxDraws))
	}
	g.arg("rate", notPositive(rate))
	if !(maxDraws*gap.Quantile(maxUniform) <= math.MaxFloat64) {
		g.arg("rate", text(rate)+" allows values beyond float64")
	}
	g.source(src)
	if g.err != nil {
		return dst, g.err
	}
	out, now := slices.Grow(dst, n), 0.0
	for range n {
		now += gap.Quantile(uniform(src))
		out = append(out, now)
	}
	return out, nil
}
