package circumflex

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"gonum.org/v1/gonum/floats"
)

// A spread is the range of a ratio over the correlations at one pair of thetas.
type spread struct{ min, median, max float64 }

// ofPair returns the cells of one pair of thetas, theta1 slowest.
func ofPair(cells []cell, pair int) []*cell {
	var list []*cell
	for i := range cells {
		if c := &cells[i]; c.theta1*steps+c.theta2 == pair {
			list = append(list, c)
		}
	}
	return list
}

// pairsOf lists the pairs of thetas that cells are of, theta1 slowest.
func pairsOf(cells []cell) []int {
	var list []int
	for _, c := range cells {
		if pair := c.theta1*steps + c.theta2; len(list) == 0 || list[len(list)-1] != pair {
			list = append(list, pair)
		}
	}
	return list
}

// spreads returns that of every pair.
func spreads(cells []cell, m metric, k scheme) []spread {
	var list []spread
	for _, pair := range pairsOf(cells) {
		xs := means(ofPair(cells, pair), func(c *cell) *[schemes][]float64 { return &c.ratio[m] }, k)
		slices.Sort(xs)
		list = append(list, spread{xs[0], numbers.Quantile(xs, .5), xs[len(xs)-1]})
	}
	return list
}

var letters = [drawn]string{averageResponse: "a", averageStretch: "b", maximumStretch: "c"}

func (s *study) figure6(m metric) (report.Figure, error) {
	f := report.NewFigure(fmt.Sprintf("Figure 6(%s): %s over that of FLEX", letters[m], metricNames[m]),
		fmt.Sprintf(schemesNote+" Least, median and largest ratio to FLEX over the correlations, for each θ₁ (popularity) and within it θ₂ (size) from 0 to 1 in steps of .25, in reading A; each ratio is a mean over %s. The claims are of B too. Here %s.",
			numbers.Count(s.n, "repetition"), s.basis()),
		"theta1", "theta2", "correlation", "repetitions", "circumflex_to_flex", "circumflex_sd", "batch_to_flex", "batch_sd", "circumflex_work_ratio", "batch_work_ratio", "flex_value")
	f.Shown.Columns = []string{"θ₁", "θ₂", "CIRCUMFLEX/FLEX", "BATCH/FLEX"}
	for i := range s.cells {
		c := &s.cells[i]
		r, w := &c.ratio[m], &c.work[m]
		f.Numbers.Add(thetas[c.theta1], thetas[c.theta2], c.relation, s.n, numbers.Mean(r[circumflex]), numbers.SD(r[circumflex]), numbers.Mean(r[batch]), numbers.SD(r[batch]),
			numbers.Mean(w[circumflex]), numbers.Mean(w[batch]), numbers.Mean(c.value[m][flex]))
	}
	c := &draw.Chart{Height: 250, GridY: true}
	c.X = draw.Axis{Label: "θ₁ of popularity, and within it θ₂ of size from 0 to 1", Min: -0.6, Max: steps*steps + steps - 1.4}
	c.Y = draw.Axis{Label: metricNames[m] + " / FLEX's", Log: true}
	pairs := pairsOf(s.cells)
	at := numbers.Column(pairs, func(pair *int) float64 { return float64(*pair + *pair/steps) }) // a gap after each theta1
	for t1 := range steps {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(t1*(steps+1) + steps/2), Label: "θ₁ = " + strconv.FormatFloat(thetas[t1], 'g', -1, 64)})
	}
	var lists [schemes][]spread
	all := []float64{1}
	for _, k := range []scheme{circumflex, batch} {
		lists[k] = spreads(s.cells, m, k)
		for _, p := range lists[k] {
			all = append(all, p.min, p.max)
		}
	}
	if m == averageResponse {
		all = append(all, worstPublished, bestPublished)
	}
	c.FitY(all...)
	c.Level("FLEX", 1, strokes[flex])
	for _, k := range []scheme{circumflex, batch} {
		fill := [schemes]color.Color{batch: draw.Orange, circumflex: draw.Blue}[k]
		c.Key(schemeNames[k], fill)
		for pair, p := range lists[k] {
			const half = 0.38
			c.Area(at[pair]-half, p.min, at[pair]+half, p.max, fill)
			c.Line("", []float64{at[pair] - half, at[pair] + half}, []float64{p.median, p.median}, draw.Stroke{Color: draw.Black, Width: 1.4})
		}
	}
	if m == averageResponse { // of which pairs these are is not said
		c.Dots("paper: CIRCUMFLEX's worst, BATCH's best", []float64{c.X.Max - .15, c.X.Max - .15}, []float64{worstPublished, bestPublished}, draw.Ring, draw.Black, 4)
	}
	for i, pair := range pairs {
		row := []string{numbers.Full(thetas[pair/steps]), numbers.Full(thetas[pair%steps])}
		for _, k := range []scheme{circumflex, batch} {
			p := lists[k][i]
			row = append(row, fmt.Sprintf("%s (%s–%s)", numbers.Fixed(p.median), numbers.Fixed(p.min), numbers.Fixed(p.max)))
		}
		f.Shown.Rows = append(f.Shown.Rows, row)
	}
	cLow, cHigh := extremes(s.cells, m, circumflex)
	bLow, bHigh := extremes(s.cells, m, batch)
	return f.Done(s.claims6(m), fmt.Sprintf("Bars of the ratio of CIRCUMFLEX and of BATCH to FLEX for 25 pairs of parameters, logarithmic. CIRCUMFLEX lies between %s and %s, BATCH between %s and %s.",
		numbers.Fixed(cLow), numbers.Fixed(cHigh), numbers.Fixed(bLow), numbers.Fixed(bHigh)), c)
}

