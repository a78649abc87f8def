package dynamicshare

import (
	"errors"
	"math"
	"slices"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

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
