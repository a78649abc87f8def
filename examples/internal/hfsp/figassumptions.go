package hfsp

import (
	"fmt"
	"image/color"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// rowSeries is one dot with its interval in each row of a chart.
type rowSeries struct {
	name   string
	mark   draw.Mark
	color  color.Color
	values []report.Interval
}

// rowChart draws one row per label, the first on top, over a logarithmic axis on which 1 is marked.
func rowChart(axis string, labels []string, list ...rowSeries) *draw.Chart {
	n := float64(len(labels))
	c := &draw.Chart{Height: 60 + 17*n, GridX: true}
	c.Y = draw.Axis{Min: 0.3, Max: n + 0.7, NoLine: true}
	ends := []float64{1}
	for _, s := range list {
		for _, r := range s.values {
			ends = append(ends, r.Low(), r.High(), r.Mean)
		}
	}
	c.X = draw.Axis{Label: axis, Log: true}
	c.X.Min, c.X.Max = draw.LogRange(ends...)
	c.X.Ticks = draw.RatioTicks(c.X.Min, c.X.Max)
	c.Line("", []float64{1, 1}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Width: 0.8})
	for k, s := range list {
		var xs, ys []float64
		for i, r := range s.values {
			y := n - float64(i) + 0.22*float64(2*k-1)
			xs, ys = append(xs, r.Mean), append(ys, y)
			c.Line("", []float64{math.Max(r.Low(), c.X.Min), math.Min(r.High(), c.X.Max)}, []float64{y, y}, draw.Stroke{Color: s.color, Width: 1.2})
		}
		c.Dots(s.name, xs, ys, s.mark, s.color, 3)
	}
	for i, label := range labels {
		c.Y.Ticks = append(c.Y.Ticks, draw.Tick{At: n - float64(i), Label: label})
	}
	return c
}

func (m *macro) figureAssumptions() (report.Figure, error) {
	f := report.NewFigure("What Table II's ratio on LARGE rests on",
		fmt.Sprintf("Mean sojourn time relative to FAIR's on the same jobs, %s; bars: 95%% confidence. One assumption is changed at a time, for all policies. The paper's ratio is %.2f.",
			report.Count(m.seeds, "seed"), published.sojourn[onLarge][byHFSP]/published.sojourn[onLarge][fair]),
		"assumption", "policy", "seeds", "mean_sojourn_s", "mean_ci95", "ratio_to_fair", "ratio_ci95", "mean_load", "fair_hours_over_hfsp")
	f.Shown.Columns = []string{"assumption", "FAIR (s)", "HFSP/FAIR", "by seed", "true sizes", "SRPT", "hours FAIR/HFSP"}
	var labels []string
	series := []rowSeries{{name: "HFSP", mark: draw.Disc, color: draw.Blue}, {name: "HFSP, true sizes", mark: draw.Square, color: draw.Green}}
	for i := range assumptions {
		a, x := &assumptions[i], &m.assumed[i]
		for k, name := range supposed {
			f.Numbers.Add(a.name, name, m.seeds, x.mean[k].Mean, x.mean[k].Half, x.ratio[k].Mean, x.ratio[k].Half, x.load[k].Mean, x.hours.Mean)
		}
		f.Shown.Show(a.label, x.mean[fair].String(), x.ratio[byHFSP].String(), fmt.Sprintf("%.2f to %.2f", x.least, x.most),
			x.ratio[exact].String(), x.ratio[shortest].String(), x.hours.String())
		labels = append(labels, a.label)
		series[0].values, series[1].values = append(series[0].values, x.ratio[byHFSP]), append(series[1].values, x.ratio[exact])
	}
	return f.Done(m.claimsAssumptions(), fmt.Sprintf("Dots with error bars, one row for each assumption. HFSP takes %s of FAIR's mean sojourn time as in Table II, %s at least.",
		m.under("as-table2").ratio[byHFSP], m.least().ratio[byHFSP]), rowChart("mean sojourn / FAIR's", labels, series...))
}

// least is the assumption under which HFSP has the least of FAIR's mean sojourn time.
func (m *macro) least() *assumed {
	least := &m.assumed[0]
	for i := range m.assumed {
		if x := &m.assumed[i]; x.ratio[byHFSP].Mean < least.ratio[byHFSP].Mean {
			least = x
		}
	}
	return least
}

func (m *macro) claimsAssumptions() []report.Claim {
	least := m.least()
	return []report.Claim{report.Claim{Claim: "on LARGE HFSP's mean sojourn time is less than a quarter of FAIR's under one of these assumptions", Published: "0.24",
		Model:    fmt.Sprintf("the least HFSP/FAIR is %s; FAIR's mean is %s s then", least.ratio[byHFSP], least.mean[fair]),
		Relation: "95% interval of the least ratio below 0.25",
		Note:     fmt.Sprintf("by Little's law FAIR's run took %.2f times HFSP's hours, here %s times: something else made tasks take longer under FAIR", littleHours(fair)/littleHours(byHFSP), report.Short(least.hours.Mean)),
	}.Below(least.ratio[byHFSP], 0.25)}
}
