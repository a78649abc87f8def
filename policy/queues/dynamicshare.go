package queues

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Report is what a worker tells of a job that has tasks on it, running or in its queue.
type Report struct {
	Time float64
	Node slotmodel.Node
	Job  slotmodel.Job
	// Laxity is deadline - now - the time until the job's last task there ends, after all tasks before it in the queue; without a deadline, minus that time.
	Laxity     float64
	Running    int     // tasks of all jobs that run there: what the model knows of cpu
	Memory     float64 // bytes that tasks hold there; 0 without a limit
	Overloaded bool    // Stragglers has named it for this job
}

// DynamicShare is Queues with workers that report [6, section 3.3]: every Period seconds, while any task runs, each worker tells the laxity of each job
// with tasks on it. Where a job's laxity on some workers stands out from those on the others, as Stragglers says, tasks of the job leave these workers:
//
//	first its queued tasks, in the order of the queue;
//	then, with Kill, its running ones, which start over elsewhere, but for maps that run again for reduces which hold slots; each task at most once
//	for each worker of the cluster, so that every job ends.
//
// A task leaves only for the worker on which it would end first, at the end of the queue there, and only if it would end sooner there than where it is, by what
// Remaining knows. Ties: the worker of the lowest number. So the policy needs a Remaining that shows that a worker is slow, as ByProgress does.
//
// A report costs as much as ordering each queue and, with q tasks in a queue, O(q) for each of its jobs. Each task of an overloaded worker that may leave
// costs O(nodes), each task that leaves O(q) more.
type DynamicShare struct {
	Policy
	Period float64 // s, > 0 and finite; 0 means 1
	// Stragglers appends to dst the indices of the laxities that stand out as too low. The laxities, at least two, are of one job on different workers.
	// nil: none stands out. Indices out of range are ignored. lof.Stragglers is such a rule.
	Stragglers func(dst []int, laxity []float64) []int
	Kill       bool
	Report     func(Report) // receives the reports, job by job in the order of arrival, lower nodes first; nil: nobody does

	next    float64 // time of the next report
	wake    internal.Wake
	kills   []int // of each task
	reports []Report
	laxity  []float64      // scratch: of one job
	named   []int          // scratch
	ends    [][2][]float64 // in how many seconds the slots of each worker are free after its queue, by kind
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming Period, or that of Queues.Check.
func (p *DynamicShare) Check() error {
	switch {
	case p == nil:
		return nil
	case !(p.Period >= 0 && p.Period <= math.MaxFloat64):
		return input.Bad("policy.DynamicShare.Check", "Period", -1, "%v, want finite and >= 0", p.Period)
	}
	return p.Policy.Check()
}

// BeginRun forgets the previous run.
func (p *DynamicShare) BeginRun(v *slotmodel.View) {
	if p == nil {
		return
	}
	p.Policy.BeginRun(v)
	p.next, p.wake = 0, internal.Wake{}
	p.kills = make([]int, len(p.bound))
	p.ends = make([][2][]float64, v.Nodes())
}

// Observe keeps the queues.
func (p *DynamicShare) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p != nil {
		p.Policy.Observe(v, e)
	}
}

// Decide serves the queues, and asks for reports when it is time.
func (p *DynamicShare) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p == nil || len(p.ends) != v.Nodes() {
		return
	}
	p.Policy.Decide(v, a)
	if !slices.ContainsFunc(p.workers, func(w worker) bool { return len(w.running) > 0 }) {
		return
	}
	if v.Now() >= p.next {
		p.next = v.Now() + cmp.Or(p.Period, 1)
		p.survey(v)
		p.relieve(v, a)
		p.Policy.Decide(v, a)
	}
	p.wake.Ask(v, a, p.next)
}

