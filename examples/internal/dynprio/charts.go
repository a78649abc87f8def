package dynprio

import (
	"math"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// A phase is a part of a trace: the first run of an experiment.
type phase struct {
	name string
	experiment
}

// trace draws the times of jobs over their ends for some users, one phase after another, and adds those of all users to the numbers.
func (s *study) trace(f *report.Figure, users []int, phases ...phase) *draw.Chart {
	f.Numbers = report.Table{Columns: []string{"phase", "user", "job", "end_s", "completion_s"}}
	x, y := make([][]float64, len(users)), make([][]float64, len(users))
	from, most := 0.0, 0.0
	var names []draw.Tick
	for _, p := range phases {
		o := &s.runs[p.experiment][0]
		length := 0.0
		for u, times := range o.times {
			for k, t := range times {
				f.Numbers.Add(p.name, u+1, k+1, o.ends[u][k], t)
				length = max(length, o.ends[u][k])
			}
		}
		for i, u := range users {
			for k, t := range o.times[u] {
				x[i], y[i] = append(x[i], (from+o.ends[u][k])/3600), append(y[i], t)
				most = max(most, t)
			}
			x[i], y[i] = append(x[i], math.NaN()), append(y[i], math.NaN()) // the line breaks
		}
		names = append(names, draw.Tick{At: (from + length/2) / 3600, Label: p.name})
		from += length
	}
	c := &draw.Chart{X: draw.Axis{Label: "time (h)", Max: from / 3600}, Y: draw.Axis{Label: "completion time (s)", Max: 1.15 * most}, GridY: true, Height: 260}
	for i, u := range users {
		line := curve(i, userName(u), x[i], y[i])
		line.Radius = 1.5
		c.Series([]draw.Series{line})
	}
	for _, n := range names {
		c.Text(n.At, 1.1*most, n.Label, draw.Black)
	}
	return c
}

// A profile is a line over the users: measured times, or what they ought to be.
type profile struct {
	name  string
	times []report.Interval
}

// measured is the profile of an experiment. A user without a job that counts has NaN.
func (s *study) measured(name string, e experiment) profile {
	p := profile{name: name}
	for u := range scenarios[e].users {
		p.times = append(p.times, over(s.runs[e], meanOf(u)))
	}
	return p
}

// computed is a profile by a formula of the user's number, from 1.
func computed(name string, users int, at func(n float64) float64) profile {
	p := profile{name: name}
	for u := range users {
		p.times = append(p.times, report.Interval{Mean: at(float64(u + 1)), Half: math.NaN()})
	}
	return p
}

// fidelity draws profiles and adds them to the numbers.
func fidelity(f *report.Figure, c *draw.Chart, list ...profile) {
	f.Numbers = report.Table{Columns: []string{"line", "user", "completion_s", "ci95"}}
	n := len(list[0].times)
	c.X = draw.Axis{Label: "user", Min: .5, Max: float64(n) + .5}
	for step, k := max(1, n/10), 1; k <= n; k += step {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(k), Label: strconv.Itoa(k)})
	}
	var lines []draw.Series
	var all []float64
	for i, p := range list {
		var y, half []float64
		for u, t := range p.times {
			y, half = append(y, t.Mean), append(half, t.Half)
			if t.Mean == t.Mean {
				all = append(all, t.Mean)
			}
			f.Numbers.Add(p.name, u+1, t.Mean, t.Half)
		}
		line := curve(i, p.name, nil, y)
		line.Spread = half
		if n > 20 {
			line.Radius = 1.2
		}
		lines = append(lines, line)
	}
	c.Y.Label, c.GridY = "completion time (s)", true
	c.FitY(all...)
	if c.Y.Log {
		c.Y.Ticks = draw.LogTicks(c.Y.Min, c.Y.Max)
	}
	c.Series(lines)
}
