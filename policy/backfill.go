package policy

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Backfill starts rigid jobs by a plan of package backfill, made at each decision: the first
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
// A decision costs O(r + (c + w) s) for r jobs that run, c that started or ended since the last
// decision, w that start or have reservations and s <= 2(r + w) + 1, and O(1) for each job that
// waits, or with an Inner a walk; where no slot is free jobs behind the last reservation cost nothing.
type Backfill struct {
	Depth    int  // jobs that must wait whose start is reserved; 0: 1, EASY; -1: all, conservative
	Shortest bool // jobs behind the reservations are tried by their times, the shortest first: SJBF
	// Time returns how long a job is planned to run from its start, s. NaN, negative numbers and
	// what exceeds 1e9 count as 1e9, of a job that never ends. nil: Requested, or else Walltime, at
	// most Walltime; 1e9 where neither is said. It is asked at each decision about jobs that run, have a reservation or could
	// start.
	Time  func(v *slotmodel.View, j slotmodel.Job) float64
	Inner Ranker // order of the queue; nil: by arrival

	broken   bool      // a setting is out of range: nothing starts
	promised []float64 // start that the last plan gave, by job; 0: none
	steps    internal.Steps
	wake     internal.Wake

	// The slots that jobs hold, as of the last decision with a queue.
	profile *backfill.Profile
	slots   int             // that are up in profile
	line    []queued        // jobs that wait, by arrival; only without an Inner
	loose   int             // jobs in line that are not planned as one
	held    []held          // by job, what profile has of it
	busy    internal.JobSet // jobs with maps that run, and some whose maps have ended
	owed    internal.JobSet // jobs that wait with a promise, and some that no longer do
	touched internal.JobSet // jobs of which something has happened since
	// kept is profile less all that the last plan gave, while everything has gone by that plan: see
	// extend. nil: a plan has to be made anew
	kept *backfill.Profile

	// Of a decision:
	counts  []int64         // 0, 1, 2, ...: element w is the need of w slots
	passing []held          // what profile has for this decision alone
	waiting []slotmodel.Job // the queue; a job that is not rigid several times
	queue   []backfill.Job
	starts  []float64
	free    []int64
	gang    []slotmodel.Node
}

// held is slots that are held until a planned end.
type held struct {
	slots  int
	end    float64
	begun  float64 // when the job's last map started
	queues bool    // the job is in line
}

