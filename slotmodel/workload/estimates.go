package workload

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Estimates appends to dst one estimate per size under the error model of the size-based scheduling
// papers:
//
//	estimate = size * exp(mu + sigma Z)        Z standard normal, drawn anew for each job
//
// sigma >= 0: 0.5 puts the middle two thirds between 0.6 and 1.65 times the size. A mu of
// math.Log(c) makes every estimate c times as large. With both 0 estimates are the sizes, bit for
// bit. Estimates outside float64 are math.MaxFloat64 or 0. One source gives the same Z to the same
// job whatever mu, sigma and the sizes are.
func Estimates(dst, sizes []float64, mu, sigma float64, src rand.Source) ([]float64, error) {
	g := guard{fn: "Estimates"}
	for i, size := range sizes {
		g.elem("sizes", i, notAmount(size))
	}
	g.arg("mu", notFiniteNumber(mu))
	g.arg("sigma", notAmount(sigma))
	g.source(src)
	if g.err != nil {
		return dst, g.err
	}
	out := slices.Grow(dst, len(sizes))
	for _, size := range sizes {
		out = append(out, scaled(size, mu+float64(sigma*distuv.UnitNormal.Quantile(uniform(src)))))
	}
	return out, nil
}

// scaled is x e^y for x >= 0, which is finite even where e^y is not.
func scaled(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	if math.Abs(y) < 700 {
		return min(x*math.Exp(y), math.MaxFloat64)
	}
	root := math.Exp(max(-2000, min(y, 2000)) / 4)
	return min(x*root*root*root*root, math.MaxFloat64)
}
