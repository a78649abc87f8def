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

// trace draws the times of jobs over their ends for some users, one phase after another, and adds
// those of all users to the numbers.
func (s *study) trace(f *report.Figure, users []int, phases ...phase) *draw.Chart {
	f.Numbers.Columns = []string{"phase", "user", "job", "end_s", "completion_s"}
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
		l := curve(i, "user "+strconv.Itoa(u+1), x[i], y[i])
		l.Radius = 1.5
		c.Series([]draw.Series{l})
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
		p.times = append(p.times, report.Across(s.runs[e], meanOf(u)))
	}
	return p
}

// profile is that of an ideal.
func (p ideal) profile(users int) profile {
	line := profile{name: p.name}
	for u := range users {
		line.times = append(line.times, report.Interval{Mean: p.at(float64(u + 1)), Half: math.NaN()})
	}
	return line
}

// fidelity draws profiles, as many as there are looks, and adds all of them to the numbers.
func fidelity(f *report.Figure, c *draw.Chart, list ...profile) {
	f.Numbers.Columns = []string{"line", "user", "completion_s", "ci95"}
	n := len(list[0].times)
	c.X = draw.Axis{Label: "user", Min: .5, Max: float64(n) + .5}
	for k := 1; k <= n; k += max(1, n/10) {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(k), Label: strconv.Itoa(k)})
	}
	c.Y = draw.Axis{Label: "completion time (s)", Log: n > 2}
	c.GridY = true
	var lines []draw.Series
	var known []float64
	for i, p := range list {
		l := curve(i, p.name, nil, make([]float64, n))
		l.Radius = max(1.2, 2.5-float64(n)/20)
		for u, t := range p.times {
			f.Numbers.Add(p.name, u+1, t.Mean, t.Half)
			l.Y[u], l.Spread = t.Mean, append(l.Spread, t.Half)
			if t.Mean == t.Mean {
				known = append(known, t.Mean)
			}
		}
		lines = append(lines, l)
	}
	lines = lines[:min(len(lines), len(looks))]
	c.FitY(known...)
	if c.Y.Log {
		c.Y.Ticks = draw.LogTicks(c.Y.Min, c.Y.Max)
	}
	c.Series(lines)
}
