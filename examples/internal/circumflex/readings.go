package circumflex

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// A reading is a set of assumptions and what runs under it gave.
type reading struct {
	report.Reading
	settings
	found []string // the headlines that it was found by

	ends  []cell // of Figure 5(a): perfectly negative and perfectly positive correlation, more repetitions
	cells []cell // the grid, by the average response time
	loads []cell // A and D: of triedLoads
}

// Headlines of Section 4. A %s stands for "negative" or "positive".
const (
	circumflexRatio  = "CIRCUMFLEX/FLEX, perfectly %s correlation"
	batchRatio       = "BATCH/FLEX, perfectly %s correlation"
	flexResponse     = "FLEX's average response time, minutes"
	concurrency      = "most concurrent subjobs, averaged over datasets, perfectly %s correlation"
	worstRatio       = "the worst CIRCUMFLEX/FLEX in the entire graph"
	bestRatio        = "the best BATCH/FLEX overall"
	circumflexGoesOn = "CIRCUMFLEX goes on satisfactorily at loads far above 1"
	batchGoesOn      = "BATCH goes on satisfactorily at loads far above 1"
)

var endNames = [2]string{"negative", "positive"}

// at names a headline at an end.
func at(headline string, end int) string { return fmt.Sprintf(headline, endNames[end]) }

// What the readings share, or differ in.
var (
	statedLoad = report.Assumption{Text: "the load is .9", Evidence: report.Stated, By: "section 4, ρ = .9"}
	leastSlots = report.Assumption{Text: "a subjob can use as many slots as the member that can use fewest", Evidence: report.Stated, By: "appendix A.1"}
	batchSlots = report.Assumption{Text: "a batch can use M slots, as a job", Evidence: report.Assumed, By: "the paper says nothing of a batch's slots"}
	bySize     = report.Assumption{Text: "datasets grow with the load", Evidence: report.Stated, By: "section 4: “we scaled the dataset sizes”"}
)

// halves are settings with M half slots: the cluster has twice as many, each half as fast.
func halves(most int) settings {
	o := base(most, false)
	o.slots *= 2
	return o
}

// assumptions returns the readings without their runs.
func assumptions(readings []reading) []report.Reading {
	var list []report.Reading
	for _, r := range readings {
		list = append(list, r.Reading)
	}
	return list
}

// newReadings returns the readings before their runs. A is that of all other figures.
func newReadings() []reading {
	full := base(11, false)
	full.load = 1
	sums := halves(19)
	sums.batchSum, sums.chainSum = true, true
	arriving := base(calibrated, false)
	arriving.byArrivals = true
	return []reading{
		{Reading: report.Reading{Name: "A", Title: "jobs can use 40 slots", Main: "it keeps each stated parameter", Judged: report.Seeds{N: repetitions}, Assumptions: []report.Assumption{
			statedLoad, bySize, leastSlots, batchSlots,
			{Text: "M = 40", Evidence: report.Implied, By: "CIRCUMFLEX/FLEX of .81 and .47"}}},
			settings: base(calibrated, false), found: []string{at(circumflexRatio, 0), at(circumflexRatio, 1)}},
		{Reading: report.Reading{Name: "B", Title: "load 1, FLEX takes a minute and a half", Assumptions: []report.Assumption{
			{Text: "the load is 1", Evidence: report.Assumed, By: "it costs the stated .9"}, bySize, leastSlots, batchSlots,
			{Text: "M = 11", Evidence: report.Implied, By: "FLEX's response time F of 1.49 and 1.56 minutes: (1.48 - .81) F and (1.11 - .47) F are BATCH less CIRCUMFLEX, the minute that a window adds"}}},
			settings: full, found: []string{flexResponse}},
		{Reading: report.Reading{Name: "C", Title: "slots add up", Assumptions: []report.Assumption{
			statedLoad, bySize,
			{Text: "batches and subjobs can use the sum of what their members can", Evidence: report.Assumed, By: "it costs appendix A.1"},
			{Text: "M = 9.5", Evidence: report.Implied, By: "BATCH/FLEX of 1.48 and 1.11"}}},
			settings: sums, found: []string{at(batchRatio, 0), at(batchRatio, 1)}},
		{Reading: report.Reading{Name: "D", Title: "A, with the load raised by arrivals", Assumptions: []report.Assumption{
			leastSlots, batchSlots,
			{Text: "more load is more arrivals of scans of the same size", Evidence: report.Implied, By: "BATCH “goes on satisfactorily” at loads far above 1; it costs the 1,000 arrivals"},
			{Text: "M = 40", Evidence: report.Implied, By: "CIRCUMFLEX/FLEX of .81 and .47"}}},
			settings: arriving, found: []string{batchGoesOn}},
	}
}

