package circumflex

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// Colours and dashes of the schemes.
var strokes = [schemes]draw.Stroke{
	flex:       {Color: draw.Black, Dash: draw.Dashed, Width: 1.2},
	batch:      {Color: draw.Vermilion, Dash: draw.DashDot},
	circumflex: {Color: draw.Blue},
}

var marks = [schemes]draw.Mark{flex: draw.Disc, batch: draw.Triangle, circumflex: draw.Disc}

// ticks marks from, from+step, ... up to to.
func ticks(from, to, step float64) []draw.Tick {
	var list []draw.Tick
	for k := 0; from+float64(k)*step <= to+step/1e6; k++ {
		x := from + float64(k)*step
		list = append(list, draw.Tick{At: x, Label: strconv.FormatFloat(math.Round(x*1e6)/1e6, 'f', -1, 64)})
	}
	return list
}

// relationAxis is the axis of the correlations.
func relationAxis() draw.Axis {
	return draw.Axis{Label: "correlation of popularity and size: 0 negative, 4 none, 8 positive", Min: -0.3, Max: relations - 0.7, Ticks: ticks(0, relations-1, 1)}
}

// published5 are the ends of Figure 5(a) as the text gives them.
var published5 = [schemes][2]float64{batch: {1.48, 1.11}, circumflex: {.81, .47}}

func (s *study) figure5a() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig5a",
		Title: "Figure 5(a): average response time over that of FLEX, θ₁ = θ₂ = 1",
		Caption: fmt.Sprintf("Means over %s; whiskers: one standard deviation. Rings: what the text gives for the two ends. %s.",
			report.Count(s.n, "repetition"), capital(s.basis())),
		Numbers: report.Table{Columns: []string{"correlation", "scheme", "repetitions", "ratio_to_flex", "sd", "average_response_min", "published_ratio"}},
		Shown:   report.Table{Columns: []string{"correlation", "CIRCUMFLEX/FLEX", "BATCH/FLEX", "FLEX (min)"}},
	}
	list := s.steep()
	c := &draw.Chart{Height: 240, GridY: true, X: relationAxis()}
	c.Y = draw.Axis{Label: "ratio to FLEX", Log: true}
	var all []float64
	for _, k := range []scheme{circumflex, batch} {
		all = append(all, published5[k][0], published5[k][1])
		for _, x := range list {
			r := x.ratio[averageResponse][k]
			all = append(all, mean(r)-finite(sd(r)), mean(r)+finite(sd(r)))
		}
	}
	c.Y.Min, c.Y.Max = draw.LogRange(append(all, 1)...)
	c.Y.Ticks = ratioTicks(c.Y.Min, c.Y.Max)
	c.Level("FLEX", 1, strokes[flex])
	spoken := ""
	for _, k := range []scheme{circumflex, batch} {
		drawLine(c, schemeNames[k], k, list, ratioOf(averageResponse, k))
		c.Dots("", []float64{0, relations - 1}, published5[k][:], draw.Ring, strokes[k].Color, 5)
		m := means(list, ratioOf(averageResponse, k))
		spoken += fmt.Sprintf(" %s over FLEX: from %s at perfectly negative correlation to %s at perfectly positive.", schemeNames[k], fixed(m[0]), fixed(m[relations-1]))
		for i, x := range list {
			p := math.NaN()
			if i%(relations-1) == 0 {
				p = published5[k][i/(relations-1)]
			}
			f.Numbers.Add(i, schemeNames[k], s.n, m[i], sd(x.ratio[averageResponse][k]), mean(x.value[averageResponse][k]), p)
		}
	}
	for i, x := range list {
		f.Shown.Add(strconv.Itoa(i), plusMinus(x.ratio[averageResponse][circumflex]), plusMinus(x.ratio[averageResponse][batch]), fixed(mean(x.value[averageResponse][flex])))
	}
	var err error
	f.SVG, err = draw.SVG("Two lines over nine correlations, logarithmic."+spoken, c)
	f.Claims = s.claims5a()
	return f, err
}

