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
		report.Says("as tasks execute the estimates come closer to the actual times", "close to the real one",
			"95% interval of the ratio below 1", "mean error after %d runs %s of that after one", counted[last], closer).Below(closer, 1),
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

// Numbers of runs and of questions of the figure bias.
const (
	trained = 1000
	queries = 40
)

// ks are the k of the figure bias, n^(4/7) = 52 and n^(4/5) = 252 among them.
var ks = []int{2, 4, 8, 16, 32, 52, 125, 252, 500, 1000}

// A decomposition is the squared bias and the variance of an estimator, means over the questions,
// in squared parts of the true value.
type decomposition struct{ bias, variance float64 }

func (d decomposition) error() float64 { return d.bias + d.variance }

// decompose asks the same questions of estimators that have learnt from n runs each, one for each
// seed and k. The variance of the mean error over the seeds is subtracted from its square, so that
// the squared bias is not overestimated.
func (s *study) decompose(n int, o knn.Options, ks []int) ([]decomposition, error) {
	j := &twitter
	ask := report.Stream(s.Seed, 0, queryStream)
	var asks []estimate.Run
	for range queries {
		asks = append(asks, j.run(1, ask))
	}
	answers, err := program.Each(s.terminal, "dynamicshare: bias", s.n, func(i int) ([][]float64, error) { // by seed, k and question
		r, list, o := report.Stream(s.Seed, i, runStream), make([][]float64, len(ks)), o
		var past []estimate.Run
		for range n {
			past = append(past, j.run(1, r))
		}
		for c, k := range ks {
			o.K = knn.Fixed(k)
			fit, err := nearest.Fit(o)
			if err != nil {
				return nil, err
			}
			guess := fit(past)
			for _, x := range asks {
				list[c] = append(list[c], guess(x.X).Value)
			}
		}
		return list, nil
	})
	if err != nil {
		return nil, err
	}
	list := make([]decomposition, len(ks))
	for c := range ks {
		for q, x := range asks {
			truth := j.expected(x, 1) * math.Exp(timeSpread*timeSpread/2)
			off := numbers.Column(answers, func(values *[][]float64) float64 { return (*values)[c][q]/truth - 1 })
			sd := numbers.SD(off)
			list[c].bias += (math.Pow(numbers.Mean(off), 2) - sd*sd/float64(s.n)) / queries
			list[c].variance += sd * sd / queries
		}
	}
	return list, nil
}

func (s *study) figureBias() (report.Figure, error) {
	f := report.NewFigure("Bias and variance of k-NN regression over k",
		fmt.Sprintf("Squared bias and variance, relative to the true time, of estimates from %d runs of a reduce task, means over %d questions and %s.",
			trained, queries, numbers.Count(s.n, "repetition")),
		"runs", "k", "repetitions", "squared_bias", "variance", "mean_squared_error")
	f.Shown.Columns = []string{"k", "squared bias", "variance", "error"}
	var bias, variance, errors []float64
	all, err := s.decompose(trained, knn.Options{}, ks)
	if err != nil {
		return f, err
	}
	for c, d := range all {
		f.Numbers.Add(trained, ks[c], s.n, d.bias, d.variance, d.error())
		f.Shown.Show(strconv.Itoa(ks[c]), d.bias, d.variance, d.error())
		bias, variance, errors = append(bias, max(d.bias, 1e-4)), append(variance, d.variance), append(errors, d.error())
	}
	sizes := []int{100, trained, 10 * trained}
	var balance [2][]float64 // squared bias over variance, for k = n^(4/5) and n^(4/7) by number of runs
	for _, n := range sizes {
		rates := []int{knn.Paper(n, 3), knn.Rate(n, 3)}
		at, err := s.decompose(n, knn.Options{}, rates)
		if err != nil {
			return f, err
		}
		for i, d := range at {
			balance[i] = append(balance[i], d.bias/d.variance)
			if n != trained { // those are among ks
				f.Numbers.Add(n, rates[i], s.n, d.bias, d.variance, d.error())
			}
		}
	}
	c := &draw.Chart{Height: 220, GridY: true, X: places("k", ks), Y: draw.Axis{Label: "share of the time, squared", Min: 1e-4, Max: 1, Log: true}}
	c.Series([]draw.Series{draw.Curve(0, "squared bias", nil, bias), draw.Curve(1, "variance", nil, variance), draw.Curve(2, "error", nil, errors)})
	constant := func(claim string, b []float64) report.Claim {
		return report.Says(claim, "constant", "largest at most 3 times the least",
			"squared bias over variance %s, %s, %s for %d, %d, %d runs", numbers.Short2(b[0]), numbers.Short2(b[1]), numbers.Short2(b[2]), sizes[0], sizes[1], sizes[2]).When(slices.Max(b) <= 3*slices.Min(b))
	}
	return f.Done([]report.Claim{
		constant("k in proportion to n^(4/5) keeps a constant balance between the variance and the bias", balance[0]),
		constant("k in proportion to n^(4/7), the rate of three features, keeps it constant", balance[1]),
	}, "Squared bias rises and variance falls as k grows; the error is least in between.", c)
}
