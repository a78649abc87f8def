package policy

import "github.com/schedmath/schedmath/slotmodel"

// orderer is the part of a Ranker that every policy uses: a walk through the jobs with a task of a kind to start.
type orderer interface {
	Begin(v *slotmodel.View, k slotmodel.Kind)
	Next(v *slotmodel.View) slotmodel.Job
}

// accepter says which starts are wanted.
type accepter interface {
	Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool
}

// steps gives free slots to the jobs of an order, one after another: what Greedy does in a decision, and other policies between
// their own actions.
type steps struct {
	inner    orderer  // nil: by arrival
	filter   accepter // nil: every start is accepted
	overtake bool     // jobs behind a rigid job that waits may start

	walk []slotmodel.Job  // what inner has given since its last Begin, None included; nodes offered after one another share it
	gang []slotmodel.Node // scratch
	rest bool             // the decision began AtRest, and no start has come before a rigid job that lacks room
}

// next returns the job after j in the order of inner, the first one for slotmodel.None.
func (s *steps) next(v *slotmodel.View, k slotmodel.Kind, j slotmodel.Job) slotmodel.Job {
	if s.inner == nil {
		return v.NextRunnable(k, j)
	}
	if j == slotmodel.None {
		s.begin(v, k)
	}
	return s.inner.Next(v)
}

// begin starts a walk of its own, which ends the one that nodes share.
func (s *steps) begin(v *slotmodel.View, k slotmodel.Kind) {
	s.rewind()
	s.inner.Begin(v, k)
}

// rewind ends the walk that nodes share: what comes next may change the order.
func (s *steps) rewind() { s.walk = s.walk[:0] }

// at returns job i of the order that inner had at the first call since the last rewind, None at its
// end. Jobs are asked for from 0 on; last is job i-1.
func (s *steps) at(v *slotmodel.View, k slotmodel.Kind, i int, last slotmodel.Job) slotmodel.Job {
	switch {
	case s.inner == nil:
		return v.NextRunnable(k, last)
	case i < len(s.walk):
		return s.walk[i]
	case i == 0:
		s.inner.Begin(v, k)
	}
	s.walk = append(s.walk, s.inner.Next(v))
	return s.walk[i]
}

// served says what became of a node with a free slot.
type served uint8

const (
	started served = iota // a task started
	refused               // no job of the walk takes the node
	nobody                // no other node would be taken either: no job waits, or a rigid one holds up the others
)

// offer offers each node that next gives until it is refused, and reports whether a start came after a refusal.
func offer(next func(slotmodel.Node) slotmodel.Node, serve func(slotmodel.Node) served) (again bool) {
	passed := false
	for n := next(slotmodel.None); n != slotmodel.None; {
		switch serve(n) {
		case started:
			again = passed
			n = next(n - 1) // the node may have another free slot
		case refused:
			passed = true
			n = next(n)
		case nobody:
			return again
		}
	}
	return again
}

// fill gives the free slots of one kind to the jobs of the Ranker. A start may change what the filter answers: with a
// filter, nodes are offered again until each has been refused by the jobs as they are.
func (s *steps) fill(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	s.start(v)
	next := func(n slotmodel.Node) slotmodel.Node { return v.NextFree(k, n) }
	serve := func(n slotmodel.Node) served { return s.serve(v, a, k, n) }
	for offer(next, serve) && s.filter != nil {
	}
}

// start begins a decision about one kind of slots.
func (s *steps) start(v *slotmodel.View) {
	s.rest = v.AtRest()
	s.rewind()
}

// serve gives a slot of node n to the first job that takes it.
func (s *steps) serve(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, n slotmodel.Node) served {
	result, passed := nobody, false
	j := slotmodel.Job(slotmodel.None)
	for i := 0; ; i++ {
		if j = s.at(v, k, i, j); j == slotmodel.None {
			return result
		}
		switch w := width(v, j); {
		case w == 1 && v.Runnable(j, k) && (!v.Fits(j, k, n) || s.filter != nil && !s.filter.Accept(v, j, k, n)):
			result = refused
		case w == 1 && a.Start(j, k, n), w > 1 && startGang(v, a, j, w, &s.gang):
			s.rest = s.rest && passed
			s.rewind()
			return started
		case w == 1, s.holdsUp(v, j, w): // a start is refused where the Ranker is at fault; it ends the run
			return nobody
		default:
			passed = passed || w <= v.Capacity(j, k)
		}
	}
}

// first returns the first job that may have the next slot or holds up the jobs after it, None when there is none.
func (s *steps) first(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	j := s.next(v, k, slotmodel.None)
	for ; j != slotmodel.None; j = s.next(v, k, j) {
		if w := width(v, j); w == 1 || gangFits(v, j, w) || s.holdsUp(v, j, w) {
			break
		}
	}
	return j
}

// waiting returns the first job that is not rigid, None when there is none or a rigid job holds it up.
func (s *steps) waiting(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	j := s.next(v, k, slotmodel.None)
	for ; j != slotmodel.None; j = s.next(v, k, j) {
		if w := width(v, j); w == 1 {
			break
		} else if s.holdsUp(v, j, w) {
			return slotmodel.None
		}
	}
	return j
}

// holdsUp reports whether a rigid job that cannot start keeps the jobs after it from starting.
func (s *steps) holdsUp(v *slotmodel.View, j slotmodel.Job, width int) bool {
	return !s.overtake && !s.rest && width <= v.Capacity(j, slotmodel.Map)
}

// gangFits reports whether there is room for all maps of a rigid job.
func gangFits(v *slotmodel.View, j slotmodel.Job, width int) bool {
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
func startGang(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job, width int, nodes *[]slotmodel.Node) bool {
	if !gangFits(v, j, width) {
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
func width(v *slotmodel.View, j slotmodel.Job) int {
	if s := v.Spec(j); s != nil && s.Rigid && s.Maps.Tasks > 1 {
		return s.Maps.Tasks
	}
	return 1
}
