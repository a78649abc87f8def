package policy

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Backfill starts rigid jobs by a plan of package backfill, made at each decision: the first
// job that must wait has its start reserved, and jobs behind it start now if that does not move the
// reservation (EASY [8]). Who was given a start keeps a reservation, unless Afresh is set. The zero
// value is EASY by arrival with the times that were requested; Depth -1 is conservative backfill.
//
// A job holds one slot a map. Whether the nodes have the memory, and whether reduces hold slots
// that are shared with maps, shows when it is to start: if it has no room it waits, with its slots
// reserved. They go to others, as under Greedy, where no rigid job of several maps waits or nothing
// runs that ends by itself. A rigid job with more maps than the nodes that are up could run at once
// waits and holds up nobody. Of a job that is not rigid each map is planned as a job of its own.
// Reduces are served as by Greedy.
//
// A job that outlives its planned time is taken to end right after now. With Time Decide is called
// at planned ends too, since Time may then give another one (backfill.Extend).
//
// A decision costs O(r + (c + w) s) for r jobs that run, c that started or ended since the last
// decision, w that start or have reservations and s <= 2(r + w) + 1, and a walk over the jobs that
// wait; where no slot is free jobs behind the last reservation cost nothing.
type Backfill struct {
	Depth    int  // jobs that must wait whose start is reserved; 0: 1, EASY; -1: all, conservative
	Shortest bool // jobs behind the reservations are tried by their times, the shortest first: SJBF
	Afresh   bool // nobody keeps the reservation of an earlier decision, as in Slurm
	// Time returns how long a job is planned to run from its start, s. NaN, negative numbers and
	// what exceeds 1e9 count as 1e9, of a job that never ends. nil: Requested, or else Walltime, at
	// most Walltime; 1e9 where neither is said. It is asked at each decision about jobs that run,
	// have a reservation or could start.
	Time  func(v *slotmodel.View, j slotmodel.Job) float64
	Inner Ranker // order of the queue; nil: by arrival
	// Windows are slots for maps that are held for nobody, or for the jobs of a user: Owner is the
	// user's number plus 1, Need of one resource. While one is to come slots are not lent as above,
	// and each decision costs a look at all occurrences to come.
	Windows []backfill.Window

	broken   bool      // a setting is out of range: nothing starts
	promised []float64 // start that the last plan gave, by job; 0: none
	steps    internal.Steps
	wake     internal.Wake

	// The slots that jobs hold, as of the last decision with a queue.
	profile *backfill.Profile
	slots   int             // that are up in profile
	held    []held          // by job, what profile has of it
	busy    internal.JobSet // jobs with maps that run, and some whose maps have ended
	owed    internal.JobSet // jobs that wait with a promise, and some that no longer do
	touched internal.JobSet // jobs of which something has happened since
	// kept is profile less all that the last plan gave, while everything has gone by that plan: see
	// extend. nil: a plan has to be made anew
	kept *backfill.Profile

	// Of a decision:
	counts  []int64            // 0, 1, 2, ...: element w is the need of w slots
	passing []held             // what profile has for this decision alone
	running []backfill.Running // with Windows
	waiting []slotmodel.Job    // the queue; a job that is not rigid several times
	queue   []backfill.Job
	starts  []float64
	free    []int64
	gang    []slotmodel.Node
}

// unsaid stands for the time of a job of which nothing is said: longer than any that is. A finite
// one, since a job that runs for ever could be overtaken for ever.
const unsaid = 1e9

// Check checks the settings, of Inner too.
//
// Errors: an *schedmath.InputError naming Depth, or Windows and which one.
func (p *Backfill) Check() error {
	const fn = "policy.Backfill.Check"
	if p.Depth < -1 {
		return input.Bad(fn, "Depth", -1, "%d, want -1 or more", p.Depth)
	}
	if _, err := backfill.Plan(nil, []int64{0}, 0, nil, nil, backfill.Options{Windows: p.Windows}); err != nil {
		return input.As(fn, "Windows", err)
	}
	return internal.Check(p.Inner)
}

// BeginRun forgets the previous run and hands the call on.
func (p *Backfill) BeginRun(v *slotmodel.View) {
	p.broken = p.Check() != nil
	n := v.Jobs()
	p.promised, p.held = make([]float64, n), make([]held, n)
	p.busy, p.owed, p.touched = internal.NewJobSet(n), internal.NewJobSet(n), internal.NewJobSet(n)
	p.slots = v.Slots(slotmodel.Map)
	p.profile, _ = backfill.New([]int64{int64(p.slots)}, v.Now())
	p.kept, p.wake = nil, internal.Wake{}
	internal.BeginRun(v, p.Inner)
}

