package slotmodel_test

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// book is what the events of a run tell, with the inputs, of the state that a View shows.
type book struct {
	c      *slotmodel.Cluster
	jobs   []slotmodel.JobSpec
	weight []float64 // of the users; nil: all 1
	now    float64
	nodes  []bookNode
	tasks  []bookTask
	first  []int // of each job, its first task
	state  []bookJob
	live   map[slotmodel.Attempt]*bookAttempt
	users  []bookUser
	speeds []bookPace // of all nodes, by Cluster.Speed
	order  []slotmodel.Job
}

type bookNode struct {
	up    bool
	used  [2]int
	held  float64 // bytes
	paces []bookPace
}

// bookPace is a change of pace: a node is slow by a factor from a time on.
type bookPace struct{ at, slow float64 }

type bookTask struct {
	job  slotmodel.Job
	kind slotmodel.Kind
	st   byte              // p waits, r runs, s suspended, i rides, d done
	on   slotmodel.Node    // where it runs or ran
	by   slotmodel.Attempt // on which it rides
}

type bookJob struct {
	arrived, present, begun bool
	ready                   [2]bool
	done                    [2]int
	starts                  [2][]slotmodel.Attempt // those under way, as they started
}

type bookAttempt struct {
	job       slotmodel.Job
	task      slotmodel.Task
	kind      slotmodel.Kind
	node      slotmodel.Node
	began     float64
	computed  float64 // when the log says that it computes; -1: it has not said so
	suspended bool
	since     float64 // it has worked from then on, with left to do; -1: from when it computes
	left      float64
}

type bookUser struct {
	running [2]int
	memory  float64
	jobs    int
}

func newBook(c *slotmodel.Cluster, jobs []slotmodel.JobSpec, weight []float64) *book {
	b := &book{c: c, jobs: jobs, weight: weight, live: map[slotmodel.Attempt]*bookAttempt{}, state: make([]bookJob, len(jobs))}
	for range c.Nodes {
		b.nodes = append(b.nodes, bookNode{up: true, paces: []bookPace{{0, 1}}})
	}
	users := len(weight)
	for j := range jobs {
		b.first = append(b.first, len(b.tasks))
		for k := mapK; k <= reduce; k++ {
			for range b.phase(slotmodel.Job(j), k).Tasks {
				b.tasks = append(b.tasks, bookTask{job: slotmodel.Job(j), kind: k, st: 'p', on: none, by: none})
			}
		}
		users = max(users, jobs[j].User+1)
	}
	b.users = make([]bookUser, users)
	return b
}

func (b *book) phase(j slotmodel.Job, k slotmodel.Kind) *slotmodel.Phase {
	if k == mapK {
		return &b.jobs[j].Maps
	}
	return &b.jobs[j].Reduces
}

func (b *book) workOf(t slotmodel.Task) float64 {
	x := b.tasks[t]
	i := int(t) - b.first[x.job]
	if x.kind == reduce {
		i -= b.jobs[x.job].Maps.Tasks
	}
	return b.phase(x.job, x.kind).Of(i)
}

func (b *book) rigid(j slotmodel.Job) bool { return b.jobs[j].Rigid && b.jobs[j].Maps.Tasks > 1 }

func (b *book) slots(n slotmodel.Node, k slotmodel.Kind) int {
	return [2]int{b.c.Nodes[n].Maps, b.c.Nodes[n].Reduces}[k]
}

// given returns the work per second that a node does when it is not slow.
func (b *book) given(n slotmodel.Node) float64 {
	if s := b.c.Nodes[n].Speed; s > 0 {
		return s
	}
	return 1
}

// waiting counts the tasks of one kind of a job that wait.
func (b *book) waiting(j slotmodel.Job, k slotmodel.Kind) (n int) {
	for t := b.first[j]; t < b.first[j]+b.jobs[j].Maps.Tasks+b.jobs[j].Reduces.Tasks; t++ {
		if b.tasks[t].kind == k && b.tasks[t].st == 'p' {
			n++
		}
	}
	return n
}

// pass lets time go by until t.
func (b *book) pass(t float64) {
	if t <= b.now {
		return
	}
	var l slotmodel.Load
	for j := range b.state {
		if s := &b.state[j]; s.present && s.begun {
			l.Jobs++
			l.Tasks[mapK] += b.jobs[j].Maps.Tasks
			l.Tasks[reduce] += b.jobs[j].Reduces.Tasks
		}
	}
	for n := range b.nodes {
		for k, used := range b.nodes[n].used {
			l.Running[k] += used
		}
	}
	holding := map[slotmodel.Job]bool{}
	for _, x := range b.live {
		if x != nil && !x.suspended {
			holding[x.job] = true
		}
	}
	l.Holding = len(holding)
	slow := 1.0
	if b.c.Speed != nil {
		slow = 1 / b.c.Speed(l)
	}
	if n := len(b.speeds); n == 0 || b.speeds[n-1].slow != slow {
		b.speeds = append(b.speeds, bookPace{b.now, slow})
	}
	b.now = t
}

