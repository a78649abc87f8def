package policy

import "github.com/schedmath/schedmath/slotmodel"

// reach is what a job takes now.
type reach uint8

const (
	nothing reach = iota // it does not wait for a slot
	toGang               // it is rigid, and waits
	toNodes              // nodes that hold a block of a waiting map
	toRacks              // racks that do, too
	toAll                // any node
)

// sweeper is what Delay keeps to offer a node to those jobs alone that may take it. Between two calls every job that waits has let every
// free node pass, but for nodes in visits and what changed jobs take.
type sweeper struct {
	all     bool            // all free nodes are to be offered, though most to nobody who takes them
	visits  order           // nodes to offer to those who take them, by number
	last    slotmodel.Node  // the node that a sweep has come to
	begun   bool            // a walk of Inner has begun since the last start
	changed []slotmodel.Job // have a task to start that they had not
	anyone  order           // jobs that take any node
	fresh   order           // others that have let no offer pass since their last start
	ends    order           // others, by the ends of their waits
	blocks  blocks
	ranked  bool            // anyone and fresh are in the order of Inner
	scratch []slotmodel.Job // jobs that let a node pass
}

func newSweeper(v *slotmodel.View, r Ranker) sweeper {
	s := sweeper{visits: order{at: places(v.Nodes())}, last: slotmodel.None, ends: order{at: places(v.Jobs())}, blocks: newBlocks(v)}
	at := places(v.Jobs())
	s.anyone.at, s.fresh.at = at, at
	switch r := r.(type) {
	case *ByArrival, *SRPT:
		s.ranked = true
	case *Fair:
		s.ranked = r != nil && !r.Deficits && r.PoolOf == nil
	}
	if s.ranked {
		ties := &inOrder{r.(comparer), v}
		s.anyone.ties, s.fresh.ties = ties, ties
	}
	return s
}

// inOrder orders jobs as a Ranker whose order of two jobs changes with their own events alone.
type inOrder struct {
	r comparer
	v *slotmodel.View
}

// Before reports whether job a goes before job b.
func (o *inOrder) Before(a, b int32) bool {
	return o.r.precedes(o.v, slotmodel.Map, slotmodel.Job(a), slotmodel.Job(b))
}

// note follows what an event changes for its job.
func (d *Delay) note(v *slotmodel.View, e slotmodel.Event) {
	j, x := e.Job, &d.jobs[e.Job]
	switch e.Type {
	case slotmodel.Ready, slotmodel.Killed, slotmodel.Crashed, slotmodel.OutputLost:
		if e.Kind == slotmodel.Map && !x.changed {
			x.changed = true
			d.changed = append(d.changed, j)
		}
	case slotmodel.Started:
		if x.reach != nothing && !v.Runnable(j, slotmodel.Map) {
			d.leave(j)
		}
	case slotmodel.JobEnded:
		d.leave(j)
		d.blocks.forget(x)
	}
	if d.ranked && d.fresh.at[j] != absent {
		d.list(x).set(int32(j), 0)
	}
}

// list returns the order in which a job is that is not in ends.
func (d *Delay) list(x *delayJob) *order {
	if x.reach == toAll {
		return &d.anyone
	}
	return &d.fresh
}

// follow brings what jobs take up to the present.
func (d *Delay) follow(v *slotmodel.View) {
	for d.ends.heap.Len() > 0 && d.ends.heap.Key(0) <= v.Now() {
		d.settle(v, slotmodel.Job(d.ends.heap.ID(0)))
	}
	for _, j := range d.changed {
		d.enter(v, j)
	}
	d.changed = d.changed[:0]
}

// enter lets a job wait that has a task to start.
func (d *Delay) enter(v *slotmodel.View, j slotmodel.Job) {
	x := &d.jobs[j]
	x.changed = false
	switch {
	case !v.Runnable(j, slotmodel.Map):
		d.leave(j)
		return
	case width(v, j) > 1:
		if x.reach != toGang {
			x.reach = toGang
			d.gangs++
		}
		return
	}
	if s := v.Spec(j); s.Replicas != nil {
		b := &d.blocks
		if !x.listed {
			b.list(v, j, x)
		}
		for i := x.nodes; i != absent; i = b.pairs[i].after {
			if n := slotmodel.Node(b.pairs[i].place); v.Local(j, n) != slotmodel.None {
				b.link(i)
				if v.Free(n, slotmodel.Map) > 0 {
					d.visits.set(int32(n), float64(n))
				}
			}
		}
	}
	d.withdraw(j)
	x.reach = toNodes
	d.settle(v, j)
}

// leave lets a job wait no more.
func (d *Delay) leave(j slotmodel.Job) {
	x := &d.jobs[j]
	switch x.reach {
	case nothing:
		return
	case toGang:
		d.gangs--
	default:
		d.withdraw(j)
		d.blocks.unlink(x.nodes)
		d.blocks.unlink(x.racks)
	}
	x.reach = nothing
}

// withdraw takes a job from the list in which it is.
func (d *Delay) withdraw(j slotmodel.Job) {
	x := &d.jobs[j]
	d.ends.remove(int32(j))
	d.list(x).remove(int32(j))
}

