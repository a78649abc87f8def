package internal

import "github.com/schedmath/schedmath/slotmodel"

// orderer is the part of a Ranker that every policy uses: a walk through the jobs with a task of a kind to start.
type Ranker interface {
	Begin(v *slotmodel.View, k slotmodel.Kind)
	Next(v *slotmodel.View) slotmodel.Job
}

// accepter says which starts are wanted.
type Filter interface {
	Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool
}

// steps gives free slots to the jobs of an order, one after another: what Greedy does in a decision, and other policies between
// their own actions.
type Steps struct {
	Inner    Ranker // nil: by arrival
	Filter   Filter // nil: every start is accepted
	Overtake bool   // jobs behind a rigid job that waits may start

	walk []slotmodel.Job  // what inner has given since its last Begin, None included; nodes offered after one another share it
	gang []slotmodel.Node // scratch
	rest bool             // the decision began AtRest, and no start has come before a rigid job that lacks room
}

// next returns the job after j in the order of inner, the first one for slotmodel.None.
func (s *Steps) next(v *slotmodel.View, k slotmodel.Kind, j slotmodel.Job) slotmodel.Job {
	if s.Inner == nil {
		return v.NextRunnable(k, j)
	}
	if j == slotmodel.None {
		s.Begin(v, k)
	}
	return s.Inner.Next(v)
}

// begin starts a walk of its own, which ends the one that nodes share.
func (s *Steps) Begin(v *slotmodel.View, k slotmodel.Kind) {
	s.Rewind()
	s.Inner.Begin(v, k)
}

// rewind ends the walk that nodes share: what comes next may change the order.
func (s *Steps) Rewind() { s.walk = s.walk[:0] }

// at returns job i of the order that inner had at the first call since the last rewind, None at its
// end. Jobs are asked for from 0 on; last is job i-1.
func (s *Steps) At(v *slotmodel.View, k slotmodel.Kind, i int, last slotmodel.Job) slotmodel.Job {
	switch {
	case s.Inner == nil:
		return v.NextRunnable(k, last)
	case i < len(s.walk):
		return s.walk[i]
	case i == 0:
		s.Inner.Begin(v, k)
	}
	s.walk = append(s.walk, s.Inner.Next(v))
	return s.walk[i]
}

// served says what became of a node with a free slot.
type Served uint8

const (
	Started Served = iota // a task started
	Refused               // no job of the walk takes the node
	Nobody                // no other node would be taken either: no job waits, or a rigid one holds up the others
)

// offer offers each node that next gives until it is refused, and reports whether a start came after a refusal.
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

// fill gives the free slots of one kind to the jobs of the Ranker. A start may change what the filter answers: with a
// filter, nodes are offered again until each has been refused by the jobs as they are.
func (s *Steps) Fill(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	s.Start(v)
	next := func(n slotmodel.Node) slotmodel.Node { return v.NextFree(k, n) }
	serve := func(n slotmodel.Node) Served { return s.serve(v, a, k, n) }
	for Offer(next, serve) && s.Filter != nil {
	}
}

// start begins a decision about one kind of slots.
func (s *Steps) Start(v *slotmodel.View) {
	s.rest = v.AtRest()
	s.Rewind()
}

// serve gives a slot of node n to the first job that takes it.
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
		case w == 1, s.holdsUp(v, j, w): // a start is refused where the Ranker is at fault; it ends the run
			return Nobody
		default:
			passed = passed || w <= v.Capacity(j, k)
		}
	}
}

// first returns the first job that may have the next slot or holds up the jobs after it, None when there is none.
func (s *Steps) first(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	j := s.next(v, k, slotmodel.None)
	for ; j != slotmodel.None; j = s.next(v, k, j) {
		if w := Width(v, j); w == 1 || GangFits(v, j, w) || s.holdsUp(v, j, w) {
			break
		}
	}
	return j
}

// waiting returns the first job that is not rigid, None when there is none or a rigid job holds it up.
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

// holdsUp reports whether a rigid job that cannot start keeps the jobs after it from starting.
func (s *Steps) holdsUp(v *slotmodel.View, j slotmodel.Job, width int) bool {
	return !s.Overtake && !s.rest && width <= v.Capacity(j, slotmodel.Map)
}

// gangFits reports whether there is room for all maps of a rigid job.
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

// startGang starts a rigid job on the first nodes with room, if there is room for all of its maps, and reports whether there was. nodes
// is memory for the next call.
func StartGang(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job, width int, nodes *[]slotmodel.Node) bool {
	if !GangFits(v, j, width) {
		return false
	}
	gang := (*nodes)[:0]
	for n := v.NextFree(slotmodel.Map, slotmodel.None); len(gang) < width; n = v.NextFree(slotmodel.Map, n) {
		for range min(v.Room(j, slotmodel.Map, n), width-len(gang)) {
			gang = append(gang, n)
		}
	}
	*nodes = gang
	return a.StartGang(j, gang)
}

// width returns how many slots a job needs at once.
func Width(v *slotmodel.View, j slotmodel.Job) int {
	if s := v.Spec(j); s != nil && s.Rigid && s.Maps.Tasks > 1 {
		return s.Maps.Tasks
	}
	return 1
}
