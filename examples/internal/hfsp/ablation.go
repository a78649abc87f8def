package hfsp

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

func (m *macro) figureAblation() (report.Figure, error) {
	f := report.NewFigure("What each setting of HFSP contributes",
		fmt.Sprintf("Mean sojourn time relative to FAIR's on the same jobs, %s; small dots: the seeds. One setting is changed at a time from the paper's s = 5, Δ = 10 s, ξ = 1, "+
			"t = 100%% and waiting, an order by virtual finish, and late phases that share, of which the paper says nothing. SRPT with true sizes cannot be reached; each job alone on the cluster is what no order can get below.", numbers.Count(m.seeds, "seed")),
		"workload", "policy", "seeds", "mean_sojourn_s", "mean_ci95", "ratio_to_fair", "ratio_ci95", "work_lost")
	f.Shown.Columns = []string{"policy", "LARGE / FAIR", "SMALL / FAIR"}
	first := func(kind, x int) []outcome { return m.cells[kind][x][:m.seeds] }
	toFair := func(kind, x int) []float64 { return ratios(first(kind, x), first(kind, fair), sojournOf) }
	var labels []string
	series := []draw.Series{onSmall: draw.Look(1, workloadNames[onSmall]), onLarge: draw.Look(0, workloadNames[onLarge])}
	for x := byHFSP; x < len(contenders); x++ {
		labels = append(labels, contenders[x].label)
		for kind := range series {
			series[kind].Add(toFair(kind, x))
		}
		f.Shown.Show(contenders[x].label, numbers.Over(toFair(onLarge, x)).String(), numbers.Over(toFair(onSmall, x)).String())
	}
	c := &draw.Chart{GridX: true, X: draw.Axis{Label: "mean sojourn / FAIR's", Log: true}, Y: draw.Categories("", labels...)}
	c.Points(series, 1)
	c.Line("", []float64{1, 1}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Width: 0.8})
	for kind, name := range workloadNames {
		for x := range contenders {
			mean, ratio := numbers.Across(first(kind, x), sojournOf), numbers.Over(toFair(kind, x))
			f.Numbers.Add(name, contenders[x].name, m.seeds, mean.Mean, mean.Half, ratio.Mean, ratio.Half, numbers.Across(first(kind, x), lostOf).Mean)
		}
	}
	return f.Done(m.claimsAblation(), fmt.Sprintf("Points, one row for each setting. On LARGE HFSP takes %s of FAIR's mean sojourn time, with true sizes %s, SRPT %s.",
		numbers.Over(toFair(onLarge, byHFSP)), numbers.Over(toFair(onLarge, exact)), numbers.Over(toFair(onLarge, find("srpt")))), c)
}

// claimsAblation compares what has as many seeds as Table II.
func (m *macro) claimsAblation() []report.Claim {
	wait, over := find("hfsp-wait"), find("hfsp-over")
	size, sizeSmall := m.over(onLarge, byHFSP, exact, sojournOf), m.over(onSmall, byHFSP, exact, sojournOf)
	slower, slowerSmall := m.over(onLarge, over, byHFSP, sojournOf), m.over(onSmall, over, byHFSP, sojournOf)
	maps, sampled := func(o *outcome) float64 { return o.local }, func(o *outcome) float64 { return o.sampled }
	local := func(x int, of func(*outcome) float64) []float64 { return numbers.Column(m.cells[onLarge][x], of) }
	with, without := local(byHFSP, sampled), local(wait, sampled)
	gained := numbers.Difference(with, without)
	return []report.Claim{
		report.Claim{Claim: "HFSP sustains rough approximations of job sizes", Published: "close to no error for σ < 0.5",
			Model:    fmt.Sprintf("mean sojourn with estimates over that with true sizes: LARGE %s, SMALL %s", size, sizeSmall),
			Relation: "95% intervals of both below 1.1"}.All(report.Claim{}.Below(size, 1.1), report.Claim{}.Below(sizeSmall, 1.1)),
		report.Claim{Claim: "over-estimates by μ = 0.0976 make jobs age marginally slower", Published: "marginally",
			Model:    fmt.Sprintf("mean sojourn with estimates e^μ times as long: LARGE %s, SMALL %s", slower, slowerSmall),
			Relation: "both means within 0.98 and 1.02"}.All(between(report.Claim{}, slower, .98, 1.02), between(report.Claim{}, slowerSmall, .98, 1.02)),
		report.Claim{Claim: "with delay scheduling data locality issues on sample tasks are negligible", Published: "negligible",
			Model: fmt.Sprintf("LARGE, %.1f%% of sample maps local, %.1f%% without delay, difference %.1f ± %.1f points; of all maps %.1f%% and %.1f%%", 100*numbers.Mean(with), 100*numbers.Mean(without),
				100*gained.Mean, 100*gained.Half, 100*numbers.Mean(local(byHFSP, maps)), 100*numbers.Mean(local(wait, maps))),
			Relation: "at least 95% of the sample maps local, 95% interval of the difference above 0"}.All(report.Claim{Holds: numbers.Mean(with) >= 0.95}, report.Claim{}.Above(gained, 0)),
	}
}