// least and most return the ratios of the point where their mean is least, and largest.
func least(cells []cell, m metric, k scheme) []float64 { return byMean(cells, m, k, floats.MinIdx) }
func most(cells []cell, m metric, k scheme) []float64  { return byMean(cells, m, k, floats.MaxIdx) }

func byMean(cells []cell, m metric, k scheme, pick func(means []float64) int) []float64 {
	return cells[pick(numbers.Column(cells, func(c *cell) float64 { return numbers.Mean(c.ratio[m][k]) }))].ratio[m][k]
}

// extremes returns the least and the largest mean ratio of all points.
func extremes(cells []cell, m metric, k scheme) (low, high float64) {
	return numbers.Mean(least(cells, m, k)), numbers.Mean(most(cells, m, k))
}

// apart says whether at one pair of thetas each ratio of CIRCUMFLEX is below each of BATCH,
// whatever the correlations of both.
func apart(cells []cell, m metric, pair int) report.Claim {
	var parts []report.Claim
	list := ofPair(cells, pair)
	for _, c := range list {
		for _, b := range list {
			parts = append(parts, above(numbers.Differences(b.ratio[m][batch], c.ratio[m][circumflex]), 0))
		}
	}
	return report.Claim{}.All(parts...)
}

// claims6 are those of reading A, and those of the grid in B.
func (s *study) claims6(m metric) []report.Claim {
	const small = "; small: of the ten smaller datasets; early: in the first half of a window; θ1 = θ2 = 1, no correlation"
	list := claims6(s.readings[0].cells, m)
	switch m {
	case averageStretch:
		early := numbers.Over(s.early[0].stretch)
		list = append(list, report.Says("a small dataset scan which arrives early in a batching window will cause a high average stretch",
			"high", "95% interval above 2"+small, "stretch of these scans over that of all: %s", early).Above(early, 2))
	case maximumStretch:
		early := &s.early[1]
		list = append(append(list, report.Says("a small dataset scan which arrives early in a batching window will cause a very high maximum stretch",
			"very high", "in 9 of 10"+small, "the largest stretch is one of these in %d of %s", early.worst, numbers.Count(len(early.stretch), "repetition")).
			When(10*early.worst >= 9*len(early.stretch))), claimsDue(s.due)...)
	}
	return append(report.Of(s.readings[0].Name, list...), report.Of(s.readings[1].Name, claims6(s.readings[1].cells, m)...)...)
}

