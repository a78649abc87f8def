package queues

import (
	"cmp"
	"maps"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// ReducePlan binds the reduces of a job to workers once the job's last map has ended and the sizes
// of the partitions are known [1, section 4]. Each task is one partition; the tasks of a job on one
// worker are what the paper calls a reduce: Cost is that of their total.
//
// Reduces are taken from the largest partition down, ties to the lower number. Each goes to the
// worker where it makes jobs miss the fewest deadlines, its own or others met without it; ties to
// where the last reduce of the job ends first, then to the lower number. Deadlines count to 2^-40
// of their time. For each worker the plan plays forward the reduces that run, wait or are planned
// there, in the Order of Queues, with laxities as of each start and Fair's counts as they are now.
// It leaves out maps that hold shared slots, memory, and tasks bound later.
//
// A reduce that is bound anew, as after a kill, is planned by itself. Where a size or a cost is out
// of range, and where Queues is not in the run, Else binds.
type ReducePlan struct {
	Queues *Policy // the Policy whose Bind is the Bind of this plan
	// Size returns the size of the partition of a reduce, in [0, 2^200]. nil: all are equal.
	Size func(v *slotmodel.View, t slotmodel.Task) float64
	// Cost returns in how many seconds worker n processes partitions of job j of a total size on
	// all its slots, in [0, 2^200] and no less for a larger total. nil: the total over the product
	// of the worker's speed and slots.
	Cost func(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node, total float64) float64
	// Else binds maps, and reduces without a plan. nil: as a Policy without Bind does.
	Else func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node

	of map[slotmodel.Task]slotmodel.Node // workers of reduces not yet asked for; None: Else binds it
	at float64                           // instant of the plan, which holds at no other
}

// Bind returns the worker of a task: a value for Policy.Bind.
func (p *ReducePlan) Bind(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
	j, k, _ := v.Index(t)
	if k == slotmodel.Reduce && p.Queues != nil && len(p.Queues.workers) == v.Nodes() {
		if _, ok := p.of[t]; !ok || p.at != v.Now() {
			p.plan(v, j)
		}
		n, ok := p.of[t]
		if delete(p.of, t); ok && n != slotmodel.None {
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

// plan chooses workers for the reduces of job j that Policy is about to bind: those that wait, are
// in no queue and are not loose. Policy asks for all of them in one instant, so that one plan
// answers all.
func (p *ReducePlan) plan(v *slotmodel.View, j slotmodel.Job) {
	p.of, p.at = map[slotmodel.Task]slotmodel.Node{}, v.Now()
	var parts []partition
	right := true // all sizes are in range
	for t := v.NextPending(j, slotmodel.Reduce, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, slotmodel.Reduce, t) {
		if p.Queues.bound[t] != slotmodel.None || slices.Contains(p.Queues.loose, t) {
			continue
		}
		size := 1.0
		if p.Size != nil {
			size = p.Size(v, t)
		}
		right = right && size >= 0 && size <= 0x1p200
		parts = append(parts, partition{t, size})
		p.of[t] = slotmodel.None // unless the plan is made
	}
	if !right {
		return
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
		var planned queued
		var ends map[slotmodel.Job]float64
		missed := 0
		for i := range workers {
			w := &workers[i]
			cost := p.cost(v, j, w.node, w.total+x.size)
			if !(cost >= 0 && cost <= 0x1p200) {
				return
			}
			free := w.now.free[slotmodel.Reduce]
			next := queued{task: x.task, job: j, kind: slotmodel.Reduce, attempt: slotmodel.None, seconds: max(0, cost-w.cost) * float64(len(free))}
			if best != nil && missed == 0 && *least(free)+next.seconds >= ends[j] {
				continue // served first of all it would end no earlier than on best
			}
			m, after := w.with(v, p.Queues, next)
			if best == nil || m < missed || m == missed && after[j] < ends[j] {
				best, planned, missed, ends = w, next, m, after
			}
		}
		if best == nil {
			return
		}
		best.total += x.size
		best.cost = max(best.cost, p.cost(v, j, best.node, best.total))
		best.queue, best.ends = append(best.queue, planned), ends
		of[x.task] = best.node
	}
	p.of = of
}

// cost returns what Cost says, or its default.
func (p *ReducePlan) cost(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node, total float64) float64 {
	if p.Cost != nil {
		return p.Cost(v, j, n, total)
	}
	return total / (v.Speed(n) * float64(p.Queues.workers[n].slots[slotmodel.Reduce]))
}

// forecast is the reduces that a worker has to run.
type forecast struct {
	node        slotmodel.Node
	now         outlook                   // of the reduces that run
	queue       []queued                  // the worker's reduces, then those planned
	ends        map[slotmodel.Job]float64 // in how many seconds the last reduce of a job ends
	total, cost float64                   // size and cost of the partitions planned, together
}

// forecast returns the forecast of node n with its present queue.
func (p *Policy) forecast(v *slotmodel.View, n slotmodel.Node) forecast {
	f := forecast{node: n, now: outlook{last: map[slotmodel.Job][2]float64{}}}
	p.runs(v, n, slotmodel.Reduce, &f.now)
	free := &f.now.free[slotmodel.Reduce]
	for len(*free) < p.workers[n].slots[slotmodel.Reduce] {
		*free = append(*free, 0)
	}
	for _, x := range p.workers[n].queue {
		if x.kind == slotmodel.Reduce {
			x.seconds = p.ask(v, x.task, n, x.attempt)
			f.queue = append(f.queue, x)
		}
	}
	f.ends = f.play(v, p, f.queue)
	return f
}

// with returns how many deadlines one more reduce makes jobs miss on the worker, and in how many
// seconds the last reduce of each job then ends there.
func (f *forecast) with(v *slotmodel.View, p *Policy, x queued) (missed int, ends map[slotmodel.Job]float64) {
	ends = f.play(v, p, append(slices.Clone(f.queue), x))
	met := func(j slotmodel.Job, end float64) bool { return v.Now()+end <= deadline(v, j)*(1+0x1p-40) }
	for j, end := range ends {
		if !met(j, end) && (j == x.job || met(j, f.ends[j])) {
			missed++
		}
	}
	return missed, ends
}

// play serves a queue in the order of p, with laxities as of the instant at which the first slot
// becomes free, and returns when the last reduce of each job ends.
func (f *forecast) play(v *slotmodel.View, p *Policy, queue []queued) map[slotmodel.Job]float64 {
	queue = slices.Clone(queue)
	o := outlook{last: maps.Clone(f.now.last)}
	o.copy(&f.now)
	for len(queue) > 0 {
		if p.Order.byLaxity() {
			p.laxities(v, queue, &o, func(*slotmodel.View, slotmodel.Job) float64 { return 0 })
		}
		slices.SortFunc(queue, func(x, y queued) int { return p.compare(v, x, y) })
		o.serve(queue[:1])
		o.note(queue[0].job, slotmodel.Reduce, queue[0].end)
		queue = queue[1:]
	}
	ends := map[slotmodel.Job]float64{}
	for j, last := range o.last {
		ends[j] = last[slotmodel.Reduce]
	}
	return ends
}
