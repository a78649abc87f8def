package policy

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Backfill starts rigid jobs by a plan of package backfill, made anew at each decision: the first
// job that must wait has its start reserved, and jobs behind it start now if that does not move the
// reservation (EASY [8]). Who was given a start keeps a reservation. The zero value is EASY by
// arrival with the times that were requested; Depth -1 is conservative backfill.
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
// A decision costs O(r^2 + w s) for r jobs that run, w that start or have reservations and
// s <= 2(r + w) + 1, and a walk of Inner through all jobs that wait. It allocates.
type Backfill struct {
	Depth    int  // jobs that must wait whose start is reserved; 0: 1, EASY; -1: all, conservative
	Shortest bool // jobs behind the reservations are tried by their times, the shortest first: SJBF
	// Time returns how long a job is planned to run from its start, s. NaN, negative numbers and
	// what exceeds 1e9 count as 1e9. nil: Requested, or else Walltime, at most Walltime; 1e9 where
	// neither is said.
	Time  func(v *slotmodel.View, j slotmodel.Job) float64
	Inner Ranker // order of the queue; nil: by arrival

	broken   bool            // a setting is out of range: nothing starts
	promised []float64       // start that the last plan gave, by job; 0: none
	busy     internal.JobSet // jobs with maps that run, and some whose maps have ended
	arrival  ByArrival       // Inner where that is nil
	steps    internal.Steps
	wake     internal.Wake

	// Of a decision:
	counts  []int64         // 0, 1, 2, ...: element w is the need of w slots
	waiting []slotmodel.Job // the queue; a job that is not rigid several times
	queue   []backfill.Job
	running []backfill.Running
	starts  []float64
	gang    []slotmodel.Node
}

// unsaid stands for the time of a job of which nothing is said: longer than any that is. A finite
// one, since a job that runs for ever could be overtaken for ever.
const unsaid = 1e9

// Check checks the settings, of Inner too.
//
// Errors: an *schedmath.InputError naming Depth.
func (p *Backfill) Check() error {
	if p.Depth < -1 {
		return input.Bad("policy.Backfill.Check", "Depth", -1, "%d, want -1 or more", p.Depth)
	}
	return internal.Check(p.Inner)
}

// BeginRun forgets the previous run and hands the call on.
func (p *Backfill) BeginRun(v *slotmodel.View) {
	p.broken = p.Check() != nil
	p.promised = make([]float64, v.Jobs())
	p.busy = internal.NewJobSet(v.Jobs())
	p.wake = internal.Wake{}
	internal.BeginRun(v, p.Inner)
}

// ObservesGangs reports whether self is p and the same holds for Inner: one call for all maps that
// start or end together is enough.
func (p *Backfill) ObservesGangs(self any) bool {
	return self == any(p) && internal.ObserveGangs(p.Inner)
}

// Observe notes who runs, and hands the event on to Inner.
func (p *Backfill) Observe(v *slotmodel.View, e slotmodel.Event) {
	if e.Type == slotmodel.Started && v.Spec(e.Job) != nil && int(e.Job) < len(p.promised) {
		p.busy.Add(e.Job)
	}
	internal.Observe(v, e, p.Inner)
}

// Decide starts what the plan starts now, and serves reduces.
func (p *Backfill) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p.broken || len(p.promised) < v.Jobs() {
		return
	}
	p.steps.Inner = p.Inner
	wide := p.enqueue(v) // rigid jobs of several maps that wait
	started, lacking, wakeAt := false, false, math.Inf(1)
	if len(p.queue) > 0 {
		p.hold(v)
		now := v.Now()
		// All arguments are in range: no error.
		p.starts, _ = backfill.Plan(p.starts[:0], p.counts[v.Slots(slotmodel.Map):][:1], now, p.running, p.queue,
			backfill.Options{Depth: p.Depth, Shortest: p.Shortest})
		for i, start := range p.starts {
			j := p.waiting[i]
			if s := v.Spec(j); start < math.Inf(1) && (s.Rigid || s.Maps.Tasks == 1) {
				p.promised[j] = start
			}
			switch {
			case start > now:
			case !p.start(v, a, j):
				lacking = true
			default:
				started = true
				if internal.Width(v, j) > 1 {
					wide--
				}
			}
		}
		for _, r := range p.running {
			if p.Time != nil && r.End > now {
				wakeAt = min(wakeAt, r.End)
			}
		}
	}
	if lacking && wide == 0 || !started && v.AtRest() {
		p.steps.Fill(v, a, slotmodel.Map)
	}
	p.steps.Fill(v, a, slotmodel.Reduce)
	p.wake.Ask(v, a, min(wakeAt, internal.AlarmOf(v, p.Inner)))
}

// enqueue lists the jobs that wait, and returns how many of them are rigid jobs of several maps.
func (p *Backfill) enqueue(v *slotmodel.View) (wide int) {
	slots, free := v.Slots(slotmodel.Map), v.FreeSlots(slotmodel.Map)
	for len(p.counts) <= slots {
		p.counts = append(p.counts, int64(len(p.counts)))
	}
	p.waiting, p.queue = p.waiting[:0], p.queue[:0]
	inner := p.Inner
	if inner == nil {
		inner = &p.arrival
	}
	inner.Begin(v, slotmodel.Map)
	for j := inner.Next(v); j != slotmodel.None; j = inner.Next(v) {
		w := internal.Width(v, j)
		entries := 1
		switch {
		case w > v.Capacity(j, slotmodel.Map):
			continue
		case w > 1:
			wide++
		default: // one more than could start
			entries = min(v.Count(j, slotmodel.Map).Pending(), free+1)
		}
		entry := backfill.Job{Need: p.counts[w : w+1], Time: p.time(v, j), Promised: p.promised[j]}
		for range entries {
			p.waiting, p.queue = append(p.waiting, j), append(p.queue, entry)
		}
	}
	return wide
}

// hold lists the maps that run, and until when. Reduces on shared slots do not count: a planned
// start that finds no room waits.
func (p *Backfill) hold(v *slotmodel.View) {
	p.running = p.running[:0]
	hold := func(slots int, end float64) {
		p.running = append(p.running, backfill.Running{Need: p.counts[slots : slots+1], End: end})
	}
	p.busy.Filter(func(j slotmodel.Job) bool { return v.Count(j, slotmodel.Map).Running > 0 })
	for _, j := range p.busy.Jobs {
		time := p.time(v, j)
		if x := v.Newest(j, slotmodel.Map); internal.Width(v, j) > 1 {
			hold(int(v.Count(j, slotmodel.Map).Running), v.Attempt(x).Start+time)
		} else {
			for ; x != slotmodel.None; x = v.Older(x) {
				hold(1, v.Attempt(x).Start+time)
			}
		}
	}
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