// event notes one event.
func (b *book) event(e slotmodel.Event) {
	b.pass(e.Time)
	switch e.Type {
	case slotmodel.NodeDown, slotmodel.NodeUp:
		b.nodes[e.Node].up = e.Type == slotmodel.NodeUp
	case slotmodel.NodeSlow:
		b.nodes[e.Node].paces = append(b.nodes[e.Node].paces, bookPace{e.Time, e.Value})
	case slotmodel.Arrived:
		b.state[e.Job].arrived, b.state[e.Job].present = true, true
		b.users[b.jobs[e.Job].User].jobs++
		b.order = append(b.order, e.Job)
	case slotmodel.Ready:
		b.state[e.Job].ready[e.Kind] = true
	case slotmodel.JobEnded:
		if s := &b.state[e.Job]; s.present {
			s.present = false
			b.users[b.jobs[e.Job].User].jobs--
		}
	case slotmodel.OutputLost:
		b.state[e.Job].done[mapK]--
		b.tasks[e.Task].st = 'p'
	case slotmodel.Rode:
		b.state[e.Job].begun = true
		b.tasks[e.Task].st, b.tasks[e.Task].on, b.tasks[e.Task].by = 'i', e.Node, e.Attempt
	case slotmodel.Started:
		s := &b.state[e.Job]
		s.begun = true
		s.starts[e.Kind] = append(s.starts[e.Kind], e.Attempt)
		b.tasks[e.Task].st, b.tasks[e.Task].on = 'r', e.Node
		x := &bookAttempt{job: e.Job, task: e.Task, kind: e.Kind, node: e.Node, began: e.Time, computed: -1, since: -1, left: b.workOf(e.Task)}
		b.live[e.Attempt] = x
		b.hold(x, 1, 1)
	case slotmodel.Computes:
		b.live[e.Attempt].computed = e.Time
	case slotmodel.Suspends:
		x := b.live[e.Attempt]
		x.suspended, x.left, b.tasks[e.Task].st = true, b.left(x), 's'
		b.hold(x, -1, 0)
		b.alight(e.Attempt)
	case slotmodel.Resumes:
		x := b.live[e.Attempt]
		x.suspended, x.since, b.tasks[e.Task].st = false, e.Time+b.c.ResumeCost, 'r'
		b.hold(x, 1, 0)
	case slotmodel.Ended:
		b.tasks[e.Task].st = 'd'
		b.state[e.Job].done[e.Kind]++
		if x := b.live[e.Attempt]; x != nil && x.task == e.Task {
			b.over(e.Attempt, x)
		}
	case slotmodel.Killed, slotmodel.Crashed:
		b.tasks[e.Task].st = 'p'
		b.alight(e.Attempt)
		b.over(e.Attempt, b.live[e.Attempt])
	}
}

// hold lets an attempt take slots and memory, so many times.
func (b *book) hold(x *bookAttempt, slots int, memory float64) {
	n, u, bytes := &b.nodes[x.node], &b.users[b.jobs[x.job].User], memory*b.phase(x.job, x.kind).Memory
	n.used[x.kind] += slots
	u.running[x.kind] += slots
	n.held += bytes
	u.memory += bytes
}

// over ends an attempt.
func (b *book) over(a slotmodel.Attempt, x *bookAttempt) {
	slots := -1
	if x.suspended {
		slots = 0
	}
	b.hold(x, slots, -1)
	starts := &b.state[x.job].starts[x.kind]
	for i := range *starts {
		if (*starts)[i] == a {
			*starts = append((*starts)[:i:i], (*starts)[i+1:]...)
			break
		}
	}
	delete(b.live, a)
}

// alight lets all that ride on an attempt wait again.
func (b *book) alight(a slotmodel.Attempt) {
	for t := range b.tasks {
		if x := &b.tasks[t]; x.st == 'i' && x.by == a {
			x.st = 'p'
		}
	}
}

// left returns the work that an attempt has left. One whose transfer took no time computes from its
// start on; a fluid network does not tell when that is so.
func (b *book) left(x *bookAttempt) float64 {
	at, left := x.since, x.left
	if at < 0 {
		at = max(x.began, x.computed)
	}
	if x.suspended {
		return left
	}
	paces := b.nodes[x.node].paces
	for i, from := range paces {
		for k, all := range b.speeds {
			end := b.now
			if i+1 < len(paces) {
				end = min(end, paces[i+1].at)
			}
			if k+1 < len(b.speeds) {
				end = min(end, b.speeds[k+1].at)
			}
			if begin := max(at, from.at, all.at); begin < end {
				left = max(0, left-(end-begin)*b.given(x.node)/from.slow/all.slow)
			}
		}
	}
	return left
}

// near reports whether two figures of the size of scale agree to rounding: a few hundred operations
// of 2^-53 each.
func near(a, b, scale float64) bool {
	return math.Abs(a-b) <= 1e-12*max(math.Abs(scale), math.Abs(a))
}
