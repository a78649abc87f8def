package slotmodel_test

import (
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// atRandom does at random what is allowed, and notes it; after 60 calls it only fills what is free.
type atRandom struct {
	r     *rand.Rand
	eyes  firstFit
	calls int
	apart bool // it acts at instants of its own only, and no two reduces start in one call
	wake  float64
	last  int // the call in which a reduce has started
	deeds []naiveDeed
	fresh []slotmodel.Attempt // those that have started in this call, not the gangs
}

// naiveDeed is one action. An attempt is named by its task, as there is never more than one.
type naiveDeed struct {
	call int
	at   float64
	what byte // as in naiveStep; b: a task begins; i: it rides
	task slotmodel.Task
	node slotmodel.Node
	on   slotmodel.Task // of the attempt on which it rides
}

func (p *atRandom) note(v *slotmodel.View, what byte, t slotmodel.Task, n slotmodel.Node) {
	p.deeds = append(p.deeds, naiveDeed{p.calls, v.Now(), what, t, n, slotmodel.None})
}

func (p *atRandom) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if v.NextActive(slotmodel.None) == slotmodel.None || v.Now() < p.wake {
		return
	}
	if p.apart {
		first := p.wake == 0
		p.wake = v.Now() + .5 + 3*p.r.Float64()
		a.Wake(p.wake)
		if first {
			return
		}
	}
	p.calls++
	p.fresh = p.fresh[:0]
	if p.calls <= 60 {
		for range p.r.IntN(8) {
			p.act(v, a)
		}
		if !p.apart {
			a.Wake(v.Now() + float64(1+p.r.IntN(4)))
		}
		return
	}
	for {
		before := len(p.deeds)
		for range 20 {
			p.start(v, a)
			p.ride(v, a)
			p.resume(v, a)
		}
		if p.apart && p.last == p.calls || len(p.deeds) == before && !p.more(v) {
			return
		}
	}
}

// more reports whether a slot is free for what waits.
func (p *atRandom) more(v *slotmodel.View) bool {
	for k := slotmodel.Map; k <= slotmodel.Reduce; k++ {
		for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
			if s := v.Spec(j); s.Rigid && seats(v, j) != nil || !s.Rigid && room(v, j, k) != slotmodel.None {
				return true
			}
		}
	}
	for _, x := range p.eyes.walk(v) {
		if s := v.Attempt(x); s.Suspended && v.Free(s.Kind, s.Node) > 0 {
			return true
		}
	}
	return false
}

// act starts, resumes, kills or suspends.
func (p *atRandom) act(v *slotmodel.View, a *slotmodel.Actions) {
	all := p.eyes.walk(v)
	switch k := p.r.IntN(10); {
	case k < 6:
		p.start(v, a)
		p.ride(v, a)
	case k == 6:
		p.resume(v, a)
	case len(all) == 0:
	case k == 7:
		x := all[p.r.IntN(len(all))]
		p.note(v, 'k', v.Attempt(x).Task, slotmodel.None)
		a.Kill(x)
	default:
		if x := all[p.r.IntN(len(all))]; v.CanSuspend(x) {
			p.note(v, 's', v.Attempt(x).Task, slotmodel.None)
			a.Suspend(x)
		}
	}
}

func (p *atRandom) resume(v *slotmodel.View, a *slotmodel.Actions) {
	all := p.eyes.walk(v)
	for _, i := range p.r.Perm(len(all)) {
		if s := v.Attempt(all[i]); s.Suspended && v.Free(s.Kind, s.Node) > 0 {
			p.note(v, 'r', s.Task, slotmodel.None)
			a.Resume(all[i])
			return
		}
	}
}

// start begins some task of some job somewhere.
func (p *atRandom) start(v *slotmodel.View, a *slotmodel.Actions) {
	k := slotmodel.Kind(p.r.IntN(2))
	if p.apart && k == slotmodel.Reduce && p.last == p.calls {
		return
	}
	var nodes []slotmodel.Node
	for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n) {
		for range v.Free(k, n) {
			nodes = append(nodes, n)
		}
	}
	var jobs []slotmodel.Job
	for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
		jobs = append(jobs, j)
	}
	if len(nodes) == 0 || len(jobs) == 0 {
		return
	}
	j := jobs[p.r.IntN(len(jobs))]
	if nodes = slices.DeleteFunc(nodes, func(n slotmodel.Node) bool { return !v.Fits(j, k, n) }); v.Spec(j).Rigid {
		nodes = seats(v, j)
	}
	if len(nodes) == 0 {
		return
	}
	p.r.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	var tasks []slotmodel.Task
	for t := v.NextPending(j, k, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, k, t) {
		tasks = append(tasks, t)
	}
	if v.Spec(j).Rigid {
		for i, t := range tasks {
			p.note(v, 'b', t, nodes[i])
		}
		a.StartGang(j, nodes)
		return
	}
	t := tasks[p.r.IntN(len(tasks))]
	if k == slotmodel.Reduce {
		p.last = p.calls
	}
	p.note(v, 'b', t, nodes[0])
	a.StartTask(t, nodes[0])
	p.fresh = append(p.fresh, v.Newest(j, k))
}

// ride lets some maps ride on attempts of this call.
func (p *atRandom) ride(v *slotmodel.View, a *slotmodel.Actions) {
	for _, x := range p.fresh {
		for j := v.NextRunnable(slotmodel.None, slotmodel.Map); j != slotmodel.None; j = v.NextRunnable(j, slotmodel.Map) {
			if t := riderOn(v, j, x); t != slotmodel.None && p.r.IntN(2) == 0 {
				p.note(v, 'i', t, slotmodel.None)
				p.deeds[len(p.deeds)-1].on = v.Attempt(x).Task
				a.Ride(j, t, x)
			}
		}
	}
}

// repeat does what was noted in one call.
func (n *naive) repeat() {
	if len(n.deeds) == 0 || n.deeds[0].at > n.now {
		return
	}
	for call := n.deeds[0].call; len(n.deeds) > 0 && n.deeds[0].call == call; n.deeds = n.deeds[1:] {
		d := n.deeds[0]
		j := n.jobOf(d.task)
		if d.what == 'b' {
			n.start(j, int(d.task)-n.state[j].first, int(d.node))
			continue
		}
		of := d.task
		if d.what == 'i' {
			of = d.on
		}
		for _, x := range n.attempts {
			if x.over || n.state[x.job].first+x.task != int(of) {
				continue
			}
			switch d.what {
			case 'i':
				n.ride(j, x)
			case 'k':
				n.kill(x)
			case 's':
				n.suspend(x)
			case 'r':
				n.resume(x)
			}
			break
		}
	}
}

// jobOf returns the job of a task.
func (n *naive) jobOf(t slotmodel.Task) int {
	j := 0
	for int(t) >= n.state[j].first+len(n.state[j].tasks) {
		j++
	}
	return j
}
