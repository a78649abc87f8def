package queues

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Order says in which order the tasks in a worker's queue are served, by their jobs. Ties: the job
// that arrived first, then the task of the lower number. Where laxities count, in LLF, LLFAhead,
// JobLLF, JobLLFPreempting and EDFDemoted, jobs of negative laxity come after the others.
type Order uint8

const (
	FIFO  Order = iota // by arrival
	Fair               // the fewest running tasks of the task's kind, on all workers
	EDF                // the earliest deadline; jobs without a deadline last
	LLF                // the least laxity
	Turns              // the job of which no task has started for longest, on any worker
	// EDFDemoted is EDF in which laxities count. LLF is the same where no remaining time is known.
	EDFDemoted
	// LLFAhead is LLF with laxities that also count the tasks of other jobs which stand ahead in
	// the queue, as last put into order: the paper counts queueing times. The laxity of a job may
	// then be negative although the job would meet its deadline if the worker served it next.
	LLFAhead
	// JobLLF is LLF with one laxity a job on all workers, equation 3 of the paper: the deadline,
	// less now, less the estimate.ProjectedTime of the remaining times of its unfinished tasks, as
	// of the begin of a call of Decide. A reduce that is not bound yet may run anywhere. Reports of
	// DynamicShare and plans of ReducePlan keep the laxities on a worker.
	JobLLF
	// EDFPreempting is EDF in which a task takes the slot of a running one that comes after it, the
	// last in the order among several. The task that is suspended keeps its work and its memory,
	// and waits in the queue of its worker; ByEstimate and ByProgress take the time that it waits
	// for time that it ran. A task of a rigid job is not suspended, nor one that took its slot at
	// this instant. Under the other orders nothing is preempted.
	EDFPreempting
	JobLLFPreempting // JobLLF that preempts as EDFPreempting does
)

var orders = []string{"FIFO", "Fair", "EDF", "LLF", "Turns", "EDFDemoted", "LLFAhead", "JobLLF", "EDFPreempting", "JobLLFPreempting"}

// String returns the name of the constant, and "Order(99)" for what is none.
func (o Order) String() string { return enum.Name(o, "Order", orders...) }

// MarshalText returns the name as text.
func (o Order) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

func (o Order) byDeadline() bool { return o == EDF || o == EDFDemoted || o == EDFPreempting }

// byLaxity reports whether laxities count.
func (o Order) byLaxity() bool { return o == LLF || o == EDFDemoted || o == LLFAhead || o.ofJob() }

// ofJob reports whether a job has one laxity on all workers.
func (o Order) ofJob() bool { return o == JobLLF || o == JobLLFPreempting }

func (o Order) preempts() bool { return o == EDFPreempting || o == JobLLFPreempting }

// arrange sorts the queue of node n.
func (p *Policy) arrange(v *slotmodel.View, n slotmodel.Node) {
	if p.Order.byLaxity() {
		p.laxities(v, n)
	}
	slices.SortFunc(p.workers[n].queue, func(x, y queued) int { return p.compare(v, x, y) })
}

// compare orders two tasks of a queue. Where laxities count, they have been computed.
func (p *Policy) compare(v *slotmodel.View, x, y queued) int {
	key := func(x queued) float64 {
		switch {
		case p.Order == FIFO:
			return 0
		case p.Order == Fair:
			return float64(v.Count(x.job, x.kind).Running)
		case p.Order == Turns:
			return float64(p.turns[x.job])
		case p.Order.byDeadline():
			return deadline(v, x.job)
		}
		return x.laxity
	}
	switch {
	case x.laxity >= 0 && y.laxity < 0:
		return -1
	case x.laxity < 0 && y.laxity >= 0:
		return 1
	}
	return cmp.Or(cmp.Compare(key(x), key(y)), cmp.Compare(internal.Rank(v, x.job), internal.Rank(v, y.job)), cmp.Compare(x.task, y.task))
}

// deadline returns the deadline of a job, +Inf if it has none.
func deadline(v *slotmodel.View, j slotmodel.Job) float64 {
	if d := v.Spec(j).Deadline; d > 0 {
		return d
	}
	return math.Inf(1)
}

