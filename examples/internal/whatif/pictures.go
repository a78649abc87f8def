package whatif

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// A view is a picture of one curve of each policy.
type view struct {
	item, title, caption string
	arg                  string // the column of what the curves are functions of
	args                 []float64
	of                   func(r *Row) []float64
	x, y                 draw.Axis
	across               bool  // the argument goes up the axis Y
	shown                []int // the rows of the numbers that the page has too
	radius               float64
}

// views are the pictures of curves.
func views(rows []Row) []view {
	var fractions, class []float64
	var everyClass []int
	for k := range grain + 1 {
		fractions = append(fractions, float64(k)/grain)
	}
	for k := range classes {
		class, everyClass = append(class, float64(k+1)), append(everyClass, k)
	}
	sizes := draw.Axis{Label: "size class", Min: .5, Max: classes + .5, Ticks: draw.Ticks(1, classes, 1)}
	fraction := draw.Axis{Label: "fraction of the jobs", Max: 1}
	quantiles := []int{20, 50, 100, 150, 180, 190, 198, 200}
	list := []view{
		{item: "sojourns", title: "Sojourn times", caption: "The fraction of the jobs that take at most so long from submission to completion; in the table the time of each fraction. Times of 0 stand at the left end.",
			arg: "fraction", args: fractions, of: func(r *Row) []float64 { return r.sojourns }, x: draw.Axis{Label: "sojourn time (s)", Log: true}, y: fraction, across: true, shown: quantiles},
		{item: "slowdowns", title: "Slowdowns", caption: "The fraction of the jobs whose sojourn time is at most so many times their size; in the table the slowdown of each fraction.",
			arg: "fraction", args: fractions, of: func(r *Row) []float64 { return r.slowdowns }, x: draw.Axis{Label: "sojourn time / size", Log: true}, y: fraction, across: true, shown: quantiles},
		{item: "sizes", title: "Slowdown by size of the job", caption: "Mean slowdown of jobs by size, in ten classes of equal numbers, class 1 the smallest. The largest sizes of the classes are " +
			report.Words(rows[0].upTo, ", ", report.Short) + " s.",
			arg: "class", args: class, of: func(r *Row) []float64 { return r.slowdown }, x: sizes,
			y: draw.Axis{Label: "mean slowdown", Log: true}, shown: everyClass, radius: 2.5},
		{item: "load", title: "Load", caption: "Mean number of jobs present, waiting or running, in each hundredth of the time.",
			arg: "time", args: rows[0].times, of: func(r *Row) []float64 { return r.load }, x: draw.Axis{Label: "time (s)", Min: rows[0].times[0], Max: rows[0].times[spans-1]},
			y: draw.Axis{Label: "jobs present", Log: true}},
	}
	for k, rival := range rows[0].Rivals {
		list = append(list, view{item: "against-" + rival, title: "Who gains and who loses against " + rival, caption: "The fraction of the jobs of each size class that end sooner than under " + rival +
			" less the fraction that end later: 1 where all gain, -1 where all lose.", arg: "class", args: class, of: func(r *Row) []float64 { return r.gain[k] }, x: sizes,
			y: draw.Axis{Label: "sooner less later", Min: -1.05, Max: 1.05, Ticks: draw.TicksAt(-1, -.5, 0, .5, 1)}, shown: everyClass, radius: 2.5})
	}
	return list
}

const perChart = 6 // lines that stay apart

// policies are those of the rows.
func policies(rows []Row) (names []string) {
	for _, r := range rows {
		names = append(names, r.Policy)
	}
	return names
}

// look is how policy k is drawn.
func look(k int, label string) draw.Series {
	s := draw.Look(k, label)
	s.Stroke.Dash = (s.Stroke.Dash + draw.Dash(k/perChart)) % perChart
	return s
}

// distinct are the rows without those whose numbers another has too, which then has both names.
func distinct(rows []Row) []Row {
	var list []Row
	for _, r := range rows {
		same := func(a, b *float64) bool { return *a == *b || *a != *a && *b != *b }
		i := slices.IndexFunc(list, func(other Row) bool { return slices.EqualFunc(r.numbers(), other.numbers(), same) })
		if i < 0 {
			list = append(list, r)
		} else {
			list[i].Policy += ", " + r.Policy
		}
	}
	return list
}

// figure draws the view, six policies to a chart. A value below a logarithmic axis stands at its
// end.
func (v view) figure(rows []Row) (report.Figure, error) {
	f := report.NewFigure(v.title, v.caption, append([]string{v.arg}, policies(rows)...)...)
	var all []float64
	for k, x := range v.args {
		cells := []any{x}
		for i := range rows {
			cells = append(cells, v.of(&rows[i])[k])
			all = append(all, v.of(&rows[i])[k])
		}
		f.Numbers.Add(cells...)
		if slices.Contains(v.shown, k) {
			f.Shown.Columns = f.Numbers.Columns
			f.Shown.Show(cells...)
		}
	}
	values := &v.y
	if v.across {
		values = &v.x
	}
	if values.Log {
		values.Min, values.Max = draw.LogRange(all...)
	}
	if v.x.Min >= v.x.Max {
		v.x.Max = v.x.Min + 1
	}
	rows = distinct(rows)
	var charts []*draw.Chart
	var list []draw.Series
	for k := range rows {
		s := look(k, rows[k].Policy)
		s.Radius, s.X = v.radius, v.args
		for _, y := range v.of(&rows[k]) {
			s.Y = append(s.Y, math.Max(y, values.Min))
		}
		if v.across {
			s.X, s.Y = s.Y, s.X
		}
		list = append(list, s)
	}
	for part := range slices.Chunk(list, perChart) {
		c := &draw.Chart{X: v.x, Y: v.y, GridX: true, GridY: true}
		c.Series(part)
		charts = append(charts, c)
	}
	return f.Done(nil, v.title+": "+v.caption, charts...)
}

// differences is the figure of the intervals of mean sojourn times less those of the rivals.
func differences(rows []Row) (report.Figure, error) {
	const most = 2
	f := report.NewFigure("Differences over the seeds", "Mean sojourn time less that under the rival with the same seed, over the rival's mean: mean over the seeds and 95% interval by Student's t. "+
		"An interval that holds 0 does not tell which is less. What is above 2 is drawn at 2. In the table times are in seconds.", "policy", "rival", "difference", "low", "high", "relative")
	f.Shown.Columns = f.Numbers.Columns
	var charts []*draw.Chart
	for k, rival := range rows[0].Rivals {
		var names []string
		s := draw.Series{Stroke: draw.Stroke{Color: draw.Blue}}
		for _, r := range rows {
			if r.Policy == rival {
				continue
			}
			d, of := r.Diff[k], r.Mean-r.Diff[k].Mean
			cells := []any{r.Policy, rival, d.Mean, d.Low(), d.High(), d.Mean / of}
			f.Numbers.Add(cells...)
			f.Shown.Show(cells...)
			names, s.Y, s.Spread = append(names, r.Policy), append(s.Y, min(most, d.Mean/of)), append(s.Spread, d.Half/of)
			if d.Mean/of > most {
				s.Spread[len(names)-1] = math.NaN()
			}
		}
		if names != nil {
			c := &draw.Chart{Title: "against " + rival, X: draw.Axis{Label: "difference / mean under " + rival}, Y: draw.Categories("", names...), GridX: true}
			c.Points([]draw.Series{s}, 0)
			c.Line("", []float64{0, 0}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Width: .8})
			charts = append(charts, c)
		}
	}
	return f.Done(nil, f.Caption, charts...)
}
