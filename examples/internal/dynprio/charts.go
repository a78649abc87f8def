package dynprio

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// A phase is a part of a trace: the first run of an experiment.
type phase struct {
	name string
	experiment
}

// trace draws the times of jobs over their ends for some users, one phase after another and at most
// six users in a chart, and adds those of all users to the numbers.
func (s *study) trace(f *report.Figure, users []int, phases ...phase) []*draw.Chart {
	f.Numbers.Columns = []string{"phase", "user", "job", "end_s", "completion_s"}
	x, y := make([][]float64, len(users)), make([][]float64, len(users))
	from := 0.0
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
			}
			x[i], y[i] = append(x[i], math.NaN()), append(y[i], math.NaN()) // the line breaks
		}
		names = append(names, draw.Tick{At: (from + length/2) / 3600, Label: p.name})
		from += length
	}
	panels := (len(users) + 5) / 6
	var list []*draw.Chart
	for p := range panels {
		first, end := p*len(users)/panels, (p+1)*len(users)/panels
		c := &draw.Chart{X: draw.Axis{Label: "time (h)", Max: from / 3600}, Y: draw.Axis{Label: "completion time (s)"}, GridY: true, Height: 260}
		if panels > 1 {
			c.Title = fmt.Sprintf("users %d to %d", users[first]+1, users[end-1]+1)
		}
		var lines []draw.Series
		for i := range users[first:end] {
			name := "user " + strconv.Itoa(users[i]+1) // a legend for all charts
			if len(s.runs[phases[0].experiment][0].times) == 2 {
				name = "queue " + strconv.Itoa(users[i]+1)
			}
			if panels > 1 {
				name += ", " + strconv.Itoa(users[end-first+i]+1)
			}
			lines = append(lines, draw.Curve(i, name, x[first+i], y[first+i]))
		}
		c.FitY(1.15 * slices.Max(slices.DeleteFunc(slices.Concat(y...), math.IsNaN)))
		c.Series(lines)
		for _, n := range names {
			c.Text(n.At, .96*c.Y.Max, n.Label, draw.Black)
		}
		list = append(list, c)
	}
	return draw.Panels(1, list...)
}

// publishedTimes draws times that the paper has for a phase, in the middle of the phase: rings of a
// colour.
func (s *study) publishedTimes(c *draw.Chart, before []phase, p phase, label string, color color.Color, seconds ...float64) {
	length := func(p phase) float64 { return slices.Max(slices.Concat(s.runs[p.experiment][0].ends...)) / 3600 }
	at := length(p) / 2
	for _, b := range before {
		at += length(b)
	}
	c.Dots(label, slices.Repeat([]float64{at}, len(seconds)), seconds, draw.Ring, color, 4.5)
}

// A profile is a line over the users: measured times, by seed too, or what they ought to be.
type profile struct {
	name  string
	times []numbers.Interval
	seeds [][]float64
}

// measured is the profile of an experiment. A user without a job that counts has NaN.
func (s *study) measured(name string, e experiment) profile {
	p := profile{name: name}
	for u := range s.runs[e][0].times {
		p.seeds = append(p.seeds, numbers.Column(s.runs[e], meanOf(u)))
		p.times = append(p.times, numbers.Over(p.seeds[u]))
	}
	return p
}

// profile is that of an ideal.
func (p ideal) profile(users int) profile {
	line := profile{name: p.name}
	for u := range users {
		line.times = append(line.times, numbers.Interval{Mean: p.at(float64(u + 1)), Half: math.NaN()})
	}
	return line
}

// profileColumns are those of the numbers of profiles.
var profileColumns = []string{"line", "user", "completion_s", "ci95"}

// fidelity makes a chart of profiles with a dot for each seed, and adds them to the numbers of the
// figure. Lines have their labels at their ends, the level of FIFO above it.
func fidelity(f *report.Figure, fifo profile, list ...profile) *draw.Chart {
	f.Numbers.Columns = profileColumns
	n := len(fifo.times)
	c := &draw.Chart{X: draw.Axis{Label: "user", Min: .5, Max: float64(n) + .5}, Y: draw.Axis{Label: "completion time (s)", Log: true}, GridY: true, Height: 260}
	for k := 1; k <= n; k++ {
		if step := max(1, n/4/10*10); k == 1 || k%step == 0 {
			c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(k), Label: strconv.Itoa(k)})
		}
	}
	var lines []draw.Series
	var known []float64
	for i, p := range append(list, fifo) {
		l := draw.Means(i, p.name, nil, p.times)
		if i == len(list) {
			l.Label = ""
		}
		l.Spread, l.Seeds = nil, p.seeds
		if n > 20 {
			l.Radius = 0
		}
		for u, t := range p.times {
			f.Numbers.Add(p.name, u+1, t.Mean, t.Half)
			if t.Mean == t.Mean {
				known = append(known, t.Mean)
			}
		}
		lines = append(lines, l)
	}
	c.FitY(known...)
	c.Y.Ticks = draw.LogTicks(c.Y.Min, c.Y.Max)
	c.Series(lines)
	c.Text(.9*float64(n), fifo.times[0].Mean*math.Pow(c.Y.Max/c.Y.Min, .05), fifo.name, lines[len(list)].Stroke.Color)
	return c
}
