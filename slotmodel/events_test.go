package slotmodel_test

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// event checks one event and follows it.
func (p *replay) event(e slotmodel.Event) {
	p.events++
	p.check(e.Time >= p.now && e.Time <= math.MaxFloat64, "%v event at %v goes back in time", e.Type, e.Time)
	if p.hit != none && (e.Type != slotmodel.Crashed && e.Type != slotmodel.OutputLost || e.Time != p.now) {
		p.afterLoss()
	}
	p.pass(e.Time)
	switch e.Type {
	case slotmodel.NodeDown, slotmodel.NodeUp:
		p.fault(e)
		return
	case slotmodel.NodeSlow:
		p.paced(e)
		return
	case slotmodel.Started:
		p.started(e)
		return
	case slotmodel.Computes, slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed, slotmodel.Suspends, slotmodel.Resumes:
		x := p.live[e.Attempt]
		if x == nil || x.job != e.Job || x.task != e.Task || x.node != e.Node || x.kind != e.Kind {
			p.fail("%v of attempt %d, task %d of job %d on node %d, which is not under way as such", e.Type, e.Attempt, e.Task, e.Job, e.Node)
			return
		}
		p.attempt(e, x)
		return
	}
	s := &p.state[e.Job]
	switch e.Type {
	case slotmodel.Arrived:
		p.check(!s.arrived && e.Time == p.due(e.Job), "job %d arrived, want once, at %v", e.Job, p.due(e.Job))
		s.arrived, s.present = true, true
		p.present++
		p.users[p.jobs[e.Job].User].jobs++
	case slotmodel.Ready:
		spec := &p.jobs[e.Job]
		p.check(s.present && !s.ready[e.Kind], "job %d ready for %v twice, or not present", e.Job, e.Kind)
		if e.Kind == reduce && spec.Maps.Tasks > 0 {
			p.check(float64(s.done[mapK])/float64(spec.Maps.Tasks) >= spec.Slowstart, "job %d ready for reduces after %d of %d maps, slowstart %v",
				e.Job, s.done[mapK], spec.Maps.Tasks, spec.Slowstart)
			p.check(s.done[mapK] == 0 || float64(s.done[mapK]-1)/float64(spec.Maps.Tasks) < spec.Slowstart, "job %d ready for reduces late, after %d of %d maps",
				e.Job, s.done[mapK], spec.Maps.Tasks)
		}
		s.ready[e.Kind] = true
	case slotmodel.MapsEnded:
		p.check(s.done[mapK] == p.jobs[e.Job].Maps.Tasks, "maps of job %d ended after %d of %d", e.Job, s.done[mapK], p.jobs[e.Job].Maps.Tasks)
		s.mapEnd = p.now
	case slotmodel.OutputLost:
		x := &p.tasks[e.Task]
		if e.Node == none {
			p.check(x.st == 'd' && p.rigid(e.Job) && p.attempts(e.Job) == 0, "task %d of job %d (state %c) starts over, rigid %v, %d attempts go on", e.Task, e.Job, x.st, p.rigid(e.Job), p.attempts(e.Job))
			x.st = 'p'
			s.done[mapK]--
			p.waste(e.Job, p.workOf(e.Task))
			return
		}
		p.check(x.st == 'd' && x.on == e.Node && (e.Node == p.hit || x.gone) && x.kind == mapK && s.present, "output of task %d on node %d lost, which ended on %d (state %c)", e.Task, e.Node, x.on, x.st)
		p.check(p.needs(e.Job) != 'n', "output of task %d of job %d lost, which nobody needs", e.Task, e.Job)
		s.done[mapK]--
		x.st, x.gone, s.mapEnd = 'p', false, -1
		p.waste(e.Job, p.workOf(e.Task))
		p.reruns++
		p.reopened(e.Job)
	case slotmodel.JobEnded:
		p.jobEnded(e.Job, slotmodel.Outcome(e.Value))
	default:
		p.fail("unknown event %v", e.Type)
	}
}

func (p *replay) waste(j slotmodel.Job, work float64) {
	p.wasted += work
	p.state[j].wasted += work
}

// paced checks a change of a node's pace against what was given of the node.
func (p *replay) paced(e slotmodel.Event) {
	want, changes := 1.0, false
	for _, s := range p.c.Nodes[e.Node].Slow {
		if s.From <= e.Time && e.Time < s.Until {
			want = s.Factor
		}
		changes = changes || e.Time == s.From || e.Time == s.Until
	}
	p.check(changes && e.Value == want, "node %d is slow by %v, want %v, at the beginning or end of a slowdown", e.Node, e.Value, want)
	p.nodes[e.Node].paces = append(p.nodes[e.Node].paces, rPace{e.Time, e.Value})
}

