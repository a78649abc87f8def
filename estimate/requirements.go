package estimate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/input"
)

// Guess is an estimate of a time. The zero value is the answer "unknown".
type Guess struct {
	Value float64
	// Low, High: an interval around Value; -Inf and +Inf, or both 0, where the predictor has none
	Low, High float64
	Known     bool // there is an estimate; otherwise the other fields mean nothing
	Outside   bool // the question lies outside the data of the predictor
}

// Predict estimates the time of a task from its features x, as in Run. It must not retain x.
type Predict func(x []float64) Guess

// Run is one execution of a task: what describes it and how long it took. Its features X are what
// the caller chooses, those known before a run first: bytes, say, then cpu and memory. Units are
// the caller's, the same for all runs of a class.
type Run struct {
	// X: each in [-2^200, 2^200]; all runs of a class and kind have as many
	X    []float64 `json:"x,omitempty"`
	Time float64   `json:"time"` // in [0, 2^200]
}

// AllWorkers stands for a worker that is not known: the history of a class over all workers.
const AllWorkers = -1

// Task says by what a history is kept: the class of a job, the kind of the task and the worker.
type Task[K comparable] struct {
	Class  K
	Kind   schedmath.Kind
	Worker int // >= 0; AllWorkers in questions
}

// Requirement is how long a task is expected to run, and by which runs.
type Requirement struct {
	Time Guess // Time.Known is false if nobody knows
	// Runs is the number of runs that the history which answered has learnt from; 0: none did, the
	// Time is the prior's or unknown, and P95 and Worker are 0.
	Runs int
	// Worker is whose runs they are: the worker of the question, or AllWorkers. Times of a class
	// tell nothing of how workers differ.
	Worker int
	P95    float64 // run time of rank ceil(.95 Runs) in the history: for timeouts and walltimes
}

// RequirementOptions are the settings of a Requirements. The zero value predicts the median of the
// last 1,000 runs of each history.
type RequirementOptions[K comparable] struct {
	// Fit returns a predictor that has learnt from the runs of one history, oldest first, which it
	// may keep and change. It is called when a history that has more to learn is asked. nil: the
	// lower median of the run times, whatever the question.
	Fit func(runs []Run) Predict
	// Prior is the guess where there is no history; nil: unknown. x is the question, not to be
	// retained.
	Prior  func(t Task[K], x []float64) Guess
	Window int // the last runs that a history learns from; 0: 1,000
	// Period is after how many runs a history learns anew; 0: 1. In between its answers do not
	// change. The first Period runs it learns one by one.
	Period int
	// Modes says how the mode of each feature is taken, the lower median where no value lies within
	// its range; the zero ModeOptions for those beyond its length.
	Modes []ModeOptions
}

// Requirements estimates what tasks will require from earlier runs [DS 3.1]. The runs of each
// class, kind and worker are a history; those of each class and kind over all workers are another,
// which answers for a worker without one. Features that a question leaves out are expected to be
// the mode of the history.
//
// A run is forgotten when Window newer ones of its history have come, or by Forget. Answers depend
// on the runs alone, not on what was asked before.
//
// The zero value has the zero options. A key that holds a value that is not comparable panics, as
// in a map.
type Requirements[K comparable] struct {
	options RequirementOptions[K]
	of      map[Task[K]]*history
	added   int       // number of histories that there have been
	x       []float64 // the question, so that asking does not allocate
}

// history is the runs of one key and what follows from them.
type history struct {
	added   int       // place in the order of their first runs
	runs    []Run     // oldest first; the last keep() count
	since   int       // the newest runs, to be learnt later
	predict Predict   // nil: to be learnt from runs, and what follows with it
	modes   []float64 // of each feature, NaN until asked for
	summary Requirement
}

// NewRequirements returns an estimator without history. Errors: Window or Period outside [0, 2^30);
// with its index one of Modes that ModeOf refuses.
func NewRequirements[K comparable](o RequirementOptions[K]) (*Requirements[K], error) {
	if err := o.check("estimate.NewRequirements"); err != nil {
		return nil, err
	}
	o.Modes = slices.Clone(o.Modes)
	return &Requirements[K]{options: o}, nil
}