// queued is a job that waits.
type queued struct {
	job   slotmodel.Job
	width int32
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
	n := v.Jobs()
	p.promised, p.held = make([]float64, n), make([]held, n)
	p.line, p.loose = nil, 0
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
		if e.Type == slotmodel.Started {
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
	started, lacking, wakeAt := false, false, math.Inf(1)
	if v.NextRunnable(slotmodel.None, slotmodel.Map) != slotmodel.None {
		now := v.Now()
		wakeAt = p.hold(v, now)
		if p.kept == nil || len(p.passing) > 0 || !p.extend(v, now) {
			p.enqueue(v)
			// All arguments are in range: no error.
			p.starts, _ = p.profile.Plan(p.starts[:0], p.queue, backfill.Options{Depth: p.Depth, Shortest: p.Shortest})
			p.pass(now, p.profile.Give)
			p.kept = nil
			if p.Depth < 0 && p.Time == nil && p.Inner == nil && p.loose == 0 && len(p.passing) == 0 {
				p.kept = p.profile.Planned()
			}
		}
		for i, start := range p.starts {
			j := p.waiting[i]
			if start < math.Inf(1) && whole(v, j) {
				p.promised[j] = start
				p.owed.Add(j)
			}
			switch {
			case start > now:
			case p.start(v, a, j):
				started = true
			default:
				lacking = true
			}
		}
		if len(p.starts) == 0 {
			wakeAt = math.Inf(1)
		}
	}
	if lacking && !p.wideWaits(v) || !started && v.AtRest() {
		p.steps.Fill(v, a, slotmodel.Map)
	}
	p.steps.Fill(v, a, slotmodel.Reduce)
	p.wake.Ask(v, a, min(wakeAt, internal.AlarmOf(v, p.Inner)))
}

// hold brings the profile up to now, and returns the next planned end if Time is to be asked then.
// Reduces on shared slots do not count: a planned start that finds no room waits.
func (p *Backfill) hold(v *slotmodel.View, now float64) (wakeAt float64) {
	p.profile.Advance(now)
	if slots := v.Slots(slotmodel.Map); slots != p.slots {
		p.profile.Give(p.need(max(0, slots-p.slots)), now, math.Inf(1))
		p.profile.Take(p.need(max(0, p.slots-slots)), now, math.Inf(1))
		p.slots = slots
	}
	for _, j := range p.touched.Jobs {
		p.update(v, j, now)
		if x := &p.held[j]; p.Inner == nil && x.queues != v.Runnable(j, slotmodel.Map) {
			x.queues = !x.queues
			at, _ := slices.BinarySearchFunc(p.line, internal.Rank(v, j), func(q queued, rank int32) int {
				return cmp.Compare(internal.Rank(v, q.job), rank)
			})
			planned, loose := x.slots > 0, 0 // has a job that leaves the line started?
			if !whole(v, j) {
				loose = 1
			}
			if x.queues {
				p.line = slices.Insert(p.line, at, queued{j, int32(internal.Width(v, j))})
				p.loose += loose
				planned = p.promised[j] == 0
			} else {
				p.line = slices.Delete(p.line, at, at+1)
				p.loose -= loose
			}
			if !planned || loose > 0 {
				p.kept = nil
			}
		}
	}
	p.touched.Filter(func(slotmodel.Job) bool { return false })
	p.busy.Filter(func(j slotmodel.Job) bool { return p.held[j].slots > 0 || v.Count(j, slotmodel.Map).Running > 0 })

	wakeAt, p.passing = math.Inf(1), p.passing[:0]
	soon := math.Nextafter(now, math.Inf(1))
	hold := func(slots int, end float64, known bool) {
		if p.Time != nil && end > now {
			wakeAt = min(wakeAt, end)
		}
		if !known || end <= now {
			p.passing = append(p.passing, held{slots: slots, end: max(end, soon)})
		}
	}
	for _, j := range p.busy.Jobs {
		if whole(v, j) {
			if p.Time != nil {
				p.update(v, j, now)
			}
			hold(p.held[j].slots, p.held[j].end, true)
			continue
		}
		time := p.time(v, j)
		for x := v.Newest(j, slotmodel.Map); x != slotmodel.None; x = v.Older(x) {
			hold(1, v.Attempt(x).Start+time, false)
		}
	}
	p.pass(now, p.profile.Take)
	return wakeAt
}

// extend plans by the last plan. Nothing has ended before its planned end or after it since, so that
// every job keeps its start (package backfill has the proof), and those without one get the earliest
// beside these. It returns false if a job has not started when it was to.
func (p *Backfill) extend(v *slotmodel.View, now float64) bool {
	p.kept.Advance(now)
	p.waiting, p.starts = p.waiting[:0], p.starts[:0]
	for _, q := range p.line {
		start := p.promised[q.job]
		switch {
		case start > now:
			continue
		case start != 0 && start < now:
			return false
		case int(q.width) > v.Capacity(q.job, slotmodel.Map):
			continue
		}
		if start == 0 {
			need, time := p.need(int(q.width)), p.time(v, q.job)
			start, _ = p.kept.Earliest(need, now, time)
			p.kept.Take(need, start, max(start+time, math.Nextafter(start, math.Inf(1))))
		}
		p.waiting, p.starts = append(p.waiting, q.job), append(p.starts, start)
	}
	return true
}

// update brings what the profile has of a job that is planned as one up to date.
func (p *Backfill) update(v *slotmodel.View, j slotmodel.Job, now float64) {
	if !whole(v, j) {
		return
	}
	x := &p.held[j]
	slots, end := int(v.Count(j, slotmodel.Map).Running), 0.0
	if slots > 0 {
		end = x.begun + p.time(v, j)
	} else if p.promised[j] != 0 && v.Runnable(j, slotmodel.Map) {
		p.owed.Add(j) // it starts over
	}
	switch {
	case slots == x.slots && end == x.end:
		return
	case x.slots == 0 && x.begun == p.promised[j] && slots == v.Spec(j).Maps.Tasks, slots == 0 && x.end <= now:
	default:
		p.kept = nil // it has not started as planned, or ends before its planned end
	}
	p.profile.Give(p.need(x.slots), now, max(now, x.end))
	p.profile.Take(p.need(slots), now, max(now, end))
	x.slots, x.end = slots, end
}

// pass takes from the profile what it has for this decision alone, or gives it back.
func (p *Backfill) pass(now float64, change func(need []int64, from, to float64) error) {
	for _, x := range p.passing {
		change(p.need(x.slots), now, x.end)
	}
}

// need returns the need of some slots.
func (p *Backfill) need(slots int) []int64 {
	for len(p.counts) <= slots {
		p.counts = append(p.counts, int64(len(p.counts)))
	}
	return p.counts[slots : slots+1]
}

// enqueue lists the jobs that wait and that a plan has to know: those with a promise, those up to
// the last one whose start will be reserved, and those behind that could start now.
func (p *Backfill) enqueue(v *slotmodel.View) {
	depth := p.Depth
	switch {
	case depth == 0:
		depth = 1
	case depth < 0:
		depth = math.MaxInt
	}
	p.owed.Filter(func(j slotmodel.Job) bool { return v.Runnable(j, slotmodel.Map) })
	owed := 0 // jobs with a promise to come
	for _, j := range p.owed.Jobs {
		if internal.Width(v, j) <= v.Capacity(j, slotmodel.Map) {
			owed++
		}
	}
	if p.Inner != nil {
		p.line = p.line[:0]
		p.Inner.Begin(v, slotmodel.Map)
		for j := p.Inner.Next(v); j != slotmodel.None; j = p.Inner.Next(v) {
			p.line = append(p.line, queued{j, int32(internal.Width(v, j))})
		}
	}
	p.free = p.profile.Free(p.free[:0], v.Now())
	free := int(p.free[0])
	p.waiting, p.queue = p.waiting[:0], p.queue[:0]
	waits := 0 // jobs that wait in any plan
	for _, q := range p.line {
		j, w := q.job, int(q.width)
		if w > free && waits >= depth && p.promised[j] == 0 {
			if free <= 0 && owed <= 0 {
				break
			}
			continue
		}
		if w > v.Capacity(j, slotmodel.Map) {
			continue
		}
		if p.promised[j] != 0 {
			owed--
		}
		if w > free {
			waits++
		}
		entries := 1
		if !whole(v, j) { // one more than could start
			entries = min(v.Count(j, slotmodel.Map).Pending(), v.FreeSlots(slotmodel.Map)+1)
		}
		entry := backfill.Job{Need: p.need(w), Time: p.time(v, j), Promised: p.promised[j]}
		for range entries {
			p.waiting, p.queue = append(p.waiting, j), append(p.queue, entry)
		}
	}
}

// whole reports whether a job is planned as one: it is rigid, or has one map.
func whole(v *slotmodel.View, j slotmodel.Job) bool {
	s := v.Spec(j)
	return s.Rigid || s.Maps.Tasks == 1
}

// wideWaits reports whether a rigid job of several maps waits that the nodes which are up could run.
func (p *Backfill) wideWaits(v *slotmodel.View) bool {
	return slices.ContainsFunc(p.line, func(q queued) bool {
		return q.width > 1 && v.Runnable(q.job, slotmodel.Map) && int(q.width) <= v.Capacity(q.job, slotmodel.Map)
	})
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
