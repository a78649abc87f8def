package slotmodel_test

import (
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// naiveStep is a line of firstFit's script: what is done at a time to an attempt of the walk over
// those present, pick being its place.
type naiveStep struct {
	at   float64
	what byte // k kills it, s suspends it; r resumes the first that can go on
	pick int
}

// firstFit fills slots by their nodes' numbers with the first job that can use them, after what its
// script says. All maps that can ride do.
type firstFit struct {
	script []naiveStep
	done   int  // of its steps
	begun  bool // somebody has been there
	asked  int  // steps for which it has asked to be woken
}

func (p *firstFit) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.begun = p.begun || v.NextActive(slotmodel.None) != slotmodel.None
	if !p.begun {
		return
	}
	for ; p.done < len(p.script) && p.script[p.done].at <= v.Now(); p.done++ {
		p.step(v, a, p.script[p.done])
	}
	if p.done < len(p.script) && p.asked <= p.done {
		a.Wake(p.script[p.done].at)
		p.asked = p.done + 1
	}
	if p.done == len(p.script) {
		for p.resume(v, a) {
		}
	}
	for k := slotmodel.Map; k <= slotmodel.Reduce; k++ {
		for node := v.NextFree(k, slotmodel.None); node != slotmodel.None; node = v.NextFree(k, node) {
			for v.Free(k, node) > 0 && p.place(v, a, k, node) {
			}
		}
	}
}

func (p *firstFit) place(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, node slotmodel.Node) bool {
	for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
		if !v.Spec(j).Rigid {
			if v.Fits(j, k, node) {
				return a.Start(j, k, node) && board(v, a, v.Newest(j, k))
			}
			continue
		}
		nodes := seats(v, j)
		if len(nodes) > 0 {
			done := a.StartGang(j, nodes)
			for x := v.Newest(j, k); x != slotmodel.None; x = v.Older(x) {
				done = board(v, a, x) && done
			}
			return done
		}
	}
	return false
}

// riderOn returns the map of a job that can ride on an attempt of this decision, None if it has
// none.
func riderOn(v *slotmodel.View, j slotmodel.Job, x slotmodel.Attempt) slotmodel.Task {
	i := v.Attempt(x)
	_, _, block := v.Index(i.Task)
	t := v.Task(j, slotmodel.Map, block)
	set := v.Spec(j).Dataset
	if i.Job == none || i.Kind != slotmodel.Map || i.Suspended || set == 0 || v.Spec(i.Job).Dataset != set || rigid(v, j) ||
		t == slotmodel.None || v.NextPending(j, slotmodel.Map, t-1) != t {
		return slotmodel.None
	}
	return t
}

// board lets all maps that can ride on an attempt do so.
func board(v *slotmodel.View, a *slotmodel.Actions, x slotmodel.Attempt) bool {
	done := true
	for j := v.NextRunnable(slotmodel.None, slotmodel.Map); j != slotmodel.None; j = v.NextRunnable(j, slotmodel.Map) {
		if t := riderOn(v, j, x); t != slotmodel.None {
			done = a.Ride(j, t, x) && done
		}
	}
	return done
}

// walk lists the attempts that are present.
func (p *firstFit) walk(v *slotmodel.View) []slotmodel.Attempt {
	var all []slotmodel.Attempt
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		for k := slotmodel.Map; k <= slotmodel.Reduce; k++ {
			for x := v.Newest(j, k); x != slotmodel.None; x = v.Older(x) {
				all = append(all, x)
			}
		}
	}
	return all
}

func (p *firstFit) step(v *slotmodel.View, a *slotmodel.Actions, s naiveStep) {
	all := p.walk(v)
	switch {
	case s.what == 'r':
		p.resume(v, a)
	case len(all) == 0:
	case s.what == 'k':
		a.Kill(all[s.pick%len(all)])
	case v.CanSuspend(all[s.pick%len(all)]):
		a.Suspend(all[s.pick%len(all)])
	}
}

