package circumflex

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// triedSlots are the values of M of the figure slots.
var triedSlots, quickSlots = []int{4, 5, 10, 20, 30, 40, 50, 60, 80, 100}, []int{4, 10, 40, 100}

// A line is one M: the ratios at both ends of Figure 5(a), at perfectly negative and at perfectly
// positive correlation.
type line struct {
	max   float64
	ratio [2][schemes][]float64 // by repetition
	work  [2][schemes][]float64 // over FLEX's
}

// sensitivity fills in lines.
func (s *study) sensitivity(terminal io.Writer) error {
	ends := steepEnds()
	tried := triedSlots
	if s.quick() {
		tried = quickSlots
	}
	bar := report.NewProgress(terminal, "circumflex: repetitions of other slots", len(ends)*s.n*len(tried))
	defer bar.Done()
	for _, m := range tried {
		cells, err := simulate(under(base(m, false), ends...), s.seed, s.n, []metric{averageResponse}, bar)
		if err != nil {
			return err
		}
		l := line{max: float64(m)}
		for i := range ends {
			l.ratio[i], l.work[i] = cells[i].ratio[averageResponse], cells[i].work[averageResponse]
		}
		s.lines = append(s.lines, l)
	}
	return nil
}

func (s *study) figureSlots() (report.Figure, error) {
	f := report.NewFigure("Sensitivity to M, the slots that a job can use, θ₁ = θ₂ = 1",
		fmt.Sprintf(schemesNote+" Average response time relative to FLEX at perfectly negative (top) and positive (bottom) correlation, means over %s. Dotted: the paper's ratios for CIRCUMFLEX and BATCH. The paper does not "+
			"publish M; the vertical line is that of reading A, %d.", report.Count(s.n, "repetition"), calibrated),
		"max_slots", "correlation", "repetitions", "circumflex_to_flex", "circumflex_sd", "batch_to_flex", "batch_sd")
	f.Shown.Columns = []string{"M", "CIRCUMFLEX/FLEX", "BATCH/FLEX"}
	for _, l := range s.lines {
		for i := range 2 {
			r := &l.ratio[i]
			f.Numbers.Add(l.max, i*(relations-1), len(r[circumflex]), report.Mean(r[circumflex]), report.SD(r[circumflex]), report.Mean(r[batch]), report.SD(r[batch]))
		}
		f.Shown.Add(report.Full(l.max), arrow(l.pair(circumflex)), arrow(l.pair(batch)))
	}
	var charts []*draw.Chart
	for i := range 2 {
		c := &draw.Chart{Height: 190, GridY: true}
		c.X = draw.Axis{Label: "M, slots a job can use; " + [...]string{"perfectly negative correlation", "perfectly positive correlation"}[i], Min: 3.6, Max: 110, Log: true}
		c.X.Ticks = draw.TicksAt(report.Column(s.lines, func(l *line) float64 { return l.max })...)
		c.Y = draw.Axis{Label: "av. response / FLEX's", Log: true}
		circ, single := circumflex.series(i == 0), batch.series(i == 0)
		for _, l := range s.lines {
			circ.X, circ.Y = append(circ.X, l.max), append(circ.Y, report.Mean(l.ratio[i][circumflex]))
			single.X, single.Y = append(single.X, l.max), append(single.Y, report.Mean(l.ratio[i][batch]))
		}
		c.Series([]draw.Series{circ, single}, 1, published5[circumflex][i], published5[batch][i])
		labels := [...]string{"M = " + strconv.Itoa(calibrated), schemeNames[flex], schemeNames[circumflex] + ", paper", schemeNames[batch] + ", paper"}
		if i > 0 {
			labels = [...]string{"", "", "", ""} // once in the legend
		}
		c.Line(labels[0], []float64{calibrated, calibrated}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Dash: draw.Dotted, Width: 0.8})
		c.Level(labels[1], 1, strokes[flex])
		for n, k := range []scheme{circumflex, batch} {
			c.Level(labels[2+n], published5[k][i], draw.Stroke{Color: strokes[k].Color, Dash: draw.Dotted, Width: 1.2})
		}
		charts = append(charts, c)
	}
	return f.Done(s.claimsSlots(), "Two charts of ratios to FLEX over M. CIRCUMFLEX falls as jobs can use more slots, and BATCH rises above FLEX.", charts...)
}

