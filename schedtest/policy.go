package schedtest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/slotmodel"
)

// A Law is what a policy is expected to keep.
type Law uint8

// The laws.
const (
	// Legal: the policy's actions are possible, and its settings right: the run ends without an
	// error.
	Legal Law = iota
	// Ends: every job that the cluster can run ends, and by 16 times the time of Bounded.
	Ends
	// Busy: no slot idles for longer than Patience while a task waits that fits there. Behind a
	// rigid job that lacks room others may wait.
	Busy
	// Bounded: no job ends later than the last arrival, or return of a node that was lost, the time
	// of all work on the slowest node, and Patience for each task, added up.
	Bounded
	// Repeats: another run of the same value, and one of a new value, give the same log.
	Repeats
	// Permutes: jobs that are listed in another order end at the same times.
	Permutes
	// Conserves: each task ends once, and the work done is that of the jobs and what was lost; maps
	// that ride do none. It is not asked where nodes fail.
	Conserves
)

var lawNames = []string{"Legal", "Ends", "Busy", "Bounded", "Repeats", "Permutes", "Conserves"}

// String returns the law's name.
func (l Law) String() string { return enum.Name(l, "Law", lawNames...) }

// MarshalText returns the law's name.
func (l Law) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// PolicyOptions say what is drawn and which laws a policy does not keep. The zero value has the
// laws of every policy that is work-conserving, and jobs of maps and reduces of one user on nodes
// that do not fail.
type PolicyOptions struct {
	Users    bool // jobs of up to three users
	Memory   bool // tasks hold memory, and nodes have little
	Failures bool // nodes are lost and come back, all but one, where a map has room beside reduces
	Rigid    bool // some jobs start all their maps together
	MapsOnly bool // no job has reduces
	Datasets bool // some jobs read the same blocks, and one attempt may read for several

	Patience float64 // how long the policy may let a slot idle, s
	// Without has the laws that the policy does not keep, each with the reason, which must not be
	// empty.
	Without map[Law]string
}

// Policy checks the policies that make makes, each a new one, on random workloads of at most six
// jobs.
//
// Arrivals, works and speeds are all different, so that a policy needs no rule for ties but that of
// arrival.
func Policy(t testing.TB, make func() slotmodel.Policy, o PolicyOptions) {
	t.Helper()
	for law, reason := range o.Without {
		if reason == "" {
			t.Fatalf("schedtest: the law %v is left out without a reason", law)
		}
	}
	check(t, func(r *rapid.T) {
		c := rapid.Custom(func(r *rapid.T) *scenario { return drawScenario(r, o) }).Draw(r, "scenario")
		p := make()
		first := c.run(p, o)
		if fault := c.fault(first, o); fault != "" {
			r.Fatalf("%s\n%s", fault, c.tell(first))
		}
		if o.asks(Repeats) {
			for which, again := range []*outcome{c.run(p, o), c.run(make(), o)} {
				if at, differ := firstDifference(first.events, again.events); differ {
					r.Fatalf("Repeats: a second run, of %s, differs from %v s on\n%s", [...]string{"the same value", "a new value"}[which], at, c.tell(first))
				}
			}
		}
		if o.asks(Permutes) {
			other, order := c.permuted(r)
			second := other.run(make(), o)
			for at, y := range second.jobs() {
				j := order[at]
				if x := first.jobs()[j]; x.Finish != y.Finish {
					r.Fatalf("Permutes: job %d ends at %v s, and at %v s where the jobs are listed in the order %v\n%s", j, x.Finish, y.Finish, order, c.tell(first))
				}
			}
		}
	})
}

func (o *PolicyOptions) asks(l Law) bool {
	_, without := o.Without[l]
	return !without
}

// An outcome is a run and what was seen in it.
type outcome struct {
	result *slotmodel.Result
	err    error
	events []slotmodel.Event
	idle   string  // how Busy is broken; "": not
	until  float64 // when the run was stopped, had it not ended
}

func (o *outcome) jobs() []slotmodel.JobResult {
	if o.result == nil {
		return nil
	}
	return o.result.Jobs
}

