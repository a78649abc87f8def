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

// byLaxity reports whether laxities count.
func (o Order) byLaxity() bool { return o == LLF || o == EDFDemoted || o == LLFAhead || o.ofJob() }

// ofJob reports whether a job has one laxity on all workers.
func (o Order) ofJob() bool { return o == JobLLF || o == JobLLFPreempting }

func (o Order) preempts() bool { return o == EDFPreempting || o == JobLLFPreempting }

// arrange sorts the queue of node n.
func (p *Policy) arrange(v *slotmodel.View, n slotmodel.Node) {
	queue := p.workers[n].queue
	switch {
	case p.Order.ofJob():
		for i := range queue {
			queue[i].laxity = p.jobLaxity(v, queue[i].job)
		}
	case p.Order.byLaxity():
		p.look(v, n, &p.now)
		p.laxities(v, queue, &p.now, p.reducesAfter)
	}
	slices.SortFunc(queue, func(x, y queued) int { return p.compare(v, x, y) })
}

// compare orders two tasks of a queue. Where laxities count, they have been computed.
func (p *Policy) compare(v *slotmodel.View, x, y queued) int {
	key := func(x queued) float64 {
		switch p.Order {
		case FIFO:
			return 0
		case Fair:
			return float64(v.Count(x.job, x.kind).Running)
		case Turns:
			return float64(p.turns[x.job])
		case EDF, EDFDemoted, EDFPreempting:
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
