package policy

import (
	"cmp"

	"github.com/schedmath/schedmath/slotmodel"
)

func (p *SRPT) preempts() bool { return p.Preempt == PreemptKill || p.Preempt == PreemptSuspend }

// beginPreempting lays out what preemption takes.
func (p *SRPT) beginPreempting(v *slotmodel.View) {
	p.mixed, p.gangs, p.whole, p.asleep = p.mixed[:0], 0, true, newAsleep(v, p.Preempt)
	for k := range p.busy {
		p.busy[k], p.freed[k] = order{}, order{}
		if p.preempts() {
			p.busy[k] = order{at: places(v.Jobs()), ties: latest{}}
			p.freed[k] = order{at: places(v.Nodes())}
		}
	}
}

// latest lets the higher number go first.
type latest struct{}

// Before reports whether a comes before b.
func (latest) Before(a, b int32) bool { return a > b }

// decide fills the free slots and then preempts.
//
// What attempts have done is found out for those jobs alone whose place matters: all that have tasks to start, and others when they may
// have more left than one that waits. Time lets the work left only fall, so what was left before is a bound.
func (p *SRPT) decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p.turns.run != v { // nothing has happened
		return
	}
	p.calls++
	for _, t := range p.mixed {
		p.reckon(v, t)
	}
	// A reduce that is killed may let maps run again whose outputs were lost, hence maps once more.
	for _, k := range [...]slotmodel.Kind{slotmodel.Map, slotmodel.Reduce, slotmodel.Map} {
		if p.whole || p.gangs > 0 {
			p.fillOrResume(v, a, k, p, &p.asleep, p.Overtake)
			p.freed[k].clear()
		} else {
			p.refill(v, a, k)
		}
		p.preempt(v, a, k)
	}
	p.whole = p.gangs > 0
}

// refill is fillOrResume where no rigid job waits: every suspended attempt has been resumed that could be, but on nodes in freed.
func (p *SRPT) refill(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	freed := &p.freed[k]
	for last := slotmodel.Node(slotmodel.None); ; {
		n := v.NextFree(k, last)
		if n != slotmodel.None && first(v, k, p, p.Overtake) == slotmodel.None {
			for n = slotmodel.None; freed.heap.Len() > 0 && n == slotmodel.None; {
				x := freed.heap.ID(0)
				freed.remove(x)
				if v.Free(slotmodel.Node(x), k) > 0 {
					n = slotmodel.Node(x)
				}
			}
		}
		if n == slotmodel.None {
			freed.clear()
			return
		}
		for served := true; served && v.Free(n, k) > 0; {
			if x := p.dueOn(v, n, k); x != slotmodel.None {
				served = a.Resume(x)
			} else {
				served = p.serve(v, a, k, n, p, p.Overtake)
			}
		}
		freed.remove(int32(n))
		last = max(last, n)
	}
}

// free notes the nodes of which slots may have become free.
func (p *SRPT) free(e slotmodel.Event) {
	switch e.Type {
	case slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed, slotmodel.Suspends, slotmodel.NodeUp:
		if e.Node >= 0 && int(e.Node) < len(p.freed[0].at) {
			p.freed[0].set(int32(e.Node), float64(e.Node))
			p.freed[1].set(int32(e.Node), float64(e.Node))
		}
	}
}

// reckon finds out what the attempts of a job have done, unless that is known, and puts the job to its place.
func (p *SRPT) reckon(v *slotmodel.View, t int32) {
	j, x := p.turns.job[t], &p.jobs[t]
	if x.call == p.calls {
		return
	}
	s := v.Spec(j)
	first := p.first[j]
	for k, phase := range [...]*slotmodel.Phase{&s.Maps, &s.Reduces} {
		x.done[k] = 0
		for i := v.Newest(j, slotmodel.Kind(k)); i != slotmodel.None; i = v.Older(i) {
			info := v.Attempt(i)
			x.done[k] += float64(info.Progress * phase.Of(int(int32(info.Task)-first)))
		}
		first += int32(s.Maps.Tasks)
	}
	x.call = p.calls
	p.update(v, j)
}

// hold follows what an event changes in what attempts have done: one that starts or goes on has not done more.
func (p *SRPT) hold(v *slotmodel.View, e slotmodel.Event) {
	p.asleep.note(e)
	x := &p.jobs[p.turns.of[e.Job]]
	switch e.Type {
	case slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed, slotmodel.Suspends, slotmodel.JobEnded:
		x.done, x.call = [2]float64{}, 0
	}
}