// run runs a policy.
func (c *scenario) run(p slotmodel.Policy, o PolicyOptions) *outcome {
	out := &outcome{until: c.latest(o.Patience)}
	if !o.asks(Bounded) {
		out.until *= 16
	}
	w := &watch{policy: p, c: c, out: out, patience: o.Patience}
	var watched slotmodel.Policy = w
	if observer, ok := p.(slotmodel.Observer); ok {
		watched = &watchObserver{w, observer}
	}
	out.result, out.err = slotmodel.Run(&c.cluster, c.jobs, watched, slotmodel.Options{Until: out.until * (1 + 1e-9), Log: func(e slotmodel.Event) {
		w.killed = w.killed || e.Type == slotmodel.Killed
		out.events = append(out.events, e)
	}})
	if out.result != nil {
		w.overdue(out.result.End)
	}
	return out
}

// fault is the first of the laws about one run that is broken, and how; "": none.
func (c *scenario) fault(out *outcome, o PolicyOptions) string {
	broken := func(law Law, how string) string {
		if !o.asks(law) || how == "" {
			return ""
		}
		return law.String() + ": " + how
	}
	if stands := new(slotmodel.DeadlockError); errors.As(out.err, &stands) {
		return broken(Ends, out.err.Error())
	}
	if out.err != nil {
		return broken(Legal, out.err.Error())
	}
	var faults []string
	faults = append(faults, broken(Busy, out.idle))
	for j, x := range out.jobs() {
		if x.Outcome == slotmodel.Unended && o.asks(Bounded) {
			faults = append(faults, broken(Bounded, words("job %d has not ended by %v s, when all work could be done one task after the other", j, out.until)))
		} else if x.Outcome != slotmodel.Finished {
			faults = append(faults, broken(Ends, words("job %d is %v at %v s, when the run is over, and the cluster could run it", j, x.Outcome, math.Min(out.result.End, out.until))))
		}
	}
	if !o.Failures { // with them tasks are done again
		faults = append(faults, broken(Conserves, c.conserves(out)))
	}
	for _, f := range faults {
		if f != "" {
			return f
		}
	}
	return ""
}

// conserves says what is wrong with the work of a run; "": nothing.
func (c *scenario) conserves(out *outcome) string {
	ends, rides, tasks, work := make(map[slotmodel.Task]int), make(map[slotmodel.Task]bool), 0, 0.0
	for _, e := range out.events {
		switch e.Type {
		case slotmodel.Started, slotmodel.Rode:
			rides[e.Task] = e.Type == slotmodel.Rode
		case slotmodel.Ended:
			if rides[e.Task] { // another one's attempt has done its work
				work -= c.jobs[e.Job].Maps.Work
			}
			if ends[e.Task]++; ends[e.Task] > 1 {
				return words("a %v of job %d ends a second time at %v s", e.Kind, e.Job, e.Time)
			}
		}
	}
	for i := range c.jobs {
		tasks += c.jobs[i].Maps.Tasks + c.jobs[i].Reduces.Tasks
		work += total(&c.jobs[i])
	}
	if len(ends) < tasks {
		return words("%d of %d tasks end", len(ends), tasks)
	}
	if t := out.result.Totals; math.Abs(t.Work-t.Wasted-work) > 1e-9*(1+t.Work) {
		return words("%v s of work are done and %v s of it lost, where the jobs have %v s", t.Work, t.Wasted, work)
	}
	return ""
}

// latest is by when a run is over in which some task always runs, and those of nodes that are lost
// run again.
func (c *scenario) latest(patience float64) float64 {
	at, slowest := 0.0, math.Inf(1)
	for _, n := range c.cluster.Nodes {
		slowest = math.Min(slowest, n.Speed)
		for _, d := range n.Down {
			at = math.Max(at, d.Until)
		}
	}
	for i := range c.jobs {
		at = math.Max(at, c.jobs[i].Arrival)
	}
	for i := range c.jobs {
		at += total(&c.jobs[i])/slowest + patience*float64(c.jobs[i].Maps.Tasks+c.jobs[i].Reduces.Tasks)
	}
	return at
}

