package queues

import (
	"slices"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// preempt suspends a task on node n that comes after the first task of its kind in the queue, the
// last in the order among several, and reports whether there was one. The slot goes to the first
// task if the node's memory holds it.
func (p *Policy) preempt(v *slotmodel.View, a *slotmodel.Actions, n slotmodel.Node) bool {
	p.arrange(v, n)
	_, memory := v.Memory(n)
	for k := range slotmodel.Kind(2) {
		i := slices.IndexFunc(p.workers[n].queue, func(x queued) bool {
			c := v.Count(x.job, slotmodel.Map)
			return x.kind == k && (k == slotmodel.Map || c.Done == c.Tasks) && (x.attempt != slotmodel.None || internal.PhaseOf(v.Spec(x.job), k).Memory <= memory)
		})
		if i < 0 {
			continue
		}
		last := p.workers[n].queue[i]
		for _, y := range p.workers[n].running {
			info := v.Attempt(y)
			if info.Kind != k || !v.CanSuspend(y) || p.since[info.Task] == v.Now() {
				continue
			}
			x := queued{task: info.Task, job: info.Job, kind: k, attempt: y}
			if p.Order.byLaxity() {
				x.laxity = p.jobLaxity(v, x.job)
			}
			if p.compare(v, last, x) < 0 {
				last = x
			}
		}
		if last.task != p.workers[n].queue[i].task {
			return a.Suspend(last.attempt)
		}
	}
	return false
}