// mark keeps a job among those with attempts, by what it does with one kind of slots.
func (p *SRPT) mark(v *slotmodel.View, t int32, k slotmodel.Kind) {
	j, x := p.turns.job[t], &p.jobs[t]
	c := v.Count(j, k)
	if c.Running > 0 && width(v, j) == 1 {
		p.busy[k].set(t, -p.key(t, k))
	} else {
		p.busy[k].remove(t)
	}
	if k == slotmodel.Map {
		return
	}
	maps := v.Count(j, slotmodel.Map)
	runnable := v.Runnable(j, slotmodel.Map) || v.Runnable(j, slotmodel.Reduce)
	if gang := runnable && width(v, j) > 1; gang != x.gang {
		x.gang = gang
		if gang {
			p.gangs++
		} else {
			p.gangs--
		}
	}
	switch mixed := runnable && c.Running+c.Suspended+maps.Running+maps.Suspended > 0; {
	case mixed && x.place == 0:
		p.mixed = append(p.mixed, t)
		x.place = int32(len(p.mixed))
	case !mixed && x.place > 0:
		last := len(p.mixed) - 1
		other := p.mixed[last]
		p.mixed[x.place-1], p.jobs[other].place = other, x.place
		p.mixed = p.mixed[:last]
		x.place = 0
	}
}

// dueOn returns the suspended attempt of a node whose job has the least left, unless a job that waits has less; None when there is none.
func (p *SRPT) dueOn(v *slotmodel.View, n slotmodel.Node, k slotmodel.Kind) slotmodel.Attempt {
	best, owner := slotmodel.Attempt(slotmodel.None), int32(absent)
	if p.asleep.count == 0 {
		return best
	}
	for _, x := range p.asleep.on[n] {
		info := v.Attempt(x)
		if info.Kind != k || info.Job == slotmodel.None {
			continue
		}
		t := p.turns.of[info.Job]
		if p.reckon(v, t); owner == absent || p.less(t, owner, k) {
			best, owner = x, t
		}
	}
	if best == slotmodel.None {
		return best
	}
	if j := first(v, k, p, p.Overtake); j != slotmodel.None {
		if t := p.turns.of[j]; t != owner && p.less(t, owner, k) {
			return slotmodel.None
		}
	}
	return best
}

// less reports whether job a has less left than b, or as much and came first.
func (p *SRPT) less(a, b int32, k slotmodel.Kind) bool {
	return cmp.Or(cmp.Compare(p.key(a, k), p.key(b, k)), cmp.Compare(a, b)) < 0
}

// waiting returns the turn of the first job that may take slots away; absent: none.
func (p *SRPT) waiting(v *slotmodel.View, k slotmodel.Kind) int32 {
	p.Begin(v, k)
	for j := p.Next(v); j != slotmodel.None; j = p.Next(v) {
		switch w := width(v, j); {
		case w == 1:
			return p.turns.of[j]
		case !p.Overtake && w <= v.Slots(k):
			return absent
		}
	}
	return absent
}

// preempt takes slots from the jobs with the most left for those that wait with less.
func (p *SRPT) preempt(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	next := p.waiting(v, k)
	if next == absent {
		return
	}
	p.passed = p.passed[:0]
	for next != absent && p.busy[k].heap.Len() > 0 {
		t := p.busy[k].heap.ID(0)
		if p.key(t, k) <= p.key(next, k) {
			break
		}
		if p.jobs[t].call != p.calls {
			p.reckon(v, t)
			continue
		}
		next = p.take(v, a, k, t, next)
		p.busy[k].remove(t)
		p.passed = append(p.passed, t)
	}
	for _, t := range p.passed {
		p.mark(v, t, k)
	}
}

// take takes slots from one job, for as long as another with less left waits, and returns that one; absent when there is none.
func (p *SRPT) take(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, t, next int32) int32 {
	w := p.turns.job[t]
	for x := v.Newest(w, k); x != slotmodel.None; {
		older, info := v.Older(x), v.Attempt(x)
		taken := false
		switch {
		case info.Stage == slotmodel.Suspended:
		case p.Preempt == PreemptKill:
			taken = a.Kill(x)
		case v.CanSuspend(x):
			taken = a.Suspend(x)
		}
		if taken {
			p.reckon(v, t)
			a.Start(p.turns.job[next], k, info.Node)
			if next = p.waiting(v, k); next == absent || p.key(t, k) <= p.key(next, k) {
				return next
			}
		}
		x = older
	}
	return next
}