// ample is how many times as many repetitions the ends of Figure 5(a) have where they are compared
// with the paper's: over ten alone the mean at positive correlation has a standard error of .02.
// quickAmple is that of a quick run.
const (
	ample      = 10
	quickAmple = 2
)

// steepEnds are the ends of Figure 5(a).
func steepEnds() []point {
	return []point{{steps - 1, steps - 1, 0}, {steps - 1, steps - 1, relations - 1}}
}

// read runs the readings that differ from A at the paper's load. The grid of A is that of the other
// figures.
func (s *study) read(terminal io.Writer) error {
	ends := steepEnds()
	more := ample
	if s.quick() {
		more = quickAmple
	}
	only := []metric{averageResponse}
	bar := program.NewProgress(terminal, "circumflex: repetitions of the readings", 5*len(ends)*more*s.n+2*len(s.points)*s.n)
	defer bar.Done()
	for i := range s.readings[:3] {
		r := &s.readings[i]
		var err error
		if r.ends, err = simulate(under(r.settings, ends...), s.seed, more*s.n, only, bar); err != nil {
			return err
		}
		r.cells = s.cells
		switch i {
		case 1:
			r.cells, err = simulate(under(r.settings, s.points...), s.seed, s.n, []metric{averageResponse, averageStretch, maximumStretch}, bar)
		case 2:
			r.cells, err = simulate(under(r.settings, s.points...), s.seed, s.n, only, bar)
		}
		if err != nil {
			return err
		}
	}
	roomy, rigid := base(bounded, false), base(12, false)
	rigid.min = rigid.max
	var err error
	if s.roomy, err = simulate(under(roomy, ends...), s.seed, more*s.n, only, bar); err != nil {
		return err
	}
	s.rigid, err = simulate(under(rigid, ends...), s.seed, more*s.n, only, bar)
	return err
}

// impliedFlex are FLEX's minutes that the paper's ratios imply at the ends: BATCH less CIRCUMFLEX is
// the minute that a window adds.
var impliedFlex = [2]float64{1 / (1.48 - .81), 1 / (1.11 - .47)}

// bounded is the least M with which a scan at the stated load can end as soon as the paper implies:
// it takes at least 9/M minutes, .9 times the cluster's 100 slots and 100 minutes over 1,000 scans,
// and CIRCUMFLEX's .47 of FLEX's 1.56 minutes are .73.
const bounded = 13

