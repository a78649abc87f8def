package queues

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// arrange puts the queue of a worker into its order.
func (p *Policy) arrange(v *slotmodel.View, n slotmodel.Node) {
	if p.byLaxity() {
		p.laxities(v, n)
	}
	slices.SortFunc(p.workers[n].queue, func(x, y queued) int { return p.compare(v, x, y) })
}

// byLaxity reports whether the order depends on laxities.
func (p *Policy) byLaxity() bool { return p.Order == LLF || p.Order == EDF && p.Demote }

// compare orders two tasks of a queue whose laxities are known if they count.
func (p *Policy) compare(v *slotmodel.View, x, y queued) int {
	key := func(x queued) float64 {
		switch p.Order {
		case Fair:
			return float64(v.Count(x.job, x.kind).Running)
		case EDF:
			return deadline(v, x.job)
		case LLF:
			return x.laxity
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

// laxities gives each task in the queue of a worker the laxity of its job there.
func (p *Policy) laxities(v *slotmodel.View, n slotmodel.Node) {
	queue := p.workers[n].queue
	if p.Ahead {
		p.play(v, n, queue, &p.after)
	}
	slices.SortFunc(queue, func(x, y queued) int { return cmp.Compare(x.task, y.task) }) // the tasks of a job are neighbours
	for from, to := 0, 0; from < len(queue); from = to {
		j := queue[from].job
		for to < len(queue) && queue[to].job == j {
			to++
		}
		tasks := queue[from:to]
		if !p.Ahead {
			p.play(v, n, tasks, &p.after)
		}
		laxity := deadline(v, j) - v.Now() - p.until(v, n, j, tasks)
		for i := range tasks {
			tasks[i].laxity = laxity
		}
	}
}

// play sets the ends of tasks of the queue of a worker that are served in their present order, as if there were no others. after gets in how many seconds
// the slots are free after them, by kind: at least one slot for each kind, though tasks of the other kind may hold it.
func (p *Policy) play(v *slotmodel.View, n slotmodel.Node, tasks []queued, after *[2][]float64) {
	after[slotmodel.Map], after[slotmodel.Reduce] = after[slotmodel.Map][:0], after[slotmodel.Reduce][:0]
	for _, x := range p.workers[n].running {
		info := v.Attempt(x)
		after[info.Kind] = append(after[info.Kind], p.ask(v, info.Task, n, x))
	}
	for k := range after {
		for free := v.Free(n, slotmodel.Kind(k)); free > 0 || len(after[k]) == 0; free-- {
			after[k] = append(after[k], 0)
		}
	}
	for i := range tasks {
		x := &tasks[i]
		slot := least(after[x.kind])
		*slot += p.ask(v, x.task, n, slotmodel.None)
		x.end = *slot
	}
}

// until returns in how many seconds the last task of a job on a worker ends and, while maps of the job are unfinished, its reduces after that. play has
// set the ends of tasks; those of other jobs do not count.
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

// reducesAfter returns how long the reduces of a job take after its last map, 0 when the maps have ended.
func (p *Policy) reducesAfter(v *slotmodel.View, j slotmodel.Job) float64 {
	c, slots := v.Count(j, slotmodel.Map), v.Slots(slotmodel.Reduce)
	if p.Remaining == nil || c.Done == c.Tasks || slots == 0 {
		return 0
	}
	p.times = p.times[:0]
	for i := range int(v.Count(j, slotmodel.Reduce).Tasks) {
		p.times = append(p.times, p.ask(v, v.Task(j, slotmodel.Reduce, i), slotmodel.None, slotmodel.None))
	}
	after, _ := estimate.PhaseTime(p.times, slots) // 0 beyond all times
	return after
}

// least returns the first of the least of some numbers.
func least(xs []float64) *float64 {
	return &xs[slices.Index(xs, slices.Min(xs))]
}
