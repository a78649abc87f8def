package workload

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Exponential appends n independent exponential values of the given mean (> 0) to dst. With mean 1
// they are the sizes, with 1/rate the gaps of an M/M/1 queue.
//
// Each value takes one Uint64 of src; the cost is O(n). n outside 0..2^27, a mean that is
// not positive and finite or so large that a value could be beyond float64, and a nil src are
// *schedmath.InputErrors.
func Exponential(dst []float64, n int, mean float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "Exponential"}
	g.arg("mean", notPositive(mean))
	unit := distuv.Exponential{Rate: 1}
	return g.draw(dst, n, src, "mean", mean, func(u float64) float64 { return mean * unit.Quantile(u) })
}

// Weibull appends n independent Weibull values to dst: P(X > x) = exp(-(x/scale)^shape), shape and
// scale > 0. Shape 1 is exponential, below 1 the tail is heavier, above 1 lighter; WeibullScale
// gives the scale for a mean. The size-based scheduling papers draw sizes of mean 1 with shapes
// from 0.125 to 4 (0.25 where they say nothing) and gaps with shape 1.
//
// Each value takes one Uint64 of src; the cost is O(n). With a very small shape values below
// float64's range are 0. n outside 0..2^27, a shape or scale that is not positive and finite or so
// extreme that a value could be beyond float64, and a nil src are *schedmath.InputErrors.
func Weibull(dst []float64, n int, shape, scale float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "Weibull"}
	g.arg("shape", notPositive(shape))
	g.arg("scale", notPositive(scale))
	return g.draw(dst, n, src, "shape", shape, distuv.Weibull{K: shape, Lambda: scale}.Quantile)
}

// WeibullScale returns the scale with which Weibull values of the given shape have the given mean:
// mean / Gamma(1 + 1/shape). Both are > 0. A scale that is 0 or infinite in float64 (shapes below
// about 0.006) is an *schedmath.InputError.
func WeibullScale(shape, mean float64) (float64, error) {
	g := guard{fn: "WeibullScale"}
	g.arg("shape", notPositive(shape))
	g.arg("mean", notPositive(mean))
	if g.err != nil {
		return 0, g.err
	}
	scale := mean / math.Gamma(1+1/shape)
	if notPositive(scale) != "" {
		g.arg("shape", text(shape)+" has a scale outside float64 for the mean "+text(mean))
		return 0, g.err
	}
	return scale, nil
}

// Pareto appends n independent Pareto values to dst: P(X > x) = (low/x)^alpha for x >= low; alpha
// and low > 0. The mean is alpha low / (alpha - 1), infinite for alpha <= 1; the variance is
// infinite for alpha <= 2.
//
// Each value takes one Uint64 of src; the cost is O(n). n outside 0..2^27, an alpha or low that
// is not positive and finite or so extreme that a value could be beyond float64 (alpha below about
// 0.052), and a nil src are *schedmath.InputErrors.
func Pareto(dst []float64, n int, alpha, low float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "Pareto"}
	g.arg("alpha", notPositive(alpha))
	g.arg("low", notPositive(low))
	return g.draw(dst, n, src, "alpha", alpha, distuv.Pareto{Xm: low, Alpha: alpha}.Quantile)
}

// BoundedPareto appends to dst n independent Pareto values conditioned to lie in [low, high]: P(X
// > x) = (x^-alpha - high^-alpha) / (low^-alpha - high^-alpha); alpha > 0 and 0 < low <= high. All
// moments are finite, which makes it the usual stand-in for heavy-tailed sizes in simulations that
// have to converge.
//
// Each value takes one Uint64 of src; the cost is O(n). n outside 0..2^27, an alpha, low or high
// that is not positive and finite, a high below low, and a nil src are *schedmath.InputErrors.
func BoundedPareto(dst []float64, n int, alpha, low, high float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "BoundedPareto"}
	g.arg("alpha", notPositive(alpha))
	g.arg("low", notPositive(low))
	g.arg("high", notPositive(high))
	if high < low {
		g.arg("high", text(high)+" is below low = "+text(low))
	}
	// P(X <= high) without the bound.
	inside := -math.Expm1(alpha * (math.Log(low) - math.Log(high)))
	// The quantile in logarithms: alpha may be so small that a power is 1.
	return g.draw(dst, n, src, "alpha", alpha, func(u float64) float64 {
		return max(low, min(scaled(low, -math.Log1p(-u*inside)/alpha), high))
	})
}

// LogNormal appends n independent values exp(mu + sigma Z) to dst, Z standard normal: the factors
// of Estimates. mu is finite and sigma >= 0.
//
// Each value takes one Uint64 of src; the cost is O(n). Values below float64's range are 0. n
// outside 0..2^27, a mu that is not finite, a sigma that is negative or not finite, parameters so
// extreme that a value could be beyond float64, and a nil src are *schedmath.InputErrors.
func LogNormal(dst []float64, n int, mu, sigma float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "LogNormal"}
	g.arg("mu", notFiniteNumber(mu))
	g.arg("sigma", notAmount(sigma))
	return g.draw(dst, n, src, "sigma", sigma, distuv.LogNormal{Mu: mu, Sigma: sigma}.Quantile)
}