// claimsBounds are of no reading: what no reading can have.
func (s *study) claimsBounds() []report.Claim {
	f := report.Over(s.roomy[1].value[averageResponse][flex])
	least := load * span * slots / arrivals / (published5[circumflex][1] * impliedFlex[1])
	rigid := func(k scheme, end int) float64 { return report.Mean(s.rigid[end].ratio[averageResponse][k]) }
	near := true
	for _, k := range []scheme{circumflex, batch} {
		for end := range 2 {
			near = near && within(rigid(k, end), published5[k][end], .06)
		}
	}
	return []report.Claim{
		report.Claim{Claim: "the stated load leaves room for FLEX's implied 1.56 minutes and CIRCUMFLEX's .47 of them", Published: "ρ = .9", Kind: report.Theory,
			Model:    fmt.Sprintf("a scan takes at least 9/M minutes, so that M is at least %s; with M = %d FLEX takes %s minutes", report.Short(math.Ceil(10*least)/10), bounded, f),
			Relation: "95% interval: FLEX takes more than 1.4 minutes with the least whole M"}.Above(f, 1.4),
		{Claim: "minima as large as the maxima, M = m = 12, give all four ratios", Published: ".81, .47, 1.48, 1.11", Kind: report.Beyond,
			Model:    fmt.Sprintf("%s, %s, %s, %s", report.Fixed(rigid(circumflex, 0)), report.Fixed(rigid(circumflex, 1)), report.Fixed(rigid(batch, 0)), report.Fixed(rigid(batch, 1))),
			Relation: "each mean within .06", Holds: near},
	}
}

// overArrivals is the mean of numbers of datasets where each scan counts alike.
func overArrivals(most [datasets]int, p point) float64 {
	sum := 0.0
	for d, share := range zipf(datasets, thetas[p.theta1]) {
		sum += share * float64(most[d])
	}
	return sum
}

func (s *study) figureReadings() (report.Figure, error) {
	f := report.NewFigure("Readings of Section 4",
		fmt.Sprintf("Average response time over FLEX's, θ₁ = θ₂ = 1, as in Figure 5(a), under three sets of assumptions (listed above). Means over %s; rings: what the paper's text gives for the two ends.", report.Count(s.n, "repetition")),
		"reading", "correlation", "repetitions", "circumflex_to_flex", "batch_to_flex", "flex_response_min", "circumflex_work_ratio", "batch_work_ratio", "circumflex_concurrency", "circumflex_all_runs")
	f.Shown.Columns = []string{"reading", "correlation", "CIRCUMFLEX/FLEX", "BATCH/FLEX", "FLEX (min)", "work of CIRCUMFLEX", "most subjobs, per run"}
	var charts []*draw.Chart
	var claims []report.Claim
	spoken := ""
	for i := range s.readings[:3] {
		r := &s.readings[i]
		list := ofPair(r.cells, steps*steps-1)
		c := &draw.Chart{Height: 150, GridY: true, X: relationAxis(), Y: draw.Axis{Label: r.Name + ": response / FLEX's", Log: true}}
		if i < 2 {
			c.X.Label = ""
		}
		var lines []draw.Series
		for _, k := range []scheme{circumflex, batch} {
			line := overRelations(k, list, ratioOf(averageResponse, k))
			if i > 0 {
				line.Label = ""
			}
			lines = append(lines, line)
		}
		c.Series(lines, append(append([]float64{1}, published5[circumflex][:]...), published5[batch][:]...)...)
		c.Level("", 1, strokes[flex])
		for _, k := range []scheme{circumflex, batch} {
			c.Dots("", []float64{0, relations - 1}, published5[k][:], draw.Ring, strokes[k].Color, 5)
		}
		charts = append(charts, c)
		for k, x := range list {
			w, subjobs := &x.work[averageResponse], crowdsOf(x.subjobs)
			circ, bat, response := report.Mean(x.ratio[averageResponse][circumflex]), report.Mean(x.ratio[averageResponse][batch]), report.Mean(x.value[averageResponse][flex])
			f.Numbers.Add(r.Name, k, s.n, circ, bat, response, report.Mean(w[circumflex]), report.Mean(w[batch]), report.Mean(subjobs.perRun), subjobs.all)
			f.Shown.Add(r.Name, k, report.Fixed(circ), report.Fixed(bat), report.Fixed(response), report.Fixed(report.Mean(w[circumflex])), report.Fixed(report.Mean(subjobs.perRun)))
		}
		spoken += fmt.Sprintf(" Reading %s: CIRCUMFLEX %s, BATCH %s.", r.Name, r.arrow(circumflex), r.arrow(batch))
		claims = append(claims, r.claims()...)
	}
	claims = append(claims, s.claimsBounds()...)
	return f.Done(claims, "Three charts of two lines over nine correlations, logarithmic."+spoken, charts...)
}

