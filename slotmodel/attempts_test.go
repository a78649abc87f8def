package slotmodel_test

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// keep follows the memory of a node.
func (p *replay) keep(x *rAttempt, by float64) {
	n, bytes, limit := &p.nodes[x.node], p.phase(x.job, x.kind).Memory, p.c.Nodes[x.node].Memory
	n.held += by * bytes
	p.users[p.jobs[x.job].User].memory += by * bytes
	p.check(limit == 0 || bytes == 0 || n.held <= limit*(1+1e-12), "node %d holds %v bytes of attempts, limit %v", x.node, n.held, limit)
}

// take and give follow the slots of a node.
func (p *replay) take(x *rAttempt, by int) {
	n := &p.nodes[x.node]
	n.used[x.kind] += by
	p.users[p.jobs[x.job].User].running[x.kind] += by
	spec := p.c.Nodes[x.node]
	shared := max(0, n.used[mapK]-spec.Maps) + max(0, n.used[reduce]-spec.Reduces)
	p.check(n.used[x.kind] >= 0 && shared <= spec.Slots, "node %d: slots %v in use of %+v", x.node, n.used, spec)
	p.check(by < 0 || n.up, "a slot of node %d taken, which is lost", x.node)
}

func (p *replay) started(e slotmodel.Event) {
	if int(e.Task) >= len(p.tasks) || e.Task < 0 || p.live[e.Attempt] != nil {
		p.fail("task %d started as attempt %d, which is under way", e.Task, e.Attempt)
		return
	}
	t, s, spec := &p.tasks[e.Task], &p.state[e.Job], &p.jobs[e.Job]
	p.check(t.job == e.Job && t.kind == e.Kind && t.st == 'p', "task %d (job %d, %v, state %c) started as a %v of job %d", e.Task, t.job, t.kind, t.st, e.Kind, e.Job)
	p.check(s.present && s.ready[e.Kind], "task %d of job %d started, present %v, ready %v", e.Task, e.Job, s.present, s.ready)
	if e.Kind == reduce {
		for i := range p.tasks {
			p.check(p.tasks[i].job != e.Job || !p.tasks[i].gone || p.tasks[i].st != 'd', "a reduce of job %d starts while the output of task %d is gone", e.Job, i)
		}
	}
	t.st = 'r'
	x := &rAttempt{job: e.Job, task: e.Task, kind: e.Kind, node: e.Node, began: p.now, computeAt: math.Inf(1), left: p.workOf(e.Task), resumed: -1}
	x.ready = e.Kind == mapK || s.done[mapK] == spec.Maps.Tasks
	p.live[e.Attempt] = x
	p.take(x, 1)
	p.keep(x, 1)
	p.checkEarly(x)
	if s.start < 0 {
		s.start = p.now
	}
	if p.rigid(e.Job) {
		if s.gangAt != p.now || s.gang == spec.Maps.Tasks {
			p.check(s.done[mapK] == 0, "rigid job %d starts with %d tasks done", e.Job, s.done[mapK])
			s.gangAt, s.gang = p.now, 0
		}
		s.gang++
	}
	if e.Kind == mapK {
		seconds, bytes := p.read(e)
		x.fetch = bytes
		if !p.c.Network.Fluid {
			x.computeAt = p.now + seconds
		}
	} else if !p.c.Network.Fluid && s.done[mapK] == spec.Maps.Tasks {
		x.computeAt = p.now + p.c.Network.Shuffle
	}
	p.mayCompute(x)
}

// mayCompute lets an attempt compute that has nothing to wait for.
func (p *replay) mayCompute(x *rAttempt) {
	if !x.computes && x.computeAt == p.now && x.began == p.now {
		x.computes, x.since = true, p.now
	}
}