// arrow writes the means at both ends.
func arrow(pair [2][]float64) string {
	return report.Fixed(report.Mean(pair[0])) + " → " + report.Fixed(report.Mean(pair[1]))
}

func (l *line) pair(k scheme) [2][]float64 { return [2][]float64{l.ratio[0][k], l.ratio[1][k]} }

// off is how far the ends of a ratio are from the published ones, the larger distance.
func off(pair [2][]float64, k scheme) float64 {
	return math.Max(math.Abs(report.Mean(pair[0])-published5[k][0]), math.Abs(report.Mean(pair[1])-published5[k][1]))
}

func (s *study) claimsSlots() []report.Claim {
	var better, worked count
	least, closest := math.Inf(1), ""
	best, both := &s.lines[0], &s.lines[0]
	worst := func(l *line) float64 { return math.Max(off(l.pair(circumflex), circumflex), off(l.pair(batch), batch)) }
	for k := range s.lines {
		l := &s.lines[k]
		for i := range 2 {
			w := &l.work[i]
			better.add(below(l.ratio[i][circumflex], 1))
			worked.add(above(report.Differences(w[circumflex], w[batch]), 0))
			if gap := report.Mean(w[circumflex]) - report.Mean(w[batch]); gap < least {
				least, closest = gap, fmt.Sprintf("M = %v at perfectly %s correlation: CIRCUMFLEX %s, BATCH %s", l.max, [...]string{"negative", "positive"}[i], report.Fixed(report.Mean(w[circumflex])), report.Fixed(report.Mean(w[batch])))
			}
		}
		if off(l.pair(circumflex), circumflex) < off(best.pair(circumflex), circumflex) {
			best = l
		}
		if worst(l) < worst(both) {
			both = l
		}
	}
	return []report.Claim{
		worked.all().of(report.Claim{Claim: "CIRCUMFLEX does more work than BATCH whatever M", Published: "by definition", Model: fmt.Sprintf("%d of %d runs; %s", worked.yes, worked.things, closest), Kind: report.Theory,
			Relation: "95% interval of the difference above 0 at all", Note: "it is no definition: with few slots a job scans long, and more jobs join than a window collects"}),
		better.all().of(report.Claim{Claim: "CIRCUMFLEX is below FLEX whatever M", Published: "always", Model: fmt.Sprintf("%d of %d runs, M from %v to %v at both ends", better.yes, better.things, s.lines[0].max, s.lines[len(s.lines)-1].max),
			Relation: "95% interval of the ratio below 1 at all", Note: "where jobs use few slots, sharing hardly matters"}),
		{Claim: "one M gives CIRCUMFLEX/FLEX .81 → .47", Published: ".81 → .47", Model: fmt.Sprintf("M = %v: %s", best.max, arrow(best.pair(circumflex))),
			Relation: "both ends within .05 for some M tried", Holds: off(best.pair(circumflex), circumflex) <= .05, Note: "no M tried does", Kind: report.Constructed},
		{Claim: "one M gives CIRCUMFLEX/FLEX .81 → .47 and BATCH/FLEX 1.48 → 1.11", Published: ".81 → .47 and 1.48 → 1.11",
			Model:    fmt.Sprintf("the nearest, M = %v: %s and %s", both.max, arrow(both.pair(circumflex)), arrow(both.pair(batch))),
			Relation: "all four within .05 for some M tried", Holds: worst(both) <= .05,
			Note: "the published parameters do not give both pairs: with large M a window's wait dwarfs FLEX's response time, with small M sharing gains little"},
	}
}
