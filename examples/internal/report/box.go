package report

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/internal/numbers"
)

// Box is the box of values in ascending order.
func Box(sorted []float64) draw.Box {
	q := func(p float64) float64 { return numbers.Quantile(sorted, p) }
	return draw.Box{Min: q(0), P5: q(.05), P25: q(.25), Median: q(.5), P75: q(.75), P95: q(.95), Max: q(1)}
}
