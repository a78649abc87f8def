package circumflex

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/malleable"
)

// gantt draws a schedule with time to the right and slots upwards, jobs stacked by index in each
// interval between changes.
func gantt(s *malleable.Schedule, slots int, end float64, name func(job int) string, colour func(job int) draw.Paint) *draw.Chart {
	c := &draw.Chart{Height: 190}
	c.X = draw.Axis{Label: paperTime, Max: end}
	c.Y = draw.Axis{Label: "slots", Max: float64(slots)}
	for at, pieces := range s.Intervals() {
		base := 0.0
		for _, p := range pieces {
			c.Block(at.Start, base, at.End, base+float64(p.Slots), colour(p.Job), name(p.Job))
			base += float64(p.Slots)
		}
	}
	return c
}
