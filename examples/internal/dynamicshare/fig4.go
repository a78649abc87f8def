package dynamicshare

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/knn"
)

// counted are the numbers of earlier runs of Figure 4.
var counted = []int{0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120}

// asked is how many tasks are estimated after each of these numbers of runs, on each worker.
const asked = 8

// A learner is a way to estimate.
type learner struct {
	name    string
	options knn.Options
}

var learners = []learner{{"k = n^(4/5)", asPrinted}, {"k = n^(4/7)", knn.Options{}}}

// A lesson is what one seed gives of Figure 4.
type lesson struct {
	first  int            // estimates without any run that are too large
	errors [2][][]float64 // of each learner: mean relative error after so many runs, by worker
	known  []float64      // that of someone who knows the law of the times and not what is random in them, by worker
	sample [2][]float64   // of each learner: estimates of a task of the median size on the first worker
	actual float64        // what it takes, median
	pooled int            // workers on which the estimate from the runs of all others is too large, for the median task
}

// learn lets every worker run one task after the other, and asks for estimates of the next ones in between.
func (s *study) learn(repetition int) (lesson, error) {
	j := &twitter
	var x lesson
	pace := speeds(reduces, stream(s.Seed, repetition, speedStream))
	typical := estimate.Run{Bytes: j.medianValues(), CPU: 100 / (1 + load*math.Ln2)}
	x.actual = j.expected(typical, pace[0])
	x.known = make([]float64, reduces)
	for l := range learners {
		history, err := estimate.NewRequirements(estimate.RequirementOptions[string]{
			Fit: nearest(learners[l].options),
			Prior: func(estimate.Task[string], float64) estimate.Guess {
				return estimate.Guess{Value: j.strict, Known: true}
			},
			CPU: estimate.ModeOptions{Range: estimate.Fixed, Hi: 100}, Memory: estimate.ModeOptions{Range: estimate.Fixed, Hi: 100},
		})
		if err != nil {
			return x, err
		}
		runs, tests := stream(s.Seed, repetition, runStream), stream(s.Seed, repetition, queryStream)
		done := 0
		for _, n := range counted {
			for ; done < n; done++ {
				for w, speed := range pace {
					if err := history.Add(estimate.Task[string]{Class: j.name, Kind: estimate.Reduce, Worker: w}, j.run(speed, runs)); err != nil {
						return x, err
					}
				}
			}
			byWorker := make([]float64, reduces)
			for w, speed := range pace {
				task := estimate.Task[string]{Class: j.name, Kind: estimate.Reduce, Worker: w}
				for range asked {
					next := j.run(speed, tests)
					q, err := history.Estimate(task, next.Bytes)
					if err != nil {
						return x, err
					}
					byWorker[w] += math.Abs(q.Time.Value/next.Time-1) / asked
					if n == 0 && l == 0 && q.Time.Value > next.Time {
						x.first++
					}
					if l == 0 {
						next.CPU = typical.CPU
						x.known[w] += math.Abs(j.expected(next, speed)/next.Time-1) / float64(asked*len(counted))
					}
				}
			}
			x.errors[l] = append(x.errors[l], byWorker)
			q, err := history.Estimate(estimate.Task[string]{Class: j.name, Kind: estimate.Reduce}, typical.Bytes)
			if err != nil {
				return x, err
			}
			x.sample[l] = append(x.sample[l], q.Time.Value)
		}
		all, err := history.Estimate(estimate.Task[string]{Class: j.name, Kind: estimate.Reduce, Worker: estimate.AllWorkers}, typical.Bytes)
		if err != nil {
			return x, err
		}
		if l == 0 {
			for _, speed := range pace {
				if all.Time.Value > j.expected(typical, speed) {
					x.pooled++
				}
			}
		}
	}
	return x, nil
}

