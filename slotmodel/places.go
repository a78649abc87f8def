package slotmodel

import "slices"

// places finds the waiting maps of a job by the node that holds their block, and by the rack, whose
// place is its number behind those of all nodes.
type places struct {
	pairs []uint64 // a place and a task, ascending
	// At the first pair of a place: how many of its tasks, from the first one on, do not wait.
	skip []int32
}

// first returns the first waiting task at a place, None when there is none.
func (p *places) first(place int, state []taskState) Task {
	begin, _ := slices.BinarySearch(p.pairs, uint64(place)<<32)
	if begin == len(p.pairs) {
		return None
	}
	for ; ; p.skip[begin]++ {
		i := begin + int(p.skip[begin])
		if i == len(p.pairs) || int(p.pairs[i]>>32) != place {
			return None
		}
		if t := Task(uint32(p.pairs[i])); state[t].base() == taskPending {
			return t
		}
	}
}

// localTask returns the first waiting map of a job whose block is at a place. The first call
// lays out the job's places.
func (e *engine) localTask(j Job, place int) Task {
	s := &e.jobs[j]
	if s.spec.Replicas == nil || !s.present || s.phase[Map].Pending() == 0 {
		return None
	}
	if s.where == nil {
		s.where = e.layPlaces(s)
	}
	return s.where.first(place, e.tasks)
}

// layPlaces returns the places of a job's blocks.
func (e *engine) layPlaces(s *jobState) *places {
	if len(e.placePool) == 0 {
		e.placePool = append(e.placePool, new(places))
	}
	last := len(e.placePool) - 1
	p := e.placePool[last]
	e.placePool = e.placePool[:last]
	p.pairs, p.skip = p.pairs[:0], p.skip[:0]
	for i, n := range s.spec.Replicas {
		if n >= 0 {
			t := uint64(s.phase[Map].first + int32(i/s.spec.Copies))
			p.pairs = append(p.pairs, uint64(n)<<32|t, uint64(len(e.nodes)+int(e.nodes[n].rack))<<32|t)
			p.skip = append(p.skip, 0, 0)
		}
	}
	slices.Sort(p.pairs)
	p.pairs = slices.Compact(p.pairs)
	return p
}

// freePlacesOf gives the places of a job that is over back to the pool.
func (e *engine) freePlacesOf(s *jobState) {
	if s.where != nil {
		e.placePool = append(e.placePool, s.where)
		s.where = nil
	}
}

// source returns the node from which node n reads the block of a map: n itself if it or no node
// holds the block, else the first holder in n's rack, else the first holder; holders that are up
// come before lost ones. A block with lost holders only is read from the rack of the first, as if
// the file system had restored it there.
func (e *engine) source(s *jobState, t Task, n Node) Node {
	i := int(int32(t)-s.phase[Map].first) * s.spec.Copies
	best, rank := n, 4
	for _, c := range s.spec.Replicas[i : i+s.spec.Copies] {
		if c < 0 {
			continue
		}
		r := 3
		switch {
		case !e.nodes[c].up:
		case c == int32(n):
			return n
		case e.nodes[c].rack == e.nodes[n].rack:
			r = 1
		default:
			r = 2
		}
		if r < rank {
			best, rank = Node(c), r
		}
	}
	return best
}
