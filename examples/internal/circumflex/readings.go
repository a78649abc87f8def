package circumflex

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
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

// assumptions returns the readings without their runs.
func assumptions(readings []reading) []report.Reading {
	var list []report.Reading
	for _, r := range readings {
		list = append(list, r.Reading)
	}
	return list
}

// Repetitions that the readings' M were found by, and those that judge: a hundred at the ends of
// Figure 5(a), the first ten of them elsewhere.
var (
	found  = report.Seeds{N: 20}
	judged = report.Seeds{First: 2000, N: ample * repetitions}
)

// newReadings returns the readings before their runs. A is that of all other figures. The M of A is
// the best of 5, 10, 20, 40 and 100, those of B and C of the whole numbers and their halves, by the
// squares of how far the headlines that found them are off. D has A's.
func newReadings() []reading {
	full := base(10)
	full.load = 1
	sums := base(18) // half slots: the cluster has twice as many
	sums.slots, sums.batchSum, sums.chainSum = 2*slots, true, true
	arriving := base(calibrated)
	arriving.byArrivals = true
	return []reading{
		{Reading: report.Reading{Name: "A", Title: "jobs can use 40 slots", Main: "it keeps each stated parameter", Found: found, Judged: judged, Assumptions: []report.Assumption{
			statedLoad, bySize, leastSlots, batchSlots,
			{Text: "M = 40", Evidence: report.Implied, By: "CIRCUMFLEX/FLEX of .81 and .47"}}},
			settings: base(calibrated), found: []string{at(circumflexRatio, 0), at(circumflexRatio, 1)}},
		{Reading: report.Reading{Name: "B", Title: "load 1, FLEX takes a minute and a half", Found: found, Judged: judged, Assumptions: []report.Assumption{
			{Text: "the load is 1", Evidence: report.Assumed, By: "it costs the stated .9"}, bySize, leastSlots, batchSlots,
			{Text: "M = 10", Evidence: report.Implied, By: "FLEX's response time F of 1.49 and 1.56 minutes: (1.48 - .81) F and (1.11 - .47) F are BATCH less CIRCUMFLEX, the minute that a window adds"}}},
			settings: full, found: []string{flexResponse}},
		{Reading: report.Reading{Name: "C", Title: "slots add up", Found: found, Judged: judged, Assumptions: []report.Assumption{
			statedLoad, bySize,
			{Text: "batches and subjobs can use the sum of what their members can", Evidence: report.Assumed, By: "it costs appendix A.1"},
			{Text: "M = 9", Evidence: report.Implied, By: "BATCH/FLEX of 1.48 and 1.11"}}},
			settings: sums, found: []string{at(batchRatio, 0), at(batchRatio, 1)}},
		{Reading: report.Reading{Name: "D", Title: "A, with the load raised by arrivals", Found: found, Judged: judged, Assumptions: []report.Assumption{
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
func (s *study) read() error {
	ends, n := steepEnds(), ample*s.n
	if s.Quick {
		n = quickAmple * s.n
	}
	for i := range s.readings[:3] {
		r := &s.readings[i]
		r.ends = s.simulate(n, under(r.settings, ends...), averageResponse)
	}
	a, b, c := &s.readings[0], &s.readings[1], &s.readings[2]
	a.cells = s.cells
	b.cells = s.simulate(s.n, under(b.settings, s.points...), averageResponse, averageStretch, maximumStretch)
	c.cells = s.simulate(s.n, under(c.settings, s.points...), averageResponse)
	roomy, rigid := base(bounded), base(12)
	rigid.min = rigid.max
	s.roomy = s.simulate(n, under(roomy, ends...), averageResponse)
	s.rigid = s.simulate(n, under(rigid, ends...), averageResponse)
	return s.err
}

// experiments is the interval of a number of repetitions, of which ten are one of the paper's
// experiments: its Run is half the width of the spread of the means of ten, of a quick run more.
func experiments(values []float64) numbers.Interval {
	i := numbers.Over(values)
	i.N = max(repetitions, i.N/repetitions)
	return i
}

// What the claims of published numbers compute, by report.Claim.Single.
const (
	otherRelation = "published number within the spread (95%) of means of ten repetitions, at most a third of it from the mean"
	ratioRelation = "published number within the spread (95%) of means of ten repetitions, at most half of the effect from the mean; 1 outside the spread"
)

// printed5 is a published ratio at an end of Figure 5(a).
func printed5(k scheme, end int) report.Number {
	return report.Printed(numbers.Fixed(published5[k][end])).Ratio()
}

// impliedFlex is FLEX's minutes that the paper's ratios imply at an end: BATCH less CIRCUMFLEX is the
// minute that a window adds.
func impliedFlex(end int) report.Number {
	b, c := printed5(batch, end), printed5(circumflex, end)
	return report.Number{Low: 1 / (b.High - c.Low), High: 1 / (b.Low - c.High)}
}

// bounded is the least M with which a scan at the stated load can end as soon as the paper implies:
// it takes at least 9/M minutes, .9 times the cluster's 100 slots and 100 minutes over 1,000 scans,
// and CIRCUMFLEX's .47 of FLEX's 1.56 minutes are .73.
const bounded = 13

// claimsBounds are of no reading: what no reading can have.
func (s *study) claimsBounds() []report.Claim {
	f := numbers.Over(s.roomy[1].value[averageResponse][flex])
	least := load * span * slots / arrivals / (published5[circumflex][1] * impliedFlex(1).Middle())
	var four []report.Claim
	var ratios []float64
	for _, k := range []scheme{circumflex, batch} {
		for end := range 2 {
			values := s.rigid[end].ratio[averageResponse][k]
			four, ratios = append(four, report.Claim{}.Single(experiments(values), printed5(k, end))), append(ratios, numbers.Mean(values))
		}
	}
	return []report.Claim{
		report.Says("the stated load leaves room for FLEX's implied 1.56 minutes and CIRCUMFLEX's .47 of them", "ρ = .9", "95% interval: FLEX takes more than 1.4 minutes with the least whole M",
			"a scan takes at least 9/M minutes, so that M is at least %s; with M = %d FLEX takes %s minutes", numbers.Short(math.Ceil(10*least)/10), bounded, f).As(report.Theory).Above(f, 1.4),
		report.Says("minima as large as the maxima, M = m = 12, give all four ratios", ".81, .47, 1.48, 1.11", "each: "+ratioRelation,
			"%s", numbers.Words(ratios, ", ", numbers.Fixed)).As(report.Beyond).All(four...),
	}
}

func (s *study) figureReadings() (report.Figure, error) {
	f := report.NewFigure("Readings of Section 4",
		fmt.Sprintf("Average response time over FLEX's, θ₁ = θ₂ = 1, as in Figure 5(a), under three sets of assumptions (listed above). Means over %s; hollow: what the paper's text gives for the two ends.", numbers.Count(s.n, "repetition")),
		"reading", "correlation", "repetitions", "circumflex_to_flex", "batch_to_flex", "flex_response_min", "circumflex_work_ratio", "batch_work_ratio", "circumflex_concurrency", "circumflex_all_runs")
	f.Shown.Columns = []string{"reading", "correlation", "CIRCUMFLEX/FLEX", "BATCH/FLEX", "FLEX (min)", "work of CIRCUMFLEX", "most subjobs, per run"}
	var charts []*draw.Chart
	var claims []report.Claim
	spoken := ""
	for i := range s.readings[:3] {
		r := &s.readings[i]
		list := ofPair(r.cells, steps*steps-1)
		c := responses(list, r.Name+": response / FLEX's", "", i == 0)
		if i < 2 {
			c.X.Label = ""
		}
		charts = append(charts, c)
		for k, x := range list {
			w, subjobs := &x.work[averageResponse], numbers.Column(x.subjobs, overDatasets)
			circ, bat, response := numbers.Mean(x.ratio[averageResponse][circumflex]), numbers.Mean(x.ratio[averageResponse][batch]), numbers.Mean(x.value[averageResponse][flex])
			f.Numbers.Add(r.Name, k, s.n, circ, bat, response, numbers.Mean(w[circumflex]), numbers.Mean(w[batch]), numbers.Mean(subjobs), overDatasets(largestOf(x.subjobs)))
			f.Shown.Add(r.Name, k, numbers.Fixed(circ), numbers.Fixed(bat), numbers.Fixed(response), numbers.Fixed(numbers.Mean(w[circumflex])), numbers.Fixed(numbers.Mean(subjobs)))
		}
		spoken += fmt.Sprintf(" Reading %s: CIRCUMFLEX %s, BATCH %s.", r.Name, r.arrow(circumflex), r.arrow(batch))
		claims = append(claims, r.claims()...)
	}
	claims = append(claims, s.claimsBounds()...)
	return f.Done(claims, "Three charts of two lines over nine correlations, logarithmic."+spoken, charts...)
}

// arrow writes the mean ratios of a scheme at both ends.
func (r *reading) arrow(k scheme) string {
	return numbers.Fixed(numbers.Mean(r.ends[0].ratio[averageResponse][k])) + " → " + numbers.Fixed(numbers.Mean(r.ends[1].ratio[averageResponse][k]))
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
		return "; " + numbers.Count(len(r.ends[end].value[averageResponse][flex]), "repetition")
	}
	for _, k := range []scheme{circumflex, batch} {
		for end := range 2 {
			values := r.ends[end].ratio[averageResponse][k]
			list = append(list, r.claim(at(map[scheme]string{circumflex: circumflexRatio, batch: batchRatio}[k], end), report.Claim{
				Published: numbers.Fixed(published5[k][end]), Model: numbers.Over(values).String() + over(end), Relation: ratioRelation}.Single(experiments(values), printed5(k, end))))
		}
	}
	var both []report.Claim
	var minutes []numbers.Interval
	for end := range 2 {
		values := r.ends[end].value[averageResponse][flex]
		both, minutes = append(both, report.Claim{}.Single(experiments(values), impliedFlex(end))), append(minutes, numbers.Over(values))
	}
	list = append(list, r.claim(flexResponse, report.Claim{Published: "1.49 and 1.56 (by a minute's wait)", Model: minutes[0].String() + " and " + minutes[1].String() + over(0),
		Relation: "both: " + otherRelation, Kind: report.Beyond}.All(both...)))
	for end, published := range []string{"2.8", "4.3"} {
		c, ten := numbers.Column(r.ends[end].subjobs, overDatasets), r.ends[end].subjobs
		ten = ten[:min(repetitions, len(ten))]
		list = append(list, r.claim(at(concurrency, end), report.Claim{Published: published, Relation: otherRelation,
			Model: fmt.Sprintf("%s; largest of %s %s", numbers.Over(c), numbers.Count(len(ten), "run"), numbers.Fixed(overDatasets(largestOf(ten))))}.Single(experiments(c), report.Printed(published))))
	}
	var crowded [2][]float64 // by end and repetition
	for end := range crowded {
		x := &r.ends[end]
		crowded[end] = numbers.Column(x.subjobs, func(most *[datasets]int) (sum float64) {
			for d, share := range zipf(datasets, thetas[x.theta1]) {
				sum += share * float64(most[d])
			}
			return sum
		})
	}
	list = append(list, report.Claim{Claim: "most concurrent subjobs, averaged over arrivals, rise with the correlation", Published: "2.8 to 4.3, averaged over datasets",
		Model:    fmt.Sprintf("mean over runs %s to %s", numbers.Fixed(numbers.Mean(crowded[0])), numbers.Fixed(numbers.Mean(crowded[1]))),
		Relation: "95% interval of the difference of the ends above 0", Kind: report.Beyond, Reading: r.Name}.Above(numbers.Difference(crowded[1], crowded[0]), 0))
	for _, x := range []struct {
		headline  string
		published float64
		values    []float64
	}{{worstRatio, worstPublished, most(r.cells, averageResponse, circumflex)}, {bestRatio, bestPublished, least(r.cells, averageResponse, batch)}} {
		list = append(list, r.claim(x.headline, report.Claim{Published: numbers.Fixed(x.published), Model: numbers.Over(x.values).String() + "; at that point", Relation: ratioRelation}.
			Single(experiments(x.values), report.Printed(numbers.Fixed(x.published)).Ratio())))
	}
	return list
}
