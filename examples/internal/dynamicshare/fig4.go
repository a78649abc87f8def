package dynamicshare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/knn"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// counted are the numbers of earlier runs of Figure 4.
var counted = []int{0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120}

// asked is how many tasks are estimated after each of these numbers of runs, on each worker.
const asked = 8

// learners are ways to estimate, the paper's first.
var learners = []struct {
	name    string
	options knn.Options
}{{"k = n^(4/5)", asPrinted}, {"k = n^(4/7)", knn.Options{}}}

// A lesson is what one seed gives of Figure 4 with one learner.
type lesson struct {
	errors [][]float64 // mean relative error after so many runs, by worker
	known  float64     // mean relative error of one who knows the law of the times but not the noise and the load
	sample []float64   // estimates of a task of the median size on the first worker
	actual float64     // the median of its time
}

// learn lets every worker run one task after the other, and asks for estimates of the next ones in
// between.
func (s *study) learn(o knn.Options, repetition int) (x lesson, err error) {
	j := &twitter
	percent := estimate.ModeOptions{Hi: 100}
	fit, err := nearest.Fit(o)
	if err != nil {
		return x, err
	}
	history, err := estimate.NewRequirements(estimate.RequirementOptions[string]{Fit: fit, Modes: []estimate.ModeOptions{cpu: percent, memory: percent}, Prior: strictDeadline})
	if err != nil {
		return x, err
	}
	guess := func(worker int, values float64) float64 {
		q, bad := history.Estimate(estimate.Task[string]{Class: j.name, Worker: worker}, []float64{values})
		err = errors.Join(err, bad)
		return q.Time.Value
	}
	pace := speeds(reduces, fastest, report.Stream(s.Seed, repetition, speedStream))
	typical := estimate.Run{X: []float64{bytes: j.medianValues(), cpu: 100 / (1 + load*math.Ln2)}}
	x.actual = j.expected(typical, pace[0])
	runs, tests := report.Stream(s.Seed, repetition, runStream), report.Stream(s.Seed, repetition, queryStream)
	done := 0
	for _, n := range counted {
		for ; done < n; done++ {
			for w, speed := range pace {
				err = errors.Join(err, history.Add(estimate.Task[string]{Class: j.name, Worker: w}, j.run(speed, runs)))
			}
		}
		byWorker := make([]float64, reduces)
		for w, speed := range pace {
			for range asked {
				next := j.run(speed, tests)
				byWorker[w] += math.Abs(guess(w, next.X[bytes])/next.Time-1) / asked
				next.X[cpu] = typical.X[cpu]
				x.known += math.Abs(j.expected(next, speed)/next.Time-1) / float64(asked*len(counted)*reduces)
			}
		}
		x.errors, x.sample = append(x.errors, byWorker), append(x.sample, guess(0, typical.X[bytes]))
	}
	return x, err
}

