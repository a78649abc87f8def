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

// Order says in which order the tasks in a worker's queue are served. Ties: the job that arrived
// first, then the task of the lower number.
type Order uint8

const (
	FIFO  Order = iota // by the arrival of the jobs
	Fair               // the job with the fewest running tasks of the task's kind, on all workers
	EDF                // the earliest deadline; jobs without a deadline last
	LLF                // the least laxity; jobs of negative laxity after the others
	Turns              // the job of which no task has started for longest, on any worker
)

// String returns "FIFO", "Fair", "EDF", "LLF" or "Turns", and "Order(7)" for an Order that is none
// of these.
func (o Order) String() string { return enum.Name(o, "Order", "FIFO", "Fair", "EDF", "LLF", "Turns") }

// arrange sorts the queue of node n.
func (p *Policy) arrange(v *slotmodel.View, n slotmodel.Node) {
	if p.byLaxity() {
		p.laxities(v, n)
	}
	slices.SortFunc(p.workers[n].queue, func(x, y queued) int { return p.compare(v, x, y) })
}

// byLaxity reports whether the order depends on laxities.
func (p *Policy) byLaxity() bool { return p.Order == LLF || p.Order == EDF && p.Demote }

// compare orders two tasks of a queue. Where laxities count, they have been computed.
func (p *Policy) compare(v *slotmodel.View, x, y queued) int {
	key := func(x queued) float64 {
		switch p.Order {
		case Fair:
			return float64(v.Count(x.job, x.kind).Running)
		case EDF:
			return deadline(v, x.job)
		case LLF:
			return x.laxity
		case Turns:
			return float64(p.turns[x.job])
		}
		return 0
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
	if p.Ahead {
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
		if p.JobLaxity {
			laxity = p.jobLaxity(v, j)
		} else {
			if !p.Ahead {
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