func (s *study) figure4() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig4",
		Title: "Figure 4: estimated and actual run time over the number of earlier runs",
		Caption: fmt.Sprintf("Top: estimates for a reduce task of the median size on one worker, first seed. Bottom: mean relative error of the estimates over all %d workers and %s. Without any run "+
			"the estimate is the strict deadline; the worker's own runs count from the first on. Sizes, load by others and noise are drawn (σ of log size %v, mean load %v, σ of log time %v).",
			reduces, report.Count(s.n, "repetition"), sizeSpread, load, timeSpread),
		Numbers: report.Table{Columns: []string{"runs", "paper_k_estimate_s", "default_k_estimate_s", "actual_s", "repetitions", "paper_k_error", "paper_k_ci95", "default_k_error", "default_k_ci95", "known_law_error"}},
		Shown:   report.Table{Columns: []string{"earlier runs", "error, k = n^(4/5)", "error, k = n^(4/7)"}},
	}
	lessons := make([]lesson, s.n)
	err := report.Parallel(s.n, func(_ *struct{}, i int) (err error) {
		lessons[i], err = s.learn(i)
		return err
	})
	if err != nil {
		return f, err
	}
	over := func(of func(x *lesson) float64) report.Interval {
		var list []float64
		for i := range lessons {
			list = append(list, of(&lessons[i]))
		}
		return report.Over(list)
	}
	known := over(func(x *lesson) float64 { return report.Mean(x.known) })
	one := &lessons[0]
	top, bottom := &draw.Chart{Height: 190, GridY: true}, &draw.Chart{Height: 190, GridY: true}
	for _, c := range []*draw.Chart{top, bottom} {
		c.X = draw.Axis{Label: "earlier runs of the task on the worker", Min: -.3, Max: float64(len(counted)) - .7}
		for i, n := range counted {
			c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(i), Label: strconv.Itoa(n)})
		}
	}
	top.Y.Label, bottom.Y.Label = "run time (s)", "mean relative error"
	var lines, errors []draw.Series
	for l, look := range []draw.Stroke{{Color: draw.Blue}, {Color: draw.Vermilion, Dash: draw.DashDot}} {
		mark := [...]draw.Mark{draw.Disc, draw.Triangle}[l]
		a, b := draw.Series{Label: learners[l].name, Stroke: look, Mark: mark, Radius: 2.5}, draw.Series{Stroke: look, Mark: mark, Radius: 2.5}
		for i := range counted {
			e := over(func(x *lesson) float64 { return report.Mean(x.errors[l][i]) })
			a.X, a.Y = append(a.X, float64(i)), append(a.Y, one.sample[l][i])
			b.X, b.Y, b.Spread = append(b.X, float64(i)), append(b.Y, e.Mean), append(b.Spread, e.Half)
		}
		lines, errors = append(lines, a), append(errors, b)
	}
	top.Series(lines, one.actual)
	top.Level("actual, median", one.actual, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
	bottom.Y.Min, bottom.Y.Max = 0, .8 // the first errors are far above
	bottom.Y.Ticks = draw.Ticks(0, .8, .2)
	bottom.Series(errors)
	bottom.Level("the law known", known.Mean, draw.Stroke{Color: draw.Black, Dash: draw.Dotted, Width: 1})
	for i, n := range counted {
		f.Numbers.Add(n, one.sample[0][i], one.sample[1][i], one.actual, s.n, errors[0].Y[i], errors[0].Spread[i], errors[1].Y[i], errors[1].Spread[i], known.Mean)
		f.Shown.Add(strconv.Itoa(n), report.Fixed(errors[0].Y[i]), report.Fixed(errors[1].Y[i]))
	}
	if f.Picture, err = draw.New(fmt.Sprintf("Estimates begin at %s s and come near the actual %s s; the mean error falls from %s to %s.",
		report.Short(one.sample[0][0]), report.Short(one.actual), report.Short(errors[0].Y[0]), report.Short(errors[0].Y[len(counted)-1])), top, bottom); err != nil {
		return f, err
	}
	f.Claims = s.claims4(lessons, known)
	return f, nil
}

func (s *study) claims4(lessons []lesson, known report.Interval) []report.Claim {
	last := len(counted) - 1
	first, pooled := 0, 0
	var far, falling []float64          // over the seeds: error after the last runs over that of the known law; change of the error from the first run to them
	workers := make([]float64, reduces) // mean error after the last runs, by rank of the worker's speed
	var better []float64                // default k over the paper's
	for i := range lessons {
		x := &lessons[i]
		first, pooled = first+x.first, pooled+x.pooled
		end := report.Mean(x.errors[0][last])
		far, falling = append(far, end/report.Mean(x.known)), append(falling, end/report.Mean(x.errors[0][1]))
		better = append(better, report.Mean(x.errors[1][last])/end)
		pace := speeds(reduces, stream(s.Seed, i, speedStream))
		sorted := slices.Sorted(slices.Values(pace))
		for w, e := range x.errors[0][last] {
			rank, _ := slices.BinarySearch(sorted, pace[w])
			workers[rank] += e / float64(len(lessons))
		}
	}
	n := len(lessons) * reduces
	all, close, worth := report.Over(far), report.Over(falling), report.Over(better)
	low, high := slices.Min(workers), slices.Max(workers)
	return report.Claims("dynamicshare", "fig4", "", []report.Claim{
		{Claim: "without any earlier run the estimate is larger than the actual time", Published: "larger", Model: fmt.Sprintf("%d of %d estimates", first, n*asked),
			Relation: "all", Holds: first == n*asked, Note: "the strict deadline, the guess without runs, is shorter than some tasks on slow workers", Kind: report.Constructed},
		{Claim: "the estimate of a worker that is new to a known job is larger than the actual time", Published: "not said", Model: fmt.Sprintf("on %d of %d workers", pooled, n),
			Relation: "all", Holds: pooled == n, Note: "the runs of all other workers answer for it: too long on fast machines, too short on slow ones", Kind: report.Beyond},
		{Claim: "as tasks execute the estimates come closer to the actual times", Published: "close to the real one", Model: fmt.Sprintf("mean error after %d runs %s of that after one", counted[last], close),
			Relation: "95% interval of the ratio below 1", Holds: close.High() < 1, Note: "noise hides what is learnt"},
		{Claim: "the estimates are close to the real ones", Published: "close", Model: fmt.Sprintf("mean error %s of the actual time; %s times that of one who knows the law of the times", report.Short(known.Mean*all.Mean), all),
			Relation: "95% interval of the multiple below 1.25", Holds: all.High() < 1.25, Note: fmt.Sprintf("k = n^(4/5) takes in %d of %d runs and pulls towards their mean; k = n^(4/7) has %s times this error", knn.Paper(counted[last], 3), counted[last], worth)},
		{Claim: "k = n^(4/7), the rate of three features, estimates better than k = n^(4/5)", Published: "n^(4/5)", Model: fmt.Sprintf("error %s of that of n^(4/5) after %d runs", worth, counted[last]),
			Relation: "95% interval of the ratio below 1", Holds: worth.High() < 1, Note: "of the three features only the size and the load matter", Kind: report.Beyond},
		{Claim: "similar results are observed for all workers", Published: "similar", Model: fmt.Sprintf("mean error by worker %s to %s", report.Short(low), report.Short(high)),
			Relation: "largest at most 1.5 times the least", Holds: high <= 1.5*low, Note: "the fixed part of a run time weighs more on fast workers"},
	}...)
}
