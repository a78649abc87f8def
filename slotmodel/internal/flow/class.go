package flow

import (
	"cmp"
	"math"
	"slices"
)

// board holds the classes: flows with bytes queued, by (src, dst, unit). Slots are reused, last freed first.
type board struct {
	classes []class
	paces   []pace
	due     []float64 // per slot: when its first tag is reached; +Inf: never, or no class
	first   []float64 // per block of 64 slots: the least due
	linked  []uint64  // per block: slots whose rate depends on links
	free    []int32   // slots
	plain   []int32   // per cell src*R+dst: the slot of the class without unit between two racks, or none
	capped  []limited // classes between two racks with a unit, by (unit, cell)
	inside  []limited // classes with src == dst, by (unit, cell)
	fired   []int32   // scratch of fire
}

// class is what an event at a class needs.
type class struct {
	heap     []tag
	src, dst int32
	kind     kind
}

type kind uint8

const (
	shared  kind = iota // passes links
	alone               // inside a rack with a unit: always at its unit
	instant             // nothing limits it: bytes arrive when sent
)

// pace is what a new rate needs: at time from, left bytes per unit of weight were to be sent until the first tag, so
// the clock shows first tag - (left - rate*(now - from)).
type pace struct {
	left, rate, from, unit float64
	weight                 float64 // of its flows: whole numbers, so sums are exact
	out, in                int32   // its links
}

type limited struct {
	unit       float64
	cell, slot int32
}

func (b *board) init(racks int) {
	b.plain = make([]int32, racks*racks)
	for i := range b.plain {
		b.plain[i] = none
	}
}

// limit returns unit, or +Inf if it cannot bind: as w >= 1, a unit not below a link's capacity never does.
func (n *Network) limit(src, dst int, unit float64) float64 {
	if !(unit > 0) || src != dst && unit >= min(n.capacity[src], n.capacity[n.racks+dst]) {
		return inf
	}
	return unit
}

// find returns the list and the place in it of the class of flows from src to dst with unit, if it is in a list.
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
func (n *Network) enter(src, dst int32, unit float64) int32 {
	cell := src*int32(n.racks) + dst
	plain := src != dst && unit == inf
	var list *[]limited
	var at int
	if plain {
		if c := n.plain[cell]; c != none {
			return c
		}
	} else {
		var ok bool
		if list, at, ok = n.find(src, dst, unit); ok {
			return (*list)[at].slot
		}
	}
	c := n.slot()
	k, p := &n.classes[c], &n.paces[c]
	*k = class{heap: k.heap[:0], src: src, dst: dst}
	*p = pace{from: n.now, unit: unit, out: src, in: int32(n.racks) + dst}
	switch {
	case src == dst && unit < inf:
		k.kind, p.rate = alone, unit
	case unit == inf && (src == dst || n.capacity[p.out] == inf && n.capacity[p.in] == inf):
		k.kind, p.rate = instant, inf
	default:
		n.linked[c>>6] |= 1 << (c & 63)
	}
	if plain {
		n.plain[cell] = c
	} else {
		*list = slices.Insert(*list, at, limited{unit, cell, c})
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
		n.linked = append(n.linked, 0)
	}
	return c
}

// release frees the slot of a class whose last flow has left.
func (n *Network) release(c int32) {
	k := &n.classes[c]
	if k.src != k.dst && n.paces[c].unit == inf {
		n.plain[k.src*int32(n.racks)+k.dst] = none
	} else {
		list, at, _ := n.find(k.src, k.dst, n.paces[c].unit)
		*list = slices.Delete(*list, at, at+1)
	}
	n.linked[c>>6] &^= 1 << (c & 63)
	n.setDue(c, inf)
	n.free = append(n.free, c)
}

// left returns the bytes per unit of weight until the class's first tag, now. Not below 0 but for the rounding of time.
func (n *Network) left(c int32) float64 {
	p := &n.paces[c]
	if p.rate == inf {
		return p.left
	}
	return p.left - float64(p.rate*(n.now-p.from))
}

