package queues

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/slotmodel"
)

// outlook is when a worker's slots are free, and when its tasks end, in seconds from now.
type outlook struct {
	free [2][]float64                 // by kind: when each slot is free
	last map[slotmodel.Job][2]float64 // by kind: when the last running task of a job ends
}

// look sets o to what the running tasks of node n tell, and the seconds of the tasks in its queue.
// Each kind has at least one slot in o, even if tasks of the other kind hold all slots of the node.
func (p *Policy) look(v *slotmodel.View, n slotmodel.Node, o *outlook) {
	if o.last == nil {
		o.last = map[slotmodel.Job][2]float64{}
	}
	clear(o.last)
	for k := range slotmodel.Kind(2) {
		o.free[k] = o.free[k][:0]
		p.runs(v, n, k, o)
		for free := v.Free(k, n); free > 0 || len(o.free[k]) == 0; free-- {
			o.free[k] = append(o.free[k], 0)
		}
	}
	for i := range p.workers[n].queue {
		x := &p.workers[n].queue[i]
		x.seconds = p.ask(v, x.task, n, x.attempt)
	}
}

// runs adds to o the tasks of kind k that run on node n.
func (p *Policy) runs(v *slotmodel.View, n slotmodel.Node, k slotmodel.Kind, o *outlook) {
	for _, x := range p.workers[n].running {
		if info := v.Attempt(x); info.Kind == k {
			seconds := p.ask(v, info.Task, n, x)
			o.free[k] = append(o.free[k], seconds)
			o.note(info.Job, k, seconds)
		}
	}
}

// note notes that a task of job j ends at a time.
func (o *outlook) note(j slotmodel.Job, k slotmodel.Kind, end float64) {
	last := o.last[j]
	last[k] = max(last[k], end)
	o.last[j] = last
}

// serve gives each of some tasks in turn the slot that is free first, and sets the task's end.
func (o *outlook) serve(tasks []queued) {
	for i := range tasks {
		x := &tasks[i]
		slot := least(o.free[x.kind])
		*slot += x.seconds
		x.end = *slot
	}
}

// until returns when the last task of job j ends, of the running ones and of those of tasks, whose
// ends are set. While maps of the job are unfinished its reduces follow its maps, and take the
// seconds that after returns.
func (o *outlook) until(j slotmodel.Job, tasks []queued, after float64) float64 {
	end := o.last[j]
	for _, x := range tasks {
		if x.job == j {
			end[x.kind] = max(end[x.kind], x.end)
		}
	}
	return max(end[slotmodel.Map]+after, end[slotmodel.Reduce])
}

// laxities sorts a queue by task and sets the laxities. after returns how many seconds the reduces
// of a job take after its last map.
func (p *Policy) laxities(v *slotmodel.View, queue []queued, o *outlook, after func(*slotmodel.View, slotmodel.Job) float64) {
	if p.Order == LLFAhead {
		p.then.copy(o)
		p.then.serve(queue)
	}
	// In the order of their numbers, the tasks of a job are neighbours.
	slices.SortFunc(queue, func(x, y queued) int { return cmp.Compare(x.task, y.task) })
	for from, to := 0, 0; from < len(queue); from = to {
		j := queue[from].job
		for to < len(queue) && queue[to].job == j {
			to++
		}
		if p.Order != LLFAhead { // as if the queue held no other tasks
			p.then.copy(o)
			p.then.serve(queue[from:to])
		}
		laxity := deadline(v, j) - v.Now() - o.until(j, queue[from:to], after(v, j))
		for i := range queue[from:to] {
			queue[from+i].laxity = laxity
		}
	}
}

// copy sets the free slots to those of x.
func (o *outlook) copy(x *outlook) {
	for k := range o.free {
		o.free[k] = append(o.free[k][:0], x.free[k]...)
	}
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
