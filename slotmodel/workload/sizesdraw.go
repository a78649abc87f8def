package workload

import (
	"math"
	"math/rand/v2"
	"slices"
)

// maxExponential bounds what standardExponential draws: -log(2^-54) = 37.43.
const maxExponential = 37.5

// maxNormal bounds what standardNormal draws: the quantile of 1 - 2^-54 is 8.29.
const maxNormal = 8.3

// Exponential appends n independent exponential values of the given mean (> 0) to dst. With mean 1 they are the sizes, with
// 1/rate the gaps of an M/M/1 queue.
//
// Each value takes one Uint64 of src; the cost is O(n). n outside 0..2^27, a mean that is not positive and finite or so large
// that a value could be beyond float64, and a nil src are *schedmath.InputErrors.
func Exponential(dst []float64, n int, mean float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "Exponential"}
	g.arg("mean", notPositive(mean))
	g.finite("mean", mean, maxExponential*mean)
	return g.draw(dst, n, src, func() float64 { return mean * standardExponential(src) })
}

// Weibull appends n independent Weibull values to dst: P(X > x) = exp(-(x/scale)^shape), shape and scale > 0. Shape 1 is
// exponential, below 1 the tail is heavier, above 1 lighter; WeibullScale gives the scale for a mean. The size-based
// scheduling papers draw sizes of mean 1 with shapes from 0.125 to 4 (0.25 where they say nothing) and gaps with shape 1.
//
// Each value takes one Uint64 of src; the cost is O(n). With a very small shape values below float64's range are 0.
// n outside 0..2^27, a shape or scale that is not positive and finite or so extreme that a value could be beyond float64,
// and a nil src are *schedmath.InputErrors.
func Weibull(dst []float64, n int, shape, scale float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "Weibull"}
	g.arg("shape", notPositive(shape))
	g.arg("scale", notPositive(scale))
	g.finite("shape", shape, scale*math.Exp(math.Log(maxExponential)/shape))
	return g.draw(dst, n, src, func() float64 {
		return scaled(scale, math.Log(standardExponential(src))/shape)
	})
}

// WeibullScale returns the scale with which Weibull values of the given shape have the given mean: mean / Gamma(1 + 1/shape).
// Both are > 0. A scale that is 0 or infinite in float64 (shapes below about 0.006) is an *schedmath.InputError.
func WeibullScale(shape, mean float64) (float64, error) {
	g := guard{fn: "WeibullScale"}
	g.arg("shape", notPositive(shape))
	g.arg("mean", notPositive(mean))
	if g.err != nil {
		return 0, g.err
	}
	scale := mean / math.Gamma(1+1/shape)
	if !(scale > 0 && scale <= math.MaxFloat64) {
		g.arg("shape", text(shape)+" has a scale outside float64 for the mean "+text(mean))
		return 0, g.err
	}
	return scale, nil
}

// Pareto appends n independent Pareto values to dst: P(X > x) = (low/x)^alpha for x >= low; alpha and low > 0. The mean is
// alpha low / (alpha - 1), infinite for alpha <= 1; the variance is infinite for alpha <= 2.
//
// Each value takes one Uint64 of src; the cost is O(n). n outside 0..2^27, an alpha or low that is not positive and finite or
// so extreme that a value could be beyond float64 (alpha below about 0.053), and a nil src are *schedmath.InputErrors.
func Pareto(dst []float64, n int, alpha, low float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "Pareto"}
	g.arg("alpha", notPositive(alpha))
	g.arg("low", notPositive(low))
	g.finite("alpha", alpha, low*math.Exp(maxExponential/alpha))
	return g.draw(dst, n, src, func() float64 { return scaled(low, standardExponential(src)/alpha) })
}

// BoundedPareto appends to dst n independent Pareto values conditioned to lie in [low, high]:
// P(X > x) = (x^-alpha - high^-alpha) / (low^-alpha - high^-alpha); alpha > 0 and 0 < low <= high. All moments are finite, which
// makes it the usual stand-in for heavy-tailed sizes in simulations that have to converge.
//
// Each value takes one Uint64 of src; the cost is O(n). n outside 0..2^27, an alpha, low or high that is not positive and finite,
// a high below low, and a nil src are *schedmath.InputErrors.
func BoundedPareto(dst []float64, n int, alpha, low, high float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "BoundedPareto"}
	g.arg("alpha", notPositive(alpha))
	g.arg("low", notPositive(low))
	g.arg("high", notPositive(high))
	if high < low {
		g.arg("high", text(high)+" is below low = "+text(low))
	}
	var inside, beyond float64 // P(X <= high) and P(X > high) without the bound, each with its own digits
	if g.err == nil {
		y := alpha * (math.Log(low) - math.Log(high))
		inside, beyond = -math.Expm1(y), math.Exp(y)
	}
	return g.draw(dst, n, src, func() float64 {
		u, rest := unit(src)
		p := u * inside
		e := -math.Log1p(-p)
		if p > 0.5 { // 1-p has lost digits that rest has
			e = -math.Log(rest + float64(u*beyond))
		}
		return max(low, min(scaled(low, e/alpha), high))
	})
}

// LogNormal appends n independent values exp(mu + sigma Z) to dst, Z standard normal: the factors of Estimates. mu is finite
// and sigma >= 0.
//
// Each value takes one Uint64 of src; the cost is O(n). Values below float64's range are 0. n outside 0..2^27, a mu that is
// not finite, a sigma that is negative or not finite, parameters so extreme that a value could be beyond float64, and a nil
// src are *schedmath.InputErrors.
func LogNormal(dst []float64, n int, mu, sigma float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "LogNormal"}
	g.arg("mu", notFiniteNumber(mu))
	g.arg("sigma", notAmount(sigma))
	g.finite("sigma", sigma, math.Exp(mu+float64(maxNormal*sigma)))
	return g.draw(dst, n, src, func() float64 { return math.Exp(mu + float64(sigma*standardNormal(src))) })
}

// draw appends n values of next unless an argument was at fault.
func (g *guard) draw(dst []float64, n int, src rand.Source, next func() float64) ([]float64, error) {
	g.count("n", n, 0)
	g.source(src)
	if g.err != nil {
		return dst, g.err
	}
	out := slices.Grow(dst, n)
	for range n {
		out = append(out, next())
	}
	return out, nil
}