// finite makes a standard deviation that does not exist 0.
func finite(x float64) float64 {
	if x != x {
		return 0
	}
	return x
}

// plusMinus writes mean and standard deviation.
func plusMinus(xs []float64) string {
	if len(xs) < 2 {
		return fixed(mean(xs))
	}
	return fixed(mean(xs)) + " ± " + fixed(sd(xs))
}

// ratioTicks labels a logarithmic axis of ratios.
func ratioTicks(lo, hi float64) []draw.Tick {
	var list []draw.Tick
	marks := []float64{.1, .2, .3, .5, .7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30}
	if hi > 30*lo {
		marks = []float64{.01, .03, .1, .3, 1, 3, 10, 30, 100}
	}
	for _, x := range marks {
		if x >= lo && x <= hi {
			list = append(list, draw.Tick{At: x, Label: strconv.FormatFloat(x, 'f', -1, 64)})
		}
	}
	return list
}

// drawLine draws means over the correlations, with whiskers of one standard deviation.
func drawLine(c *draw.Chart, label string, k scheme, list []*cell, of func(*cell) []float64) {
	m := means(list, of)
	xs := make([]float64, len(m))
	for i, x := range list {
		xs[i] = float64(i)
		d := finite(sd(of(x)))
		if d > 0 {
			c.Line("", []float64{xs[i], xs[i]}, []float64{max(c.Y.Min, m[i]-d), min(c.Y.Max, m[i]+d)}, draw.Stroke{Color: strokes[k].Color, Width: 0.8})
		}
	}
	c.Line(label, xs, m, strokes[k])
	c.Dots("", xs, m, marks[k], strokes[k].Color, 2.5)
}

// batchReason is why the paper's ratios of BATCH do not come out.
func (s *study) batchReason() string {
	v := means(s.steep(), func(c *cell) []float64 { return c.value[averageResponse][flex] })
	return fmt.Sprintf("a batch adds half a window, %v minute, to each response, and FLEX's average response is %s to %s minutes: no M tried gives both pairs under the published parameters (figure slots); "+
		"a batch that can use the sum of its members' M, with M = %v, gives %s for BATCH/FLEX and %s for CIRCUMFLEX/FLEX", window/2., fixed(slices.Min(v)), fixed(slices.Max(v)),
		s.half.max, arrow(s.half.sum), arrow(s.half.pair(circumflex)))
}

