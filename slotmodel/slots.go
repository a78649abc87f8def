package slotmodel

import "cmp"

// setUp notes that a node has come up or was lost.
func (e *engine) setUp(n Node, up bool) {
	x := &e.nodes[n]
	x.up = up
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

// setFree counts the free slots of a node anew. Attempts of a kind hold the node's own slots for the kind first, and shared slots beyond these.
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

// holdSlot notes that an attempt of a job takes a slot of a node, or gives it back.
func (e *engine) holdSlot(n Node, s *jobState, k Kind, by int32) {
	s.phase[k].Running += by
	e.nodes[n].busy[k] += by
	e.running[k] += by
	e.setFree(n)
	e.acct.hold(e, s.spec.User, k, by)
	e.due = e.due || by < 0
}

// holdMemory notes that an attempt of a job takes memory of a node, or gives it back.
func (e *engine) holdMemory(n Node, s *jobState, k Kind, by float64) {
	if bytes := s.phase[k].spec.Memory; bytes > 0 {
		e.nodes[n].held.add(by * bytes)
		e.users[s.spec.User].memory.add(by * bytes)
	}
}

// fits reports whether a node has so many bytes of memory left.
func (n *nodeState) fits(bytes float64) bool { return bytes == 0 || n.held.plus(bytes) <= n.memory }

// waitsForMaps notes whether a reduce waits for maps. The reduces of a node that wait count as on its own slots for reduces first, since its
// other reduces end by themselves and give back the shared slots.
func (e *engine) waitsForMaps(x *attempt, early bool) {
	if x.early == early {
		return
	}
	x.early = early
	n := &e.nodes[x.node]
	e.early -= max(0, n.early-n.slots[Reduce])
	if early {
		n.early++
	} else {
		n.early--
	}
	e.early += max(0, n.early-n.slots[Reduce])
}

// setEarly notes which reduces of a job wait for maps. It is called when the last map has ended, or one has to run again.
func (e *engine) setEarly(j Job) {
	s := &e.jobs[j]
	unfinished := s.phase[Map].Done < s.phase[Map].Tasks
	for a := s.phase[Reduce].newest; a != None; a = e.attempts[a].older {
		x := &e.attempts[a]
		e.waitsForMaps(x, unfinished && x.stage == Fetching)
	}
}

// roomFault says why a node with a free slot for tasks of a kind has no room for one of a certain job, "" when it has.
func (e *engine) roomFault(s *jobState, k Kind, n Node) string {
	x := &e.nodes[n]
	if !x.fits(s.phase[k].spec.Memory) {
		return "the node has not the memory"
	}
	early := k == Reduce && s.phase[Map].Done < s.phase[Map].Tasks
	if early && x.early >= x.slots[Reduce] && float64(e.early+1)/float64(e.shared) > cmp.Or(e.cluster.EarlyReduces, .5) {
		return "reduces that wait for maps hold as many shared slots as EarlyReduces allows"
	}
	return ""
}
