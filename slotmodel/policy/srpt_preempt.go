package policy

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

func (p *SRPT) preempts() bool { return p.Preempt == PreemptKill || p.Preempt == PreemptSuspend }

// decide fills the free slots and then preempts.
func (p *SRPT) decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p.turns.run != v { // nothing has happened
		return
	}
	for _, t := range p.holding {
		p.reckon(v, t)
		p.update(v, p.turns.job[t])
	}
	// A reduce that is killed may let maps run again whose outputs were lost, hence maps once more.
	for _, k := range [...]slotmodel.Kind{slotmodel.Map, slotmodel.Reduce, slotmodel.Map} {
		p.fillOrResume(v, a, k, p, &p.asleep, p.Overtake)
		p.preempt(v, a, k)
	}
}

// reckon finds out what the attempts of a job have done.
func (p *SRPT) reckon(v *slotmodel.View, t int32) {
	j, x := p.turns.job[t], &p.jobs[t]
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
}

// hold keeps the jobs with attempts, and the attempts that are suspended.
func (p *SRPT) hold(v *slotmodel.View, e slotmodel.Event) {
	p.asleep.note(e)
	t := p.turns.of[e.Job]
	x := &p.jobs[t]
	under := int32(0)
	for k := range slotmodel.Kind(2) {
		c := v.Count(e.Job, k)
		under += c.Running + c.Suspended
	}
	switch {
	case under > 0 && x.place == 0:
		p.holding = append(p.holding, t)
		x.place = int32(len(p.holding))
	case under == 0 && x.place > 0:
		last := len(p.holding) - 1
		other := p.holding[last]
		p.holding[x.place-1], p.jobs[other].place = other, x.place
		p.holding = p.holding[:last]
		x.place, x.done = 0, [2]float64{}
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
		if t := p.turns.of[info.Job]; info.Kind == k && (owner == absent || p.less(t, owner, k)) {
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
	p.rank = append(p.rank[:0], p.holding...)
	slices.SortFunc(p.rank, func(x, y int32) int { return cmp.Or(cmp.Compare(p.key(y, k), p.key(x, k)), cmp.Compare(y, x)) })
	for _, t := range p.rank {
		w := p.turns.job[t]
		if p.key(t, k) <= p.key(next, k) {
			return
		}
		if width(v, w) > 1 {
			continue
		}
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
				p.update(v, w)
				a.Start(p.turns.job[next], k, info.Node)
				if next = p.waiting(v, k); next == absent || p.key(t, k) <= p.key(next, k) {
					break
				}
			}
			x = older
		}
		if next == absent {
			return
		}
	}
}
