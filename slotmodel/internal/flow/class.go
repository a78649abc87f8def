package flow

import "slices"

// path holds the links that a flow passes, then none.
type path [maxHops]int32

func pathOf(links []int) path {
	p, k := path{none, none, none, none, none}, 0
	for _, l := range links {
		if l >= 0 {
			p[k] = int32(l)
			k++
		}
	}
	return p
}

// A class holds the open flows with one path. All that are active have the same rate per unit of
// weight at all times, so one clock, the bytes sent per unit of weight, serves them all: a flow's
// next position is a fixed tag on it.
type class struct {
	path   path
	weight float64 // of active flows: whole numbers, so sums are exact
	// Bytes per second and unit of weight when links were filled last; 0 of an idle class.
	x       float64
	rate    float64 // the x at which the clock runs
	filled  int64   // the fill that gave it x
	at      clock   // what the clock showed at time from
	from    float64
	counted clock          // what the clock showed when its links last counted what it has sent
	heap    heap           // tags of active flows
	places  [maxHops]int32 // its index among the classes of each of its links
	open    int32          // flows, active or not
}

// take returns the slot of a class, one more of whose flows is open.
func (n *Network) take(p path) int32 {
	c, ok := n.slots[p]
	if !ok {
		if last := len(n.free) - 1; last >= 0 {
			c = n.free[last]
			n.free = n.free[:last]
		} else {
			c = int32(len(n.classes))
			n.classes, n.place = append(n.classes, class{}), append(n.place, none)
		}
		n.slots[p] = c
		n.classes[c] = class{path: p, heap: n.classes[c].heap}
	}
	n.classes[c].open++
	return c
}

// drop notes that one flow less is open.
func (n *Network) drop(c int32) {
	k := &n.classes[c]
	if k.open--; k.open == 0 {
		delete(n.slots, k.path)
		n.free = append(n.free, c)
	}
}

// clock returns what the clock of class c shows now.
func (n *Network) clock(c int32) clock {
	k := &n.classes[c]
	if k.from == n.now || k.rate == inf { // an unlimited class sends at once, not while time passes
		return k.at
	}
	return k.at.add(float64(k.rate * (n.now - k.from)))
}

// uncounted returns the bytes that a class, whose clock shows now, has sent and its links have not
// counted. The clock can show less than when they counted, by the rounding of time.
func (k *class) uncounted(now clock) float64 {
	return times(k.weight, max(0, now.since(k.counted)))
}

// join makes f, whose queue is not empty, active.
func (n *Network) join(f Flow) {
	s := &n.flows[f]
	c := s.class
	k := &n.classes[c]
	if len(k.heap) == 0 {
		n.start(c)
	}
	now := n.clock(c)
	n.load(c, s.weight, now)
	k.heap.push(entry{now.add(n.pieces[s.queue.head].bytes / s.weight), int32(f)}, n.position)
	n.retime(c)
}

// leave makes f, which is active, idle, when the clock of its class shows now; its queue stays.
func (n *Network) leave(f Flow, now clock) {
	s := &n.flows[f]
	c := s.class
	k := &n.classes[c]
	k.heap.remove(int(n.position[f]), n.position)
	n.load(c, -s.weight, now)
	if len(k.heap) == 0 {
		n.stop(c)
	} else {
		n.retime(c)
	}
}

// load adds w to the weight of class c, whose clock shows now, after its links have counted what it
// has sent.
func (n *Network) load(c int32, w float64, now clock) {
	k := &n.classes[c]
	bytes := k.uncounted(now)
	if bytes > 0 {
		k.counted = now
	}
	k.weight += w
	for _, l := range k.path {
		if l == none {
			break
		}
		n.links[l].sent = n.links[l].sent.add(bytes)
		n.links[l].weight += w
	}
	n.stale = true
}

// start makes class c active; its clock begins at 0.
func (n *Network) start(c int32) {
	k := &n.classes[c]
	k.at, k.counted, k.from = clock{}, clock{}, n.now
	for i, l := range k.path {
		if l == none {
			break
		}
		k.places[i] = n.attach(l, c)
	}
	n.due.push(entry{clock{hi: inf}, c}, n.place)
}

// stop makes class c idle.
func (n *Network) stop(c int32) {
	k := &n.classes[c]
	k.x, k.rate = 0, 0
	for i, l := range k.path {
		if l == none {
			break
		}
		n.detach(l, k.places[i])
	}
	n.due.remove(int(n.place[c]), n.place)
}

// byPath orders classes by path.
func (n *Network) byPath(a, b int32) int {
	return slices.Compare(n.classes[a].path[:], n.classes[b].path[:])
}

// nextOf returns when class c, which is active, reaches its first tag at its present rate, not
// before now.
func (n *Network) nextOf(c int32) float64 {
	k := &n.classes[c]
	if k.rate == inf {
		return n.now
	}
	left := max(0, k.heap[0].at.since(k.at))
	if left == 0 {
		return n.now
	}
	return max(n.now, k.from+left/k.rate)
}

// retime brings the entry of class c, which is active, in due up to date.
func (n *Network) retime(c int32) {
	n.due.set(int(n.place[c]), entry{clock{hi: n.nextOf(c)}, c}, n.place)
}
