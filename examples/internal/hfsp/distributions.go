package hfsp

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"gonum.org/v1/gonum/floats"
)

var rivalStrokes = []draw.Stroke{fair: {Color: draw.Vermilion, Dash: draw.Dashed}, byHFSP: {Color: draw.Blue}}

// figure3ab draws the distribution functions of sojourn times on one workload.
func (m *macro) figure3ab(kind int) (report.Figure, error) {
	letter := string(rune('a' + kind))
	f := report.NewFigure(fmt.Sprintf("Figure 3(%s): sojourn times on %s", letter, workloadNames[kind]),
		fmt.Sprintf("Share of jobs that have ended so long after their submission: thick, the jobs of %s; thin, those of the first seed alone.", numbers.Count(m.most[kind], "seed")),
		"share", "hfsp_s", "fair_s", "hfsp_first_seed_s", "fair_first_seed_s")
	curves := [][]float64{m.sojourns(kind, byHFSP), m.sojourns(kind, fair), ascending(m.cells[kind][byHFSP][0].sojourn), ascending(m.cells[kind][fair][0].sojourn)}
	labels := []string{"HFSP", "FAIR", "HFSP, first seed", "FAIR, first seed"}
	strokes := []draw.Stroke{rivalStrokes[byHFSP], rivalStrokes[fair], rivalStrokes[byHFSP], rivalStrokes[fair]}
	strokes[2].Width, strokes[3].Width = 0.7, 0.7
	c := ecdf("sojourn time (s)", curves, labels, strokes)
	quantiles(&f, curves)
	claims := m.claims3b()
	if kind == onSmall {
		claims = m.claims3a(curves[0], curves[1])
	} else {
		claims = append(claims, m.claimsPhases()...)
		f.Caption += " Rings: the paper's four shares, HFSP's above FAIR's."
		c.Published([]float64{soonSeconds[0], soonSeconds[0], soonSeconds[1], soonSeconds[1]}, []float64{.30, .02, .90, .15})
	}
	return f.Done(claims, fmt.Sprintf("Distribution functions of sojourn times on a logarithmic axis. Median: HFSP %s s, FAIR %s s; 90%%: HFSP %s s, FAIR %s s.",
		numbers.Short(numbers.Quantile(curves[0], 0.5)), numbers.Short(numbers.Quantile(curves[1], 0.5)),
		numbers.Short(numbers.Quantile(curves[0], 0.9)), numbers.Short(numbers.Quantile(curves[1], 0.9))), c)
}

// quantiles adds a row of numbers for each of 201 shares: the share and the quantiles of each
// curve.
func quantiles(f *report.Figure, curves [][]float64) {
	for _, p := range shares(200) {
		row := []any{p}
		for _, x := range curves {
			row = append(row, numbers.Quantile(x, p))
		}
		f.Numbers.Add(row...)
	}
}

// shares are 0, 1/n, ..., 1.
func shares(n int) []float64 {
	list := make([]float64, n+1)
	for i := range list {
		list[i] = float64(i) / float64(n)
	}
	return list
}

func ascending(values []float64) []float64 { return slices.Sorted(slices.Values(values)) }

// within returns the share of ascending values that are at most x.
func within(ascending []float64, x float64) float64 {
	n := sort.Search(len(ascending), func(i int) bool { return ascending[i] > x })
	return float64(n) / float64(len(ascending))
}

// ecdf draws distribution functions of ascending values over a logarithmic axis, by their
// quantiles.
func ecdf(label string, curves [][]float64, labels []string, strokes []draw.Stroke) *draw.Chart {
	var shown []float64
	for _, x := range curves {
		shown = append(shown, x[0], x[len(x)-1])
	}
	c := &draw.Chart{GridX: true, GridY: true}
	c.X = draw.Axis{Label: label, Log: true}
	c.X.Min, c.X.Max = draw.LogRange(shown...)
	c.Y = draw.Axis{Label: "ECDF", Min: 0, Max: 1, Ticks: draw.Ticks(0, 1, 0.2)}
	for k, x := range curves {
		var xs []float64
		ps := shares(min(500, len(x)))
		for _, p := range ps {
			xs = append(xs, numbers.Quantile(x, p))
		}
		c.Line(labels[k], xs, ps, strokes[k])
	}
	return c
}

func (m *macro) claims3a(h, f []float64) []report.Claim {
	gain := func(p float64) float64 { return numbers.Quantile(h, p) / numbers.Quantile(f, p) }
	return []report.Claim{
		report.Says("on SMALL the differences are larger for jobs with longer sojourn times", "larger", "the ratio of the 90% quantiles is below that of the medians",
			"HFSP/FAIR at 50%% %.3f, at 90%% %.3f, at 95%% %.3f of the jobs", gain(0.5), gain(0.9), gain(0.95)).When(gain(0.9) < gain(0.5)),
		report.Says("on SMALL the choices, and so the sojourn times, are analogous for most jobs", "analogous", "within 0.9 and 1.1",
			"HFSP/FAIR of the medians %.3f", gain(0.5)).When(math.Abs(gain(0.5)-1) <= 0.1),
	}
}

