package hfsp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// appendTo adds a point with its whisker.
func appendTo(s *draw.Series, i report.Interval) {
	s.Y, s.Spread = append(s.Y, i.Mean), append(s.Spread, i.Half)
}

// rowChart draws one row per label, the first on top, over an axis on which 1 is marked.
func rowChart(axis draw.Axis, labels []string, list ...draw.Series) *draw.Chart {
	c := &draw.Chart{GridX: true, X: axis, Y: draw.Categories("", labels...)}
	c.Points(list, 1)
	c.Line("", []float64{1, 1}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Width: 0.8})
	return c
}

func (m *macro) figureAssumptions() (report.Figure, error) {
	f := report.NewFigure("What Table II's ratio on LARGE rests on",
		fmt.Sprintf("Mean sojourn time relative to FAIR's on the same jobs, %s; bars: 95%% confidence. One assumption is changed at a time, for all policies. Left: with the interference of .15; right: "+
			"with constant task times. The paper's ratio is %.2f.", report.Count(m.seeds, "seed"), published.sojourn[onLarge][byHFSP]/published.sojourn[onLarge][fair]),
		"interference", "assumption", "policy", "seeds", "mean_sojourn_s", "mean_ci95", "ratio_to_fair", "ratio_ci95", "mean_load", "fair_hours_over_hfsp")
	f.Shown.Columns = []string{"assumption", "FAIR (s)", "HFSP/FAIR", "by seed", "true sizes", "SRPT", "hours FAIR/HFSP", "HFSP/FAIR, constant times"}
	var labels []string
	for i := range assumptions {
		a, x := &assumptions[i], &m.assumed[i]
		f.Shown.Show(a.label, x.mean[fair].String(), x.ratio[byHFSP].String(), fmt.Sprintf("%.2f to %.2f", slices.Min(x.bySeed), slices.Max(x.bySeed)),
			x.ratio[exact].String(), x.ratio[shortest].String(), x.hours.String(), m.steady[i].ratio[byHFSP].String())
		labels = append(labels, a.label)
	}
	var charts []*draw.Chart
	for p, list := range [][]assumed{m.assumed, m.steady} {
		series := []draw.Series{draw.Look(0, "HFSP"), draw.Look(1, "HFSP, true sizes")}[:2-p] // with constant times HFSP alone
		for i, x := range list {
			for k := range x.mean {
				f.Numbers.Add([]float64{foundOnSmall, 0}[p], assumptions[i].name, supposed[k], m.seeds, x.mean[k].Mean, x.mean[k].Half, x.ratio[k].Mean, x.ratio[k].Half, x.load[k].Mean, x.hours.Mean)
			}
			for k := range series {
				appendTo(&series[k], x.ratio[byHFSP+k])
			}
		}
		charts = append(charts, rowChart([]draw.Axis{{Label: "mean / FAIR's", Log: true}, {Label: "the same, linear", Min: 0.8, Max: 1.1}}[p], labels, series...))
		charts[p].Title = []string{"interference .15", "constant times"}[p]
	}
	return f.Done(m.claimsAssumptions(), fmt.Sprintf("Dots with error bars, one row for each assumption. HFSP takes %s of FAIR's mean sojourn time as in Table II, %s at least.",
		under(m.assumed, "as-table2").ratio[byHFSP], m.least().ratio[byHFSP]), draw.Panels(2, charts...)...)
}

// least is the assumption under which HFSP has the least of FAIR's mean sojourn time.
func (m *macro) least() assumed {
	return slices.MinFunc(m.assumed, func(a, b assumed) int { return cmp.Compare(a.ratio[byHFSP].Mean, b.ratio[byHFSP].Mean) })
}

// claimsAssumptions leaves to constant task times what an interference hides behind the luck of
// seeds.
func (m *macro) claimsAssumptions() []report.Claim {
	least := m.least()
	var better []report.Claim
	var steps []string
	for i := range m.steady {
		better = append(better, report.Claim{}.Below(m.steady[i].ratio[byHFSP], 1))
		steps = append(steps, report.Short2(m.steady[i].ratio[byHFSP].Mean))
	}
	one := func(name string) *assumed { return under(m.steady, name) }
	fails, grows := one("failure").ratio[byHFSP], one("scale-out").ratio[byHFSP]
	fewer := report.Difference(one("failure").bySeed, one("as-table2").bySeed)
	remote := report.Ratio(one("no-delay").means, one("as-table2").means)
	return []report.Claim{report.Claim{Claim: "on LARGE HFSP's mean sojourn time is less than a quarter of FAIR's under one of these assumptions", Published: "0.24",
		Model:    fmt.Sprintf("the least HFSP/FAIR is %s; FAIR's mean is %s s then", least.ratio[byHFSP], least.mean[fair]),
		Relation: "95% interval of the least ratio below 0.25",
		Note:     fmt.Sprintf("seeds differ: from %.2f to %.2f; by Little's law FAIR's run took %.2f times HFSP's hours, here %s times", slices.Min(least.bySeed), slices.Max(least.bySeed), littleHours(fair)/littleHours(byHFSP), report.Short(least.hours.Mean)),
	}.Below(least.ratio[byHFSP], 0.25),
		all(report.Claim{Claim: "HFSP performs better than FAIR under each of these assumptions", Published: "better", Reading: constant,
			Model: "HFSP/FAIR " + strings.Join(steps, " / "), Relation: "95% interval of each ratio below 1", Note: "where jobs seldom meet the order makes no difference"}, better...),
		all(report.Claim{Claim: "HFSP is built to be tolerant to failures, and supports scale-out upgrades", Published: "tolerant", Reading: constant,
			Model: fmt.Sprintf("HFSP/FAIR %s with a third of the machines lost in mid-run, %s with as many added", fails, grows), Relation: "every job ends, 95% intervals of both ratios below 1",
			Note: "what the lost machines had done is done again"}, report.Claim{}.Below(fails, 1), report.Claim{}.Below(grows, 1)),
		report.Claim{Claim: "the advantage is more pronounced when jobs are large with respect to the cluster", Published: "more pronounced", Reading: constant,
			Model: fmt.Sprintf("HFSP/FAIR with a third of the machines lost in mid-run less that with all: %s", fewer), Relation: "95% interval of the difference below 0", Note: "both policies suffer alike"}.Below(fewer, 0),
		report.Claim{Claim: "for performance it is important that maps work on local data", Published: "important", Reading: constant,
			Model: fmt.Sprintf("HFSP's mean sojourn time without delay scheduling over that with it: %s", remote), Relation: "95% interval above 1",
			Note: fmt.Sprintf("a block from another machine takes %v s, waiting for its own up to %v s", rackRead, localDelay)}.Above(remote, 1),
	}
}