// survey collects the reports.
func (p *DynamicShare) survey(v *slotmodel.View) {
	p.reports = p.reports[:0]
	for n := range slotmodel.Node(len(p.workers)) {
		if !v.Up(n) {
			continue
		}
		p.arrange(v, n)
		p.play(v, n, p.workers[n].queue, &p.ends[n])
		from := len(p.reports)
		for _, x := range p.workers[n].queue {
			p.reported(v, n, x.job, from)
		}
		for _, x := range p.workers[n].running {
			if j := v.Attempt(x).Job; j != slotmodel.None && internal.Width(v, j) == 1 {
				p.reported(v, n, j, from)
			}
		}
	}
	slices.SortFunc(p.reports, func(x, y Report) int {
		return cmp.Or(cmp.Compare(internal.Rank(v, x.Job), internal.Rank(v, y.Job)), cmp.Compare(x.Node, y.Node))
	})
	for from, to := 0, 0; from < len(p.reports); from = to {
		p.laxity, p.named = p.laxity[:0], p.named[:0]
		for ; to < len(p.reports) && p.reports[to].Job == p.reports[from].Job; to++ {
			p.laxity = append(p.laxity, p.reports[to].Laxity)
		}
		if p.Stragglers != nil && len(p.laxity) > 1 {
			p.named = p.Stragglers(p.named, p.laxity)
		}
		for _, i := range p.named {
			if i >= 0 && i < to-from {
				p.reports[from+i].Overloaded = true
			}
		}
		for _, r := range p.reports[from:to] {
			if p.Report != nil {
				p.Report(r)
			}
		}
	}
}

// reported adds the report on a job of a worker, whose reports begin at from, unless it is there.
func (p *DynamicShare) reported(v *slotmodel.View, n slotmodel.Node, j slotmodel.Job, from int) {
	if slices.ContainsFunc(p.reports[from:], func(r Report) bool { return r.Job == j }) {
		return
	}
	w := &p.workers[n]
	laxity := -p.until(v, n, j, w.queue)
	if d := v.Spec(j).Deadline; d > 0 {
		laxity += d - v.Now()
	}
	r := Report{Time: v.Now(), Node: n, Job: j, Laxity: laxity, Running: len(w.running)}
	if all, free := v.Memory(n); !math.IsInf(all, 1) {
		r.Memory = all - free
	}
	p.reports = append(p.reports, r)
}

// relieve moves tasks away from the workers that are overloaded. A task that stays is not asked about again: its end stays, and no other worker takes it
// sooner when tasks behind it leave.
func (p *DynamicShare) relieve(v *slotmodel.View, a *slotmodel.Actions) {
	for _, r := range p.reports {
		if !r.Overloaded {
			continue
		}
		w := &p.workers[r.Node]
		for i := 0; i < len(w.queue); {
			x := w.queue[i]
			if to := p.sooner(v, x, r, x.end); to != slotmodel.None {
				p.move(v, x, r.Node, to)
			} else {
				i++
			}
		}
		for i := 0; p.Kill && i < len(w.running); {
			info := v.Attempt(w.running[i])
			x := queued{task: info.Task, job: info.Job, kind: info.Kind}
			to := p.sooner(v, x, r, p.ask(v, x.task, r.Node, w.running[i]))
			if to != slotmodel.None && internal.Width(v, x.job) == 1 && !urgent(v, x.job, x.kind) && p.kills[x.task] < len(p.workers) && a.Kill(w.running[i]) {
				p.kills[x.task]++
				p.move(v, x, r.Node, to)
			} else {
				i++
			}
		}
	}
}

// move binds a task to another worker.
func (p *DynamicShare) move(v *slotmodel.View, x queued, from, to slotmodel.Node) {
	p.leave(v, x.task)
	p.put(v, queued{task: x.task, job: x.job, kind: x.kind}, to)
	*least(p.ends[to][x.kind]) += p.ask(v, x.task, to, slotmodel.None)
	p.play(v, from, p.workers[from].queue, &p.ends[from])
}

// sooner returns the worker on which a task of the job of a report would end first, None if it would not end before end there or is of another job.
func (p *DynamicShare) sooner(v *slotmodel.View, x queued, r Report, end float64) slotmodel.Node {
	best := slotmodel.Node(slotmodel.None)
	for m := slotmodel.Node(0); x.job == r.Job && int(m) < len(p.workers); m++ {
		if m == r.Node || !p.holds(v, m, x.job, x.kind) {
			continue
		}
		if at := *least(p.ends[m][x.kind]) + p.ask(v, x.task, m, slotmodel.None); at < end {
			best, end = m, at
		}
	}
	return best
}