func (s *study) claims5a() []report.Claim {
	list := s.steep()
	circ, bat := means(list, ratioOf(averageResponse, circumflex)), means(list, ratioOf(averageResponse, batch))
	below, above, modest := 0, 0, 0
	for i, c := range list {
		if circ[i] < 1 {
			below++
		}
		if bat[i] > 1 {
			above++
		}
		if d := sd(c.ratio[averageResponse][circumflex]); d <= 0.1 && d < sd(c.ratio[averageResponse][batch]) {
			modest++
		}
	}
	last := relations - 1
	ends := func(name string, i int, k scheme) report.Claim {
		where := [...]string{"negative", "positive"}[i]
		c := report.Claim{
			Claim:     fmt.Sprintf("%s/FLEX at perfectly %s correlation", name, where),
			Published: fixed(published5[k][i]), Model: fmt.Sprintf("%s over %s, %s over %d", fixed(mean(s.ends.ratio[i][k])), report.Count(len(s.ends.ratio[i][k]), "repetition"),
				plusMinus(list[i*last].ratio[averageResponse][k]), s.n),
			Relation: "mean of the more repetitions within .05", Holds: within(mean(s.ends.ratio[i][k]), published5[k][i], .05),
			Note: "chance, or another M than the calibrated one",
		}
		if k == batch {
			c.Note = s.batchReason()
		}
		return c
	}
	return claims("fig5a", s.basis(),
		ends("CIRCUMFLEX", 0, circumflex),
		ends("CIRCUMFLEX", 1, circumflex),
		report.Claim{Claim: "CIRCUMFLEX improves as the correlation ranges from perfectly negative to perfectly positive", Published: ".81 falls to .47", Model: joined(circ),
			Relation: "the last is below the first, and the least-squares line falls", Holds: circ[last] < circ[0] && slope(circ) < 0, Note: "the correlation matters less than chance here"},
		report.Claim{Claim: "CIRCUMFLEX performs better than FLEX at every correlation", Published: "19% better at the least", Model: fmt.Sprintf("below 1 at %d of %d; at most %s", below, relations, fixed(slices.Max(circ))),
			Relation: "mean ratio below 1 at all", Holds: below == relations, Note: "sharing scans costs more than it saves somewhere"},
		report.Claim{Claim: "BATCH always performs worse than FLEX", Published: "11% to 48% worse", Model: fmt.Sprintf("above 1 at %d of %d; at least %s", above, relations, fixed(slices.Min(bat))),
			Relation: "mean ratio above 1 at all", Holds: above == relations, Note: "FLEX's response time is long enough for a window's wait to pay"},
		ends("BATCH", 0, batch),
		ends("BATCH", 1, batch),
		report.Claim{Claim: "standard deviations are very modest for CIRCUMFLEX, relatively less so for BATCH", Published: "not shown",
			Model:    fmt.Sprintf("CIRCUMFLEX at most %s, BATCH %s to %s", fixed(extreme(list, circumflex, math.Max)), fixed(extreme(list, batch, math.Min)), fixed(extreme(list, batch, math.Max))),
			Relation: "at every correlation CIRCUMFLEX's at most .1, and below BATCH's", Holds: modest == relations, Note: fmt.Sprintf("so at %d of %d", modest, relations)},
	)
}

// extreme returns the largest or smallest standard deviation of a ratio.
func extreme(list []*cell, k scheme, of func(x, y float64) float64) float64 {
	x := sd(list[0].ratio[averageResponse][k])
	for _, c := range list[1:] {
		x = of(x, sd(c.ratio[averageResponse][k]))
	}
	return x
}

func (s *study) figure5b() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig5b",
		Title: "Figure 5(b): work over that of FLEX, θ₁ = θ₂ = 1",
		Caption: fmt.Sprintf("Slot-minutes of scanning over those without sharing. Means over %s; whiskers: one standard deviation. Plans optimise the average response time. %s.",
			report.Count(s.n, "repetition"), capital(s.basis())),
		Numbers: report.Table{Columns: []string{"correlation", "repetitions", "circumflex_work_ratio", "circumflex_sd", "batch_work_ratio", "batch_sd", "circumflex_concurrency", "circumflex_crowd", "batch_largest"}},
		Shown:   report.Table{Columns: []string{"correlation", "CIRCUMFLEX/FLEX", "BATCH/FLEX", "most subjobs of a dataset", "largest batch"}},
	}
	list := s.steep()
	c := &draw.Chart{Height: 220, GridY: true, X: relationAxis()}
	c.Y = draw.Axis{Label: "work over FLEX's", Min: 0, Max: 1.05, Ticks: ticks(0, 1, .2)}
	c.Level("FLEX", 1, strokes[flex])
	for _, k := range []scheme{circumflex, batch} {
		drawLine(c, schemeNames[k], k, list, workOf(averageResponse, k))
	}
	for i, x := range list {
		w := &x.work[averageResponse]
		f.Numbers.Add(i, s.n, mean(w[circumflex]), sd(w[circumflex]), mean(w[batch]), sd(w[batch]), mean(x.concurrency), mean(x.crowd), x.largestBatch())
		f.Shown.Add(strconv.Itoa(i), plusMinus(w[circumflex]), plusMinus(w[batch]), fixed(mean(x.concurrency)), fixed(x.largestBatch()))
	}
	circ, bat := means(list, workOf(averageResponse, circumflex)), means(list, workOf(averageResponse, batch))
	var err error
	f.SVG, err = draw.SVG(fmt.Sprintf("Two lines over nine correlations. Work of CIRCUMFLEX over FLEX's falls from %s to %s, of BATCH from %s to %s.",
		fixed(circ[0]), fixed(circ[relations-1]), fixed(bat[0]), fixed(bat[relations-1])), c)
	f.Claims = s.claims5b()
	return f, err
}

