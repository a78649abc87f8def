package circumflex

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/malleable"
)

// gantt draws a schedule with time to the right and slots upwards, jobs stacked by index.
func gantt(s *malleable.Schedule, slots int, end float64, name func(job int) string, colour func(job int) paint) *draw.Chart {
	c := &draw.Chart{Height: 190}
	c.X = draw.Axis{Label: "time", Min: 0, Max: end}
	c.Y = draw.Axis{Label: "slots", Min: 0, Max: float64(slots)}
	type area struct{ x0, y0, x1, y1 float64 }
	open := map[int]area{}
	finish := func(job int) {
		a, p := open[job], colour(job)
		c.Area(a.x0, a.y0, a.x1, a.y1, p.fill)
		if label := name(job); a.x1-a.x0 > 0.022*end*float64(len(label)) && a.y1-a.y0 > 0.075*float64(slots) {
			c.Text((a.x0+a.x1)/2, (a.y0+a.y1)/2, label, p.text)
		}
		delete(open, job)
	}
	for at, pieces := range s.Intervals() {
		base := 0.0
		for job := range s.Len() {
			held := 0.0
			for _, p := range pieces {
				if p.Job == job {
					held = float64(p.Slots)
				}
			}
			a, is := open[job]
			if is && (held == 0 || a.y0 != base || a.y1 != base+held || a.x1 != at.Start) {
				finish(job)
				is = false
			}
			if held > 0 {
				if !is {
					a = area{at.Start, base, at.Start, base + held}
				}
				a.x1 = at.End
				open[job] = a
			}
			base += held
		}
	}
	for job := range s.Len() {
		if _, is := open[job]; is {
			finish(job)
		}
	}
	return c
}
