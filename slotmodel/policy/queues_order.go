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
		x.late, x.key = byLaxity && x.laxity < 0, 0
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
		switch {
		case x.late && !y.late:
			return 1
		case y.late && !x.late:
			return -1
		}
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(p.rank[x.job], p.rank[y.job]), cmp.Compare(x.task, y.task))
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
	p.occupy(v, n)
	for i := range queue {
		x := &queue[i]
		if i == 0 || !p.Ahead && x.job != queue[i-1].job {
			for k := range p.own {
				p.own[k] = append(p.own[k][:0], p.slots[k]...)
			}
		}
		slot := least(p.own[x.kind])
		*slot += p.ask(v, x.task, n, slotmodel.None)
		x.end = *slot
	}
	slices.SortFunc(queue, byTask)
	for from := 0; from < len(queue); {
		j, to := queue[from].job, from
		end := p.runningUntil(v, n, j)
		for ; to < len(queue) && queue[to].job == j; to++ {
			end[queue[to].kind] = max(end[queue[to].kind], queue[to].end)
		}
		laxity := deadline(v, j) - v.Now() - max(end[slotmodel.Map]+p.reducesAfter(v, j), end[slotmodel.Reduce])
		for i := range queue[from:to] {
			queue[from+i].laxity = laxity
		}
		from = to
	}
}

// occupy notes in how many seconds the slots of a worker are free: at least one for each kind, though tasks of the other kind may hold it.
func (p *Queues) occupy(v *slotmodel.View, n slotmodel.Node) {
	for k := range p.slots {
		p.slots[k] = p.slots[k][:0]
	}
	for _, x := range p.workers[n].running {
		if info := v.Attempt(x); info.Stage != slotmodel.Suspended {
			p.slots[info.Kind] = append(p.slots[info.Kind], p.ask(v, info.Task, n, x))
		}
	}
	for k := range p.slots {
		for free := v.Free(n, slotmodel.Kind(k)); free > 0 || len(p.slots[k]) == 0; free-- {
			p.slots[k] = append(p.slots[k], 0)
		}
	}
}

// runningUntil returns in how many seconds the running tasks of a job on a worker end, by kind.
func (p *Queues) runningUntil(v *slotmodel.View, n slotmodel.Node, j slotmodel.Job) (end [2]float64) {
	for _, x := range p.workers[n].running {
		if info := v.Attempt(x); info.Job == j {
			end[info.Kind] = max(end[info.Kind], p.ask(v, info.Task, n, x))
		}
	}
	return end
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
