package dynamicshare

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/knn"
)

// A rival is an estimator of the figure drift: it predicts the time of a run from the latest runs,
// oldest first.
type rival struct {
	name    string
	window  int // runs it learns from; 0: all
	predict func(past []estimate.Run, x *estimate.Run) float64
}

var rivals = []rival{
	{"k-NN, all runs", 0, nearestTime},
	{"k-NN, last 100", 100, nearestTime},
	{"least squares, all runs", 0, polynomial},
	{"least squares, last 100", 100, polynomial},
}

func nearestTime(past []estimate.Run, x *estimate.Run) float64 {
	fit, err := nearest.Fit(knn.Options{})
	if err != nil {
		return math.NaN()
	}
	return fit(past)(x.X).Value
}

// terms are those of a polynomial of degree 2 in the features, in units that keep the equations
// well conditioned.
func terms(x *estimate.Run) []float64 {
	a, b, c := x.X[bytes]/twitter.medianValues(), x.X[cpu]/100, x.X[memory]/100
	return []float64{1, a, b, c, a * a, a * b, a * c, b * b, b * c, c * c}
}

// polynomial predicts by least squares.
func polynomial(past []estimate.Run, x *estimate.Run) float64 {
	width := len(terms(x))
	rows, y := mat.NewDense(len(past), width, nil), mat.NewVecDense(len(past), nil)
	for i := range past {
		rows.SetRow(i, terms(&past[i]))
		y.SetVec(i, past[i].Time)
	}
	var qr mat.QR
	qr.Factorize(rows)
	var beta mat.VecDense
	if err := qr.SolveVecTo(&beta, false, y); err != nil {
		return math.NaN()
	}
	return mat.Dot(mat.NewVecDense(width, terms(x)), &beta)
}

// The worker of the figure drift: it changes its speed twice.
const (
	era     = 200 // runs at one speed
	between = 20  // runs between two questions
)

var eras = []float64{4, 1.5, 3}

// drift is the relative errors of the rivals before run between, 2*between and so on, for one seed.
func (s *study) drift(repetition int) [][]float64 {
	r, errors := stream(s.Seed, repetition, runStream), make([][]float64, len(rivals))
	var past []estimate.Run
	for n := range era * len(eras) {
		next := twitter.run(eras[n/era], r)
		if n > 0 && n%between == 0 {
			for i, c := range rivals {
				window := past
				if c.window > 0 {
					window = past[max(0, n-c.window):]
				}
				errors[i] = append(errors[i], math.Abs(c.predict(window, &next)/next.Time-1))
			}
		}
		past = append(past, next)
	}
	return errors
}

func (s *study) figureDrift() (report.Figure, error) {
	f := report.NewFigure("k-NN regression and least squares on a worker that changes its speed",
		fmt.Sprintf("Mean relative error of the estimate of the next run's time over %s, asked every %d runs. The worker has speed %v, from run %d on %v and from run %d on %v. Least squares fits a polynomial of degree 2 in size, cpu and memory; k = n^(4/7).",
			report.Count(10*s.n, "repetition"), between, eras[0], era, eras[1], 2*era, eras[2]),
		"estimator", "runs", "repetitions", "error", "ci95")
	f.Shown.Columns = []string{"estimator", "error, first speed", "second", "third", "all"}
	seeds, err := report.Each(s.terminal, "dynamicshare: drift", 10*s.n, func(i int) ([][]float64, error) { return s.drift(i), nil })
	if err != nil {
		return f, err
	}
	c := &draw.Chart{Height: 240, GridY: true}
	c.X = draw.Axis{Label: "runs so far", Max: era * float64(len(eras)), Ticks: draw.Ticks(0, era*float64(len(eras)), 100)}
	c.Y = draw.Axis{Label: "mean relative error", Min: .05, Max: 2, Log: true, Ticks: draw.RatioTicks(.05, 2)}
	var lines []draw.Series
	const per = era / between
	mean := func(i, from, until int) []float64 { // by seed, over some questions
		return report.Column(seeds, func(errors *[][]float64) float64 { return report.Mean((*errors)[i][from:until]) })
	}
	for i, rival := range rivals {
		var x, y []float64
		for q := range seeds[0][i] {
			e := report.Across(seeds, func(errors *[][]float64) float64 { return (*errors)[i][q] })
			x, y = append(x, float64((q+1)*between)), append(y, e.Mean)
			f.Numbers.Add(rival.name, (q+1)*between, len(seeds), e.Mean, e.Half)
		}
		lines = append(lines, curve(i, rival.name, x, y...))
		f.Shown.Show(rival.name, report.Mean(y[:per-1]), report.Mean(y[per-1:2*per-1]), report.Mean(y[2*per-1:]), report.Mean(y))
	}
	c.Series(lines)
	ratio := func(a, b []float64) report.Interval { // of the means, by the difference over the seeds
		var list []float64
		for i := range a {
			list = append(list, a[i]/report.Mean(b)+1-b[i]/report.Mean(b))
		}
		return report.Over(list)
	}
	all := len(seeds[0][0])
	same := ratio(mean(0, per/2, per-1), mean(2, per/2, per-1)) // late at the first speed
	windowed, squares := ratio(mean(1, 0, all), mean(0, 0, all)), ratio(mean(1, 0, all), mean(3, 0, all))
	return f.Done(driftClaims(squares, same, windowed), "Errors of four estimators over 600 runs; they jump where the worker changes its speed, and fall again for those with a window.", c)
}

// noWorse is the ratio of two errors up to which the first counts as no worse.
const noWorse = 1.05

// driftClaims are about ratios of errors: of k-NN and least squares over the last 100 runs, of k-NN
// and least squares at the first speed, and of k-NN over the last 100 runs and over all.
func driftClaims(squares, same, windowed report.Interval) []report.Claim {
	return []report.Claim{
		report.Claim{Claim: "in a dynamic environment non-parametric regression is more appropriate than least squares", Published: "more appropriate", Model: fmt.Sprintf("error of k-NN %s of that of least squares, the last 100 runs each", squares),
			Relation: "95% interval of the ratio below 1", Note: "what changes is the speed, not the form of the function: a polynomial that suits it needs fewer runs than k-NN"}.Below(squares, 1),
		report.Claim{Claim: "where nothing changes k-NN is no worse than least squares", Published: "not said", Model: fmt.Sprintf("error %s of that of least squares at the first speed", same),
			Relation: fmt.Sprintf("95%% interval of the ratio below %v", noWorse), Note: "the law of the times is close to a polynomial, and k-NN averages over neighbours of other sizes"}.Below(same, noWorse),
		report.Claim{Claim: "under drift it is the window that matters", Published: "the number of runs to use depends on the job", Model: fmt.Sprintf("error of k-NN over the last 100 runs %s of that over all", windowed),
			Relation: "95% interval of the ratio below 1", Note: "fewer runs cost more than old ones mislead"}.Below(windowed, 1),
	}
}
