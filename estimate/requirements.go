package estimate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Guess is an estimate of a time. The zero value is the answer "unknown".
type Guess struct {
	Value     float64
	Low, High float64 // an interval around Value; -Inf and +Inf, or both 0, where the predictor has none
	Known     bool    // there is an estimate; otherwise the other fields mean nothing
	Outside   bool    // the question lies outside the data of the predictor
}

// Predict estimates the time of a task from its requirements x: bytes, cpu and memory, as in Run. It must not retain x.
type Predict func(x []float64) Guess

// Run is one execution of a task: what it required and how long it took. Units are the caller's, the same for all runs of a class.
type Run struct {
	Bytes  float64 `json:"bytes"`  // of its split (a map) or its partition (a reduce), in [0, 2^200]
	CPU    float64 `json:"cpu"`    // as a percentage of the worker, or any number in [0, 2^200]
	Memory float64 `json:"memory"` // likewise
	Time   float64 `json:"time"`   // in [0, 2^200]
}

// Kind is a kind of task.
type Kind uint8

const (
	Map Kind = iota
	Reduce
)

// AllWorkers stands for a worker that is not known: the history of a class over all workers.
const AllWorkers = -1

// Task says by what a history is kept: the class of a job, the kind of the task and the worker that runs it.
type Task[K comparable] struct {
	Class  K
	Kind   Kind
	Worker int // >= 0; AllWorkers in questions
}

// Basis says on what a Requirement rests.
type Basis uint8

const (
	Nothing       Basis = iota // there is no history and no prior: the requirement is unknown
	Prior                      // RequirementOptions.Prior
	ClassHistory               // the runs of the class and kind on all workers
	WorkerHistory              // the runs of the class and kind on the worker
)

// Requirement is what a task is expected to require. With the Basis Nothing or Prior, Runs is 0 and CPU, Memory, P50 and P95 mean nothing.
type Requirement struct {
	Time        Guess   // Time.Known is false if nobody knows
	CPU, Memory float64 // the modes of the history
	P50, P95    float64 // quantiles of the run times of the history, whatever the bytes: for timeouts and walltimes
	Basis       Basis
	Runs        int // in the history
}

// RequirementOptions are the settings of a Requirements. The zero value keeps the last 1,000 runs of each history, all of equal weight, takes one run
// for a history, knows no prior and predicts the median.
type RequirementOptions[K comparable] struct {
	// Fit returns a predictor that has learnt from the runs of one history, oldest first, which it may keep. It is called anew when a history
	// has changed and is asked. nil: the median of the run times, whatever the question.
	Fit func(runs []Run) Predict
	// Prior is the guess where there is no history; nil: unknown. bytes are those of the question.
	Prior  func(t Task[K], bytes float64) Guess
	Window int // the last runs that a history keeps, >= 0; 0 means 1,000
	Least  int // runs that make a history, >= 0; 0 means 1. With fewer the next basis is asked
	// HalfLife is in runs, > 0: a run weighs half as much in P50 and P95 when so many newer ones have come, and after ten half-lives it is forgotten. 0: no decay.
	HalfLife    float64
	CPU, Memory ModeOptions
}

// Requirements estimates what tasks will require from earlier runs. The runs of each class, kind and worker are a history, and so are those of each class and
// kind over all workers, which answers for a worker without a history. CPU and memory to expect are the Mode of the history; with the bytes of the task
// they are the question to the predictor, as in the paper's x = (size, cpu, memory).
//
// A run is forgotten when Window newer ones of its history have come, by HalfLife, or by Forget and ForgetWorker, for a job whose program changed and
// a machine that was replaced. How much a predictor trusts old runs that are kept is its own affair.
//
// A key must be equal to itself (NaN is not). Where K is an interface type, its keys must hold comparable values: others panic, as in a map. A zero
// Requirements has the zero options. A nil one has no history, and what would change it is an InputError. Not safe for concurrent use.
//
// Cost: Add O(1) amortised. Estimate costs a look-up and a call of the predictor, and O(n log n) and Fit more for the first one after a change of a history
// of n runs. Memory: up to 2 Window runs for each history. Source: [DS 3.1].
type Requirements[K comparable] struct {
	options RequirementOptions[K]
	of      map[Task[K]]*history
	added   int        // number of histories that there have been
	x       [3]float64 // the question, so that asking does not allocate
}