func claims6(cells []cell, m metric) []report.Claim {
	all := len(cells)
	of := func(c []report.Claim) string { return fmt.Sprintf("%d of %d points", report.Held(c), all) }
	better := report.Each(cells, func(c cell) report.Claim { return below(c.ratio[m][circumflex], 1) })
	cs, bs := spreads(cells, m, circumflex), spreads(cells, m, batch)
	tighter, pairs := 0, pairsOf(cells)
	for pair := range pairs {
		if cs[pair].max-cs[pair].min <= bs[pair].max-bs[pair].min {
			tighter++
		}
	}
	apart := report.Each(pairs, func(pair int) report.Claim { return apart(cells, m, pair) })
	cLow, cHigh := extremes(cells, m, circumflex)
	bLow, bHigh := extremes(cells, m, batch)
	name := metricNames[m]
	list := []report.Claim{
		report.Says("CIRCUMFLEX always performs better than FLEX, "+name, "always", "95% interval of the ratio below 1 at all points",
			"%s", of(better)+fmt.Sprintf("; %s to %s", numbers.Fixed(cLow), numbers.Fixed(cHigh))).All(better...),
		report.Says("the worst CIRCUMFLEX ratio is better than the best BATCH ratio for each θ1 and θ2, "+name, "never overlap",
			"95% interval: each ratio of CIRCUMFLEX over the correlations below each of BATCH, at all pairs", "%d of %d pairs", report.Held(apart), len(pairs)).All(apart...),
		report.Says("CIRCUMFLEX ratios are much more tightly clustered than BATCH ratios, "+name, "much more", "largest - least over all points at most half of BATCH's, and over the correlations no more than BATCH's at 9 of 10 pairs",
			"no wider at %d of %d pairs; %s to %s against %s to %s over all", tighter, len(pairs), numbers.Fixed(cLow), numbers.Fixed(cHigh), numbers.Fixed(bLow), numbers.Fixed(bHigh)).When(cHigh-cLow <= (bHigh-bLow)/2 && 10*tighter >= 9*len(pairs)),
	}
	switch m {
	case averageResponse:
		worse := report.Each(cells, func(c cell) report.Claim { return above(c.ratio[m][batch], 1) })
		list = append(list,
			report.Says("BATCH nearly always performs worse than FLEX", "nearly always",
				"95% interval of the ratio above 1 at 9 of 10 points", "%s", of(worse)).Most(worse...),
		)
	case averageStretch, maximumStretch:
		stronger := report.Each(cells, func(c cell) report.Claim {
			return below(numbers.Differences(c.ratio[m][circumflex], c.ratio[averageResponse][circumflex]), 0)
		})
		much := report.Each(cells, func(c cell) report.Claim { return above(c.ratio[m][batch], 1.1) })
		list = append(list,
			report.Says("CIRCUMFLEX is even stronger relative to FLEX than for the average response time, "+name, "even stronger",
				"95% interval: ratio below that of the average response time at 9 of 10 points", "%s", of(stronger)+fmt.Sprintf("; %s to %s", numbers.Fixed(cLow), numbers.Fixed(cHigh))).Most(stronger...),
			report.Says("BATCH is never nearly as good as FLEX, "+name, "never", "95% interval of the ratio above 1.1 at all points",
				"%s", of(much)+fmt.Sprintf("; %s to %s", numbers.Fixed(bLow), numbers.Fixed(bHigh))).All(much...),
			report.Says("BATCH ratios vary widely with the parameters, "+name, "widely", "95% interval of the largest ratio over the least above 2",
				"%s to %s", numbers.Fixed(bLow), numbers.Fixed(bHigh)).Above(numbers.Ratio(most(cells, m, batch), least(cells, m, batch)), 2),
		)
	}
	if m == maximumStretch {
		dramatic := report.Each(cells, func(c cell) report.Claim {
			return report.Claim{}.All(below(c.ratio[m][circumflex], 2./3), above(numbers.Ratios(c.ratio[m][batch], c.ratio[m][circumflex]), 2))
		})
		list = append(list, report.Says("for the maximum stretch the differences are dramatic", "dramatic",
			"95% intervals: CIRCUMFLEX below 2/3 of FLEX and below half of BATCH at 9 of 10 points", "%s", of(dramatic)).Most(dramatic...))
	}
	return list
}