func (o *RequirementOptions[K]) check(fn string) error {
	switch {
	case o.Window < 0 || o.Window > math.MaxInt32/2:
		return input.Bad(fn, "o", -1, "Window is %d, want within [0, 2^30)", o.Window)
	case o.Period < 0 || o.Period > math.MaxInt32/2:
		return input.Bad(fn, "o", -1, "Period is %d, want within [0, 2^30)", o.Period)
	}
	for k, m := range o.Modes {
		if err := m.check(fn, k); err != nil {
			return err
		}
	}
	return nil
}

func (o *RequirementOptions[K]) period() int { return max(1, o.Period) }

// keep returns how many runs of a history count: those learnt from and those to be learnt later.
func (o *RequirementOptions[K]) keep() int { return o.window() + o.period() - 1 }

// window returns from how many runs a history learns.
func (o *RequirementOptions[K]) window() int { return cmp.Or(o.Window, 1000) }

// Add reports a run of a task that has ended, to the history of its worker and to that of its
// class. r is copied.
//
// Errors: a Worker < 0, an unknown Kind, a Class not equal to itself, a number of r out of range or
// another number of features than before.
func (q *Requirements[K]) Add(t Task[K], r Run) error {
	const fn = "estimate.Requirements.Add"
	if err := t.check(fn, 0); err != nil {
		return err
	}
	for _, at := range t.both() {
		if reason := r.fault(q.of[at]); reason != "" {
			return input.Bad(fn, "r", -1, "%s", reason)
		}
	}
	r.X = append([]float64(nil), r.X...)
	for _, at := range t.both() {
		h, keep := q.history(at), q.options.keep()
		// room for twice what is kept makes dropping the oldest O(1) amortised
		if len(h.runs)/2 >= keep {
			h.runs = h.runs[:copy(h.runs, h.runs[len(h.runs)-keep:])]
		}
		h.runs = append(h.runs, r)
		if h.since++; h.since >= q.options.period() || len(h.runs) <= q.options.period() {
			h.since, h.predict = 0, nil
		}
	}
	return nil
}

// check reports what is wrong with a task whose worker must be at least least.
func (t Task[K]) check(fn string, least int) error {
	switch {
	case t.Class != t.Class:
		return input.Bad(fn, "t", -1, "Class is %v, want a key that equals itself", t.Class)
	case t.Kind > schedmath.Reduce:
		return input.Bad(fn, "t", -1, "Kind is %d, want Map or Reduce", t.Kind)
	case t.Worker < least:
		return input.Bad(fn, "t", -1, "Worker is %d, want >= %d", t.Worker, least)
	}
	return nil
}

// fault says what is wrong with a run of a history, which may be nil; "" when nothing is.
func (r Run) fault(h *history) string {
	if !isTime(r.Time) {
		return fmt.Sprintf("Time is %v, want within [0, 2^200]", r.Time)
	}
	for i, x := range r.X {
		if !isFeature(x) {
			return fmt.Sprintf("X[%d] is %v, want within [-2^200, 2^200]", i, x)
		}
	}
	if h != nil && len(r.X) != len(h.runs[0].X) {
		return fmt.Sprintf("X has %d features, want %d as in the runs before", len(r.X), len(h.runs[0].X))
	}
	return ""
}

func isFeature(x float64) bool { return math.Abs(x) <= most }

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

// learnt returns the runs from which a history has learnt, or is to learn when it is asked.
func (o *RequirementOptions[K]) learnt(h *history) []Run {
	runs := h.runs[:len(h.runs)-h.since]
	return runs[max(0, len(runs)-o.window()):]
}

