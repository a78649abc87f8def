package circumflex

import (
	"fmt"
	"testing"

	"github.com/schedmath/schedmath/internal/numbers"
)

// BenchmarkGrid is the simulations of Figure 6, nine runs of a thousand scans a point and
// repetition; points=225/repetitions=10 is the whole figure. The sub-grid has every ninth point,
// all of them without correlation.
func BenchmarkGrid(b *testing.B) {
	for _, size := range []struct{ every, repetitions int }{{9, 2}, {1, repetitions}} {
		var points []point
		for i, p := range allPoints() {
			if i%size.every == size.every/2 {
				points = append(points, p)
			}
		}
		b.Run(fmt.Sprintf("points=%d/repetitions=%d", len(points), size.repetitions), func(b *testing.B) {
			if testing.Short() && size.every == 1 {
				b.Skip("long")
			}
			for b.Loop() {
				s := seeded(1)
				cells := s.simulate(size.repetitions, under(base(calibrated), points...), averageResponse, averageStretch, maximumStretch)
				if s.err != nil || !(numbers.Mean(cells[0].ratio[maximumStretch][circumflex]) > 0) {
					b.Fatal(cells, s.err)
				}
			}
		})
	}
}
