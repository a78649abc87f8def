package fluid

// timeline converts between time and work: without caps that bind, the server behaves like one of
// speed 1 whose clock is the work u(t) that the capacity can do by time t, so that the policies
// for one server never see capacity or its steps. Clocks start at 0 at the beginning of every busy
// period (base), which keeps the digits of small jobs late in a long run.
//
// Both directions are asked in increasing order, each with its own place in the steps.
type timeline struct {
	steps []Step
	base  float64
	plain bool // capacity 1 throughout: time is work

	in, out place
}

// place is a point on the timeline with the capacity from there to steps[next].
type place struct {
	time  float64
	since dd // time - base
	work  dd
	slots float64
	next  int
}

func (l *timeline) reset(slots float64, steps []Step) {
	*l = timeline{steps: steps, plain: slots == 1 && len(steps) == 0, in: place{slots: slots}}
}

// rebase makes time t the origin; t must not lie before the times asked so far.
func (l *timeline) rebase(t float64) {
	l.base = t
	l.pass(t)
	l.in.time, l.in.work, l.in.since = t, dd{}, dd{}
	l.out = l.in
}

// pass moves in behind the steps up to time t.
func (l *timeline) pass(t float64) {
	p := &l.in
	for p.next < len(l.steps) && l.steps[p.next].Time <= t {
		p.step(l)
	}
}

// step moves p to the next step.
func (p *place) step(l *timeline) {
	s := l.steps[p.next]
	p.work = p.work.add(twoSum(s.Time, -p.time).scale(p.slots))
	p.time, p.since = s.Time, twoSum(s.Time, -l.base)
	p.slots = s.Slots
	p.next++
}

// toWork is the work that the capacity can do from base to time t.
func (l *timeline) toWork(t float64) dd {
	if l.plain {
		return twoSum(t, -l.base)
	}
	l.pass(t)
	p := &l.in
	return p.work.add(twoSum(t, -p.time).scale(p.slots))
}

// toTime is the earliest time, counted from base, at which the capacity can have done work u; far
// if it never can.
func (l *timeline) toTime(u dd) dd {
	if l.plain {
		return u
	}
	p := &l.out
	for p.next < len(l.steps) {
		q := *p
		q.step(l)
		if u.minus(q.work) <= tie*u.hi {
			break
		}
		*p = q
	}
	d := u.sub(p.work)
	if p.slots == 0 {
		if d.float() > tie*u.hi {
			return far
		}
		return p.since
	}
	return p.since.add(d.over(p.slots))
}