// settle finds out what a job that waits takes now, and lets the nodes be visited that it did not take before.
func (d *Delay) settle(v *slotmodel.View, j slotmodel.Job) {
	if d.walked || j < 0 || int(j) >= len(d.jobs) || d.jobs[j].reach < toNodes {
		return
	}
	x, b := &d.jobs[j], &d.blocks
	d.withdraw(j)
	forRack, forAny := d.longest(x)
	since := v.Now()
	if x.waits {
		since = x.since
	}
	was := x.reach
	switch {
	case v.Spec(j).Replicas == nil || v.Now() >= since+forAny:
		x.reach = toAll
	case v.Now() >= since+forRack:
		x.reach = toRacks
	default:
		x.reach = toNodes
	}
	if x.reach != was {
		b.unlink(x.racks)
		switch x.reach {
		case toAll:
			d.visit(v.NextFree(slotmodel.Map, d.last))
		case toRacks:
			for i := x.racks; i != absent; i = b.pairs[i].after {
				if r := b.rack(i); v.LocalRack(j, r) != slotmodel.None {
					b.link(i)
					d.visitRack(v, r)
				}
			}
		}
	}
	switch {
	case x.reach != toAll && x.waits:
		d.ends.set(int32(j), x.expiry(v.Now(), forRack, forAny))
	default:
		d.list(x).set(int32(j), 0)
	}
}

// visit lets a node be offered, unless it is none.
func (d *Delay) visit(n slotmodel.Node) {
	if n != slotmodel.None {
		d.visits.set(int32(n), float64(n))
	}
}

// visitRack lets the first free node of a rack be offered that the sweep has not come to.
func (d *Delay) visitRack(v *slotmodel.View, r slotmodel.Rack) {
	from := slotmodel.Node(slotmodel.None)
	if d.last != slotmodel.None && v.RackOf(d.last) == r {
		from = d.last
	}
	n := v.NextFreeIn(r, slotmodel.Map, from)
	for n != slotmodel.None && n <= d.last {
		n = v.NextFreeIn(r, slotmodel.Map, n)
	}
	d.visit(n)
}

// coarse reports whether the clock cannot tell a wait from none.
func (d *Delay) coarse(now float64) bool {
	node, rack := nonNegative(d.Node), nonNegative(d.Rack)
	return node > 0 && !(now+node > now) || rack > 0 && !(now+rack > now)
}

// sweep offers the free nodes, in the order of their numbers, that have something new for somebody. When all are to be offered, the jobs let
// the others pass.
func (d *Delay) sweep(v *slotmodel.View, a *slotmodel.Actions) {
	d.begun = false
	for d.visits.heap.Len() > 0 {
		n := slotmodel.Node(d.visits.heap.ID(0))
		d.visits.remove(int32(n))
		if d.all && d.last < n-1 {
			if other := v.NextFree(slotmodel.Map, d.last); other != slotmodel.None && other < n {
				d.pass(v, a, other)
			}
		}
		d.last = n
		d.offerNode(v, a, n)
		if d.anyone.heap.Len() > 0 {
			d.visit(v.NextFree(slotmodel.Map, n))
		}
		if r := v.RackOf(n); d.blocks.firstIn(v, r) != slotmodel.None {
			d.visitRack(v, r)
		}
	}
	if n := v.NextFree(slotmodel.Map, d.last); d.all && n != slotmodel.None {
		d.pass(v, a, n)
	}
	d.last = slotmodel.None
}

// offerNode offers a node for as long as it has a free slot that somebody takes.
func (d *Delay) offerNode(v *slotmodel.View, a *slotmodel.Actions, n slotmodel.Node) {
	for v.Free(n, slotmodel.Map) > 0 {
		j := slotmodel.Job(slotmodel.None)
		if d.anyone.heap.Len() > 0 || d.blocks.firstOn(v, n) != slotmodel.None || d.blocks.firstIn(v, v.RackOf(n)) != slotmodel.None {
			j = d.taker(v, n)
		}
		if j == slotmodel.None {
			d.pass(v, a, n)
			return
		}
		if int(j) < len(d.jobs) && j >= 0 {
			d.jobs[j].restart(d.distance(v, j, n))
		}
		d.begun = false
		if !a.Start(j, slotmodel.Map, n) {
			return
		}
		d.settle(v, j)
	}
}

// pass lets all jobs that wait let a node pass.
func (d *Delay) pass(v *slotmodel.View, a *slotmodel.Actions, n slotmodel.Node) {
	if !d.begun { // some Rankers settle their order only then
		r := d.ranker(d.Inner)
		r.Begin(v, slotmodel.Map)
		d.begun = true
		if j := d.stray(v, r); j != slotmodel.None {
			a.Start(j, slotmodel.Map, n) // is refused, and ends the run
			return
		}
	}
	for n := d.fresh.heap.Len(); n > 0; n = d.fresh.heap.Len() {
		d.letPass(v, slotmodel.Job(d.fresh.heap.ID(int32(n-1))))
	}
	if d.ends.heap.Len() > 0 {
		d.due = min(d.due, d.ends.heap.Key(0))
	}
}

// stray returns a job that a walk wrongly begins with, since it has nothing to start; None when there is none.
func (d *Delay) stray(v *slotmodel.View, r Ranker) slotmodel.Job {
	switch r.(type) {
	case *ByArrival, *Fair, *SRPT, *HFSP: // do not do that
		return slotmodel.None
	}
	if j := r.Next(v); !v.Runnable(j, slotmodel.Map) {
		return j
	}
	return slotmodel.None
}

// letPass lets one job let a node pass.
func (d *Delay) letPass(v *slotmodel.View, j slotmodel.Job) {
	if j < 0 || int(j) >= len(d.jobs) || d.jobs[j].reach < toNodes {
		return
	}
	x := &d.jobs[j]
	if !x.waits {
		x.waits, x.since = true, v.Now()
		d.settle(v, j)
	}
	if i := d.ends.at[j]; i != absent {
		d.due = min(d.due, d.ends.heap.Key(i))
	}
}