// laxities sets the laxity of each task in the queue of node n.
func (p *Policy) laxities(v *slotmodel.View, n slotmodel.Node) {
	queue := p.workers[n].queue
	if p.Order == LLFAhead {
		p.play(v, n, queue, &p.after)
	}
	// In the order of their numbers, the tasks of a job are neighbours.
	slices.SortFunc(queue, func(x, y queued) int { return cmp.Compare(x.task, y.task) })
	for from, to := 0, 0; from < len(queue); from = to {
		j := queue[from].job
		for to < len(queue) && queue[to].job == j {
			to++
		}
		tasks, laxity := queue[from:to], 0.0
		if p.Order.ofJob() {
			laxity = p.jobLaxity(v, j)
		} else {
			if p.Order != LLFAhead {
				p.play(v, n, tasks, &p.after)
			}
			laxity = deadline(v, j) - v.Now() - p.until(v, n, j, tasks)
		}
		for i := range tasks {
			tasks[i].laxity = laxity
		}
	}
}

// play serves tasks of the queue of node n in the given order, as if the queue held no other tasks,
// and sets their ends. It sets after, by kind, to the number of seconds in which each slot is free
// once these tasks have ended. Each kind has at least one slot in after, even if tasks of the other
// kind hold all slots of the node.
func (p *Policy) play(v *slotmodel.View, n slotmodel.Node, tasks []queued, after *[2][]float64) {
	after[slotmodel.Map], after[slotmodel.Reduce] = after[slotmodel.Map][:0], after[slotmodel.Reduce][:0]
	for _, x := range p.workers[n].running {
		info := v.Attempt(x)
		after[info.Kind] = append(after[info.Kind], p.ask(v, info.Task, n, x))
	}
	for k := range after {
		for free := v.Free(slotmodel.Kind(k), n); free > 0 || len(after[k]) == 0; free-- {
			after[k] = append(after[k], 0)
		}
	}
	for i := range tasks {
		x := &tasks[i]
		slot := least(after[x.kind])
		*slot += p.ask(v, x.task, n, x.attempt)
		x.end = *slot
	}
}

// until returns in how many seconds the last task of job j on node n ends. While maps of the job
// are unfinished, the time of its reduces follows that of its maps. play has set the ends of tasks;
// tasks of other jobs among them do not count.
func (p *Policy) until(v *slotmodel.View, n slotmodel.Node, j slotmodel.Job, tasks []queued) float64 {
	var end [2]float64 // by kind
	for _, x := range p.workers[n].running {
		if info := v.Attempt(x); info.Job == j {
			end[info.Kind] = max(end[info.Kind], p.ask(v, info.Task, n, x))
		}
	}
	for _, x := range tasks {
		if x.job == j {
			end[x.kind] = max(end[x.kind], x.end)
		}
	}
	return max(end[slotmodel.Map]+p.reducesAfter(v, j), end[slotmodel.Reduce])
}

// jobLaxity returns the laxity of job j as a whole, computed once in a call of Decide: the deadline
// less the projected execution time of what is left, the longest map and then the longest reduce,
// each where it runs or waits.
func (p *Policy) jobLaxity(v *slotmodel.View, j slotmodel.Job) float64 {
	if p.asked[j] == p.calls {
		return p.slack[j]
	}
	var left [2][]float64
	p.times = p.times[:0]
	for k := range slotmodel.Kind(2) {
		from := len(p.times)
		for x := v.Newest(j, k); x != slotmodel.None; x = v.Older(x) {
			info := v.Attempt(x)
			p.times = append(p.times, p.ask(v, info.Task, info.Node, x))
		}
		for t := v.NextPending(j, k, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, k, t) {
			p.times = append(p.times, p.ask(v, t, p.bound[t], slotmodel.None))
		}
		left[k] = p.times[from:]
	}
	time, _ := estimate.ProjectedTime(left[slotmodel.Map], left[slotmodel.Reduce]) // 0 where it exceeds 2^200
	p.asked[j], p.slack[j] = p.calls, deadline(v, j)-v.Now()-time
	return p.slack[j]
}

// reducesAfter returns how many seconds the reduces of job j take after its last map, 0 when the
// maps have ended.
func (p *Policy) reducesAfter(v *slotmodel.View, j slotmodel.Job) float64 {
	c, slots := v.Count(j, slotmodel.Map), v.Slots(slotmodel.Reduce)
	if p.Remaining == nil || c.Done == c.Tasks || slots == 0 {
		return 0
	}
	p.times = p.times[:0]
	for i := range int(v.Count(j, slotmodel.Reduce).Tasks) {
		p.times = append(p.times, p.ask(v, v.Task(j, slotmodel.Reduce, i), slotmodel.None, slotmodel.None))
	}
	after, _ := estimate.PhaseTime(slots, p.times) // 0 where the time exceeds 2^200
	return after
}

// least returns the address of the least of xs, the first one of equal numbers.
func least(xs []float64) *float64 {
	return &xs[slices.Index(xs, slices.Min(xs))]
}