// read returns the time that a map reads its block and the bytes it moves, and counts where the
// block lies.
func (p *replay) read(e slotmodel.Event) (seconds, bytes float64) {
	spec := &p.jobs[e.Job]
	if spec.Replicas == nil {
		return 0, 0
	}
	i := int(e.Task) - p.first[e.Job]
	near := func(only func(c int32) bool) int32 {
		for _, c := range spec.Replicas[i*spec.Copies : (i+1)*spec.Copies] {
			if c >= 0 && only(c) {
				return c
			}
		}
		return -1
	}
	up := func(c int32) bool { return p.nodes[c].up }
	sameRack := func(c int32) bool { return p.c.Nodes[c].Rack == p.c.Nodes[e.Node].Rack }
	from := near(func(c int32) bool { return c == int32(e.Node) })
	if from < 0 {
		from = near(func(c int32) bool { return up(c) && sameRack(c) })
	}
	if from < 0 {
		from = near(up)
	}
	if from < 0 {
		from = near(func(int32) bool { return true })
	}
	switch {
	case from < 0 || from == int32(e.Node):
		p.localMaps++
		return 0, 0
	case sameRack(from):
		p.rackMaps++
		return p.c.Network.RackRead, spec.Input / float64(spec.Maps.Tasks)
	}
	p.remoteMaps++
	return p.c.Network.RemoteRead, spec.Input / float64(spec.Maps.Tasks)
}

// reopened lets the reduces of a job that shuffle wait again.
func (p *replay) reopened(j slotmodel.Job) {
	for _, x := range p.live {
		if x.job == j && x.kind == reduce && !x.computes {
			x.computeAt = math.Inf(1)
		}
	}
}

// settle decides, in a fluid network, that an attempt that never said so has computed since it
// began.
func (p *replay) settle(x *rAttempt, value float64) {
	if p.c.Network.Fluid && !x.computes && x.ready && value != 0 {
		x.computes, x.since = true, x.began
	}
}

func (p *replay) attempt(e slotmodel.Event, x *rAttempt) {
	s, spec, t := &p.state[x.job], &p.jobs[x.job], &p.tasks[x.task]
	fluid := p.c.Network.Fluid
	switch e.Type {
	case slotmodel.Computes:
		p.check(!x.computes && !x.suspended && p.now > x.began, "attempt %d computes, again or at its start", e.Attempt)
		p.check(x.kind == mapK || s.done[mapK] == spec.Maps.Tasks, "attempt %d, a reduce, computes after %d of %d maps", e.Attempt, s.done[mapK], spec.Maps.Tasks)
		p.check(fluid || p.now == x.computeAt, "attempt %d of job %d computes, want at %v", e.Attempt, x.job, x.computeAt)
		x.computes, x.since = true, p.now
	case slotmodel.Suspends:
		p.settle(x, 1)
		p.check(x.computes && !x.suspended && !p.rigid(x.job), "attempt %d suspended, computes %v, suspended %v", e.Attempt, x.computes, x.suspended)
		p.overhead += p.reach(x)
		x.suspended, t.st = true, 's'
		p.take(x, -1)
		p.suspensions++
	case slotmodel.Resumes:
		p.check(x.suspended, "attempt %d resumed, which is not suspended", e.Attempt)
		x.suspended, t.st = false, 'r'
		x.resumed, x.since = p.now, p.now+p.c.ResumeCost
		p.take(x, 1)
	case slotmodel.Ended:
		p.ended(e, x)
	case slotmodel.Killed, slotmodel.Crashed:
		p.settle(x, e.Value)
		p.overhead += p.reach(x)
		lost := p.workOf(x.task) - x.left
		p.check(near(lost, e.Value, p.workOf(x.task)), "attempt %d lost %v of work, want %v", e.Attempt, e.Value, lost)
		p.waste(x.job, lost)
		p.work += lost
		p.keep(x, -1)
		if !x.suspended {
			p.take(x, -1)
		}
		t.st = 'p'
		delete(p.live, e.Attempt)
		p.died = true
		if e.Type == slotmodel.Killed {
			p.kills++
			break
		}
		p.crashes++
		p.check(p.hit != none && (x.node == p.hit || p.rigid(x.job)), "attempt %d crashed on node %d, node %d was lost", e.Attempt, x.node, p.hit)
	}
}

