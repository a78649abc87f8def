package policy

import (
	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/slotmodel"
)

// ReducePlan binds the reduces of a job to workers by partition.Assign, once the job's last map has ended and the sizes of the partitions are known [6,
// section 4]. Each reduce processes one partition. The plan counts the reduces that run and wait on a worker as done before the new ones start. Set
// Queues.Bind to its Bind.
//
// A reduce that is bound anew, as after a kill, is planned by itself. Where Assign refuses sizes or costs Else binds. A plan costs what Assign does and a
// question to Queues.Remaining for each task that runs or waits.
type ReducePlan struct {
	Queues *Queues // whose Bind is set to this plan's
	// Size returns the size of the partition of a reduce, in [0, 2^200]. nil: all are equal.
	Size func(v *slotmodel.View, t slotmodel.Task) float64
	// Cost returns in how many seconds a worker processes partitions of a job of a total size, as partition.Cost. nil: the total over the worker's speed
	// and slots.
	Cost func(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node, total float64) float64
	// Else binds maps, and reduces without a plan. nil: as Queues does without Bind.
	Else func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node

	of map[slotmodel.Task]slotmodel.Node // planned and not yet asked for
	at float64                           // the instant of that plan, beyond which it does not hold
}

// Bind is for Queues.Bind.
func (p *ReducePlan) Bind(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
	if p == nil {
		return slotmodel.None
	}
	j, k, _ := v.Index(t)
	if k == slotmodel.Reduce && p.Queues != nil && len(p.Queues.workers) == v.Nodes() {
		if _, ok := p.of[t]; !ok || p.at != v.Now() {
			p.plan(v, j)
		}
		if n, ok := p.of[t]; ok {
			delete(p.of, t)
			return n
		}
	}
	if p.Else != nil {
		return p.Else(v, t)
	}
	return slotmodel.None
}

// plan assigns the reduces of a job that wait and are in no queue. When the last map has ended, Queues asks for the workers of all of them one after the
// other, in one instant.
func (p *ReducePlan) plan(v *slotmodel.View, j slotmodel.Job) {
	p.of, p.at = map[slotmodel.Task]slotmodel.Node{}, v.Now()
	var tasks []slotmodel.Task
	var sizes []float64
	for t := v.NextPending(j, slotmodel.Reduce, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, slotmodel.Reduce, t) {
		if p.Queues.bound[t] != slotmodel.None {
			continue
		}
		size := 1.0
		if p.Size != nil {
			size = p.Size(v, t)
		}
		tasks, sizes = append(tasks, t), append(sizes, size)
	}
	var workers []slotmodel.Node
	var o partition.Options
	for n := range slotmodel.Node(v.Nodes()) {
		if p.Queues.holds(v, n, j, slotmodel.Reduce) {
			workers = append(workers, n)
			o.Ready = append(o.Ready, p.backlog(v, n))
			o.Deadlines = append(o.Deadlines, deadline(v, j)-v.Now()) // all on the clock of Ready, which is 0 now
		}
	}
	plan, err := partition.Assign(sizes, len(workers), func(i int, total float64) float64 {
		n := workers[i]
		if p.Cost != nil {
			return p.Cost(v, j, n, total)
		}
		return total / (v.Speed(n) * float64(p.Queues.workers[n].slots[slotmodel.Reduce]))
	}, o)
	if err != nil {
		return
	}
	for i, m := range plan.Of {
		p.of[tasks[i]] = workers[m]
	}
}

// backlog returns in how many seconds a worker has done the reduces that run and wait there.
func (p *ReducePlan) backlog(v *slotmodel.View, n slotmodel.Node) float64 {
	w := &p.Queues.workers[n]
	sum := 0.0
	for _, x := range w.running {
		if info := v.Attempt(x); info.Kind == slotmodel.Reduce {
			sum += p.Queues.ask(v, info.Task, n, x)
		}
	}
	for _, x := range w.queue {
		if x.kind == slotmodel.Reduce {
			sum += p.Queues.ask(v, x.task, n, slotmodel.None)
		}
	}
	return sum / float64(w.slots[slotmodel.Reduce])
}