// history is the runs of one key and what follows from them.
type history struct {
	added   int         // place in the order of their first runs
	runs    []Run       // oldest first; the last keep() count
	predict Predict     // nil: to be learnt from runs, and summary with it
	summary Requirement // but Time and Basis
}

// NewRequirements returns an estimator without history.
//
// Errors: an *schedmath.InputError for an option out of range.
func NewRequirements[K comparable](o RequirementOptions[K]) (*Requirements[K], error) {
	if err := o.check("NewRequirements"); err != nil {
		return nil, err
	}
	return &Requirements[K]{options: o}, nil
}

func (o *RequirementOptions[K]) check(fn string) error {
	switch {
	case o.Window < 0 || o.Window > math.MaxInt32/2:
		return bad(fn, "o", -1, "Window is %d, want within [0, 2^30)", o.Window)
	case !(o.HalfLife >= 0 && o.HalfLife <= most):
		return bad(fn, "o", -1, "HalfLife is %v, want within [0, 2^200]", o.HalfLife)
	case o.Least < 0:
		return bad(fn, "o", -1, "Least is %d, want >= 0", o.Least)
	}
	if err := o.CPU.check(fn); err != nil {
		return err
	}
	return o.Memory.check(fn)
}

// keep returns how many runs a history keeps.
func (o *RequirementOptions[K]) keep() int {
	n := 1000
	if o.Window > 0 {
		n = o.Window
	}
	if o.HalfLife > 0 {
		n = int(min(float64(n), max(1, math.Ceil(10*o.HalfLife))))
	}
	return n
}

// Add reports a run of a task that has ended, to the history of its worker and to that of its class.
//
// Errors: an *schedmath.InputError for a Worker < 0, an unknown Kind, a Class not equal to itself or a number of r out of range; then nothing has changed.
func (q *Requirements[K]) Add(t Task[K], r Run) error {
	const fn = "Requirements.Add"
	if q == nil {
		return bad(fn, "q", -1, "nil, want one made by NewRequirements")
	}
	if err := t.check(fn, 0); err != nil {
		return err
	}
	if reason := r.fault(); reason != "" {
		return bad(fn, "r", -1, "%s", reason)
	}
	pooled := t
	pooled.Worker = AllWorkers
	keep := q.options.keep()
	for _, at := range [...]Task[K]{t, pooled} {
		h := q.history(at)
		if len(h.runs) >= 2*keep { // room for twice what is kept makes dropping the oldest O(1) amortised
			h.runs = h.runs[:copy(h.runs, h.kept(keep))]
		}
		h.runs, h.predict = append(h.runs, r), nil
	}
	return nil
}

// check reports what is wrong with a task whose worker must be at least least.
func (t Task[K]) check(fn string, least int) error {
	switch {
	case t.Class != t.Class:
		return bad(fn, "t", -1, "Class is %v, want a key that equals itself", t.Class)
	case t.Kind > Reduce:
		return bad(fn, "t", -1, "Kind is %d, want Map or Reduce", t.Kind)
	case t.Worker < least:
		return bad(fn, "t", -1, "Worker is %d, want >= %d", t.Worker, least)
	}
	return nil
}

// fault says what is wrong with a run, "" when nothing is.
func (r Run) fault() string {
	for i, x := range [...]float64{r.Bytes, r.CPU, r.Memory, r.Time} {
		if !isTime(x) {
			return fmt.Sprintf("%s is %v, want within [0, 2^200]", [...]string{"Bytes", "CPU", "Memory", "Time"}[i], x)
		}
	}
	return ""
}

// history returns the history of a key, a new one if there is none.
func (q *Requirements[K]) history(t Task[K]) *history {
	h := q.of[t]
	if h == nil {
		if q.of == nil {
			q.of = map[Task[K]]*history{}
		}
		h = &history{added: q.added}
		q.of[t] = h
		q.added++
	}
	return h
}

// kept returns the runs that count.
func (h *history) kept(keep int) []Run { return h.runs[max(0, len(h.runs)-keep):] }

