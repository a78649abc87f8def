package policy

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/slotmodel"
)

// arrange puts the queue of a worker into its order.
func (p *Queues) arrange(v *slotmodel.View, n slotmodel.Node) {
	queue := p.workers[n].queue
	byLaxity := p.Order == QueueLLF || p.Order == QueueEDF && p.Demote
	if byLaxity {
		p.laxities(v, n)
	}
	for i := range queue {
		x := &queue[i]
		x.late, x.key = 0, 0
		if byLaxity && x.laxity < 0 {
			x.late = 1
		}
		switch p.Order {
		case QueueFair:
			x.key = float64(v.Count(x.job, x.kind).Running)
		case QueueEDF:
			x.key = deadline(v, x.job)
		case QueueLLF:
			x.key = x.laxity
		}
	}
	slices.SortFunc(queue, func(x, y queued) int {
		return cmp.Or(x.late-y.late, cmp.Compare(x.key, y.key), cmp.Compare(rank(v, x.job), rank(v, y.job)), cmp.Compare(x.task, y.task))
	})
}

// deadline returns the deadline of a job, +Inf if it has none.
func deadline(v *slotmodel.View, j slotmodel.Job) float64 {
	if d := v.Spec(j).Deadline; d > 0 {
		return d
	}
	return math.Inf(1)
}

// laxities gives each task in the queue of a worker the laxity of its job there.
func (p *Queues) laxities(v *slotmodel.View, n slotmodel.Node) {
	queue := p.workers[n].queue
	byTask := func(x, y queued) int { return cmp.Compare(x.task, y.task) } // the tasks of a job are neighbours
	if !p.Ahead {
		slices.SortFunc(queue, byTask)
	}
	p.place(v, n, &p.after, !p.Ahead)
	slices.SortFunc(queue, byTask)
	for from, to := 0, 0; from < len(queue); from = to {
		j := queue[from].job
		for to < len(queue) && queue[to].job == j {
			to++
		}
		laxity := deadline(v, j) - v.Now() - p.until(v, n, j, queue[from:to])
		for i := range queue[from:to] {
			queue[from+i].laxity = laxity
		}
	}
}

// place sets the end of each task in the queue of a worker, served in its present order. With alone the tasks of each job, which must be neighbours, are
// served as if those of other jobs were not there. after gets in how many seconds the slots are free after the queue, by kind.
func (p *Queues) place(v *slotmodel.View, n slotmodel.Node, after *[2][]float64, alone bool) {
	p.occupy(v, n)
	reset := func() {
		for k := range after {
			after[k] = append(after[k][:0], p.now[k]...)
		}
	}
	reset()
	queue := p.workers[n].queue
	for i := range queue {
		x := &queue[i]
		if alone && i > 0 && x.job != queue[i-1].job {
			reset()
		}
		slot := least(after[x.kind])
		*slot += p.ask(v, x.task, n, slotmodel.None)
		x.end = *slot
	}
}

// occupy notes in how many seconds the slots of a worker are free: at least one for each kind, though tasks of the other kind may hold it.
func (p *Queues) occupy(v *slotmodel.View, n slotmodel.Node) {
	p.now[slotmodel.Map], p.now[slotmodel.Reduce] = p.now[slotmodel.Map][:0], p.now[slotmodel.Reduce][:0]
	for _, x := range p.workers[n].running {
		info := v.Attempt(x)
		p.now[info.Kind] = append(p.now[info.Kind], p.ask(v, info.Task, n, x))
	}
	for k := range p.now {
		for free := v.Free(n, slotmodel.Kind(k)); free > 0 || len(p.now[k]) == 0; free-- {
			p.now[k] = append(p.now[k], 0)
		}
	}
}

// until returns in how many seconds the last task of a job on a worker ends and, while maps of the job are unfinished, its reduces after that. place has
// set the ends of tasks, which are those of the queue; those of other jobs do not count.
func (p *Queues) until(v *slotmodel.View, n slotmodel.Node, j slotmodel.Job, tasks []queued) float64 {
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
func (p *Queues) reducesAfter(v *slotmodel.View, j slotmodel.Job) float64 {
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
	best := 0
	for i, x := range xs {
		if x < xs[best] {
			best = i
		}
	}
	return &xs[best]
}
