package policy

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// Report is what a worker tells of a job that has tasks on it, running or in its queue.
type Report struct {
	Time       float64
	Node       slotmodel.Node
	Job        slotmodel.Job
	Laxity     float64 // deadline - now - the time until the job's last task there ends, after all that stand before it in the queue; without deadline -the latter
	Running    int     // tasks of all jobs that run there
	Memory     float64 // bytes that tasks hold there; 0 without a limit
	Overloaded bool    // Stragglers has named it for this job
}

// DynamicShare is Queues with workers that report [6, section 3.3]: every Period seconds, while any task runs, each worker tells the laxity of each job with tasks on it. Where
// a job's laxity on some workers stands out from those on the others, as Stragglers says, tasks of the job leave these workers:
//
//	first its queued tasks, in the order of the queue;
//	then, with Kill, its running ones, which start over elsewhere.
//
// A task leaves only for the worker on which it would end first, at the end of the queue there, and only if it would end sooner there than where it is, by what
// Remaining knows. Ties: the worker of the lowest number. So the policy needs a Remaining that shows that a worker is slow, as ByProgress does.
//
// A report costs what an order of each queue costs, and for each overloaded worker O(q) and O(nodes) for each task that may leave.
type DynamicShare struct {
	Queues
	Period float64 // s, > 0; 0, NaN, +Inf and negative numbers mean 1
	// Stragglers appends to dst the indices of those of some laxities, at least two, of one job on different workers, that stand out as too low. nil: none. Package lof's Stragglers is
	// meant; other indices are passed over.
	Stragglers func(dst []int, laxity []float64) []int
	Kill       bool
	Report     func(Report) // receives the reports, job by job in the order of arrival, lower nodes first; nil: nobody does

	next    float64 // time of the next report
	wake    wake
	reports []Report
	laxity  []float64      // scratch: of one job
	named   []int          // scratch
	after   [][2][]float64 // in how many seconds the slots of each worker are free after its queue, by kind
}

// BeginRun forgets the previous run.
func (p *DynamicShare) BeginRun(v *slotmodel.View) {
	if p == nil {
		return
	}
	p.Queues.BeginRun(v)
	p.next, p.wake = 0, wake{}
	p.after = make([][2][]float64, v.Nodes())
}

// Observe keeps the queues.
func (p *DynamicShare) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p != nil {
		p.Queues.Observe(v, e)
	}
}

// Decide serves the queues, and asks for reports when it is time.
func (p *DynamicShare) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p == nil || len(p.after) != v.Nodes() {
		return
	}
	p.Queues.Decide(v, a)
	if !slices.ContainsFunc(p.workers, func(w worker) bool { return len(w.running) > 0 }) {
		return
	}
	if v.Now() >= p.next {
		p.next = v.Now() + 1
		if p.Period > 0 && p.Period <= math.MaxFloat64 {
			p.next = v.Now() + p.Period
		}
		p.survey(v)
		p.relieve(v, a)
		p.Queues.Decide(v, a)
	}
	p.wake.ask(v, a, p.next)
}

// survey collects the reports.
func (p *DynamicShare) survey(v *slotmodel.View) {
	p.reports = p.reports[:0]
	for n := range slotmodel.Node(len(p.workers)) {
		if !v.Up(n) {
			continue
		}
		p.arrange(v, n)
		p.place(v, n)
		from := len(p.reports)
		for _, x := range p.workers[n].queue {
			p.reported(v, n, x.job, from)
		}
		for _, x := range p.workers[n].running {
			if j := v.Attempt(x).Job; j != slotmodel.None && width(v, j) == 1 {
				p.reported(v, n, j, from)
			}
		}
	}
	slices.SortFunc(p.reports, func(x, y Report) int {
		return cmp.Or(cmp.Compare(p.rank[x.Job], p.rank[y.Job]), cmp.Compare(x.Node, y.Node))
	})
	for from := 0; from < len(p.reports); {
		to := from
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
		from = to
	}
	for _, r := range p.reports {
		if p.Report != nil {
			p.Report(r)
		}
	}
}