// ObservesGangs reports whether self is p and the same holds for Inner: one call for all maps that
// start or end together is enough.
func (p *Backfill) ObservesGangs(self any) bool {
	return self == any(p) && internal.ObserveGangs(p.Inner)
}

// Observe notes who runs, and hands the event on to Inner.
func (p *Backfill) Observe(v *slotmodel.View, e slotmodel.Event) {
	if j := e.Job; v.Spec(j) != nil && int(j) < len(p.promised) {
		p.touched.Add(j)
		if e.Type == slotmodel.Started && e.Kind == slotmodel.Map {
			p.busy.Add(j)
			p.held[j].begun = e.Time
		}
	}
	switch e.Type {
	case slotmodel.NodeUp, slotmodel.NodeDown, slotmodel.Killed, slotmodel.Crashed:
		p.kept = nil
	}
	internal.Observe(v, e, p.Inner)
}

// Decide starts what the plan starts now, and serves reduces.
func (p *Backfill) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p.broken || p.profile == nil || len(p.promised) < v.Jobs() {
		return
	}
	p.steps.Inner = p.Inner
	started, lacking, reserved, wakeAt := false, false, false, math.Inf(1) // reserved: a window is to come
	if v.NextRunnable(slotmodel.None, slotmodel.Map) != slotmodel.None {
		now := v.Now()
		wakeAt = p.hold(v, now)
		for i := range p.Windows {
			if _, to, ok := p.Windows[i].Next(now); ok {
				reserved, wakeAt = true, min(wakeAt, to)
			}
		}
		if p.kept == nil || len(p.passing) > 0 || !p.extend(v, now) {
			rigid := p.enqueue(v)
			// All arguments are in range: no error.
			if o := (backfill.Options{Depth: p.Depth, Shortest: p.Shortest, Windows: p.Windows}); len(p.Windows) > 0 {
				p.starts, _ = backfill.Plan(p.starts[:0], []int64{int64(p.slots)}, now, p.running, p.queue, o)
			} else {
				p.starts, _ = p.profile.Plan(p.starts[:0], p.queue, o)
			}
			p.pass(now, p.profile.Give)
			p.kept = nil
			if p.Depth < 0 && !p.Afresh && p.Time == nil && p.Inner == nil && rigid && len(p.passing) == 0 && len(p.Windows) == 0 {
				p.kept = p.profile.Planned()
			}
		}
		for i, start := range p.starts {
			j := p.waiting[i]
			if !p.Afresh && start < math.Inf(1) && whole(v, j) {
				p.promised[j] = start
				p.owed.Add(j)
			}
			switch {
			case start > now:
			case p.start(v, a, j):
				started = true
			default:
				lacking, p.kept = true, nil
			}
		}
		if len(p.starts) == 0 {
			wakeAt = math.Inf(1)
		}
	}
	if !reserved && (lacking && !p.wideWaits(v) || !started && v.AtRest()) {
		p.steps.Fill(v, a, slotmodel.Map)
	}
	if p.Time != nil && v.NextRunnable(slotmodel.None, slotmodel.Map) != slotmodel.None {
		for _, j := range p.touched.Jobs { // those that have started in this decision
			wakeAt = min(wakeAt, p.held[j].begun+p.time(v, j))
		}
	}
	p.steps.Fill(v, a, slotmodel.Reduce)
	p.wake.Ask(v, a, min(wakeAt, internal.AlarmOf(v, p.Inner)))
}

// start starts a job or one of its maps, and reports whether there was room.
func (p *Backfill) start(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job) bool {
	if w := internal.Width(v, j); w > 1 {
		return internal.StartGang(v, a, j, w, &p.gang)
	}
	n := v.NextFree(slotmodel.Map, slotmodel.None)
	for n != slotmodel.None && !v.Fits(j, slotmodel.Map, n) {
		n = v.NextFree(slotmodel.Map, n)
	}
	return n != slotmodel.None && a.Start(j, slotmodel.Map, n)
}

// time returns how long a job is planned to run.
func (p *Backfill) time(v *slotmodel.View, j slotmodel.Job) float64 {
	if p.Time != nil {
		if t := p.Time(v, j); t >= 0 && t < unsaid {
			return t
		}
		return unsaid
	}
	s := v.Spec(j)
	t := cmp.Or(s.Requested, s.Walltime, unsaid)
	if s.Walltime > 0 {
		t = min(t, s.Walltime)
	}
	return min(t, unsaid)
}