func (p *firstFit) resume(v *slotmodel.View, a *slotmodel.Actions) bool {
	for _, x := range p.walk(v) {
		if s := v.Attempt(x); s.Suspended && v.Free(s.Kind, s.Node) > 0 {
			return a.Resume(x)
		}
	}
	return false
}

// decide is firstFit's Decide.
func (n *naive) decide() {
	if n.random != nil {
		n.repeat()
		return
	}
	n.begun = n.begun || len(n.order()) > 0
	if !n.begun {
		return
	}
	for ; n.done < len(n.script) && n.script[n.done].at <= n.now; n.done++ {
		n.step(n.script[n.done])
	}
	if n.done == len(n.script) {
		for n.resumeOne() {
		}
	}
	for k := slotmodel.Map; k <= slotmodel.Reduce; k++ {
		for node := range n.up {
			for n.free(node, k) > 0 && n.place(k, node) {
			}
		}
	}
}

// order lists the jobs that are present, as they arrived.
func (n *naive) order() []int {
	var all []int
	for j := range n.state {
		if n.state[j].here {
			all = append(all, j)
		}
	}
	slices.SortFunc(all, func(a, b int) int { return n.state[a].turn - n.state[b].turn })
	return all
}

func (n *naive) place(k slotmodel.Kind, node int) bool {
	for _, j := range n.order() {
		if n.count(j, k, 'w') == 0 || k == slotmodel.Reduce && !n.state[j].ready {
			continue
		}
		if !n.jobs[j].Rigid {
			if n.fits(j, k, node) {
				n.start(j, n.pick(j, k, node), node)
				n.board(n.attempts[len(n.attempts)-1:])
				return true
			}
			continue
		}
		var nodes []int
		for g := range n.up {
			for i := range n.free(g, k) {
				if float64(i+1)*n.needs(j, k) <= n.memory(g) {
					nodes = append(nodes, g)
				}
			}
		}
		if p := n.jobs[j].Maps.Tasks; p <= len(nodes) {
			for i := range p {
				n.start(j, i, nodes[i])
			}
			n.board(n.attempts[len(n.attempts)-p:])
			return true
		}
	}
	return false
}

// board lets all maps that can ride on some attempts do so.
func (n *naive) board(attempts []*naiveAttempt) {
	for _, x := range attempts {
		for _, j := range n.order() {
			if n.canRide(j, x) {
				n.ride(j, x)
			}
		}
	}
}

// pick is what Actions.Start promises.
func (n *naive) pick(j int, k slotmodel.Kind, node int) int {
	best, near := -1, 3
	for i, t := range n.state[j].tasks {
		if t.kind != k || t.state != 'w' {
			continue
		}
		d := 2
		if s := &n.jobs[j]; k == slotmodel.Map && s.Replicas != nil {
			for _, h := range s.Replicas[i*s.Copies : (i+1)*s.Copies] {
				if h >= 0 {
					d = min(d, n.distance(int(h), node))
				}
			}
		}
		if d < near {
			best, near = i, d
		}
	}
	return best
}

func (n *naive) walk() []*naiveAttempt {
	var all []*naiveAttempt
	for _, j := range n.order() {
		for k := slotmodel.Map; k <= slotmodel.Reduce; k++ {
			for _, x := range slices.Backward(n.attempts) {
				if !x.over && x.job == j && n.kind(x) == k {
					all = append(all, x)
				}
			}
		}
	}
	return all
}

func (n *naive) step(s naiveStep) {
	all := n.walk()
	switch {
	case s.what == 'r':
		n.resumeOne()
	case len(all) == 0:
	case s.what == 'k':
		n.kill(all[s.pick%len(all)])
	case n.canSuspend(all[s.pick%len(all)]):
		n.suspend(all[s.pick%len(all)])
	}
}

func (n *naive) resumeOne() bool {
	for _, x := range n.walk() {
		if x.stage == suspended && n.free(x.node, n.kind(x)) > 0 {
			n.resume(x)
			return true
		}
	}
	return false
}
