package policy

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// delayIndex finds the jobs that accept a free node. A place is a node or a rack; racks are
// numbered after the nodes.
//
// Within one instant a job accepts fewer nodes with each map that starts, never more. So a node
// that all jobs have refused stays refused until an event or the end of a wait puts the node into
// offered: all jobs refuse each free node that is not in offered, unless some job accepts any node.
//
// Delay has to know when each waiting job accepts more nodes. If a decision ends with a free node
// that all jobs refuse, every job with a waiting map has begun its wait, and is in ends. If it ends
// without a free node, a job with a waiting map may have refused no node yet. The next free node is
// then offered to the jobs one by one, in a walk, so that their waits begin.
type delayIndex struct {
	off   bool // the index is not used: each free node is offered to each job
	nodes int  // number of nodes
	// jobs has, by place, the jobs that accept it for a block there. Some no longer accept it, some
	// occur twice.
	jobs    [][]slotmodel.Job
	batch   int             // number of the present batch of entries; each event makes one
	entered []int           // by place: the last batch that made an entry there
	anyone  internal.Order  // jobs that accept any node
	offered internal.Order  // free nodes that some job may accept, by number
	refused slotmodel.Node  // the last node that all jobs refused; None: none so far
	takers  []slotmodel.Job // scratch
}

// begin empties the index.
func (x *delayIndex) begin(v *slotmodel.View, off bool) {
	n := v.Nodes()
	*x = delayIndex{off: off, nodes: n, jobs: make([][]slotmodel.Job, n+v.Racks()), entered: make([]int, n+v.Racks()), refused: slotmodel.None,
		anyone: internal.Order{At: internal.Places(v.Jobs())}, offered: internal.Order{At: internal.Places(n)}}
	for j := range slotmodel.Job(v.Jobs()) {
		// A job that accepts a node may still not start there.
		x.off = x.off || internal.Width(v, j) > 1 || v.Spec(j).Maps.Memory > 0
	}
}

// indexed reports whether the index may be used. Once a wait is so short that adding it to the time
// changes nothing, it may not: a job then accepts more nodes within the instant in which its wait
// begins.
func (d *Delay) indexed(v *slotmodel.View) bool {
	// The lengths differ if BeginRun was not called in this run.
	if len(d.index.jobs) != v.Nodes()+v.Racks() || len(d.jobs) != v.Jobs() {
		return false
	}
	for _, wait := range [...]float64{d.Node, d.Rack} {
		d.index.off = d.index.off || wait > 0 && v.Now()+wait == v.Now()
	}
	return !d.index.off
}

// start makes the start that Greedy would make next, and reports whether there is one.
func (d *Delay) start(v *slotmodel.View, a *slotmodel.Actions) bool {
	d.expire(v)
	d.steps.Rewind() // the previous start may have changed the order
	for n := d.index.next(v, slotmodel.None); n != slotmodel.None; n = d.index.next(v, n) {
		if j := d.taker(v, n); j != slotmodel.None {
			d.Accept(v, j, slotmodel.Map, n)
			return a.Start(j, slotmodel.Map, n)
		}
		d.index.offered.Remove(int32(n))
		d.index.refused = n
	}
	if n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None { // all jobs refuse it
		d.fresh.Filter(func(j slotmodel.Job) bool {
			if v.Runnable(j, slotmodel.Map) {
				d.Accept(v, j, slotmodel.Map, n)
			}
			return false
		})
	}
	return false
}

// next returns the next free node that some job may accept; n is the last one that was refused.
func (x *delayIndex) next(v *slotmodel.View, n slotmodel.Node) slotmodel.Node {
	if x.anyone.Len() > 0 {
		return v.NextFree(slotmodel.Map, n)
	}
	for x.offered.Len() > 0 {
		n, _ := x.offered.Least()
		if v.Free(slotmodel.Map, slotmodel.Node(n)) > 0 {
			return slotmodel.Node(n)
		}
		x.offered.Remove(n)
	}
	return slotmodel.None
}

// taker returns the first job that accepts a node, None if all refuse the node. The waits of the
// jobs that refuse it begin, unless they have begun already.
func (d *Delay) taker(v *slotmodel.View, n slotmodel.Node) slotmodel.Job {
	x := &d.index
	// All jobs refuse another free node too. Their waits begin there, so that only the jobs that
	// may accept n need be asked.
	if x.quiet(v) {
		x.takers = append(append(x.takers[:0], d.accepting(v, int(n))...), d.accepting(v, x.nodes+int(v.RackOf(n)))...)
		if len(x.takers) == 0 {
			return slotmodel.None
		}
		if first, known := d.first(v, x.takers); known {
			return first
		}
	}
	j := d.steps.At(v, slotmodel.Map, 0, slotmodel.None)
	for i := 1; j != slotmodel.None && v.Runnable(j, slotmodel.Map) && !d.Accept(v, j, slotmodel.Map, n); i++ {
		j = d.steps.At(v, slotmodel.Map, i, j)
	}
	return j // if j is not runnable the Ranker is at fault: its start is refused and ends the run
}

