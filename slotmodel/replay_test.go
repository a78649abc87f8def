package slotmodel_test

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// replay reads the event log of a run and keeps accounts of its own from it and from the inputs
// alone.
type replay struct {
	c      *slotmodel.Cluster
	jobs   []slotmodel.JobSpec
	o      slotmodel.Options
	faults []string

	now     float64
	nodes   []rNode
	tasks   []rTask
	first   []int // of each job
	state   []rJob
	live    map[slotmodel.Attempt]*rAttempt
	present int
	hit     slotmodel.Node // lost just now, None otherwise
	speeds  []rPace        // of all nodes, by Cluster.Speed

	work, wasted, overhead, load, busy  float64
	kills, crashes, suspensions, reruns int
	localMaps, rackMaps, remoteMaps     int
	events                              int64
	users                               []rUser
	rows                                []rRow
	needed, output                      float64 // bytes that a fluid network has to move: shuffles of finished jobs, outputs of tasks that ended
	shuffled, fetched                   float64 // that it moved to reduces and maps that ended
	died                                bool    // attempts died, so that more may have been moved
}

type rNode struct {
	up     bool
	used   [2]int
	held   float64
	faults int // how many of its losses and returns there were
	paces  []rPace
}

// rPace is a change of a node's pace: it is slow by a factor from a time on.
type rPace struct{ at, slow float64 }

type rTask struct {
	job  slotmodel.Job
	kind slotmodel.Kind
	st   byte // p waits, r runs, s suspended, d done
	on   slotmodel.Node
	gone bool // the node was lost when nobody needed the output
}

type rJob struct {
	arrived, present bool
	ready            [2]bool
	done             [2]int
	start, mapEnd    float64
	finish, wasted   float64
	outcome          slotmodel.Outcome
	gang             int // tasks of a rigid job that started at gangAt
	gangAt           float64
}

type rAttempt struct {
	job       slotmodel.Job
	task      slotmodel.Task
	kind      slotmodel.Kind
	node      slotmodel.Node
	began     float64
	computeAt float64 // when it has to compute; +Inf: not known yet
	ready     bool    // it had all that it needs, but for transfers, when it began
	computes  bool
	since     float64 // it works from then on
	left      float64
	worked    float64
	suspended bool
	resumed   float64
	fetch     float64 // bytes it reads or shuffles
}

type rUser struct {
	held     [2]float64
	running  [2]int
	memory   float64
	jobs     int
	entitled float64
}

type rRow struct {
	load                    float64
	shared                  float64
	running, pending, slots [2]float64
}

func newReplay(c *slotmodel.Cluster, jobs []slotmodel.JobSpec, o slotmodel.Options) *replay {
	p := &replay{c: c, jobs: jobs, o: o, live: map[slotmodel.Attempt]*rAttempt{}, hit: none}
	for range c.Nodes {
		p.nodes = append(p.nodes, rNode{up: true, paces: []rPace{{0, 1}}})
	}
	users := len(o.Entitlements)
	for j := range jobs {
		p.first = append(p.first, len(p.tasks))
		for range jobs[j].Maps.Tasks {
			p.tasks = append(p.tasks, rTask{job: slotmodel.Job(j), kind: mapK, st: 'p', on: none})
		}
		for range jobs[j].Reduces.Tasks {
			p.tasks = append(p.tasks, rTask{job: slotmodel.Job(j), kind: reduce, st: 'p', on: none})
		}
		p.state = append(p.state, rJob{start: -1, mapEnd: -1, finish: -1, gangAt: -1})
		users = max(users, jobs[j].User+1)
	}
	p.users = make([]rUser, users)
	return p
}

func (p *replay) fail(format string, args ...any) {
	if len(p.faults) < 8 {
		p.faults = append(p.faults, fmt.Sprintf("at %v: ", p.now)+fmt.Sprintf(format, args...))
	}
}

func (p *replay) check(ok bool, format string, args ...any) {
	if !ok {
		p.fail(format, args...)
	}
}

func (p *replay) phase(j slotmodel.Job, k slotmodel.Kind) *slotmodel.Phase {
	if k == mapK {
		return &p.jobs[j].Maps
	}
	return &p.jobs[j].Reduces
}

func (p *replay) workOf(t slotmodel.Task) float64 {
	x := p.tasks[t]
	i := int(t) - p.first[x.job]
	if x.kind == reduce {
		i -= p.jobs[x.job].Maps.Tasks
	}
	return p.phase(x.job, x.kind).Of(i)
}

func (p *replay) rigid(j slotmodel.Job) bool { return p.jobs[j].Rigid && p.jobs[j].Maps.Tasks > 1 }

func (p *replay) racks() int {
	n := len(p.c.Racks)
	for i := range p.c.Nodes {
		n = max(n, p.c.Nodes[i].Rack+1)
	}
	return n
}

// given returns the work per second that a node does when it is not slow.
func (p *replay) given(n slotmodel.Node) float64 {
	if s := p.c.Nodes[n].Speed; s > 0 {
		return s
	}
	return 1
}

func (p *replay) slots(n slotmodel.Node, k slotmodel.Kind) int {
	if k == mapK {
		return p.c.Nodes[n].Maps
	}
	return p.c.Nodes[n].Reduces
}

