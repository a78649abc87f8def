package dynamicshare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/knn"
)

// An environment is a law of noise for the figure intervals: what multiplies a time.
type environment struct {
	name  string
	noise func(r *rand.Rand) float64
	after float64 // speed when questions are asked; the runs had speed 1
}

var environments = []environment{
	{"log-normal, σ .1", func(r *rand.Rand) float64 { return math.Exp(.1 * r.NormFloat64()) }, 1},
	{"log-normal, σ 1", func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }, 1},
	{"Pareto, tail 1.5", func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/1.5) }, 1},
	{"σ .1, speed halved since", func(r *rand.Rand) float64 { return math.Exp(.1 * r.NormFloat64()) }, .5},
}

const (
	missed  = .1  // share of the times that an interval may miss
	checked = 100 // questions to each estimator
)

var learned = []int{20, 60, 400}

// A coverage is the share of the questions whose answer lies within its interval, and the mean
// width of the intervals over the true median.
type coverage struct{ share, width float64 }

// cover asks an estimator that has learnt from n runs.
func (s *study) cover(e *environment, n, repetition int) (c coverage, err error) {
	r := stream(s.Seed, repetition<<4|slices.Index(learned, n), runStream)
	noisy := func(speed float64) estimate.Run {
		x := twitter.run(speed, r)
		x.Time = twitter.expected(x, speed) * e.noise(r)
		return x
	}
	var past []estimate.Run
	for range n {
		past = append(past, noisy(1))
	}
	fit, err := nearest.Fit(knn.Options{Alpha: missed})
	if err != nil {
		return c, err
	}
	guess := fit(past)
	for range checked {
		x := noisy(e.after)
		p := guess(x.X)
		if p.Low <= x.Time && x.Time <= p.High {
			c.share += 1. / checked
		}
		c.width += (p.High - p.Low) / twitter.expected(x, e.after) / checked
	}
	return c, nil
}

func (s *study) figureIntervals() (report.Figure, error) {
	f := report.NewFigure("Coverage of intervals for run times, heavy tails among them",
		fmt.Sprintf("Share of the run times within their intervals, which are to hold %v of them, over %s of %d questions each. For exchangeable runs split conformal intervals are proved to do so under any law; "+
			"after a change of speed nothing is proved.", 1-missed, report.Count(3*s.n, "repetition"), checked),
		"law", "runs", "repetitions", "coverage", "coverage_ci95", "width_over_median")
	f.Shown.Columns = []string{"law", "runs", "coverage", "width / median"}
	c := &draw.Chart{Height: 200, GridX: true, GridY: true, X: draw.Axis{Label: "coverage", Max: 1.03, Ticks: draw.Ticks(0, 1, .2)}}
	c.Y = named(environments, func(e *environment) string { return e.name })
	c.Line("asked for", []float64{1 - missed, 1 - missed}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
	var drifted report.Interval // after the most runs
	var list []draw.Series
	for l, n := range learned {
		var shares []report.Interval
		for i := range environments {
			e := &environments[i]
			seeds, err := report.Each(s.terminal, "dynamicshare: intervals", 3*s.n, func(k int) (coverage, error) { return s.cover(e, n, k) })
			if err != nil {
				return f, err
			}
			a, width := report.Across(seeds, func(x *coverage) float64 { return x.share }), report.Mean(report.Column(seeds, func(x *coverage) float64 { return x.width }))
			wide := report.Fixed(width)
			if math.IsInf(width, 1) {
				width, wide = math.NaN(), "unbounded"
			}
			f.Numbers.Add(e.name, n, len(seeds), a.Mean, a.Half, width)
			f.Shown.Add(e.name, strconv.Itoa(n), report.Fixed(a.Mean), wide)
			shares = append(shares, a)
			if e.after != 1 {
				drifted = a
			}
		}
		list = append(list, whiskers(l, fmt.Sprintf("%d runs", n), nil, shares))
	}
	c.Points(list)
	return f.Done([]report.Claim{intervalClaim(drifted)}, "Coverage of intervals under four laws; they keep it unless the machine changes.", c)
}

// intervalClaim is about the coverage after the speed has halved.
func intervalClaim(drifted report.Interval) report.Claim {
	return report.Claim{Claim: "after a change of the machine's speed split conformal intervals hold fewer", Published: "not considered", Model: fmt.Sprintf("%s of the times after the speed has halved, learnt from %d runs", drifted, learned[len(learned)-1]),
		Relation: "95% interval below .8", Note: "the intervals are wide enough for half the speed"}.Below(drifted, .8)
}
