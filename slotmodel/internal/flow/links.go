package flow

import "math"

// A link carries at most capacity bytes per second.
type link struct {
	capacity float64 // +Inf: no limit
	weight   float64 // of active classes that pass it
	classes  []int32 // these classes
	place    int32   // index in used, while there are any
	// Bytes that passed it, without those that its classes have sent since it counted them.
	sent clock

	// While links fill.
	room float64 // capacity that classes with a rate leave
	rest float64 // weight of the others
}

// share returns what classes without a rate can get per unit of weight: +Inf if there are none or
// the link has no limit, never below 0.
func (k *link) share() float64 {
	if !(k.rest > 0) {
		return inf
	}
	if k.room > 0 {
		return k.room / k.rest
	}
	return 0
}

// Links gives the network more links and returns the number of the first of them. Capacities are
// those of New. Cost O(1) each.
func (n *Network) Links(capacity ...float64) int {
	first := len(n.links)
	for _, c := range capacity {
		n.links, n.turn = append(n.links, link{}), append(n.turn, none)
		n.Resize(len(n.links)-1, c)
	}
	return first
}

// Resize gives a link another capacity from now on; 0 or +Inf is no limit. Cost O(1), and links are
// filled anew if something flows there.
func (n *Network) Resize(l int, capacity float64) {
	k := &n.links[l]
	if !(capacity > 0) {
		capacity = inf
	}
	if k.capacity != capacity {
		k.capacity = capacity
		n.stale = n.stale || len(k.classes) > 0
	}
}

// attach adds class c to link l and returns its index there. O(1).
func (n *Network) attach(l, c int32) int32 {
	k := &n.links[l]
	if len(k.classes) == 0 {
		k.place = int32(len(n.used))
		n.used = append(n.used, l)
	}
	k.classes = append(k.classes, c)
	return int32(len(k.classes) - 1)
}

// detach takes the class at index i from link l. O(1).
func (n *Network) detach(l, i int32) {
	k := &n.links[l]
	last := len(k.classes) - 1
	if moved := k.classes[last]; int(i) < last {
		k.classes[i] = moved
		for hop, m := range n.classes[moved].path {
			if m == l {
				n.classes[moved].places[hop] = i
			}
		}
	}
	k.classes = k.classes[:last]
	if last == 0 {
		end := len(n.used) - 1
		n.used[k.place] = n.used[end]
		n.links[n.used[k.place]].place = k.place
		n.used = n.used[:end]
	}
}

// Rate returns the bytes per second that pass a link now, at the rates that the next instant will
// see if nothing else changes. Flows that nothing limits do not count. Asking changes nothing that
// any later call returns. Cost O(classes of the link), and that of filling after a change.
func (n *Network) Rate(l int) float64 {
	n.settle()
	k := &n.links[l]
	sum := 0.0
	for _, c := range k.classes {
		if x := n.classes[c].x; x < inf {
			sum += times(n.classes[c].weight, x)
		}
	}
	return min(sum, k.capacity, math.MaxFloat64)
}

// Sent returns the bytes that have passed a link until now. Asking changes nothing. Cost O(classes
// of the link).
func (n *Network) Sent(l int) float64 {
	k := &n.links[l]
	sum := k.sent
	for _, c := range k.classes {
		sum = sum.add(n.classes[c].uncounted(n.clock(c)))
	}
	return sum.value()
}
