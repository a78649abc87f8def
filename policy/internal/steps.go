package internal

import (
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// Ranker is an order of the jobs with a task of a kind to start, as policy.Ranker says.
type Ranker interface {
	Begin(v *slotmodel.View, k slotmodel.Kind)
	Next(v *slotmodel.View) slotmodel.Job
}

// Filter says which starts are wanted, as policy.Filter says.
type Filter interface {
	Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool
}

// Steps gives free slots to the jobs of a Ranker, one slot after another. It is what Greedy does in
// a decision; other policies use it between actions of their own.
type Steps struct {
	Inner    Ranker // nil: by arrival
	Filter   Filter // nil: every start is accepted
	Overtake bool   // jobs behind a rigid job that waits may start

	// walk holds the jobs that Inner has returned since its last Begin, and the None at their end.
	// Nodes offered after one another share it: a node that all jobs refuse leaves the order as it
	// was.
	walk []slotmodel.Job
	gang []slotmodel.Node // scratch
	// While rest is set, a rigid job that lacks room holds up nobody. It is set by a decision that
	// begins AtRest, until a job starts that has passed no such rigid job in the walk.
	rest bool
}

// next returns the job after j in a walk from the front, the first job if j is None. This walk ends
// the one that nodes share.
func (s *Steps) next(v *slotmodel.View, k slotmodel.Kind, j slotmodel.Job) slotmodel.Job {
	if s.Inner == nil {
		return v.NextRunnable(j, k)
	}
	if j == slotmodel.None {
		s.Rewind()
		s.Inner.Begin(v, k)
	}
	return s.Inner.Next(v)
}

// Rewind ends the walk that nodes share. It is called after every action, since an action may
// change the order.
func (s *Steps) Rewind() { s.walk = s.walk[:0] }

// At returns job i of the walk that nodes share, None at its end. The first call after a Rewind
// begins the walk. Jobs are asked for from 0 on; last is job i-1.
func (s *Steps) At(v *slotmodel.View, k slotmodel.Kind, i int, last slotmodel.Job) slotmodel.Job {
	switch {
	case s.Inner == nil:
		return v.NextRunnable(last, k)
	case i < len(s.walk):
		return s.walk[i]
	case i == 0:
		s.Inner.Begin(v, k)
	}
	s.walk = append(s.walk, s.Inner.Next(v))
	return s.walk[i]
}

// Served is what became of a node with a free slot.
type Served uint8

const (
	Started Served = iota // a task started
	Refused               // no job of the walk starts a task on the node
	// No job would start on another node: none waits, or a rigid job holds up the rest.
	Nobody
)

// Offer offers nodes in the order of next, each one until serve refuses the node, and reports
// whether a task started on a node after another node was refused. next(n) returns the first node
// after n with a free slot, None at the end.
func Offer(next func(slotmodel.Node) slotmodel.Node, serve func(slotmodel.Node) Served) (again bool) {
	passed := false
	for n := next(slotmodel.None); n != slotmodel.None; {
		switch serve(n) {
		case Started:
			again = passed
			n = next(n - 1) // the node may have another free slot
		case Refused:
			passed = true
			n = next(n)
		case Nobody:
			return again
		}
	}
	return again
}

// Fill gives the free slots of one kind to the jobs of the Ranker. A start may change what the
// filter answers. So with a filter, nodes are offered again until no task starts after a node was
// refused.
func (s *Steps) Fill(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	s.Start(v)
	next := func(n slotmodel.Node) slotmodel.Node { return v.NextFree(k, n) }
	serve := func(n slotmodel.Node) Served { return s.serve(v, a, k, n) }
	for Offer(next, serve) && s.Filter != nil {
	}
}

// Start begins a decision about one kind of slots. Fill calls it.
func (s *Steps) Start(v *slotmodel.View) {
	s.rest = v.AtRest()
	s.Rewind()
}

// serve gives a slot of node n to the first job of the walk that can start a task there.
func (s *Steps) serve(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, n slotmodel.Node) Served {
	result, passed := Nobody, false
	j := slotmodel.Job(slotmodel.None)
	for i := 0; ; i++ {
		if j = s.At(v, k, i, j); j == slotmodel.None {
			return result
		}
		switch w := Width(v, j); {
		case w == 1 && v.Runnable(j, k) && (!v.Fits(j, k, n) || s.Filter != nil && !s.Filter.Accept(v, j, k, n)):
			result = Refused
		case w == 1 && a.Start(j, k, n), w > 1 && StartGang(v, a, j, w, &s.gang):
			s.rest = s.rest && passed
			s.Rewind()
			return Started
		case w == 1, s.holdsUp(v, j, w): // w is 1: the job had no task to start, which ends the run
			return Nobody
		default:
			passed = passed || w <= v.Capacity(j, k)
		}
	}
}

// first returns the first job of the walk that can start a task or holds up the jobs after it, None
// if there is none.
func (s *Steps) first(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	j := s.next(v, k, slotmodel.None)
	for ; j != slotmodel.None; j = s.next(v, k, j) {
		if w := Width(v, j); w == 1 || GangFits(v, j, w) || s.holdsUp(v, j, w) {
			break
		}
	}
	return j
}

// Waiting returns the first job of the walk that is not rigid, None if there is none or a rigid job
// holds it up.
func (s *Steps) Waiting(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	j := s.next(v, k, slotmodel.None)
	for ; j != slotmodel.None; j = s.next(v, k, j) {
		if w := Width(v, j); w == 1 {
			break
		} else if s.holdsUp(v, j, w) {
			return slotmodel.None
		}
	}
	return j
}

// holdsUp reports whether a rigid job that cannot start keeps the jobs after it from starting. A
// job that the nodes which are up could not run even if they were empty holds up nobody.
func (s *Steps) holdsUp(v *slotmodel.View, j slotmodel.Job, width int) bool {
	return !s.Overtake && !s.rest && width <= v.Capacity(j, slotmodel.Map)
}

// GangFits reports whether there is room now for all maps of a rigid job.
func GangFits(v *slotmodel.View, j slotmodel.Job, width int) bool {
	if width > v.FreeSlots(slotmodel.Map) {
		return false
	}
	room := 0
	for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None && room < width; n = v.NextFree(slotmodel.Map, n) {
		room += v.Room(j, slotmodel.Map, n)
	}
	return room >= width
}

// StartGang starts a rigid job on the nodes of the lowest numbers that have room, and reports
// whether there was room for all of its maps. *nodes is scratch memory.
func StartGang(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job, width int, nodes *[]slotmodel.Node) bool {
	if !GangFits(v, j, width) {
		return false
	}
	gang := slices.Grow((*nodes)[:0], width)
	for n := v.NextFree(slotmodel.Map, slotmodel.None); len(gang) < width; n = v.NextFree(slotmodel.Map, n) {
		for range min(v.Room(j, slotmodel.Map, n), width-len(gang)) {
			gang = append(gang, n)
		}
	}
	*nodes = gang
	return a.StartGang(j, gang)
}
