package slotmodel

import "slices"

// places finds the waiting maps of a job by the node, or by the rack, that holds their block.
type places struct {
	node, rack list
}

// list holds tasks sorted by place, each place with a cursor that skips tasks that no longer wait.
type list struct {
	key    []int32 // the places, ascending
	begin  []int32 // the tasks of place key[i] are tasks[begin[i]:begin[i+1]]
	cursor []int32 // index in tasks; the tasks of place key[i] before it do not wait
	tasks  []int32
	pairs  []uint64 // scratch: place and task
}

// build lays out the list of the pairs, each once.
func (l *list) build() {
	slices.Sort(l.pairs)
	l.pairs = slices.Compact(l.pairs)
	l.key, l.begin, l.tasks = l.key[:0], l.begin[:0], l.tasks[:0]
	for i, p := range l.pairs {
		if place := int32(p >> 32); len(l.key) == 0 || l.key[len(l.key)-1] != place {
			l.key = append(l.key, place)
			l.begin = append(l.begin, int32(i))
		}
		l.tasks = append(l.tasks, int32(uint32(p)))
	}
	l.cursor = append(l.cursor[:0], l.begin...)
	l.begin = append(l.begin, int32(len(l.tasks)))
}

// first returns the first waiting task at a place, None when there is none.
func (l *list) first(place int32, state []taskState) Task {
	i, found := slices.BinarySearch(l.key, place)
	if !found {
		return None
	}
	c, end := l.cursor[i], l.begin[i+1]
	for c < end && state[l.tasks[c]].base() != taskPending {
		c++
	}
	l.cursor[i] = c
	if c == end {
		return None
	}
	return Task(l.tasks[c])
}

// rewind puts all cursors back to the first tasks, since a task waits again.
func (p *places) rewind() {
	copy(p.node.cursor, p.node.begin)
	copy(p.rack.cursor, p.rack.begin)
}

// placesOf returns the places of a job's blocks. The first call makes them. nil: the job has no blocks, or is not present.
func (e *engine) placesOf(s *jobState) *places {
	if s.where != nil || s.spec.Replicas == nil || !s.present {
		return s.where
	}
	var p *places
	if n := len(e.placePool); n > 0 {
		p = e.placePool[n-1]
		e.placePool = e.placePool[:n-1]
	} else {
		p = new(places)
	}
	p.node.pairs, p.rack.pairs = p.node.pairs[:0], p.rack.pairs[:0]
	for i, n := range s.spec.Replicas {
		if n < 0 {
			continue
		}
		t := uint64(s.phase[Map].first + int32(i/s.spec.Copies))
		p.node.pairs = append(p.node.pairs, uint64(n)<<32|t)
		p.rack.pairs = append(p.rack.pairs, uint64(e.nodes[n].rack)<<32|t)
	}
	p.node.build()
	p.rack.build()
	s.where = p
	return p
}

// freePlacesOf gives the places of a job that is over back to the pool.
func (e *engine) freePlacesOf(s *jobState) {
	if s.where != nil {
		e.placePool = append(e.placePool, s.where)
		s.where = nil
	}
}

// localTask returns the first waiting map of a job whose block is on a node.
func (e *engine) localTask(j Job, n Node) Task {
	s := &e.jobs[j]
	if p := e.placesOf(s); p != nil && s.phase[Map].Pending() > 0 {
		return p.node.first(int32(n), e.tasks)
	}
	return None
}

// rackTask returns the first waiting map of a job whose block is in a rack.
func (e *engine) rackTask(j Job, r Rack) Task {
	s := &e.jobs[j]
	if p := e.placesOf(s); p != nil && s.phase[Map].Pending() > 0 {
		return p.rack.first(int32(r), e.tasks)
	}
	return None
}

// source returns the node from which node n reads the block of a map: n itself if it holds the block, else the first holder in n's rack, else the
// first holder; holders that are up come before lost ones. A block with lost holders only is read from the rack of the first, as if the file
// system had restored it there. None: the block has no holder.
func (e *engine) source(s *jobState, t Task, n Node) Node {
	i := int(int32(t)-s.phase[Map].first) * s.spec.Copies
	best, rank := Node(None), 4
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