// largestBatch returns the largest batch of each dataset over all repetitions, averaged over datasets.
func (c *cell) largestBatch() float64 {
	sum := 0.0
	for d := range datasets {
		most := 0
		for k := range c.largest {
			most = max(most, c.largest[k][d])
		}
		sum += float64(most)
	}
	return sum / datasets
}

func (s *study) claims5b() []report.Claim {
	list := s.steep()
	circ, bat := means(list, workOf(averageResponse, circumflex)), means(list, workOf(averageResponse, batch))
	subjobs := means(list, func(c *cell) []float64 { return c.concurrency })
	crowd := means(list, func(c *cell) []float64 { return c.crowd })
	ordered, last := 0, relations-1
	for i := range list {
		if bat[i] <= circ[i] && circ[i] <= 1 {
			ordered++
		}
	}
	reason := fmt.Sprintf("read literally, the most subjobs of a dataset at a time, averaged over the 20 datasets, falls from %s to %s: with positive correlation the many unpopular datasets are small, and "+
		"their scans are over before another comes; the subjobs of the dataset that has most of them, averaged over arrivals, rise from %s to %s", fixed(subjobs[0]), fixed(subjobs[last]), fixed(crowd[0]), fixed(crowd[last]))
	m, d := mean(s.largest), sd(s.largest)
	return claims("fig5b", s.basis(),
		report.Claim{Claim: "CIRCUMFLEX does more work than BATCH but less work than FLEX", Published: "by definition", Model: fmt.Sprintf("in this order at %d of %d", ordered, relations),
			Relation: "BATCH <= CIRCUMFLEX <= FLEX in the mean at all correlations", Holds: ordered == relations, Note: "scans arrive too seldom to meet one another, but often enough to meet in a window's time, or the other way round"},
		report.Claim{Claim: "both ratios generally decrease with the correlation", Published: "decrease", Model: "CIRCUMFLEX " + joined(circ) + ", BATCH " + joined(bat),
			Relation: "of both, the last is below the first, and the least-squares line falls", Holds: circ[last] < circ[0] && bat[last] < bat[0] && slope(circ) < 0 && slope(bat) < 0, Note: "the correlation matters less than chance here"},
		report.Claim{Claim: "the maximum number of concurrent subjobs, averaged over datasets, at perfectly negative correlation", Published: "2.8", Model: fixed(subjobs[0]),
			Relation: "within .15", Holds: within(subjobs[0], 2.8, .15), Note: reason},
		report.Claim{Claim: "the maximum number of concurrent subjobs, averaged over datasets, at perfectly positive correlation", Published: "4.3", Model: fixed(subjobs[last]),
			Relation: "within .15", Holds: within(subjobs[last], 4.3, .15), Note: reason},
		report.Claim{Claim: "the maximum number of jobs batched together, averaged over datasets", Published: "4.8 to 5.0",
			Model:    fmt.Sprintf("over 10 repetitions %s ± %s, in %d sets of 10; the first set %s", fixed(m), fixed(d), len(s.largest), fixed(s.largest[0])),
			Relation: "4.8 to 5.0 meets two standard deviations around the mean", Holds: m-2*d <= 5.0 && m+2*d >= 4.8, Note: "another number of arrivals or another window than the published ones"},
	)
}