// place reckons when the tasks of a queue end in its present order, and when the slots of the worker are free after them.
func (p *DynamicShare) place(v *slotmodel.View, n slotmodel.Node) {
	p.occupy(v, n)
	for k := range p.slots {
		p.after[n][k] = append(p.after[n][k][:0], p.slots[k]...)
	}
	for i := range p.workers[n].queue {
		x := &p.workers[n].queue[i]
		slot := least(p.after[n][x.kind])
		*slot += p.ask(v, x.task, n, slotmodel.None)
		x.end = *slot
	}
}

// reported adds the report on a job of a worker, whose reports begin at from, unless it is there.
func (p *DynamicShare) reported(v *slotmodel.View, n slotmodel.Node, j slotmodel.Job, from int) {
	if slices.ContainsFunc(p.reports[from:], func(r Report) bool { return r.Job == j }) {
		return
	}
	w := &p.workers[n]
	end := p.runningUntil(v, n, j)
	for _, x := range w.queue {
		if x.job == j {
			end[x.kind] = max(end[x.kind], x.end)
		}
	}
	laxity := -max(end[slotmodel.Map]+p.reducesAfter(v, j), end[slotmodel.Reduce])
	if d := v.Spec(j).Deadline; d > 0 {
		laxity += d - v.Now()
	}
	r := Report{Time: v.Now(), Node: n, Job: j, Laxity: laxity, Running: len(w.running)}
	if all, free := v.Memory(n); !math.IsInf(all, 1) {
		r.Memory = all - free
	}
	p.reports = append(p.reports, r)
}

// relieve moves tasks away from the workers that are overloaded.
func (p *DynamicShare) relieve(v *slotmodel.View, a *slotmodel.Actions) {
	for _, r := range p.reports {
		if !r.Overloaded {
			continue
		}
		for p.moveQueued(v, r.Node, r.Job) {
		}
		for i := 0; p.Kill && i < len(p.workers[r.Node].running); {
			x := p.workers[r.Node].running[i]
			if !p.moveRunning(v, a, x, r.Job) {
				i++
			}
		}
	}
}

// moveQueued moves the first task of a job in a queue that ends sooner elsewhere, and reports whether there was one.
func (p *DynamicShare) moveQueued(v *slotmodel.View, n slotmodel.Node, j slotmodel.Job) bool {
	for _, x := range p.workers[n].queue {
		if x.job != j {
			continue
		}
		if to := p.sooner(v, n, x.task, j, x.kind, x.end); to != slotmodel.None {
			p.move(v, queued{task: x.task, job: j, kind: x.kind}, to)
			p.place(v, n)
			return true
		}
	}
	return false
}

// moveRunning kills an attempt of a job whose task ends sooner elsewhere, and reports whether it did.
func (p *DynamicShare) moveRunning(v *slotmodel.View, a *slotmodel.Actions, x slotmodel.Attempt, j slotmodel.Job) bool {
	info := v.Attempt(x)
	if info.Job != j || width(v, j) > 1 {
		return false
	}
	to := p.sooner(v, info.Node, info.Task, j, info.Kind, p.ask(v, info.Task, info.Node, x))
	if to == slotmodel.None || !a.Kill(x) {
		return false
	}
	p.move(v, queued{task: info.Task, job: j, kind: info.Kind}, to)
	p.place(v, info.Node)
	return true
}

// move binds a task to a worker.
func (p *DynamicShare) move(v *slotmodel.View, x queued, to slotmodel.Node) {
	p.leave(v, x.task)
	p.put(v, x, to)
	*least(p.after[to][x.kind]) += p.ask(v, x.task, to, slotmodel.None)
}

// sooner returns the worker other than n on which a task would end first, None if it would not end before end there.
func (p *DynamicShare) sooner(v *slotmodel.View, n slotmodel.Node, t slotmodel.Task, j slotmodel.Job, k slotmodel.Kind, end float64) slotmodel.Node {
	best := slotmodel.Node(slotmodel.None)
	for m := range slotmodel.Node(len(p.workers)) {
		if m == n || !p.holds(v, m, j, k) {
			continue
		}
		if at := *least(p.after[m][k]) + p.ask(v, t, m, slotmodel.None); at < end {
			best, end = m, at
		}
	}
	return best
}
