package dynprio

import (
	"fmt"
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
		most := 0.0
		for _, times := range y[first:end] {
			for _, t := range times {
				if t > most { // not NaN
					most = t
				}
			}
		}
		c := &draw.Chart{X: draw.Axis{Max: from / 3600}, Y: draw.Axis{Label: "completion time (s)", Max: 1.15 * most}, GridY: true, Height: 260}
		for i, u := range users[first:end] {
			name := "user " + strconv.Itoa(u+1)
			if panels > 1 && p == 0 { // a legend for all charts
				name += ", " + strconv.Itoa(users[end+i]+1)
			} else if panels > 1 {
				name = ""
			}
			l := curve(i, name, x[first+i], y[first+i])
			l.Radius = 1.8
			c.Series([]draw.Series{l})
		}
		for _, n := range names {
			text := n.Label
			if panels > 1 {
				text += fmt.Sprintf(", users %d to %d", users[first]+1, users[end-1]+1)
			}
			c.Text(n.At, 1.1*most, text, draw.Black)
		}
		list = append(list, c)
	}
	list[panels-1].X.Label = "time (h)"
	return list
}

// A profile is a line over the users: measured times, or what they ought to be.
type profile struct {
	name  string
	times []report.Interval
}

// measured is the profile of an experiment. A user without a job that counts has NaN.
func (s *study) measured(name string, e experiment) profile {
	p := profile{name: name}
	for u := range s.runs[e][0].times {
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

// profileColumns are those of the numbers of profiles.
var profileColumns = []string{"line", "user", "completion_s", "ci95"}

// fidelity makes a chart of profiles, and adds them to the numbers of the figure.
func fidelity(f *report.Figure, list ...profile) *draw.Chart {
	f.Numbers.Columns = profileColumns
	n := len(list[0].times)
	c := &draw.Chart{X: draw.Axis{Label: "user", Min: .5, Max: float64(n) + .5}, Y: draw.Axis{Label: "completion time (s)", Log: true}, GridY: true, Height: 260}
	for k := 1; k <= n; k += max(1, n/10) {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(k), Label: strconv.Itoa(k)})
	}
	var lines []draw.Series
	var known []float64
	for i, p := range list {
		l := curve(i, p.name, nil, make([]float64, n))
		if n > 20 {
			l.Radius = 0
		}
		for u, t := range p.times {
			f.Numbers.Add(p.name, u+1, t.Mean, t.Half)
			l.Y[u], l.Spread = t.Mean, append(l.Spread, t.Half)
			if t.Mean == t.Mean {
				known = append(known, t.Mean)
			}
		}
		lines = append(lines, l)
	}
	c.FitY(known...)
	c.Y.Ticks = draw.LogTicks(c.Y.Min, c.Y.Max)
	c.Series(lines)
	return c
}

// marks are values by category.
type marks struct {
	label string
	list  []report.Interval
}

// categories makes a chart of marks beside each other above the names of categories.
func categories(x, y string, names []string, list ...marks) *draw.Chart {
	c := &draw.Chart{X: draw.Axis{Label: x, Min: .5, Max: float64(len(names)) + .5}, Y: draw.Axis{Label: y}, GridY: true}
	var ends []float64
	for i, name := range names {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(i + 1), Label: name})
		for k := range list {
			if v := &list[k].list[i]; v.Half != v.Half { // an ideal
				v.Half = 0
			}
			ends = append(ends, list[k].list[i].Low(), list[k].list[i].High())
		}
	}
	c.FitY(ends...)
	for k, m := range list {
		var at, means []float64
		for i, v := range m.list {
			at, means = append(at, float64(i+1)+.16*(float64(k)-float64(len(list)-1)/2)), append(means, v.Mean)
			c.Line("", []float64{at[i], at[i]}, []float64{v.Low(), v.High()}, draw.Stroke{Color: looks[k].Color, Width: 1})
		}
		c.Dots(m.label, at, means, shapes[k], looks[k].Color, 3)
	}
	return c
}