// Estimate returns how long a task will run whose first features are x. The first that knows
// answers: the runs of its class and kind on its worker (not for AllWorkers), those on all workers,
// the prior; otherwise the answer is the zero Requirement. Features that are left out are expected
// to be those of Modes. A guess counts as unknown if its value is no time or lies outside its
// interval.
//
// Errors: a Worker < AllWorkers, an unknown Kind, a Class not equal to itself, a number of x out of
// range, an x of more features than the runs have.
func (q *Requirements[K]) Estimate(t Task[K], x []float64) (Requirement, error) {
	const fn = "estimate.Requirements.Estimate"
	if err := t.check(fn, AllWorkers); err != nil {
		return Requirement{}, err
	}
	for i, v := range x {
		if !isFeature(v) {
			return Requirement{}, input.Bad(fn, "x", i, "%v, want within [-2^200, 2^200]", v)
		}
	}
	for _, at := range t.both() {
		h := q.asked(at)
		if h == nil {
			continue
		}
		if len(x) > len(h.modes) {
			return Requirement{}, input.Bad(fn, "x", -1, "has %d features, want at most the %d of the runs", len(x), len(h.modes))
		}
		answer := h.summary
		answer.Worker = at.Worker
		q.x = append(q.x[:0], x...)
		for j := len(x); j < len(h.modes); j++ {
			q.x = append(q.x, q.options.mode(h, j))
		}
		if answer.Time = sane(h.predict(q.x)); answer.Time.Known {
			return answer, nil
		}
	}
	if q.options.Prior != nil {
		if g := sane(q.options.Prior(t, x)); g.Known {
			return Requirement{Time: g}, nil
		}
	}
	return Requirement{}, nil
}

// both returns the keys of the two histories of a task, first that of its worker.
func (t Task[K]) both() [2]Task[K] {
	return [...]Task[K]{t, {t.Class, t.Kind, AllWorkers}}
}

// asked returns the history of a key, which has learnt what it is to learn, or nil where there is
// none.
func (q *Requirements[K]) asked(t Task[K]) *history {
	h := q.of[t]
	if h == nil {
		return nil
	}
	if h.predict == nil {
		q.options.learn(h)
	}
	return h
}

// sane returns a guess, the zero one if it is none or its value is no time.
func sane(g Guess) Guess {
	if !g.Known || !isTime(g.Value) || !(g.Low <= g.Value && g.Value <= g.High) && (g.Low != 0 || g.High != 0) {
		return Guess{}
	}
	return g
}

// learn makes the predictor of a history and what else follows from its runs.
func (o *RequirementOptions[K]) learn(h *history) {
	runs := o.learnt(h)
	h.modes = slices.Repeat([]float64{math.NaN()}, len(runs[0].X))
	times := make([]float64, len(runs))
	for i, r := range runs {
		times[i] = r.Time
	}
	slices.Sort(times)
	n := len(times)
	// A quantile is the least time that this share of the runs does not exceed.
	h.summary = Requirement{P95: times[(19*n-1)/20], Runs: n}
	median := Guess{Value: times[(n-1)/2], Known: o.Fit == nil}
	h.predict = func([]float64) Guess { return median }
	if o.Fit != nil {
		if p := o.Fit(copied(runs)); p != nil {
			h.predict = p
		}
	}
}

// copied returns a deep copy of runs, of which there is at least one.
func copied(runs []Run) []Run {
	features := len(runs[0].X)
	all := slices.Grow([]float64(nil), len(runs)*features)
	runs = slices.Clone(runs)
	for i, r := range runs {
		all = append(all, r.X...)
		runs[i].X = all[len(all)-features : len(all) : len(all)]
	}
	return runs
}

// mode returns the mode of a feature of a history.
func (o *RequirementOptions[K]) mode(h *history, feature int) float64 {
	if mode := h.modes[feature]; mode == mode {
		return mode
	}
	runs := o.learnt(h)
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = r.X[feature]
	}
	var bins ModeOptions
	if feature < len(o.Modes) {
		bins = o.Modes[feature]
	}
	mode, err := ModeOf(values, bins)
	if err != nil {
		slices.Sort(values)
		mode = values[(len(values)-1)/2]
	}
	h.modes[feature] = mode
	return mode
}