// claims3b are the shares of Figure 3(b), by which the reading was found.
func (m *macro) claims3b() []report.Claim {
	var list []report.Claim
	for i, text := range []string{"30% against 2%", "90% against 15%"} {
		seconds, p := soonSeconds[i], publishedSoon
		soon := func(x int) []float64 { return numbers.Column(m.cells[onLarge][x], soonOf(i)) }
		h, f := numbers.Over(soon(byHFSP)), numbers.Over(soon(fair))
		more := numbers.Difference(soon(byHFSP), soon(fair))
		percent := func(i numbers.Interval) string { return fmt.Sprintf("%.1f ± %.1f%%", 100*i.Mean, 100*i.Half) }
		model := fmt.Sprintf("HFSP %s, FAIR %s, difference %s", percent(h), percent(f), percent(more))
		list = append(list,
			report.Says(fmt.Sprintf("on LARGE more jobs complete within %s s under HFSP than under FAIR", numbers.Short(seconds)), text,
				"95% interval of the difference above 0", "%s", model).As(report.Found).Above(more, 0),
			report.Says(fmt.Sprintf("on LARGE %.0f%% of jobs complete within %s s under HFSP and %.0f%% under FAIR", 100*p[byHFSP][i], numbers.Short(seconds), 100*p[fair][i]), text,
				"both published shares within the spread of single runs (95%), at most a third of them from the mean", "%s", model).As(report.Found).
				All(report.Claim{}.Single(h, soonest(p[byHFSP][i])), report.Claim{}.Single(f, soonest(p[fair][i]))))
	}
	return list
}

// soonest is a share that the paper gives as approximately.
func soonest(share float64) report.Number {
	return report.About(fmt.Sprintf("%.0f", 100*share)).Times(.01)
}

// claimsPhases are about the phases of jobs, Sections III-B and IV-B, and about all sojourn times,
// Section VI.
func (m *macro) claimsPhases() []report.Claim {
	var phases [2][3]numbers.Interval
	var deciles []float64
	var worst [2]float64
	for kind := range phases {
		for k := range phases[kind] {
			phases[kind][k] = m.over(kind, byHFSP, fair, func(o *outcome) float64 { return o.phases[k] })
		}
		h, f := m.sojourns(kind, byHFSP), m.sojourns(kind, fair)
		for _, p := range shares(10)[1:10] {
			deciles = append(deciles, numbers.Quantile(h, p)/numbers.Quantile(f, p))
		}
		worst[kind] = slices.Max(deciles[9*kind:])
	}
	var earlier []float64
	for rep := range m.most[onLarge] {
		n, h, f := 0.0, m.cells[onLarge][byHFSP][rep].mapped, m.cells[onLarge][fair][rep].mapped
		for i := range h {
			if h[i] < f[i] {
				n++
			}
		}
		earlier = append(earlier, n/float64(len(h)))
	}
	most, large, small := numbers.Over(earlier), phases[onLarge], phases[onSmall]
	return []report.Claim{
		report.Says("size-based scheduling ensures a shorter mean response time for both the MAP and the REDUCE phase", "shorter", "95% intervals of both below 1 on LARGE",
			"HFSP/FAIR on LARGE: MAP %s, REDUCE %s; on SMALL %s and %s", large[0], large[2], small[0], small[2]).All(report.Claim{}.Below(large[0], 1), report.Claim{}.Below(large[2], 1)),
		report.Says("MAP phases of most jobs complete earlier, and REDUCE phases can be scheduled sooner", "most, sooner", "95% intervals of the share above 50% and of the ratio below 1",
			"LARGE, %.1f ± %.1f%% of the MAP phases end earlier; until reduces may start HFSP/FAIR %s", 100*most.Mean, 100*most.Half, large[1]).All(report.Claim{}.Above(most, 0.5), report.Claim{}.Below(large[1], 1)),
		report.Says("the sojourn time distribution is consistently in favor of HFSP", "consistently", "below 1 on both workloads",
			"the greatest HFSP/FAIR of nine deciles: LARGE %.4f, SMALL %.4f", worst[onLarge], worst[onSmall]).When(max(worst[0], worst[1]) < 1),
	}
}