// checkEarly checks that a reduce that has just started leaves shared slots to maps, unless none of
// its job's maps is to come. With a fluid network the log does not tell a transfer from work that
// began at once, so a reduce that started after all maps counts as one that computes.
func (p *replay) checkEarly(x *rAttempt) {
	waits := func(y *rAttempt) bool {
		computes := y.computes || p.c.Network.Fluid && y.ready
		return y.kind == reduce && !computes && p.state[y.job].done[mapK] < p.jobs[y.job].Maps.Tasks
	}
	if !waits(x) {
		return
	}
	early, shared, here := 0, 0, 0
	for n := range p.nodes {
		if p.nodes[n].up {
			shared += p.c.Nodes[n].Slots
		}
		count := 0
		for _, y := range p.live {
			if int(y.node) == n && waits(y) {
				count++
			}
		}
		early += max(0, count-p.c.Nodes[n].Reduces)
		if n == int(x.node) {
			here = count - p.c.Nodes[n].Reduces
		}
	}
	most := p.c.EarlyReduces
	if most == 0 {
		most = .5
	}
	p.check(here <= 0 || float64(early)/float64(shared) <= most, "reduces that wait for maps hold %d of %d shared slots, at most %v allowed", early, shared, most)
}

// attempts counts the attempts of a job that are under way.
func (p *replay) attempts(j slotmodel.Job) (n int) {
	for _, x := range p.live {
		if x.job == j {
			n++
		}
	}
	return n
}

func (p *replay) ended(e slotmodel.Event, x *rAttempt) {
	s, spec := &p.state[x.job], &p.jobs[x.job]
	p.settle(x, 1)
	p.check(x.computes && !x.suspended, "attempt %d ended, computes %v, suspended %v", e.Attempt, x.computes, x.suspended)
	last := x.kind == reduce || spec.Reduces.Tasks == 0
	at, more, _ := p.computes(x, math.Inf(1))
	if last && !p.c.Network.Fluid {
		at += p.c.Network.Write
	}
	moves := last && p.c.Network.Fluid && spec.Output > 0
	p.check(near(p.now, at, at) || moves && p.now > at, "attempt %d of job %d ended, want at %v", e.Attempt, x.job, at)
	worked := x.worked + more
	p.check(near(worked, e.Value, worked), "attempt %d worked %v s, want %v", e.Attempt, e.Value, worked)
	if x.resumed >= 0 {
		p.overhead += p.c.ResumeCost
	}
	p.take(x, -1)
	p.keep(x, -1)
	p.tasks[x.task].st, p.tasks[x.task].on = 'd', x.node
	s.done[x.kind]++
	p.work += p.workOf(x.task)
	delete(p.live, e.Attempt)
	if x.kind == mapK {
		p.fetched += p.fetchOf(x)
	} else {
		p.shuffled += p.fetchOf(x)
	}
	if last && spec.Output > 0 {
		p.output += spec.Output / float64(p.phase(x.job, x.kind).Tasks)
	}
	if x.kind == mapK && s.done[mapK] == spec.Maps.Tasks {
		for _, y := range p.live {
			if y.job != x.job || y.kind != reduce || y.computes {
				continue
			}
			y.ready = y.ready || y.began == p.now
			if !p.c.Network.Fluid {
				y.computeAt = p.now + p.c.Network.Shuffle
				p.mayCompute(y)
			}
		}
	}
}

// fetchOf returns what an attempt has read or shuffled when it gets as far as its work.
func (p *replay) fetchOf(x *rAttempt) float64 {
	spec := &p.jobs[x.job]
	switch {
	case x.kind == mapK:
		return x.fetch
	case spec.Maps.Tasks == 0:
		return 0
	}
	return spec.Shuffle / float64(spec.Reduces.Tasks)
}

// near reports whether two figures of the size of scale agree to rounding: a few hundred operations
// of 2^-53 each.
func near(a, b, scale float64) bool {
	return math.Abs(a-b) <= 1e-12*math.Max(math.Abs(scale), math.Abs(a))
}