func (p *replay) fault(e slotmodel.Event) {
	n := &p.nodes[e.Node]
	want := math.NaN()
	if down := p.c.Nodes[e.Node].Down; n.faults/2 < len(down) {
		if want = down[n.faults/2].From; n.faults%2 == 1 {
			want = down[n.faults/2].Until
		}
	}
	p.check(e.Time == want && n.up == (e.Type == slotmodel.NodeDown), "%v of node %d, want at %v", e.Type, e.Node, want)
	n.faults++
	n.up = e.Type == slotmodel.NodeUp
	if !n.up {
		p.hit = e.Node
	}
}

// needs says whether a job needs the outputs of its maps: y, n, or ? when the log does not tell.
func (p *replay) needs(j slotmodel.Job) byte {
	switch {
	case p.jobs[j].Reduces.Tasks == 0 || !p.state[j].present:
		return 'n'
	case p.waiting(j, reduce) > 0:
		return 'y'
	}
	answer := byte('n')
	for _, x := range p.live {
		if x.job == j && x.kind == reduce && !x.computes {
			if !p.c.Network.Fluid || !x.ready {
				return 'y'
			}
			answer = '?'
		}
	}
	return answer
}

// afterLoss checks that a lost node has left nothing behind.
func (p *replay) afterLoss() {
	n := p.hit
	p.hit = none
	for a, x := range p.live {
		p.check(x.node != n, "attempt %d goes on on node %d, which was lost", a, n)
	}
	for t := range p.tasks {
		if x := &p.tasks[t]; x.kind == mapK && x.st == 'd' && x.on == n {
			p.check(p.needs(x.job) != 'y', "output of task %d of job %d was on node %d, which was lost, and is needed", t, x.job, n)
			x.gone = p.jobs[x.job].Reduces.Tasks > 0 && p.state[x.job].present
		}
	}
	p.check(p.nodes[n].held <= 1e-12 && p.nodes[n].used == [2]int{}, "lost node %d: slots %v in use, %v bytes held", n, p.nodes[n].used, p.nodes[n].held)
}

func (p *replay) jobEnded(j slotmodel.Job, o slotmodel.Outcome) {
	s, spec := &p.state[j], &p.jobs[j]
	p.check(s.present, "job %d ended, but is not present", j)
	for a, x := range p.live {
		p.check(x.job != j, "job %d ended, but its attempt %d goes on", j, a)
	}
	want := p.now
	switch o {
	case slotmodel.Finished:
		p.check(s.done == [2]int{spec.Maps.Tasks, spec.Reduces.Tasks}, "job %d finished after %v tasks, want %d and %d", j, s.done, spec.Maps.Tasks, spec.Reduces.Tasks)
		part := 0.0
		if spec.Maps.Tasks > 0 && spec.Reduces.Tasks > 0 {
			part = spec.Shuffle
		}
		p.needed += part
	case slotmodel.TimedOut:
		p.check(s.start >= 0 && spec.Walltime > 0, "job %d timed out, walltime %v, start %v", j, spec.Walltime, s.start)
		want = s.start + spec.Walltime
	case slotmodel.Failed:
		p.check(s.start >= 0 && spec.Crash > 0, "job %d failed, crash %v, start %v", j, spec.Crash, s.start)
		want = s.start + spec.Crash
	case slotmodel.Canceled:
		p.check(spec.Cancel > 0, "job %d cancelled, cancel %v", j, spec.Cancel)
		want = math.Max(p.due(j), spec.Cancel)
	default:
		p.fail("job %d ended as %v", j, o)
	}
	p.check(p.now == want, "job %d ended as %v, want at %v", j, o, want)
	for _, limit := range [...][2]float64{{spec.Walltime, s.start}, {spec.Crash, s.start}, {spec.Cancel, 0}} {
		if limit[0] > 0 && limit[1] >= 0 {
			p.check(p.now <= math.Max(p.due(j), limit[0]+limit[1]), "job %d ended as %v, after its limit of %v + %v", j, o, limit[1], limit[0])
		}
	}
	s.present, s.outcome, s.finish = false, o, p.now
	p.present--
	p.users[spec.User].jobs--
}
