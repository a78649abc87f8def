package queues

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Report is what a worker reports of a job with tasks on the worker, running or in the queue.
type Report struct {
	Time float64 // s
	Node slotmodel.Node
	Job  slotmodel.Job
	// Laxity is deadline - now - the time until the job's last task on the worker ends, after all
	// tasks before it in the queue. For a job without a deadline it is minus that time.
	Laxity  float64 // s
	Running int     // tasks of all jobs that run on the worker: the model's cpu load
	Memory  float64 // bytes that tasks hold on the worker; 0 where its memory has no limit
	// Slowdown is by what factor other load slows the worker, >= 1: what a monitor of its cpu
	// shows.
	Slowdown   float64
	Overloaded bool // Stragglers or Outliers has named the worker for this job
}

// DynamicShare is Policy with workers that report [1, section 3.3]: every Period, while any task
// runs, each worker reports the laxity of each job with tasks there. A worker on which the laxity
// of a job stands out from the job's others, by Stragglers, is overloaded for it, and tasks of the
// job leave: first the queued ones, in the order of the queue, unless suspended; then, with Kill,
// the running ones, which start over elsewhere, except maps that run again for reduces that hold
// slots. A task is killed at most once for each worker of the cluster.
//
// A task that leaves goes to the end of the queue on which it would end first by what Remaining
// knows, ties to the lowest number, and only if it would end sooner there: use a Remaining that
// shows when a worker is slow, as ByProgress does.
type DynamicShare struct {
	Policy
	Period float64 // s between reports, >= 0 and finite; 0: 1
	// Stragglers appends to dst the indices of the laxities that stand out as too low. The
	// laxities, at least two, are those of one job on different workers. Indices out of range are
	// ignored. nil: none stands out. lof.Stragglers is such a rule.
	Stragglers func(dst []int, laxity []float64) []int
	// Outliers is asked instead of Stragglers, and sees the reports themselves, at least two: the
	// laxities of one job and, as in the paper's section 2, cpu and memory of its workers. It must
	// not change or keep them. nil: Stragglers is asked.
	Outliers func(dst []int, reports []Report) []int
	Kill     bool // running tasks leave overloaded workers too
	// Report receives the reports, job by job in the order of arrival, lower nodes first. nil:
	// nobody does.
	Report func(Report)

	period  float64 // Period, or its default
	next    float64 // time of the next report
	wake    internal.Wake
	kills   []int // by task: how often it has been killed to leave a worker
	reports []Report
	laxity  []float64 // scratch: laxities of one job
	named   []int     // scratch: what Stragglers or Outliers returns
	ends    []outlook // by node: after its queue
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming Period, or the error of Policy.Check.
func (p *DynamicShare) Check() error {
	if !(p.Period >= 0 && p.Period <= math.MaxFloat64) {
		return input.Bad("queues.DynamicShare.Check", "Period", -1, "%v, want finite and >= 0", p.Period)
	}
	return p.Policy.Check()
}

// BeginRun forgets the previous run.
func (p *DynamicShare) BeginRun(v *slotmodel.View) {
	p.Policy.BeginRun(v)
	p.broken, p.period = p.Check() != nil, cmp.Or(p.Period, 1)
	p.next, p.wake = 0, internal.Wake{}
	p.kills = make([]int, len(p.bound))
	p.ends = make([]outlook, v.Nodes())
}

// Decide serves the queues, and collects the reports when a period has ended.
func (p *DynamicShare) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if len(p.ends) != v.Nodes() {
		return
	}
	p.Policy.Decide(v, a)
	if !slices.ContainsFunc(p.workers, func(w worker) bool { return len(w.running) > 0 }) {
		return
	}
	if v.Now() >= p.next {
		p.next = v.Now() + p.period
		p.survey(v)
		p.relieve(v, a)
		p.Policy.Decide(v, a)
	}
	p.wake.Ask(v, a, p.next)
}