// Estimate returns what a task with so many bytes of input will require, from the first basis that knows: the runs of its class and kind on its worker, those
// on all workers, the prior; otherwise the zero Requirement. For AllWorkers the first is passed over. bytes is in [0, 2^200]. A history whose CPU or memory
// has no Mode, since all values lie outside a Fixed range, takes the lower median. A guess counts as unknown if its value is no time or lies outside its
// interval.
//
// Errors: an *schedmath.InputError for a Worker < AllWorkers, an unknown Kind, a Class not equal to itself, bytes out of range.
func (q *Requirements[K]) Estimate(t Task[K], bytes float64) (Requirement, error) {
	const fn = "Requirements.Estimate"
	if err := t.check(fn, AllWorkers); err != nil {
		return Requirement{}, err
	}
	if !isTime(bytes) {
		return Requirement{}, bad(fn, "bytes", -1, "%v, want within [0, 2^200]", bytes)
	}
	if q == nil {
		return Requirement{}, nil
	}
	pooled := t
	pooled.Worker = AllWorkers
	for _, at := range [...]Task[K]{t, pooled} {
		h := q.of[at]
		if h == nil || len(h.kept(q.options.keep())) < max(1, q.options.Least) {
			continue
		}
		if h.predict == nil {
			q.options.learn(h)
		}
		answer := h.summary
		if answer.Basis = WorkerHistory; at == pooled {
			answer.Basis = ClassHistory
		}
		q.x = [3]float64{bytes, answer.CPU, answer.Memory}
		if answer.Time = sane(h.predict(q.x[:])); answer.Time.Known {
			return answer, nil
		}
	}
	if q.options.Prior != nil {
		if g := sane(q.options.Prior(t, bytes)); g.Known {
			return Requirement{Time: g, Basis: Prior}, nil
		}
	}
	return Requirement{}, nil
}

// sane returns a guess, the zero one if it is none or its value is no time.
func sane(g Guess) Guess {
	if !g.Known || !isTime(g.Value) || !(g.Low <= g.Value && g.Value <= g.High) && (g.Low != 0 || g.High != 0) {
		return Guess{}
	}
	return g
}

// learn sets the summary and the predictor of a history.
func (o *RequirementOptions[K]) learn(h *history) {
	runs := h.kept(o.keep())
	cpu, memory := make([]float64, len(runs)), make([]float64, len(runs))
	for i, r := range runs {
		cpu[i], memory[i] = r.CPU, r.Memory
	}
	median, p95 := o.quantiles(runs)
	h.summary = Requirement{CPU: modeOrMedian(o.CPU, cpu), Memory: modeOrMedian(o.Memory, memory), P50: median, P95: p95, Runs: len(runs)}
	if o.Fit != nil {
		h.predict = o.Fit(slices.Clone(runs))
	} else {
		h.predict = func([]float64) Guess { return Guess{Value: median, Known: true} }
	}
	if h.predict == nil {
		h.predict = func([]float64) Guess { return Guess{} }
	}
}

// modeOrMedian returns the mode of values, their median if none lies within the range.
func modeOrMedian(o ModeOptions, values []float64) float64 {
	m, err := o.of("", values)
	if err != nil {
		slices.Sort(values)
		m = values[(len(values)-1)/2]
	}
	return m
}

// quantiles returns the median and the 95th percentile of run times: the least time that runs of at least this share of the weight do not exceed.
func (o *RequirementOptions[K]) quantiles(runs []Run) (p50, p95 float64) {
	type weighted struct{ time, weight float64 }
	list := make([]weighted, len(runs))
	total := 0.0
	for i, r := range runs {
		list[i] = weighted{r.Time, 1}
		if o.HalfLife > 0 {
			list[i].weight = math.Exp2(-float64(len(runs)-1-i) / o.HalfLife)
		}
		total += list[i].weight
	}
	slices.SortStableFunc(list, func(a, b weighted) int { return cmp.Compare(a.time, b.time) })
	p50, p95 = -1, -1
	sum := 0.0
	for _, x := range list {
		sum += x.weight
		if p50 < 0 && sum >= .5*total {
			p50 = x.time
		}
		if p95 < 0 && sum >= .95*total {
			p95 = x.time
		}
	}
	return p50, p95
}