func (s *study) figure4(joined []joint) (report.Figure, error) {
	f := report.NewFigure("Figure 4: estimated and actual run time over the number of earlier runs",
		fmt.Sprintf("Top: estimates for a reduce task of the median size on one worker, first seed. Bottom: mean relative error of the estimates over all %d workers and %s. Without any run "+
			"the estimate is the strict deadline; the worker's own runs count from the first on. Under “in the scheduler”: the same in the run of the figure joined, under LLF that learns from the tasks that end. “The law known”: the error of one who knows the law of the times but not the noise and the load. Sizes, load by others and noise are drawn (σ of log size %v, mean load %v, σ of log time %v).",
			reduces, numbers.Count(s.n, "repetition"), sizeSpread, load, timeSpread),
		"runs", "paper_k_estimate_s", "default_k_estimate_s", "actual_s", "repetitions", "paper_k_error", "paper_k_ci95", "default_k_error", "default_k_ci95", "known_law_error", "scheduler_error", "scheduler_ci95")
	f.Shown.Columns = []string{"earlier runs", "error, k = n^(4/5)", "error, k = n^(4/7)"}
	var lessons [2][]lesson
	var sample, lines [2]draw.Series
	for l := range learners {
		var err error
		if lessons[l], err = program.Each(s.terminal, "dynamicshare: estimates", s.n, func(i int) (lesson, error) { return s.learn(learners[l].options, i) }); err != nil {
			return f, err
		}
		var errors []numbers.Interval
		for i := range counted {
			errors = append(errors, numbers.Across(lessons[l], func(x *lesson) float64 { return numbers.Mean(x.errors[i]) }))
		}
		sample[l], lines[l] = draw.Curve(l, learners[l].name, nil, lessons[l][0].sample), draw.Means(l, "", nil, errors)
	}
	known := numbers.Across(lessons[0], func(x *lesson) float64 { return x.known })
	var run []numbers.Interval // in the scheduler, up to as many runs as there are jobs
	for i := range counted {
		run = append(run, numbers.Across(joined, func(x *joint) float64 { return x.learnt[i] }))
	}
	reached := numbers.Number(counted, func(n int) bool { return n < s.inStream() })
	one := &lessons[0][0]
	runs := places("earlier runs of the task on the worker", counted)
	top := &draw.Chart{Height: 190, GridY: true, X: runs, Y: draw.Axis{Label: "run time (s)", Log: true}}
	bottom := &draw.Chart{Height: 190, GridY: true, X: runs, Y: draw.Axis{Label: "mean relative error", Max: .8, Ticks: draw.Ticks(0, .8, .2)}} // the first errors are far above
	top.Series(sample[:], one.actual)
	top.Level("actual, median", one.actual, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
	bottom.Series(append(lines[:], draw.Means(2, "in the scheduler, "+learners[0].name, nil, run[:reached])))
	bottom.Level("the law known", known.Mean, draw.Stroke{Color: draw.Black, Dash: draw.Dotted, Width: 1})
	for i, n := range counted {
		f.Numbers.Add(n, sample[0].Y[i], sample[1].Y[i], one.actual, s.n, lines[0].Y[i], lines[0].Spread[i], lines[1].Y[i], lines[1].Spread[i], known.Mean, run[i].Mean, run[i].Half)
		f.Shown.Add(strconv.Itoa(n), numbers.Fixed(lines[0].Y[i]), numbers.Fixed(lines[1].Y[i]))
	}
	last := len(counted) - 1
	return f.Done(append(s.claims4(lessons, known), claimLearnt(joined)), fmt.Sprintf("Estimates begin at %s s and come near the actual %s s; the mean error falls from %s to %s.",
		numbers.Short(one.sample[0]), numbers.Short(one.actual), numbers.Short(lines[0].Y[0]), numbers.Short(lines[0].Y[last])), top, bottom)
}

func (s *study) claims4(lessons [2][]lesson, known numbers.Interval) []report.Claim {
	last := len(counted) - 1
	end := func(x *lesson) float64 { return numbers.Mean(x.errors[last]) }
	all := numbers.Across(lessons[0], func(x *lesson) float64 { return end(x) / x.known })
	closer := numbers.Across(lessons[0], func(x *lesson) float64 { return end(x) / numbers.Mean(x.errors[1]) })
	better := make([]float64, s.n)
	workers := make([]float64, reduces) // mean error after the last runs, by rank of the worker's speed
	for i := range s.n {
		x := &lessons[0][i]
		better[i] = end(&lessons[1][i]) / end(x)
		for w, v := range speeds(reduces, fastest, report.Stream(s.Seed, i, speedStream)) {
			rank := math.Round((v - 1) / (fastest - 1) * (reduces - 1))
			workers[int(rank)] += x.errors[last][w] / float64(s.n)
		}
	}
	low, high := slices.Min(workers), slices.Max(workers)
	return []report.Claim{
		report.Says("as tasks execute the estimates come closer to the actual times", "close to the real one", "95% interval of the ratio below 1",
			"mean error after %d runs %s of that after one", counted[last], closer).Below(closer, 1),
		report.Claim{Claim: "the estimates are close to the real ones", Published: "close", Model: fmt.Sprintf("mean error %s of the actual time; %s times that of one who knows the law of the times", numbers.Short(known.Mean*all.Mean), all),
			Relation: "95% interval of the multiple below 1.25", Note: report.Because(numbers.Over(better).High() < 1, fmt.Sprintf("k = n^(4/5) takes in %d of %d runs; k = n^(4/7) has %s times this error", knn.Paper(counted[last], 3), counted[last], numbers.Over(better)))}.Below(all, 1.25),
		report.Says("similar results are observed for all workers", "similar", "largest at most 1.5 times the least",
			"mean error by worker %s to %s", numbers.Short(low), numbers.Short(high)).When(high <= 1.5*low),
	}
}

// claimLearnt compares the errors of estimates learnt in the scheduler.
func claimLearnt(joined []joint) report.Claim {
	const late = 20
	at := slices.Index(counted, late)
	closer := numbers.Across(joined, func(x *joint) float64 { return x.learnt[at] / x.learnt[1] })
	return report.Says("in the scheduler, too, estimates come closer as tasks end", "close to the real one", "95% interval of the ratio below 1",
		"mean error of reduces after %d tasks on the worker %s of that after one", late, closer).Below(closer, 1)
}

// A learner is LLF in queues of hashed tasks, whose times are estimated by k-NN from the tasks that
// have ended in the run. It begins without a history; a worker without one takes that of all
// others.
type learner struct {
	queues.Policy
	b       *batch
	history *estimate.Requirements[string]
	ended   map[slotmodel.Node]int
	errors  [][]float64 // relative errors of reduces, by place in counted of the number of tasks that had ended on their worker
	err     error
}

func newLearner(b *batch) slotmodel.Policy {
	fit, err := nearest.Fit(asPrinted)
	l := &learner{b: b, ended: map[slotmodel.Node]int{}, errors: make([][]float64, len(counted)), err: err}
	l.history, err = estimate.NewRequirements(estimate.RequirementOptions[string]{Fit: fit, Prior: strictDeadline})
	l.err = errors.Join(l.err, err)
	l.Policy = queues.Policy{Order: queues.LLF, Bind: hashed, Remaining: queues.ByProgress(l.expected)}
	return l
}

// strictDeadline is the guess without any run.
func strictDeadline(estimate.Task[string], []float64) estimate.Guess {
	return estimate.Guess{Value: twitter.strict, Known: true}
}

// expected estimates a task on the worker to which it is hashed.
func (l *learner) expected(v *slotmodel.View, t slotmodel.Task, _ slotmodel.Node) float64 {
	j, k, i := v.Index(t)
	q, err := l.history.Estimate(estimate.Task[string]{Kind: k, Worker: int(hashed(v, t))}, []float64{l.b.input(j, k, i)})
	if err != nil {
		return math.NaN()
	}
	return q.Time.Value
}

// Observe learns from a task that has ended. Its cpu is that of the worker at the end.
func (l *learner) Observe(v *slotmodel.View, e slotmodel.Event) {
	l.Policy.Observe(v, e)
	if e.Type != slotmodel.Ended {
		return
	}
	x := v.Attempt(e.Attempt)
	_, _, i := v.Index(x.Task)
	took := v.Now() - x.Start
	if at := slices.Index(counted, l.ended[x.Node]); at >= 0 && x.Kind == slotmodel.Reduce {
		l.errors[at] = append(l.errors[at], math.Abs(l.expected(v, x.Task, x.Node)/took-1))
	}
	l.ended[x.Node]++
	run := estimate.Run{X: []float64{bytes: l.b.input(x.Job, x.Kind, i), cpu: 100 / v.Slowdown(x.Node)}, Time: took}
	l.err = errors.Join(l.err, l.history.Add(estimate.Task[string]{Kind: x.Kind, Worker: int(x.Node)}, run))
}