func (p *replay) weight(u int) float64 {
	if p.o.Entitlements != nil {
		return p.o.Entitlements[u]
	}
	return 1
}

// waiting counts the tasks of one kind of a job that wait.
func (p *replay) waiting(j slotmodel.Job, k slotmodel.Kind) int {
	n := 0
	for t := p.first[j]; t < p.first[j]+p.jobs[j].Maps.Tasks+p.jobs[j].Reduces.Tasks; t++ {
		if p.tasks[t].kind == k && p.tasks[t].st == 'p' {
			n++
		}
	}
	return n
}

// pass integrates over the time until t.
func (p *replay) pass(t float64) {
	d := t - p.now
	if d <= 0 {
		return
	}
	for j := range p.state {
		if s := &p.state[j]; s.gangAt == p.now && s.present {
			p.check(s.gang == p.jobs[j].Maps.Tasks, "rigid job %d: %d of %d tasks started together", j, s.gang, p.jobs[j].Maps.Tasks)
		}
	}
	p.load += float64(p.present) * d
	p.rate()
	var r rRow
	r.load = float64(p.present)
	for n := range p.nodes {
		if p.nodes[n].up {
			r.shared += float64(p.c.Nodes[n].Slots)
		}
		for k := mapK; k <= reduce; k++ {
			if p.nodes[n].up {
				r.slots[k] += float64(p.slots(slotmodel.Node(n), k))
			}
			r.running[k] += float64(p.nodes[n].used[k])
		}
	}
	sum := 0.0
	for u := range p.users {
		if p.users[u].jobs > 0 {
			sum += p.weight(u)
		}
	}
	if sum > 0 {
		p.busy += d
	}
	for u := range p.users {
		x := &p.users[u]
		for k := range x.held {
			x.held[k] += float64(x.running[k]) * d
		}
		if x.jobs > 0 {
			x.entitled += d * p.weight(u) / sum
		}
	}
	if p.o.Period > 0 {
		for j := range p.state {
			for k := mapK; k <= reduce; k++ {
				if p.state[j].present && p.state[j].ready[k] {
					r.pending[k] += float64(p.waiting(slotmodel.Job(j), k))
				}
			}
		}
		p.spread(t, r)
	}
	p.now = t
}

// spread adds a state that stood from now to t to the rows of the time series.
func (p *replay) spread(t float64, r rRow) {
	for from := p.now; from < t; {
		i := int(from / p.o.Period)
		if float64(i+1)*p.o.Period <= from {
			i++
		}
		for len(p.rows) <= i {
			p.rows = append(p.rows, rRow{})
		}
		to := math.Min(t, float64(i+1)*p.o.Period)
		x, d := &p.rows[i], (to-from)/p.o.Period
		x.load += r.load * d
		x.shared += r.shared * d
		for k := range 2 {
			x.running[k] += r.running[k] * d
			x.pending[k] += r.pending[k] * d
			x.slots[k] += r.slots[k] * d
		}
		from = to
	}
}

// reach advances what an attempt has done to the present; overhead is what of it was paid for
// resuming.
func (p *replay) reach(x *rAttempt) (overhead float64) {
	if !x.computes || x.suspended {
		return 0
	}
	if x.since > p.now { // still paying
		overhead = p.now - x.resumed
		return overhead
	}
	if x.resumed >= 0 {
		overhead = p.c.ResumeCost
	}
	_, worked, left := p.computes(x, p.now)
	x.worked += worked
	x.left = left
	x.since = p.now
	return overhead
}

// rate notes how slow the load makes all nodes from now on.
func (p *replay) rate() {
	var l slotmodel.Load
	for j := range p.state {
		if s := &p.state[j]; s.present && s.start >= 0 {
			l.Jobs++
			l.Tasks[mapK] += p.jobs[j].Maps.Tasks
			l.Tasks[reduce] += p.jobs[j].Reduces.Tasks
		}
	}
	for n := range p.nodes {
		for k, used := range p.nodes[n].used {
			l.Running[k] += used
		}
	}
	slow := 1.0
	if p.c.Speed != nil {
		slow = 1 / p.c.Speed(l)
	}
	if n := len(p.speeds); n == 0 || p.speeds[n-1].slow != slow {
		p.speeds = append(p.speeds, rPace{p.now, slow})
	}
}

// computes follows an attempt that computes from since on until a time: when it is done or that
// time is reached, for how long it works, and the work left.
func (p *replay) computes(x *rAttempt, until float64) (at, worked, left float64) {
	at, left = x.since, x.left
	paces := p.nodes[x.node].paces
	for i, from := range paces {
		for k, all := range p.speeds {
			end := until
			if i+1 < len(paces) {
				end = math.Min(end, paces[i+1].at)
			}
			if k+1 < len(p.speeds) {
				end = math.Min(end, p.speeds[k+1].at)
			}
			if at >= end || from.at > at || all.at > at {
				continue
			}
			speed := p.given(x.node) / from.slow / all.slow
			d := math.Min(end-at, left/speed)
			worked, left, at = worked+d, math.Max(0, left-d*speed), at+d
		}
	}
	return at, worked, left
}
