package shufflewatcher

import (
	"fmt"
	"math"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// A row compares one cell with another over the same seeds.
type row struct {
	label     string
	a, b      cell
	published []float64 // changes by measure, in percent; those that are not printed are missing
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
func (s *study) ratio(r row, m int) numbers.Interval {
	return s.compare(r.a, r.b, measures[m].of)
}

// gainOf is the claim that a row is better by measure m.
func (s *study) gainOf(r row, m int, published string) report.Claim {
	return gain(strings.Replace(r.label, " / ", " against ", 1), measures[m].name, s.ratio(r, m), measures[m].better, published)
}

// A group is rows of one reading.
type group struct {
	reading
	rows []row
}

// runRows runs the cells of rows.
func (s *study) runRows(what string, rows []row) error {
	var cells []cell
	for _, r := range rows {
		cells = append(cells, r.a, r.b)
	}
	return s.ensure(what, cells...)
}

// grid runs groups of rows and draws a panel for each measure: the rows of the first group, with
// which those of the others begin, and a point for each reading. The claims are made after the runs.
func (s *study) grid(title, caption string, claims func() []report.Claim, groups ...group) (report.Figure, error) {
	f := report.NewFigure(title, caption+" Marks: means of the changes over the seeds; small dots: each seed. Unfair: mean difference of a user's slots from an equal share, over the share. Σp², Σpr and within quota: as in figure predicted, of the first of two.", "reading", "comparison", "seeds")
	f.Shown.Columns = []string{"reading", "comparison"}
	series := make([][]draw.Series, len(measures))
	for k, m := range measures {
		f.Numbers.Columns = append(f.Numbers.Columns, m.column, m.column+"_of_the_other", m.column+"_ratio", m.column+"_ci95")
		f.Shown.Columns = append(f.Shown.Columns, m.name)
		for i, g := range groups {
			series[k] = append(series[k], draw.Look(i, "reading "+g.Name))
		}
	}
	f.Numbers.Columns, f.Shown.Columns = append(f.Numbers.Columns, "bytes_ratio", "bytes_ci95", "unfair_of_the_other", "unfair", "sum_p2", "sum_pr", "within_quota"), append(f.Shown.Columns, "bytes an hour", "unfair", "Σp²", "Σpr", "within quota")
	var names []string
	spoken := ""
	for i, g := range groups {
		if err := s.runRows(title+", "+g.Name, g.rows); err != nil {
			return f, err
		}
		for j, r := range g.rows {
			numbers, shown := []any{g.Name, r.label, s.seeds.N}, []any{g.Name, r.label}
			for k, m := range measures {
				q := s.ratio(r, k)
				numbers = append(numbers, s.mean(r.a, m.of).Mean, s.mean(r.b, m.of).Mean, q.Mean, q.Half)
				shown = append(shown, percent(q))
				if i+j == 0 {
					spoken += fmt.Sprintf("%s %s; ", m.name, percent(q))
				}
				series[k][i].Add(s.pairs(r.a, r.b, func(x, y *outcome) float64 { return 100 * (ratio(m.of)(x, y) - 1) }))
			}
			bytes := s.compare(r.a, r.b, volume)
			numbers, shown = append(numbers, bytes.Mean, bytes.Half, s.mean(r.b, unfair).Mean), append(shown, percent(bytes))
			for _, m := range []metric{unfair, concentration, kept, withinQuota} {
				numbers, shown = append(numbers, s.mean(r.a, m).Mean), append(shown, s.mean(r.a, m).Mean)
			}
			f.Numbers.Add(numbers...)
			f.Shown.Show(shown...)
			if j == len(names) {
				names = append(names, r.label)
			}
		}
	}
	var charts []*draw.Chart
	for k, m := range measures {
		c := &draw.Chart{Title: strings.TrimPrefix(m.name, "cross-rack "), GridX: true, GridY: true, X: draw.Axis{Label: "change (%)"}, Y: draw.Categories("", names...)}
		marks := draw.Series{Label: "published", Mark: draw.Ring, Stroke: draw.Stroke{Color: draw.Black}, Radius: 4.5}
		printed := false
		for _, r := range groups[0].rows {
			marks.Y = append(marks.Y, math.NaN())
			if k < len(r.published) {
				marks.Y[len(marks.Y)-1], printed = r.published[k], true
			}
		}
		if printed {
			series[k] = append(series[k], marks)
		}
		c.Height = 60 + float64((14+8*len(groups))*len(names))
		c.Points(series[k])
		c.Line("", []float64{0, 0}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Width: .8})
		charts = append(charts, c)
	}
	return f.Done(claims(), title+", changes by row and reading. The first: "+spoken, draw.Panels(len(measures), charts...)...)
}

// ratios is a chart of series over categories on a logarithmic axis with a line at 1.
func ratios(label string, names []string, series []draw.Series, also ...float64) *draw.Chart {
	c := &draw.Chart{GridY: true, X: draw.Categories("", names...), Y: draw.Axis{Label: label, Log: true}}
	c.Points(series, append(also, 1)...)
	c.Level("", 1, draw.Stroke{Color: draw.Black, Width: .8})
	return c
}

// comes is the claim that a ratio has the published change, in whole percent.
func comes(claim string, q numbers.Interval, published float64) report.Claim {
	return report.Says(claim, signed(published)+"%", "", "%s", percent(q)).Single(q, report.Change(numbers.Short(published)))
}

// of are claims of a reading.
func (r reading) of(list ...report.Claim) []report.Claim { return report.Of(r.Name, list...) }

// above and below are the claims that a number, written as model, is above or below x.
func above(claim, published string, q numbers.Interval, x float64, model string) report.Claim {
	return report.Says(claim, published, fmt.Sprintf("95%% interval above %v", x), "%s", model).Above(q, x)
}

func below(claim, published string, q numbers.Interval, x float64, model string) report.Claim {
	return report.Says(claim, published, fmt.Sprintf("95%% interval below %v", x), "%s", model).Below(q, x)
}

// gain is the claim that a ratio is above 1, or below where better is negative.
func gain(label, what string, q numbers.Interval, better float64, published string) report.Claim {
	if better < 0 {
		return below(label+" lowers "+what, published, q, 1, percent(q))
	}
	return above(label+" raises "+what, published, q, 1, percent(q))
}

// more is the claim that a difference of ratios is above 0.
func more(claim, published string, q numbers.Interval) report.Claim {
	return above(claim, published, q, 0, points(q))
}

// near is the claim that something lies within d of x.
func near(claim, published string, q numbers.Interval, x, d float64) report.Claim {
	return report.Says(claim, published, fmt.Sprintf("95%% interval within %v of %v", d, x), "%s", q).Within(q, x-d, x+d)
}

// together is the claim that all of a list hold.
func together(claim, published, relation string, list ...report.Claim) report.Claim {
	model := numbers.Words(list, ", ", func(x report.Claim) string { return x.Claim + " " + x.Model })
	return report.Says(claim, published, relation, "%s", model).All(list...)
}

// percent writes the interval of a ratio as a change: "+12 ± 3%".
func percent(i numbers.Interval) string {
	i.Mean--
	return points(i) + "%"
}

// points writes an interval times 100.
func points(i numbers.Interval) string {
	return signed(100*i.Mean) + " ± " + numbers.Short2(100*i.Half)
}

// signed writes a number with its sign and one decimal.
func signed(x float64) string {
	x = math.Round(10*x)/10 + 0 // -0 is 0
	if x >= 0 {
		return "+" + numbers.Short(x)
	}
	return numbers.Short(x)
}
