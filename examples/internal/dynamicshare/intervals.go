package dynamicshare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/estimate"
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
	{"log-normal, σ .1, speed halved since", func(r *rand.Rand) float64 { return math.Exp(.1 * r.NormFloat64()) }, .5},
}

// Of the figure intervals: intervals are to miss one time in ten, and each estimator is asked so often.
const (
	missed   = .1
	checked  = 100
	narrowed = "leave-one-out"
)

var learned = []int{20, 40, 100, 400}

// cover is the share of the questions whose answer lies within the interval, for n runs of one seed: of split conformal intervals and of those from the residuals
// of leaving one out; and the width of the former over the true median.
func (s *study) cover(e *environment, n, repetition int) (conformal, naive, width float64, err error) {
	r := stream(s.Seed, repetition<<4|slices.Index(learned, n), runStream)
	split, err := knn.New(3, knn.Options{Alpha: missed})
	if err != nil {
		return 0, 0, 0, err
	}
	plain, err := knn.New(3, knn.Options{})
	if err != nil {
		return 0, 0, 0, err
	}
	noisy := func(speed float64) estimate.Run {
		x := twitter.run(speed, r)
		x.Time = twitter.expected(x, speed) * e.noise(r)
		return x
	}
	for range n {
		x := noisy(1)
		if err := split.Add(features(&x), x.Time); err != nil {
			return 0, 0, 0, err
		}
		if err := plain.Add(features(&x), x.Time); err != nil {
			return 0, 0, 0, err
		}
	}
	residuals, err := plain.LeaveOneOut(nil)
	if err != nil {
		return 0, 0, 0, err
	}
	for i := range residuals {
		residuals[i] = math.Abs(residuals[i])
	}
	slices.Sort(residuals)
	half := residuals[int(math.Ceil((1-missed)*float64(n)))-1]
	for range checked {
		x := noisy(e.after)
		a, err := split.Predict(features(&x))
		if err != nil {
			return 0, 0, 0, err
		}
		b, err := plain.Predict(features(&x))
		if err != nil {
			return 0, 0, 0, err
		}
		if a.Low <= x.Time && x.Time <= a.High {
			conformal += 1. / checked
		}
		if math.Abs(x.Time-b.Value) <= half {
			naive += 1. / checked
		}
		width += (a.High - a.Low) / twitter.expected(x, e.after) / checked
	}
	return conformal, naive, width, nil
}

func (s *study) figureIntervals() (report.Figure, error) {
	f := report.Figure{
		Item:  "intervals",
		Title: "Coverage of intervals for run times, heavy tails among them",
		Caption: fmt.Sprintf("Share of next runs whose time lies within the interval that is to hold it with probability %v, over %s of %d questions each. Split conformal intervals (discs) are proved to hold for runs that are exchangeable, "+
			"whatever the law; after a change of speed nothing is. Triangles: intervals from leave-one-out residuals.", 1-missed, report.Count(3*s.n, "repetition"), checked),
		Numbers: report.Table{Columns: []string{"law", "runs", "repetitions", "split_conformal", "split_conformal_ci95", "leave_one_out", "leave_one_out_ci95", "width_over_median"}},
		Shown:   report.Table{Columns: []string{"law", "runs", "split conformal", "leave-one-out", "width / median"}},
	}
	c := &draw.Chart{Height: 240, GridY: true}
	c.X = draw.Axis{Label: "runs learnt from, under each law", Min: -.6, Max: float64(len(environments)*(len(learned)+1)) - 1.4}
	c.Y = draw.Axis{Label: "coverage", Min: 0, Max: 1.02, Ticks: draw.Ticks(0, 1, .2)}
	c.Level("asked for", 1-missed, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
	least, under, drifted := math.Inf(1), 0, 0.0
	proved, plainLow := true, 1.0
	var x, yc, yn []float64
	for i := range environments {
		e := &environments[i]
		for l, n := range learned {
			conformal, naive, width := make([]float64, 3*s.n), make([]float64, 3*s.n), make([]float64, 3*s.n)
			err := report.Parallel(len(conformal), func(_ *struct{}, k int) (err error) {
				conformal[k], naive[k], width[k], err = s.cover(e, n, k)
				return err
			})
			if err != nil {
				return f, err
			}
			a, b := report.Over(conformal), report.Over(naive)
			wide, middle := "unbounded", report.Mean(width)
			if !math.IsInf(middle, 1) {
				wide = report.Fixed(middle)
			} else {
				middle = math.NaN()
			}
			f.Numbers.Add(e.name, n, len(conformal), a.Mean, a.Half, b.Mean, b.Half, middle)
			f.Shown.Add(e.name, strconv.Itoa(n), report.Fixed(a.Mean), report.Fixed(b.Mean), wide)
			at := float64(i*(len(learned)+1) + l)
			x, yc, yn = append(x, at), append(yc, a.Mean), append(yn, b.Mean)
			c.X.Ticks = append(c.X.Ticks, draw.Tick{At: at, Label: strconv.Itoa(n)})
			if e.after != 1 {
				drifted = a.Mean
				continue
			}
			least = min(least, a.Mean)
			proved = proved && a.Mean >= 1-missed-3*report.SD(conformal)/math.Sqrt(float64(len(conformal)))
			plainLow = min(plainLow, b.Mean)
			if b.High() < 1-missed {
				under++
			}
		}
		c.Text(float64(i*(len(learned)+1))+1.5, .06, [...]string{"log-n. .1", "log-n. 1", "Pareto", "slower"}[i], draw.Black)
	}
	c.Dots("split conformal", x, yc, draw.Disc, draw.Blue, 3)
	c.Dots(narrowed, x, yn, draw.Triangle, draw.Vermilion, 3)
	var err error
	if f.Picture, err = draw.New("Coverage of two kinds of intervals under four laws; split conformal intervals keep theirs unless the machine changes.", c); err != nil {
		return f, err
	}
	f.Claims = report.Claims("dynamicshare", "intervals", "", report.OfKind(report.Beyond, []report.Claim{
		{Claim: "split conformal intervals hold 90% of run times whatever their law", Published: "not considered", Model: fmt.Sprintf("at least %s under all laws and numbers of runs", report.Short(least)),
			Relation: "at least .9 less 3 standard errors, everywhere", Holds: proved, Note: "proved for exchangeable runs: a fault"},
		{Claim: "intervals from leave-one-out residuals hold fewer", Published: "not considered", Model: fmt.Sprintf("below .9 at %d of %d, at least %s", under, 3*len(learned), report.Short(plainLow)),
			Relation: "95% interval below .9 somewhere", Holds: under > 0, Note: "the loss is within chance at these numbers of runs and k"},
		{Claim: "after a change of the machine's speed they do not", Published: "not considered", Model: fmt.Sprintf("%s of the times after the speed has halved", report.Short(drifted)),
			Relation: "below .8", Holds: drifted < .8, Note: "the intervals are wide enough for half the speed"},
	}...)...)
	return f, nil
}
