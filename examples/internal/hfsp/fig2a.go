package hfsp

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// sigmas are the error levels of Figure 2.
var sigmas = []float64{0.125, 0.25, 0.5, 1}

// wrongShare is the share of estimates that the paper's sentence about sigma 0.25 is about, by its
// two readings: outside the size's +-20%, and more than a factor of 1.2 away from it.
func wrongShare(sigma float64) (percent, factor float64) {
	below := func(x float64) float64 { return math.Erfc(-math.Log(x)/(sigma*math.Sqrt2)) / 2 } // P(X < x)
	return below(0.8) + 1 - below(1.2), 2 * below(1/1.2)
}

// density is that of the log-normal distribution with mu 0.
func density(x, sigma float64) float64 {
	if !(x > 0) {
		return 0
	}
	z := math.Log(x) / sigma
	return math.Exp(-z*z/2) / (x * sigma * math.Sqrt(2*math.Pi))
}

func figure2a() (report.Figure, error) {
	f := report.NewFigure("Figure 2(a): how wrong the estimates are",
		"Density of the factor X by which an estimate differs from the size, log-normal with median 1. With a larger σ more estimates are "+
			"far off, to both sides.",
		"x")
	c := &draw.Chart{
		X:     draw.Axis{Label: "estimate / size", Min: 0, Max: 3, Ticks: draw.Ticks(0, 3, 0.5)},
		Y:     draw.Axis{Label: "probability density", Min: 0, Max: 3.5, Ticks: draw.Ticks(0, 3.5, 0.5)},
		GridY: true,
	}
	const points = 300
	xs := make([]float64, points+1)
	ys := make([][]float64, len(sigmas))
	for i := range xs {
		xs[i] = 3 * float64(i) / points
		row := []any{xs[i]}
		for k, sigma := range sigmas {
			ys[k] = append(ys[k], density(xs[i], sigma))
			row = append(row, ys[k][i])
		}
		f.Numbers.Add(row...)
	}
	strokes := []draw.Stroke{{Color: draw.Blue}, {Color: draw.Vermilion, Dash: draw.Dashed}, {Color: draw.Green, Dash: draw.DashDot}, {Color: draw.Black, Dash: draw.Dotted, Width: 2}}
	for k, sigma := range sigmas {
		f.Numbers.Columns = append(f.Numbers.Columns, "sigma_"+numbers.Full(sigma))
		c.Line("σ = "+numbers.Full(sigma), xs, ys[k], strokes[k])
	}

	percent, factor := wrongShare(0.25)
	half := math.Log(1.2) / upperQuartile
	model := fmt.Sprintf("%.1f%% lie outside ±20%%, %.1f%% are off by a factor of 1.2 or more", 100*percent, 100*factor)
	return f.Done([]report.Claim{
		{Claim: "with σ = 0.25 more than half of the estimates are wrong by a factor of 20% or more", Published: "more than half",
			Model: model, Relation: "share > 50% by either reading, from the distribution", Holds: percent > 0.5 || factor > 0.5,
			Note: report.Because(half > 0.25, fmt.Sprintf("a log-normal error passes one half by the factor reading only from σ = %.3f on; the paper's sentence overstates σ = 0.25", half))},
	}, "Four densities of the estimation error around 1: narrow and high for sigma 0.125, wide and low, with a long tail to the right, for sigma 1.", c)
}

// upperQuartile is that of the standard normal distribution: half of its values lie within it of 0.
const upperQuartile = 0.6744897501960817