// first returns which of some jobs comes first in a walk of Inner. known is false if only a walk
// shows it.
func (d *Delay) first(v *slotmodel.View, jobs []slotmodel.Job) (first slotmodel.Job, known bool) {
	first = jobs[0]
	// A job may occur twice.
	if !slices.ContainsFunc(jobs, func(j slotmodel.Job) bool { return j != first }) {
		return first, true
	}
	inner := cmp.Or[Ranker](d.Inner, &d.arrival)
	c, ok := inner.(Comparer)
	if !ok {
		return slotmodel.None, false
	}
	inner.Begin(v, slotmodel.Map)
	for _, j := range jobs {
		if j == first {
			continue
		}
		ahead, known := c.Ahead(v, slotmodel.Map, j, first)
		if !known {
			return slotmodel.None, false
		}
		if ahead {
			first = j
		}
	}
	return first, true
}

// quiet reports whether a free node that all jobs refuse is known.
func (x *delayIndex) quiet(v *slotmodel.View) bool {
	n := x.refused
	return x.anyone.Len() == 0 && n != slotmodel.None && v.Free(slotmodel.Map, n) > 0 && x.offered.At[n] == internal.Absent
}

// accepting returns the jobs that accept a place for a block there, and takes the others out of the
// index.
func (d *Delay) accepting(v *slotmodel.View, place int) []slotmodel.Job {
	x := &d.index
	jobs := x.jobs[place]
	slices.Sort(jobs)
	x.jobs[place] = slices.DeleteFunc(slices.Compact(jobs), func(j slotmodel.Job) bool {
		if place < x.nodes {
			return v.Local(j, slotmodel.Node(place)) == slotmodel.None
		}
		return d.reach(v, j) == 0 || v.LocalRack(j, slotmodel.Rack(place-x.nodes)) == slotmodel.None
	})
	return x.jobs[place]
}

// offer notes that a job may accept a node.
func (d *Delay) offer(v *slotmodel.View, n slotmodel.Node) {
	if !d.index.off && n >= 0 && int(n) < d.index.nodes && v.Free(slotmodel.Map, n) > 0 {
		d.index.offered.Set(int32(n), float64(n))
	}
}

// follow brings the index up to date after an event of a map or of a job.
func (d *Delay) follow(v *slotmodel.View, e slotmodel.Event) {
	x, j := &d.index, e.Job
	if !d.indexed(v) {
		return
	}
	x.batch++
	switch e.Type {
	case slotmodel.Started:
		if x.anyone.At[j] != internal.Absent { // it may not accept any node now
			d.settle(v, j)
		}
	case slotmodel.Ready:
		for i := range v.Spec(j).Maps.Tasks {
			d.enter(v, j, i, false)
		}
		d.settle(v, j)
	case slotmodel.Killed, slotmodel.Crashed, slotmodel.OutputLost:
		if owner, k, i := v.Index(e.Task); owner == j && k == slotmodel.Map {
			d.enter(v, j, i, false)
		}
		d.settle(v, j)
	case slotmodel.JobEnded:
		x.anyone.Remove(int32(j))
	}
}

// settle enters a job for the racks that it accepts, or among the jobs that accept any node.
func (d *Delay) settle(v *slotmodel.View, j slotmodel.Job) {
	if !d.indexed(v) {
		return
	}
	x := &d.index
	x.batch++
	x.anyone.Remove(int32(j))
	if !v.Runnable(j, slotmodel.Map) {
		return
	}
	switch d.reach(v, j) {
	case 1:
		first := v.Task(j, slotmodel.Map, 0)
		for t := v.NextPending(j, slotmodel.Map, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, slotmodel.Map, t) {
			d.enter(v, j, int(t-first), true)
		}
	case 2:
		x.anyone.Set(int32(j), 0)
	}
}

// enter enters job j for the nodes that hold the block of its map i, or for the racks of these
// nodes, and offers the free nodes there.
func (d *Delay) enter(v *slotmodel.View, j slotmodel.Job, i int, racks bool) {
	s := v.Spec(j)
	if s.Replicas == nil {
		return
	}
	for _, c := range s.Replicas[i*s.Copies : (i+1)*s.Copies] {
		n := slotmodel.Node(c)
		switch r := v.RackOf(n); {
		case r == slotmodel.None: // there is no such node
		case !racks:
			d.add(v, j, int(n))
			d.offer(v, n)
		case d.add(v, j, d.index.nodes+int(r)):
			for n := v.NextFreeIn(slotmodel.Map, r, slotmodel.None); n != slotmodel.None; n = v.NextFreeIn(slotmodel.Map, r, n) {
				d.offer(v, n)
			}
		}
	}
}

// add enters a job for a place, unless the present batch has made an entry there, and reports
// whether it did.
func (d *Delay) add(v *slotmodel.View, j slotmodel.Job, place int) bool {
	x := &d.index
	if x.entered[place] == x.batch {
		return false
	}
	x.entered[place] = x.batch
	if jobs := x.jobs[place]; len(jobs) == cap(jobs) {
		jobs = d.accepting(v, place)
		x.jobs[place] = slices.Grow(jobs, len(jobs))
	}
	x.jobs[place] = append(x.jobs[place], j)
	return true
}
