package slotmodel

import "cmp"

// setUp notes that a node has come up or was lost.
func (e *engine) setUp(n Node, up bool) {
	x := &e.nodes[n]
	x.up = up
	e.versions++
	by := int32(1)
	if !up {
		by = -1
	}
	for k := range kinds {
		e.slots[k] += by * (x.slots[k] + x.shared)
	}
	e.shared += by * x.shared
	e.setFree(n)
}

// setFree counts the free slots of a node anew. Attempts of a kind hold the node's own slots for
// the kind first, and shared slots beyond these.
func (e *engine) setFree(n Node) {
	x := &e.nodes[n]
	shared := x.shared - max(0, x.busy[Map]-x.slots[Map]) - max(0, x.busy[Reduce]-x.slots[Reduce])
	for k := range kinds {
		free := int32(0)
		if x.up {
			free = max(0, x.slots[k]-x.busy[k]) + shared
		}
		was := x.free[k]
		x.free[k] = free
		e.free[k] += free - was
		switch {
		case was == 0 && free > 0:
			e.open[k].add(int32(n))
		case was > 0 && free == 0:
			e.open[k].remove(int32(n))
		}
	}
}

// holdSlot notes that attempts of a job take slots of a node, or give them back.
func (e *engine) holdSlot(n Node, s *jobState, k Kind, by int32) {
	held := s.phase[Map].Running + s.phase[Reduce].Running
	s.phase[k].Running += by
	e.load.Holding += int(min(1, held+by) - min(1, held))
	e.nodes[n].busy[k] += by
	e.running[k] += by
	e.setFree(n)
	e.acct.hold(e, s.spec.User, k, by)
	e.due = e.due || by < 0
}

// holdMemory notes that attempts of a job take memory of a node, or give it back, one by one.
func (e *engine) holdMemory(n Node, s *jobState, k Kind, by int32) {
	bytes := s.phase[k].spec.Memory
	if bytes == 0 {
		return
	}
	if by < 0 {
		by, bytes = -by, -bytes
	}
	for range by {
		e.nodes[n].held.add(bytes)
		e.users[s.spec.User].memory.add(bytes)
	}
}

// fits reports whether a node has so many bytes of memory left.
func (n *nodeState) fits(bytes float64) bool { return bytes == 0 || n.held.plus(bytes) <= n.memory }

// room returns how many attempts of so many bytes each a node has memory for beside what is held,
// at most slots.
func (n *nodeState) room(slots int32, bytes float64, held sum) int32 {
	if bytes == 0 {
		return slots
	}
	i := int32(min(float64(slots), max(0, n.memory-held.value)/bytes)) // may be off by rounding
	for i < slots && held.plus(float64(float64(i+1)*bytes)) <= n.memory {
		i++
	}
	for i > 0 && held.plus(float64(float64(i)*bytes)) > n.memory {
		i--
	}
	return i
}

// capacity returns how many tasks of a kind of a job the nodes that are up could run at once
// if they held nothing else.
func (e *engine) capacity(s *jobState, k Kind) int32 {
	p := &s.phase[k]
	if p.spec.Memory == 0 {
		return e.slots[k]
	}
	if p.version != e.versions {
		p.atOnce, p.version = 0, e.versions
		for n := range e.nodes {
			if x := &e.nodes[n]; x.up {
				p.atOnce += x.room(x.slots[k]+x.shared, p.spec.Memory, sum{})
			}
		}
	}
	return p.atOnce
}

// waitsForMaps notes whether a reduce waits for maps. The reduces of a node that wait count as
// on its own slots for reduces first, since its other reduces end by themselves and give back the
// shared slots.
func (e *engine) waitsForMaps(x *attempt, early bool) {
	if x.early == early {
		return
	}
	x.early = early
	n := &e.nodes[x.node]
	by := int32(1)
	if !early {
		by = -1
	}
	e.early -= max(0, n.early-n.slots[Reduce])
	n.early += by
	e.awaiting += by
	e.early += max(0, n.early-n.slots[Reduce])
}

// setEarly notes which reduces of a job wait for maps. It is called when the last map has ended,
// or one has to run again.
func (e *engine) setEarly(j Job) {
	s := &e.jobs[j]
	unfinished := s.phase[Map].Done < s.phase[Map].Tasks
	for a := s.phase[Reduce].newest; a != None; a = e.attempts[a].older {
		x := &e.attempts[a]
		e.waitsForMaps(x, unfinished && x.stage == fetching)
	}
}

// roomFault says why a node with a free slot for tasks of a kind has no room for one of a certain
// job, "" when it has.
func (e *engine) roomFault(s *jobState, k Kind, n Node) string {
	x := &e.nodes[n]
	if !x.fits(s.phase[k].spec.Memory) {
		return "the node has not the memory"
	}
	if k == Map || s.phase[Map].Done == s.phase[Map].Tasks {
		return ""
	}
	if e.capacity(s, Map) == 0 {
		return "it would wait for maps that fit no node which is up"
	}
	if x.early >= x.slots[Reduce] && float64(e.early+1)/float64(e.shared) > cmp.Or(e.cluster.EarlyReduces, .5) {
		return "reduces that wait for maps hold as many shared slots as EarlyReduces allows"
	}
	return ""
}