// arrow writes the mean ratios of a scheme at both ends.
func (r *reading) arrow(k scheme) string {
	return report.Fixed(report.Mean(r.ends[0].ratio[averageResponse][k])) + " → " + report.Fixed(report.Mean(r.ends[1].ratio[averageResponse][k]))
}

// claim is a claim about a headline. What the reading was found by shows how well it fits.
func (r *reading) claim(headline string, c report.Claim) report.Claim {
	c.Claim, c.Headline, c.Reading = cmp.Or(c.Claim, headline), headline, r.Name
	if slices.Contains(r.found, headline) {
		c.Kind = report.Found
	}
	return c
}

// claims are the headlines under a reading.
func (r *reading) claims() []report.Claim {
	var list []report.Claim
	over := func(end int) string {
		return " over " + report.Count(len(r.ends[end].value[averageResponse][flex]), "repetition")
	}
	for _, k := range []scheme{circumflex, batch} {
		for end := range 2 {
			values, published := r.ends[end].ratio[averageResponse][k], published5[k][end]
			list = append(list, r.claim(at(map[scheme]string{circumflex: circumflexRatio, batch: batchRatio}[k], end), report.Claim{
				Published: report.Fixed(published), Model: report.Over(values).String() + over(end),
				Relation: "mean within .06", Holds: within(report.Mean(values), published, .06), Margin: margin(values, published, .06)}))
		}
	}
	response := [2]float64{report.Mean(r.ends[0].value[averageResponse][flex]), report.Mean(r.ends[1].value[averageResponse][flex])}
	list = append(list, r.claim(flexResponse, report.Claim{Published: "1.49 and 1.56, if BATCH less CIRCUMFLEX is the minute of a window's wait", Model: report.Fixed(response[0]) + " and " + report.Fixed(response[1]) + over(0),
		Relation: "mean of both ends within .15 of 1.53", Holds: within((response[0]+response[1])/2, 1.53, .15), Kind: report.Beyond}))
	for end, published := range []float64{2.8, 4.3} {
		c := crowdsOf(r.ends[end].subjobs[:min(repetitions, len(r.ends[end].subjobs))])
		list = append(list, r.claim(at(concurrency, end), report.Claim{Published: report.Short(published),
			Model:    fmt.Sprintf("mean over runs %s, largest of %s %s", report.Fixed(report.Mean(c.perRun)), report.Count(len(c.perRun), "run"), report.Fixed(c.all)),
			Relation: "mean over runs within .5", Holds: within(report.Mean(c.perRun), published, .5), Margin: margin(c.perRun, published, .5)}))
	}
	var crowded [2][]float64 // by end and repetition
	for end := range crowded {
		x := &r.ends[end]
		crowded[end] = report.Column(x.subjobs, func(most *[datasets]int) float64 { return overArrivals(*most, x.point) })
	}
	list = append(list, report.Claim{Claim: "most concurrent subjobs, averaged over arrivals, rise with the correlation", Published: "2.8 to 4.3, averaged over datasets",
		Model:    fmt.Sprintf("mean over runs %s to %s", report.Fixed(report.Mean(crowded[0])), report.Fixed(report.Mean(crowded[1]))),
		Relation: "95% interval of the difference of the ends above 0", Kind: report.Beyond, Reading: r.Name}.Above(report.Difference(crowded[1], crowded[0]), 0))
	_, worst := extremes(r.cells, averageResponse, circumflex)
	best, _ := extremes(r.cells, averageResponse, batch)
	return append(list,
		r.claim(worstRatio, report.Claim{Published: ".98", Model: report.Fixed(worst), Relation: "within .05", Holds: within(worst, .98, .05)}),
		r.claim(bestRatio, report.Claim{Published: ".97", Model: report.Fixed(best), Relation: "within .05", Holds: within(best, .97, .05)}))
}
