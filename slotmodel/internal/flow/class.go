package flow

import (
	"cmp"
	"slices"
)

// board holds the classes: flows with bytes queued, by (src, dst, ports, unit). Slots are reused, last freed first.
type board struct {
	classes []class
	paces   []pace
	due     []float64 // per slot: when the first tag of a class that keeps its own time is reached; +Inf: none
	first   []float64 // per block of 64 slots: the least due
	free    []int32   // slots
	plain   []int32   // per cell src*R+dst: the slot of the class without unit between two racks, or none
	chain   []int32   // per cell: a list of the slots of the classes with unit or ports between two racks
	capped  []limited // classes between two racks with a unit, by (unit, cell)
	inside  []limited // classes with src == dst, by (unit, cell)
	fired   []int32   // scratch of fire
}

// A class is what an event at a class needs.
type class struct {
	heap     []tag
	src, dst int32
	kind     kind
	ends     ends
	next     int32 // in the cell's chain
}

type kind uint8

const (
	shared  kind = iota // passes links
	alone               // inside a rack with a unit: always at its unit
	instant             // nothing limits it: bytes arrive when sent
	local               // inside a rack with ports
)

// A limited is a class with a unit, or one inside a rack, without ports.
type limited struct {
	unit       float64
	cell, slot int32
}

func (b *board) init(racks int) {
	b.plain, b.chain = make([]int32, racks*racks), make([]int32, racks*racks)
	for i := range b.plain {
		b.plain[i], b.chain[i] = none, none
	}
}

// limit returns unit, or +Inf if it cannot bind: as w >= 1, a unit not below a link's capacity never does.
func (n *Network) limit(src, dst int, unit float64) float64 {
	if !(unit > 0) || src != dst && unit >= min(n.capacity[src], n.capacity[n.racks+dst]) {
		return inf
	}
	return unit
}

// find returns the list and the place in it of the class of flows from src to dst with unit and without ports, if it is in a list.
func (n *Network) find(src, dst int32, unit float64) (list *[]limited, at int, ok bool) {
	list = &n.capped
	if src == dst {
		list = &n.inside
	}
	key := limited{unit: unit, cell: src*int32(n.racks) + dst}
	at, ok = slices.BinarySearchFunc(*list, key, func(a, b limited) int {
		return cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(a.cell, b.cell))
	})
	return list, at, ok
}

// enter returns the slot of the class, a new one if none of its flows is active.
func (n *Network) enter(src, dst int32, ports ends, unit float64) int32 {
	cell := src*int32(n.racks) + dst
	plain := src != dst && unit == inf && ports.empty()
	var list *[]limited
	var at int
	switch {
	case plain:
		if c := n.plain[cell]; c != none {
			return c
		}
	case !ports.empty():
		if c := n.behind(ports, cell); c != none {
			return c
		}
	default:
		var ok bool
		if list, at, ok = n.find(src, dst, unit); ok {
			return (*list)[at].slot
		}
	}
	c := n.slot()
	k, p := &n.classes[c], &n.paces[c]
	*k = class{heap: k.heap[:0], src: src, dst: dst, ends: ports}
	*p = pace{from: n.now, unit: unit, out: src, in: int32(n.racks) + dst, driver: none}
	switch {
	case src == dst && !ports.empty():
		k.kind = local
	case src == dst && unit < inf:
		k.kind, p.rate = alone, unit
	case unit == inf && ports.empty() && (src == dst || n.capacity[p.out] == inf && n.capacity[p.in] == inf):
		k.kind, p.rate = instant, inf
	default:
		n.loosen(c)
	}
	if plain {
		n.plain[cell] = c
		return c
	}
	if !ports.empty() {
		n.attach(c)
	} else {
		*list = slices.Insert(*list, at, limited{unit, cell, c})
	}
	if src != dst {
		k.next, n.chain[cell] = n.chain[cell], c
	}
	return c
}

// slot returns a free slot.
func (n *Network) slot() int32 {
	if k := len(n.free); k > 0 {
		c := n.free[k-1]
		n.free = n.free[:k-1]
		return c
	}
	c := int32(len(n.classes))
	n.classes = append(n.classes, class{})
	n.paces = append(n.paces, pace{})
	if c&63 == 0 {
		for range 64 {
			n.due = append(n.due, inf)
		}
		n.first = append(n.first, inf)
	}
	return c
}