// headLeft returns the bytes until the next position of f, which is active.
func (n *Network) headLeft(f int32) float64 {
	s := &n.flows[f]
	h := n.classes[s.class].heap
	return max(0, float64((h[s.pos].at.since(h[0].at)+n.left(s.class))*float64(s.weight)))
}

// clock returns what the class's clock shows now.
func (n *Network) clock(c int32) clock {
	h := n.classes[c].heap
	if len(h) == 0 {
		return clock{}
	}
	return h[0].at.add(-n.left(c))
}

// join makes f, which has a head, active.
func (n *Network) join(f int32) {
	s := &n.flows[f]
	c := n.enter(s.src, s.dst, s.unit)
	s.class = c
	k := &n.classes[c]
	n.reload(c, s.weight)
	step := n.pieces[s.queue.head].bytes / float64(s.weight)
	now := n.clock(c)
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
	if s.pos == 0 && len(k.heap) > 1 {
		now := n.clock(c)
		k.heap = n.drop(k.heap, 0)
		n.restart(c, now)
	} else {
		k.heap = n.drop(k.heap, int(s.pos))
	}
	n.part(f)
}

// part settles what f's leaving means, once its tag is gone.
func (n *Network) part(f int32) {
	s := &n.flows[f]
	c := s.class
	n.reload(c, -s.weight)
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

// retag gives f, whose head now ends after bytes, its new tag.
func (n *Network) retag(f int32, bytes float64) {
	s := &n.flows[f]
	c := s.class
	h := n.classes[c].heap
	now, was := n.clock(c), s.pos
	h[was].at = now.add(bytes / float64(s.weight))
	n.up(h, int(was))
	n.down(h, int(s.pos))
	if was == 0 || s.pos == 0 {
		n.restart(c, now)
	}
}

// restart notes that the class's clock shows now and that its first tag is another one.
func (n *Network) restart(c int32, now clock) {
	p := &n.paces[c]
	p.left = n.classes[c].heap[0].at.since(now)
	p.from = n.now
	n.setDue(c, n.dueOf(p))
}

// dueOf returns when the first tag is reached at the present rate, not before now.
func (n *Network) dueOf(p *pace) float64 {
	if !(p.rate > 0) {
		return inf
	}
	if t := p.from + p.left/p.rate; t > n.now {
		return t
	}
	return n.now
}

// setDue keeps the least of the block with due. O(1), O(64) if the least grows.
func (n *Network) setDue(c int32, t float64) {
	old := n.due[c]
	n.due[c] = t
	b := c >> 6
	switch {
	case t <= n.first[b]:
		n.first[b] = t
	case old == n.first[b]:
		n.first[b] = least(n.due[b<<6 : b<<6+64])
	}
}

// lesser returns the less of x and y, both >= +0, whose bits are then in the order of their values. As integers they
// are chosen without a branch; which of two rates or times is less cannot be predicted.
func lesser(x, y float64) float64 {
	return math.Float64frombits(min(math.Float64bits(x), math.Float64bits(y)))
}

// least returns the least of xs, all >= +0; +Inf if there are none.
func least(xs []float64) float64 {
	a, b, c, d := infBits, infBits, infBits, infBits
	for ; len(xs) >= 4; xs = xs[4:] {
		a = min(a, math.Float64bits(xs[0]))
		b = min(b, math.Float64bits(xs[1]))
		c = min(c, math.Float64bits(xs[2]))
		d = min(d, math.Float64bits(xs[3]))
	}
	for _, x := range xs {
		a = min(a, math.Float64bits(x))
	}
	return math.Float64frombits(min(a, b, c, d))
}

// reload adds w to the weight of class c and of what it passes.
func (n *Network) reload(c int32, w int64) {
	p := &n.paces[c]
	p.weight += float64(w)
	if n.classes[c].kind != shared {
		return
	}
	n.stale = true
	n.load(p.out, p.in, float64(w))
	if w < 0 && n.interval > 0 {
		n.unload(p.out, p.in, float64(float64(-w)*p.rate))
		n.stale = n.total > 0
	}
}
