package shufflewatcher

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// A row compares one cell with another over the same seeds.
type row struct {
	label     string
	a, b      cell
	published [3]float64 // changes that the paper prints, in percent; 0: none
	claims    int        // number of measures, from the first, that the row makes a claim about
}

// measures are what most figures compare, and whether more is better.
var measures = [3]struct {
	name, column string
	of           metric
	better       float64 // 1: more, -1: less
}{
	{"throughput", "throughput", throughput(all), 1},
	{"turn-around", "turnaround", turnaround(all), -1},
	{"cross-rack traffic", "traffic", traffic(all), -1},
}

// against are rows that compare contenders in one setting: of each pair the second one with the
// first.
func against(name string, set setting, claims int, published [3]float64, pairs ...*contender) []row {
	var rows []row
	for i := 0; i+1 < len(pairs); i += 2 {
		a, b := pairs[i+1], pairs[i]
		rows = append(rows, row{name + a.name + " / " + b.name, cell{set, a}, cell{set, b}, published, claims})
	}
	return rows
}

// runRows runs the cells of rows.
func (s *study) runRows(what string, n int, rows []row) error {
	var cells []cell
	for _, r := range rows {
		cells = append(cells, r.a, r.b)
	}
	return s.ensure(what, n, cells...)
}

// rowsFigure runs the rows and draws three charts with a dot for each row: the ratio of throughput,
// of turn-around and of traffic. The note says why a claim may not hold. More claims follow those
// of the rows.
func (s *study) rowsFigure(title, caption string, n int, rows []row, note string, more ...func() report.Claim) (report.Figure, error) {
	f := report.NewFigure(title, caption+" Dots: means of the ratios over "+report.Count(n, "seed")+"; whiskers: 95% intervals.", "comparison", "seeds")
	f.Shown.Columns = []string{"", "comparison"}
	for _, m := range measures {
		f.Numbers.Columns = append(f.Numbers.Columns, m.column, m.column+"_of_the_other", m.column+"_ratio", m.column+"_ci95", m.column+"_published")
		f.Shown.Columns = append(f.Shown.Columns, m.name)
	}
	if err := s.runRows(title, n, rows); err != nil {
		return f, err
	}
	var charts []*draw.Chart
	spoken := title + "."
	series := make([]draw.Series, len(measures))
	x := draw.Axis{Min: .4, Max: float64(len(rows)) + .6}
	for i, r := range rows {
		x.Ticks = append(x.Ticks, draw.Tick{At: float64(i + 1), Label: strconv.Itoa(i + 1)})
		numbers, shown := []any{r.label, n}, []any{strconv.Itoa(i + 1), r.label}
		for k, m := range measures {
			q := s.compare(n, r.a, r.b, m.of)
			printed := math.NaN()
			if r.published[k] != 0 {
				printed = (100 + r.published[k]) / 100
			}
			numbers = append(numbers, s.mean(n, r.a, m.of).Mean, s.mean(n, r.b, m.of).Mean, q.Mean, finite(q.Half), printed)
			shown = append(shown, percent(q))
			series[k].X, series[k].Y, series[k].Spread = append(series[k].X, float64(i+1)), append(series[k].Y, q.Mean), append(series[k].Spread, finite(q.Half))
			if i == 0 {
				spoken += fmt.Sprintf(" %s: %s %s.", r.label, m.name, percent(q))
			}
			if k < r.claims {
				f.Claims = append(f.Claims, s.gain(n, r, m.name, m.of, m.better, r.published[k], note))
			}
		}
		f.Numbers.Add(numbers...)
		f.Shown.Add(shown...)
	}
	for k, m := range measures {
		c := &draw.Chart{Height: 130, GridY: true, X: x, Y: draw.Axis{Label: m.name}}
		if k == len(measures)-1 {
			c.Height, c.X.Label = 155, "comparison (see the table)"
		}
		look := &series[k]
		look.Stroke, look.Mark, look.Radius = draw.Stroke{Color: draw.Blue, Width: .01}, draw.Disc, 3
		fitAround(c, *look)
		c.Level("", 1, draw.Stroke{Color: draw.Black, Width: .8})
		c.Series([]draw.Series{*look})
		charts = append(charts, c)
	}
	for _, claim := range more {
		f.Claims = append(f.Claims, claim())
	}
	return f.Done(f.Claims, spoken, charts...)
}

// fitAround gives a chart of ratios an axis around 1.
func fitAround(c *draw.Chart, list ...draw.Series) {
	low, high := 1., 1.
	for _, s := range list {
		for i, y := range s.Y {
			d := s.Spread[i]
			if d != d {
				d = 0
			}
			if y == y {
				low, high = min(low, y-d), max(high, y+d)
			}
		}
	}
	air := max(.02, .08*(high-low))
	c.Y.Min, c.Y.Max = max(0, low-air), high+air
}

// finite is x, or NaN where x is infinite.
func finite(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

// gain is the claim that a row is better by a measure; better is 1 where more is, -1 where less is.
func (s *study) gain(n int, r row, name string, of metric, better, published float64, note string) report.Claim {
	q := s.compare(n, r.a, r.b, of)
	side, verb, printed := "above", "raises", "raised"
	if better < 0 {
		side, verb, printed = "below", "lowers", "lowered"
	}
	c := report.Claim{Claim: fmt.Sprintf("%s %s %s", strings.Replace(r.label, " / ", " against ", 1), verb, name), Published: printed, Model: percent(q),
		Relation: "95% interval of the paired ratios " + side + " 1", Holds: better*(q.Mean-1) > q.Half, Note: note}
	if published != 0 {
		c.Published = signed(published) + "%"
	}
	return c
}