// What Section 4 says in passing: of other maxima, and of small scans that come early in a window.

// claimsDue are of the maximum tardiness and lateness at the points of Figure 5.
func claimsDue(cells []cell) []report.Claim {
	var list []report.Claim
	for _, m := range []metric{maximumTardiness, maximumLateness} {
		better := report.Each(cells, func(c cell) report.Claim {
			return below(numbers.Differences(c.value[m][circumflex], c.value[m][flex]), 0)
		})
		worse := report.Each(cells, func(c cell) report.Claim { return above(numbers.Differences(c.value[m][batch], c.value[m][flex]), 0) })
		value := func(c *cell) string {
			v := &c.value[m]
			return fmt.Sprintf("%s, %s, %s", numbers.Fixed(numbers.Mean(v[circumflex])), numbers.Fixed(numbers.Mean(v[flex])), numbers.Fixed(numbers.Mean(v[batch])))
		}
		list = append(list, report.Says(metricNames[m]+" runs yield results comparable to the maximum stretch", "comparable", "95% intervals at θ1 = θ2 = 1: CIRCUMFLEX below FLEX, BATCH above, at all correlations, as for the maximum stretch",
			"CIRCUMFLEX below FLEX at %d of %d, BATCH above at %d; CIRCUMFLEX, FLEX and BATCH in minutes: %s at perfectly negative correlation, %s at perfectly positive", report.Held(better), len(better), report.Held(worse), value(&cells[0]), value(&cells[len(cells)-1])).All(slices.Concat(better, worse)...))
	}
	return list
}

// An inBatch is what became of small scans that came early in their windows: scans of one of the
// ten smaller datasets that waited for at least half of the window.
type inBatch struct {
	stretch []float64 // by repetition: their mean stretch over that of all scans
	worst   int       // repetitions in which the largest stretch is one of theirs
}

// playEarly plays BATCH where both laws are steepest and nothing is correlated.
func (s *study) playEarly(m metric) inBatch {
	x := inBatch{stretch: make([]float64, s.n)}
	worst := make([]bool, s.n)
	err := program.Parallel(s.n, func(r *runner, k int) error {
		w := newWorkload(point{theta1: steps - 1, theta2: steps - 1, relation: relations / 2}, s.o, s.Seed, judged.At(k))
		requests, err := w.requests(s.o, batch)
		if err != nil {
			return err
		}
		if _, err := r.run(&w, requests, s.o, batch, m); err != nil {
			return err
		}
		median := slices.Sorted(slices.Values(w.size))[datasets/2]
		var all, early []float64
		most := 0.0
		for i, q := range requests {
			for _, a := range q.members {
				stretch := (r.finish[i] - w.time[a]) / w.alone(q.dataset, s.o)
				all = append(all, stretch)
				is := w.size[q.dataset] < median && q.time-w.time[a] >= window/2.
				if is {
					early = append(early, stretch)
				}
				if stretch > most {
					most, worst[k] = stretch, is
				}
			}
		}
		x.stretch[k] = numbers.Mean(early) / numbers.Mean(all)
		return nil
	})
	x.worst = numbers.Number(worst, func(is bool) bool { return is })
	s.err = cmp.Or(s.err, err)
	return x
}