// release frees the slot of a class whose last flow has left.
func (n *Network) release(c int32) {
	k, p := &n.classes[c], &n.paces[c]
	cell := k.src*int32(n.racks) + k.dst
	if k.src != k.dst && p.unit == inf && k.ends.empty() {
		n.plain[cell] = none
	} else {
		if !k.ends.empty() {
			n.detach(c)
		} else {
			list, at, _ := n.find(k.src, k.dst, p.unit)
			*list = slices.Delete(*list, at, at+1)
		}
		if k.src != k.dst {
			link := &n.chain[cell]
			for *link != c {
				link = &n.classes[*link].next
			}
			*link = k.next
		}
	}
	switch {
	case p.driver != none:
		n.alight(c)
	case k.kind == shared:
		n.tighten(c)
	}
	n.setDue(c, inf)
	n.free = append(n.free, c)
}

// headLeft returns the bytes until the next position of f, which is active.
func (n *Network) headLeft(f int32) float64 {
	s := &n.flows[f]
	h := n.classes[s.class].heap
	return max(0, float64(h[s.pos].at.since(n.clock(s.class))*float64(s.weight)))
}

// join makes f, which has a head, active.
func (n *Network) join(f int32) {
	s := &n.flows[f]
	ports := nowhere
	if len(n.ports) > 0 {
		ports = n.passed(f)
	}
	c := n.enter(s.src, s.dst, ports, s.unit)
	s.class = c
	k := &n.classes[c]
	step := n.pieces[s.queue.head].bytes / float64(s.weight)
	now := n.clock(c)
	n.reload(c, s.weight, now)
	k.heap = append(k.heap, tag{now.add(step), f})
	n.up(k.heap, len(k.heap)-1)
	if s.pos == 0 {
		n.restart(c, now)
	}
}

// leave takes f out of its class; its queue stays.
func (n *Network) leave(f int32) {
	s := &n.flows[f]
	c := s.class
	k := &n.classes[c]
	now, first := n.clock(c), s.pos == 0
	k.heap = n.drop(k.heap, int(s.pos))
	if first && len(k.heap) > 0 {
		n.restart(c, now)
	}
	n.part(f, now)
}

// part settles what f's leaving means, once its tag is gone; its class's clock shows now.
func (n *Network) part(f int32, now clock) {
	s := &n.flows[f]
	c := s.class
	n.reload(c, -s.weight, now)
	s.class = none
	if len(n.classes[c].heap) == 0 {
		n.release(c)
	}
}

// extend moves the tag of f by bytes.
func (n *Network) extend(f int32, bytes float64) {
	s := &n.flows[f]
	c := s.class
	h := n.classes[c].heap
	t := &h[s.pos]
	if s.pos > 0 {
		t.at = t.at.add(bytes / float64(s.weight))
		n.down(h, int(s.pos))
		return
	}
	now := n.clock(c)
	t.at = t.at.add(bytes / float64(s.weight))
	n.down(h, 0)
	n.restart(c, now)
}

// reweigh gives f, which is active, another weight. A class of one flow is as if it had emptied.
func (n *Network) reweigh(f int32, weight int64) {
	s := &n.flows[f]
	c := s.class
	now := n.clock(c)
	h := n.classes[c].heap
	bytes := max(0, float64(h[s.pos].at.since(now)*float64(s.weight)))
	n.reload(c, weight-s.weight, now)
	s.weight = weight
	n.pieces[s.queue.head].bytes = bytes
	if len(h) == 1 {
		now = clock{}
		n.paces[c].counted = now
	}
	n.retag(f, bytes, now)
}

// retag gives f, whose head ends after bytes when its class's clock shows now, its new tag.
func (n *Network) retag(f int32, bytes float64, now clock) {
	s := &n.flows[f]
	c := s.class
	h := n.classes[c].heap
	was := s.pos
	h[was].at = now.add(bytes / float64(s.weight))
	n.up(h, int(was))
	n.down(h, int(s.pos))
	if was == 0 || s.pos == 0 {
		n.restart(c, now)
	}
}

// reload adds w to the weight of class c, whose clock shows now, and of what it passes.
func (n *Network) reload(c int32, w int64, now clock) {
	p := &n.paces[c]
	if n.classes[c].kind == shared {
		n.count(c, now)
	}
	p.weight += float64(w)
	if !n.classes[c].ends.empty() {
		n.crowd(c, float64(w))
	}
	if n.classes[c].kind == local {
		n.total += float64(w)
		n.stale = w > 0 || n.interval == 0 || n.total > 0
	}
	if n.classes[c].kind != shared {
		return
	}
	n.stale = true
	n.load(p.out, p.in, float64(w))
	if w < 0 && n.interval > 0 {
		n.stale = n.total > 0
	}
}
