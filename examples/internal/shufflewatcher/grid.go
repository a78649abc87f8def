package shufflewatcher

import (
	"fmt"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// A row compares one cell with another over the same seeds.
type row struct {
	label     string
	a, b      cell
	published []float64 // changes by measure, in percent; nil: none. Rows with some stand first
}

// rows compare contenders in a reading: of each pair the first with the second.
func (r reading) rows(pairs ...*contender) []row {
	var rows []row
	for i := 0; i+1 < len(pairs); i += 2 {
		rows = append(rows, row{label: pairs[i].name + " / " + pairs[i+1].name, a: r.cell(pairs[i]), b: r.cell(pairs[i+1])})
	}
	return rows
}

// measures are what most figures compare, and whether more is better.
var measures = [3]struct {
	name, column string
	of           metric
	better       float64 // 1: more, -1: less
}{
	{"throughput", "throughput", throughput(all), 1},
	{"turn-around", "turnaround", turnaround(all), -1},
	{"cross-rack traffic", "traffic", moved(all), -1},
}

// ratio is the interval of measure m of a row.
func (s *study) ratio(n int, r row, m int) report.Interval {
	return s.compare(n, r.a, r.b, measures[m].of)
}

// gainOf is the claim that a row is better by measure m.
func (s *study) gainOf(n int, r row, m int, published string) report.Claim {
	return gain(strings.Replace(r.label, " / ", " against ", 1), measures[m].name, s.ratio(n, r, m), measures[m].better, published)
}

// A group is rows of one reading.
type group struct {
	reading
	rows []row
}

// runRows runs the cells of rows.
func (s *study) runRows(what string, n int, rows []row) error {
	var cells []cell
	for _, r := range rows {
		cells = append(cells, r.a, r.b)
	}
	return s.ensure(what, n, cells...)
}

// grid runs groups of rows and draws a panel for each measure: the rows of the first group, with
// which those of the others begin, and a point for each reading. The claims are made after the runs.
func (s *study) grid(title, caption string, claims func() []report.Claim, groups ...group) (report.Figure, error) {
	f := report.NewFigure(title, caption+" Points: means of the changes over the seeds; whiskers: 95% intervals. Unfair: mean difference of a user's slots from an equal share, over the share. Σp², Σpr and within quota: as in figure predicted, of the first of two.", "reading", "comparison", "seeds")
	f.Shown.Columns = []string{"reading", "comparison"}
	var charts []*draw.Chart
	series := make([][]draw.Series, len(measures))
	for k, m := range measures {
		f.Numbers.Columns = append(f.Numbers.Columns, m.column, m.column+"_of_the_other", m.column+"_ratio", m.column+"_ci95")
		f.Shown.Columns = append(f.Shown.Columns, m.name)
		c := &draw.Chart{Title: strings.TrimPrefix(m.name, "cross-rack "), GridY: true, X: draw.Axis{Label: "change (%)", Min: -100, Max: 150, Ticks: draw.Ticks(-100, 150, 50)}}
		charts = append(charts, c)
		for i, g := range groups {
			series[k] = append(series[k], draw.Look(i, "reading "+g.Name))
		}
	}
	f.Numbers.Columns, f.Shown.Columns = append(f.Numbers.Columns, "bytes_ratio", "bytes_ci95", "unfair_of_the_other", "unfair", "sum_p2", "sum_pr", "within_quota"), append(f.Shown.Columns, "bytes an hour", "unfair", "Σp²", "Σpr", "within quota")
	var names []string
	spoken := ""
	for i, g := range groups {
		if err := s.runRows(title+", "+g.Name, g.n, g.rows); err != nil {
			return f, err
		}
		for j, r := range g.rows {
			numbers, shown := []any{g.Name, r.label, g.n}, []any{g.Name, r.label}
			for k, m := range measures {
				q := s.ratio(g.n, r, k)
				numbers = append(numbers, s.mean(g.n, r.a, m.of).Mean, s.mean(g.n, r.b, m.of).Mean, q.Mean, finite(q.Half))
				shown = append(shown, percent(q))
				if i+j == 0 {
					spoken += fmt.Sprintf("%s %s; ", m.name, percent(q))
				}
				series[k][i].Y, series[k][i].Spread = append(series[k][i].Y, 100*(q.Mean-1)), append(series[k][i].Spread, 100*finite(q.Half))
			}
			bytes := s.compare(g.n, r.a, r.b, volume)
			numbers, shown = append(numbers, bytes.Mean, finite(bytes.Half), s.mean(g.n, r.b, unfair).Mean), append(shown, percent(bytes))
			for _, m := range []metric{unfair, concentration, kept, withinQuota} {
				numbers, shown = append(numbers, s.mean(g.n, r.a, m).Mean), append(shown, s.mean(g.n, r.a, m).Mean)
			}
			f.Numbers.Add(numbers...)
			f.Shown.Show(shown...)
			if j == len(names) {
				names = append(names, r.label)
			}
		}
	}
	for k, c := range charts {
		marks := draw.Look(len(groups), "published")
		for _, r := range groups[0].rows {
			if r.published != nil {
				marks.Y = append(marks.Y, r.published[k])
			}
		}
		if marks.Y != nil {
			series[k] = append(series[k], marks)
		}
		c.Y = draw.Categories("", names...)
		c.Height = 60 + float64((14+8*len(groups))*len(names))
		c.Points(series[k])
		c.Line("", []float64{0, 0}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Width: .8})
	}
	return f.Done(claims(), title+", changes by row and reading. The first: "+spoken, draw.Panels(len(measures), charts...)...)
}

// bars draws groups of bars from 0, with whiskers: values[series][category].
func bars(label string, categories, series []string, values [][]report.Interval) *draw.Chart {
	c := &draw.Chart{GridY: true, X: draw.Categories("", categories...), Y: draw.Axis{Label: label}}
	var list []draw.Bars
	for k, name := range series {
		b := draw.Bars{Label: name, Paint: draw.PaintOf(k)}
		for _, v := range values[k] {
			b.Y, b.Spread = append(b.Y, v.Mean), append(b.Spread, finite(v.Half))
		}
		list = append(list, b)
	}
	c.Bars(list)
	return c
}
