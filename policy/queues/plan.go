package queues

import (
	"cmp"
	"maps"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// ReducePlan binds the reduces of a job to workers, once the job's last map has ended and the sizes
// of the partitions are known [6, section 4]. Each reduce processes one partition. Set Queues.Bind
// to its Bind.
//
// Reduces are taken from the largest partition down, ties to the lower number. Each goes to the
// worker on which the fewest deadlines are missed because of it: that of the job, and those of jobs
// with reduces on the worker which are met there without it. Ties go to the worker on which the
// job's last reduce ends first, then to the lower worker. So where a worker keeps all deadlines
// that can be kept, one that does is chosen.
//
// For each worker the plan plays the reduces that run and wait there, those planned so far and the
// new one, in the order of Queues: under QueueLLF with the laxities at each start, so that a new
// reduce may overtake others as it will. Under QueueFair the running tasks of each job are those at
// present. A deadline counts as met to within 2^-40 of its time. Tasks that hold shared slots for
// maps, memory, and tasks bound later do not count.
//
// A reduce that is bound anew, as after a kill, is planned by itself. Where a size or a cost is out
// of range Else binds.
//
// A plan of p reduces on n workers asks Remaining once for each reduce that runs or waits. With q
// reduces on a worker of s slots, it costs O(q^2 s) for each of the p reduces and those of the n
// workers which could end it first if nothing else waited there.
type ReducePlan struct {
	Queues *Policy // whose Bind is set to this plan's
	// Size returns the size of the partition of a reduce, in [0, 2^200]. nil: all are equal.
	Size func(v *slotmodel.View, t slotmodel.Task) float64
	// Cost returns in how many seconds a worker processes partitions of a job of a total size on
	// all its slots, in [0, 2^200] and no less for a larger total. nil: the total over the worker's
	// speed and slots.
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

// partition is a reduce to plan.
type partition struct {
	task slotmodel.Task
	size float64
}

// plan chooses workers for the reduces of a job that wait and are in no queue. When the last map
// has ended, Queues asks for the workers of all of them one after the other, in one instant.
func (p *ReducePlan) plan(v *slotmodel.View, j slotmodel.Job) {
	p.of, p.at = map[slotmodel.Task]slotmodel.Node{}, v.Now()
	var parts []partition
	for t := v.NextPending(j, slotmodel.Reduce, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, slotmodel.Reduce, t) {
		if p.Queues.bound[t] != slotmodel.None {
			continue
		}
		size := 1.0
		if p.Size != nil {
			size = p.Size(v, t)
		}
		if !(size >= 0 && size <= 0x1p200) {
			return
		}
		parts = append(parts, partition{t, size})
	}
	slices.SortStableFunc(parts, func(a, b partition) int { return cmp.Compare(b.size, a.size) })
	var workers []forecast
	for n := range slotmodel.Node(v.Nodes()) {
		if p.Queues.holds(v, n, j, slotmodel.Reduce) {
			workers = append(workers, p.Queues.forecast(v, n))
		}
	}
	of := map[slotmodel.Task]slotmodel.Node{}
	for _, x := range parts {
		var best *forecast
		var planned expected
		missed, end := 0, 0.0
		for i := range workers {
			w := &workers[i]
			cost := p.cost(v, j, w.node, w.total+x.size)
			if !(cost >= 0 && cost <= 0x1p200) {
				return
			}
			slots := float64(len(w.slots))
			next := expected{queued: queued{task: x.task, job: j, kind: slotmodel.Reduce}, seconds: max(0, cost-w.cost) * slots}
			if best != nil && missed == 0 && *least(w.slots)+next.seconds >= end {
				continue
			}
			m, e := w.with(v, p.Queues, next)
			if best == nil || m < missed || m == missed && e < end {
				best, planned, missed, end = w, next, m, e
			}
		}
		if best == nil {
			return
		}
		best.total += x.size
		best.cost = max(best.cost, p.cost(v, j, best.node, best.total))
		best.add(v, p.Queues, planned)
		of[x.task] = best.node
	}
	p.of = of
}

// cost is Cost or its default.
func (p *ReducePlan) cost(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node, total float64) float64 {
	if p.Cost != nil {
		return p.Cost(v, j, n, total)
	}
	return total / (v.Speed(n) * float64(p.Queues.workers[n].slots[slotmodel.Reduce]))
}

// forecast is what a worker has to do for reduces. All times are from now.
type forecast struct {
	node        slotmodel.Node
	slots       []float64                 // when each is free
	last        map[slotmodel.Job]float64 // when the last running reduce of a job ends
	queue       []expected                // those planned at the end
	ends        map[slotmodel.Job]float64 // when the last reduce of a job ends
	total, cost float64                   // of the partitions planned
}

// expected is a reduce in a queue that is played.
type expected struct {
	queued
	seconds float64 // that it takes
}

// forecast returns what a worker has to do for reduces as its queue stands.
func (p *Policy) forecast(v *slotmodel.View, n slotmodel.Node) forecast {
	f := forecast{node: n, last: map[slotmodel.Job]float64{}}
	for _, x := range p.workers[n].running {
		if info := v.Attempt(x); info.Kind == slotmodel.Reduce {
			end := p.ask(v, info.Task, n, x)
			f.slots = append(f.slots, end)
			f.last[info.Job] = max(f.last[info.Job], end)
		}
	}
	for len(f.slots) < p.workers[n].slots[slotmodel.Reduce] {
		f.slots = append(f.slots, 0)
	}
	for _, x := range p.workers[n].queue {
		if x.kind == slotmodel.Reduce {
			f.queue = append(f.queue, expected{x, p.ask(v, x.task, n, slotmodel.None)})
		}
	}
	f.ends = f.play(v, p, f.queue)
	return f
}

// add puts a reduce at the end of the queue.
func (f *forecast) add(v *slotmodel.View, p *Policy, x expected) {
	f.queue = append(f.queue, x)
	f.ends = f.play(v, p, f.queue)
}

// with returns how many deadlines are missed on the worker because of one more reduce, and when the
// last one of its job ends.
func (f *forecast) with(v *slotmodel.View, p *Policy, x expected) (missed int, end float64) {
	after := f.play(v, p, append(slices.Clone(f.queue), x))
	met := func(j slotmodel.Job, end float64) bool { return v.Now()+end <= deadline(v, j)*(1+0x1p-40) }
	for j, end := range after {
		if !met(j, end) && (j == x.job || met(j, f.ends[j])) {
			missed++
		}
	}
	return missed, after[x.job]
}

// play serves a queue in the order of p and returns when the last reduce of each job ends.
func (f *forecast) play(v *slotmodel.View, p *Policy, queue []expected) map[slotmodel.Job]float64 {
	queue = slices.Clone(queue)
	slots, last := slices.Clone(f.slots), maps.Clone(f.last)
	for len(queue) > 0 {
		if p.byLaxity() {
			f.laxities(v, p, queue, slots, last)
		}
		slices.SortFunc(queue, func(x, y expected) int { return p.compare(v, x.queued, y.queued) })
		slot := least(slots)
		*slot += queue[0].seconds
		last[queue[0].job] = max(last[queue[0].job], *slot)
		queue = queue[1:]
	}
	return last
}

// laxities is Queues.laxities of a queue when the first of the slots becomes free.
func (f *forecast) laxities(v *slotmodel.View, p *Policy, queue []expected, slots []float64, last map[slotmodel.Job]float64) {
	var free []float64
	serve := func(x *expected) {
		slot := least(free)
		*slot += x.seconds
		x.end = *slot
	}
	free = append(free, slots...)
	for i := range queue {
		if p.Ahead {
			serve(&queue[i])
		}
	}
	slices.SortFunc(queue, func(x, y expected) int { return cmp.Compare(x.task, y.task) })
	for from, to := 0, 0; from < len(queue); from = to {
		j := queue[from].job
		free = append(free[:0], slots...)
		end := last[j]
		for ; to < len(queue) && queue[to].job == j; to++ {
			if !p.Ahead {
				serve(&queue[to])
			}
			end = max(end, queue[to].end)
		}
		for i := range queue[from:to] {
			queue[from+i].laxity = deadline(v, j) - v.Now() - end
		}
	}
}
