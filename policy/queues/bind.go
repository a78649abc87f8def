package queues

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// weigh updates the places of node n in loads. A node that is down or has no slots for a kind has
// no place there.
func (p *Policy) weigh(v *slotmodel.View, n slotmodel.Node) {
	for k := range slotmodel.Kind(2) {
		if p.workers[n].slots[k] > 0 && v.Up(n) {
			p.loads[k].Set(int32(n), p.load(n, k))
		} else {
			p.loads[k].Remove(int32(n))
		}
	}
}

// load returns how many tasks of kind k node n has per slot, running and queued.
func (p *Policy) load(n slotmodel.Node, k slotmodel.Kind) float64 {
	return float64(p.workers[n].count[k]) / float64(p.workers[n].slots[k])
}

// counted notes that node n has more tasks of kind k than before: one more, or one fewer for -1.
func (p *Policy) counted(v *slotmodel.View, n slotmodel.Node, k slotmodel.Kind, more int) {
	p.workers[n].count[k] += more
	p.weigh(v, n)
	p.changed = append(p.changed, n)
}

// enter binds a task to a worker. A task that is bound already leaves its queue first. Tasks of
// rigid jobs are not bound.
func (p *Policy) enter(v *slotmodel.View, t slotmodel.Task) {
	j, k, i := v.Index(t)
	if j == slotmodel.None || internal.Width(v, j) > 1 {
		return
	}
	p.leave(v, t)
	n := slotmodel.Node(slotmodel.None)
	if !urgent(v, j, k) {
		if p.Bind != nil {
			n = p.Bind(v, t)
		}
		if !p.holds(v, n, j, k) {
			n = p.choose(v, j, k, i)
		}
	}
	if n == slotmodel.None {
		p.loose = append(p.loose, t)
		return
	}
	p.put(v, queued{task: t, job: j, kind: k, attempt: slotmodel.None}, n)
}

// enterAll binds the tasks of a job that wait and are in no queue.
func (p *Policy) enterAll(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) {
	for t := v.NextPending(j, k, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, k, t) {
		if n := p.bound[t]; n != slotmodel.None { // a reduce whose maps end again, after a lost output
			p.changed = append(p.changed, n)
		} else {
			p.enter(v, t)
		}
	}
}

// urgent reports whether reduces of job j hold slots while they wait for its tasks of kind k, which
// are maps then. In a queue such a map could wait for the very slots that the reduces hold.
func urgent(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) bool {
	return k == slotmodel.Map && v.Count(j, slotmodel.Reduce).Running > 0
}

// put appends a task to the queue of node n.
func (p *Policy) put(v *slotmodel.View, x queued, n slotmodel.Node) {
	p.bound[x.task] = n
	p.workers[n].queue = append(p.workers[n].queue, x)
	p.counted(v, n, x.kind, 1)
}

// leave takes a task out of its queue, or out of loose if it is in no queue.
func (p *Policy) leave(v *slotmodel.View, t slotmodel.Task) {
	n := p.bound[t]
	if n == slotmodel.None {
		p.loose = slices.DeleteFunc(p.loose, func(x slotmodel.Task) bool { return x == t })
		return
	}
	p.bound[t] = slotmodel.None
	w := &p.workers[n]
	w.queue = slices.DeleteFunc(w.queue, func(x queued) bool { return x.task == t })
	_, k, _ := v.Index(t)
	p.counted(v, n, k, -1)
}

// holds reports whether node n is up and could hold a task of kind k of job j if the node were
// idle.
func (p *Policy) holds(v *slotmodel.View, n slotmodel.Node, j slotmodel.Job, k slotmodel.Kind) bool {
	if !v.Up(n) || p.workers[n].slots[k] == 0 {
		return false
	}
	all, _ := v.Memory(n)
	return internal.PhaseOf(v.Spec(j), k).Memory <= all
}

// choose returns the worker for task i of kind k of job j by the rule that Policy.Bind describes,
// None if no node that is up can hold the task.
func (p *Policy) choose(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, i int) slotmodel.Node {
	best := slotmodel.Node(slotmodel.None)
	if s := v.Spec(j); k == slotmodel.Map && s.Replicas != nil {
		for _, h := range s.Replicas[i*s.Copies : (i+1)*s.Copies] {
			n := slotmodel.Node(h)
			if p.holds(v, n, j, k) && (best == slotmodel.None || cmp.Or(cmp.Compare(p.load(n, k), p.load(best, k)), cmp.Compare(n, best)) < 0) {
				best = n
			}
		}
	}
	if best != slotmodel.None {
		return best
	}
	p.loads[k].Begin()
	for n := p.loads[k].Next(); n != internal.Absent; n = p.loads[k].Next() {
		if p.holds(v, slotmodel.Node(n), j, k) {
			return slotmodel.Node(n)
		}
	}
	return slotmodel.None
}