// total is the work of a job on a node of speed 1.
func total(s *slotmodel.JobSpec) float64 {
	return float64(s.Maps.Tasks)*s.Maps.Work + float64(s.Reduces.Tasks)*s.Reduces.Work
}

// A watch is a policy whose decisions are looked at.
type watch struct {
	policy   slotmodel.Policy
	c        *scenario
	out      *outcome
	patience float64
	killed   bool      // the present decision has killed: another one follows
	since    []float64 // by job and kind: since when a slot idles that it could use; +Inf: none does
}

// Decide hands the call on and looks for slots that idle.
func (w *watch) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	w.overdue(v.Now())
	w.killed = false
	w.policy.Decide(v, a)
	if w.killed || w.held(v) {
		return
	}
	for i := range w.since {
		j, k := slotmodel.Job(i/2), slotmodel.Kind(i%2)
		free := v.NextFree(k, slotmodel.None)
		for free != slotmodel.None && !(v.Runnable(j, k) && v.Fits(j, k, free)) {
			free = v.NextFree(k, free)
		}
		if free == slotmodel.None {
			w.since[i] = math.Inf(1)
			continue
		}
		w.since[i] = math.Min(w.since[i], v.Now())
		if w.patience == 0 && w.out.idle == "" {
			w.out.idle = words("at %v s node %d has a free slot for a %v of job %d, which waits", v.Now(), free, k, j)
		}
	}
}

// overdue looks for slots that have idled for longer than the policy's patience.
func (w *watch) overdue(now float64) {
	for i, since := range w.since {
		if now > since+w.patience*(1+1e-9) && w.out.idle == "" {
			w.out.idle = words("from %v s to %v s a slot is free for a %v of job %d, which waits", since, now, slotmodel.Kind(i%2), i/2)
		}
	}
}

// held says whether a rigid job waits for room, behind which others may wait.
func (w *watch) held(v *slotmodel.View) bool {
	for j := v.NextRunnable(slotmodel.None, slotmodel.Map); j != slotmodel.None; j = v.NextRunnable(j, slotmodel.Map) {
		if s := v.Spec(j); s.Rigid && s.Maps.Tasks > 1 {
			return true
		}
	}
	return false
}

// BeginRun begins the watch, and hands the call on.
func (w *watch) BeginRun(v *slotmodel.View) {
	w.since = slices.Repeat([]float64{math.Inf(1)}, 2*v.Jobs())
	if b, ok := w.policy.(slotmodel.Beginner); ok {
		b.BeginRun(v)
	}
}

// Check hands the call on.
func (w *watch) Check() error {
	if c, ok := w.policy.(slotmodel.Checker); ok {
		return c.Check()
	}
	return nil
}

// Heartbeat hands the call on.
func (w *watch) Heartbeat() float64 {
	if t, ok := w.policy.(slotmodel.Ticker); ok {
		return t.Heartbeat()
	}
	return 0
}

// A watchObserver is the watch of a policy that observes.
type watchObserver struct {
	*watch
	slotmodel.Observer
}

// firstDifference is when two logs differ first.
func firstDifference(a, b []slotmodel.Event) (at float64, differ bool) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	switch {
	case i < len(a):
		return a[i].Time, true
	case i < len(b):
		return b[i].Time, true
	}
	return 0, false
}

// tell is the scenario in words, and what happened up to the fortieth event.
func (c *scenario) tell(out *outcome) string {
	var b strings.Builder
	b.WriteString(c.GoString())
	for i, e := range out.events {
		if i == 40 {
			fmt.Fprintf(&b, "and %d more events\n", len(out.events)-i)
			break
		}
		fmt.Fprintf(&b, "%v s: %v", e.Time, e.Type)
		if e.Job != slotmodel.None {
			fmt.Fprintf(&b, ", job %d", e.Job)
		}
		if e.Task != slotmodel.None {
			fmt.Fprintf(&b, ", %v", e.Kind)
		}
		if e.Node != slotmodel.None {
			fmt.Fprintf(&b, ", node %d", e.Node)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