// figure3c draws the load over time on LARGE with the first seed, and with the one on which FAIR's
// mean load is nearest to the published.
func (m *macro) figure3c() (report.Figure, error) {
	loads := numbers.Column(m.cells[onLarge][fair][:m.seeds], loadOf)
	nearest := floats.NearestIdx(loads, published.load[onLarge][fair])
	f := report.NewFigure("Figure 3(c): load over time on LARGE", fmt.Sprintf("Jobs submitted and not completed. Top: the jobs of the first seed; bottom: those of the one of %s on which FAIR's mean load is nearest to the paper's %.2f. Dotted: the paper's mean loads.",
		numbers.Count(m.seeds, "seed"), published.load[onLarge][fair]), "seed", "policy", "time_h", "pending_jobs")
	var charts []*draw.Chart
	for i, rep := range []int{0, nearest} {
		c := &draw.Chart{Title: []string{"the first seed", "FAIR's mean load nearest to the paper's"}[i], GridY: true, Height: 190, X: draw.Axis{Label: "time (h)"}, Y: draw.Axis{Label: "load (pending jobs)", Max: published.load[onLarge][fair] + 1}}
		var curves [2][]float64
		for x, r := range m.recorded[rep] {
			hours := make([]float64, len(r.times))
			for i, t := range r.times {
				hours[i] = t / 3600
				f.Numbers.Add(rep, contenders[x].name, hours[i], r.pending[i])
			}
			c.X.Max, c.Y.Max = max(c.X.Max, 1.02*hours[len(hours)-1]), max(c.Y.Max, slices.Max(r.pending)+1)
			curves[x] = hours
		}
		for _, x := range []int{byHFSP, fair} { // whose axes are known now
			c.Steps(rivalNames[x], curves[x], m.recorded[rep][x].pending, rivalStrokes[x])
			c.Level("", published.load[onLarge][x], draw.Stroke{Color: rivalStrokes[x].Color, Dash: draw.Dotted, Width: 1})
		}
		charts = append(charts, c)
	}
	peaks := func(x int) []float64 { // mean loads follow from mean sojourn times by Little's law
		return numbers.Column(m.recorded, func(both *[2]*recorder) float64 { return slices.Max(both[x].pending) })
	}
	ratio := numbers.Ratio(peaks(byHFSP), peaks(fair))
	return f.Done([]report.Claim{report.Says("on LARGE load is promptly decreased in HFSP", "promptly, in one run", "95% interval of the ratio below 1",
		"most jobs pending at once, HFSP/FAIR %s over %s", ratio, numbers.Count(len(m.recorded), "seed")).Below(ratio, 1)},
		"Number of pending jobs over time on LARGE, with two seeds.", charts...)
}

func (m *macro) figure4() (report.Figure, error) {
	f := report.NewFigure("Figure 4: task times",
		fmt.Sprintf("How long tasks held their slots in the runs of both workloads under both policies, %d maps and %d reduces each, with what they were slowed down and what reduces waited for the last "+
			"maps, as a measurement on a cluster has it; beside the work that goes into the model.", len(m.works[0]), len(m.works[1])),
		"share", "map_work_s", "reduce_work_s", "map_hfsp_s", "reduce_hfsp_s", "map_fair_s", "reduce_fair_s")
	all := [][]float64{m.works[0], m.works[1], m.taken[byHFSP][0], m.taken[byHFSP][1], m.taken[fair][0], m.taken[fair][1]}
	quantiles(&f, all)
	labels := []string{"MAP, work", "REDUCE, work", "MAP, HFSP", "REDUCE, HFSP", "MAP, FAIR", "REDUCE, FAIR"}
	var strokes []draw.Stroke
	for k := range labels {
		strokes = append(strokes, draw.Look(k, "").Stroke)
	}
	held := [2][]float64{ascending(slices.Concat(all[2], all[4])), ascending(slices.Concat(all[3], all[5]))}
	return f.Done(claims4(held), fmt.Sprintf("Distribution functions of task times on a logarithmic axis: medians %s s for maps and %s s for reduces, longest %s s and %s s.",
		numbers.Short(numbers.Quantile(held[0], 0.5)), numbers.Short(numbers.Quantile(held[1], 0.5)), numbers.Short(numbers.Quantile(held[0], 1)), numbers.Short(numbers.Quantile(held[1], 1))),
		ecdf("task time (s)", all, labels, strokes))
}

// claims4 are about how long tasks took in all runs, by kind, ascending.
func claims4(held [2][]float64) []report.Claim {
	short := [2]float64{within(held[0], 60), within(held[1], 60)}
	var long [2]float64
	for k, x := range held {
		long[k] = 1 - within(x, 100*numbers.Quantile(x, 0.5))
	}
	return []report.Claim{
		report.Says("most tasks complete within few tens of seconds", "most", "more than half of both within 60 s",
			"%.1f%% of maps and %.1f%% of reduces within 60 s", 100*short[0], 100*short[1]).When(min(short[0], short[1]) > 0.5),
		report.Says("around 10% of the reduces need orders of magnitude more time", "around 10%", "5% to 15%",
			"%.1f%% of the reduces take 100 times the median or more", 100*long[1]).When(report.About("10").Times(.01).Holds(long[1])),
		report.Says("a non-negligible number of maps need orders of magnitude more time", "non-negligible", "0.5% or more, and fewer than of the reduces",
			"%.1f%% of the maps take 100 times the median or more", 100*long[0]).When(long[0] >= 0.005 && long[0] < long[1]),
	}
}