// survey collects the reports, job by job.
func (p *DynamicShare) survey(v *slotmodel.View) {
	p.reports = p.reports[:0]
	for n := range slotmodel.Node(len(p.workers)) {
		if !v.Up(n) {
			continue
		}
		p.arrange(v, n)
		p.foresee(v, n)
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
		for to < len(p.reports) && p.reports[to].Job == p.reports[from].Job {
			to++
		}
		p.judge(p.reports[from:to])
	}
}

// judge marks those reports of one job that stand out, and hands all of them to Report.
func (p *DynamicShare) judge(reports []Report) {
	p.laxity, p.named = p.laxity[:0], p.named[:0]
	switch {
	case len(reports) < 2:
	case p.Outliers != nil:
		p.named = p.Outliers(p.named, reports)
	case p.Stragglers != nil:
		for _, r := range reports {
			p.laxity = append(p.laxity, r.Laxity)
		}
		p.named = p.Stragglers(p.named, p.laxity)
	}
	for _, i := range p.named {
		if i >= 0 && i < len(reports) {
			reports[i].Overloaded = true
		}
	}
	for _, r := range reports {
		if p.Report != nil {
			p.Report(r)
		}
	}
}

// reported adds the report of node n on job j, unless it is among the reports of the node, which
// begin at index from.
func (p *DynamicShare) reported(v *slotmodel.View, n slotmodel.Node, j slotmodel.Job, from int) {
	if slices.ContainsFunc(p.reports[from:], func(r Report) bool { return r.Job == j }) {
		return
	}
	w := &p.workers[n]
	laxity := -p.ends[n].until(j, w.queue, p.reducesAfter(v, j))
	if d := v.Spec(j).Deadline; d > 0 {
		laxity += d - v.Now()
	}
	r := Report{Time: v.Now(), Node: n, Job: j, Laxity: laxity, Running: len(w.running), Slowdown: v.Slowdown(n)}
	if all, free := v.Memory(n); !math.IsInf(all, 1) {
		r.Memory = all - free
	}
	p.reports = append(p.reports, r)
}

// relieve moves tasks away from overloaded workers. A task that stays is not looked at again:
// when tasks behind it leave, its end stays the same, and the queues of other workers only become
// longer.
func (p *DynamicShare) relieve(v *slotmodel.View, a *slotmodel.Actions) {
	for _, r := range p.reports {
		if !r.Overloaded {
			continue
		}
		w := &p.workers[r.Node]
		for i := 0; i < len(w.queue); {
			x := w.queue[i]
			if to := p.sooner(v, x, r, x.end); to != slotmodel.None && x.attempt == slotmodel.None {
				p.move(v, x, r.Node, to)
			} else {
				i++
			}
		}
		for i := 0; p.Kill && i < len(w.running); {
			info := v.Attempt(w.running[i])
			x := queued{task: info.Task, job: info.Job, kind: info.Kind, attempt: slotmodel.None}
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
	p.put(v, queued{task: x.task, job: x.job, kind: x.kind, attempt: slotmodel.None}, to)
	*least(p.ends[to].free[x.kind]) += p.ask(v, x.task, to, slotmodel.None)
	p.foresee(v, from)
}

// foresee serves the queue of node n in ends.
func (p *DynamicShare) foresee(v *slotmodel.View, n slotmodel.Node) {
	p.look(v, n, &p.ends[n])
	p.ends[n].serve(p.workers[n].queue)
}

// sooner returns the worker on which a task would end first, apart from the worker of report r. It
// returns None if the task would not end before end there, or is not of the job of the report.
func (p *DynamicShare) sooner(v *slotmodel.View, x queued, r Report, end float64) slotmodel.Node {
	best := slotmodel.Node(slotmodel.None)
	for m := slotmodel.Node(0); x.job == r.Job && int(m) < len(p.workers); m++ {
		if m == r.Node || !p.holds(v, m, x.job, x.kind) {
			continue
		}
		if at := *least(p.ends[m].free[x.kind]) + p.ask(v, x.task, m, slotmodel.None); at < end {
			best, end = m, at
		}
	}
	return best
}
