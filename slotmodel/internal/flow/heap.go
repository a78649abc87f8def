package flow

// tag says that flow's next position is reached when its class's clock shows at.
type tag struct {
	at   clock
	flow int32
}

// less orders by clock, then by handle.
func (a *tag) less(b *tag) bool {
	if a.at.hi != b.at.hi {
		return a.at.hi < b.at.hi
	}
	if a.at.lo != b.at.lo {
		return a.at.lo < b.at.lo
	}
	return a.flow < b.flow
}

// The tags of a class are a 4-ary heap; flows[f].pos is the place of f's tag in it.

// up moves h[i] towards the root. O(log n).
func (n *Network) up(h []tag, i int) {
	x := h[i]
	for i > 0 {
		p := (i - 1) / 4
		if !x.less(&h[p]) {
			break
		}
		h[i] = h[p]
		n.flows[h[i].flow].pos = int32(i)
		i = p
	}
	h[i] = x
	n.flows[x.flow].pos = int32(i)
}

// down moves h[i] away from the root. O(log n).
func (n *Network) down(h []tag, i int) {
	x := h[i]
	for {
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		best := first
		for k := first + 1; k < min(first+4, len(h)); k++ {
			if h[k].less(&h[best]) {
				best = k
			}
		}
		if !h[best].less(&x) {
			break
		}
		h[i] = h[best]
		n.flows[h[i].flow].pos = int32(i)
		i = best
	}
	h[i] = x
	n.flows[x.flow].pos = int32(i)
}

// drop removes h[i] and returns the shorter heap. O(log n).
func (n *Network) drop(h []tag, i int) []tag {
	last := len(h) - 1
	moved := h[last]
	h = h[:last]
	if i == last {
		return h
	}
	h[i] = moved
	if i > 0 && moved.less(&h[(i-1)/4]) {
		n.up(h, i)
	} else {
		n.down(h, i)
	}
	return h
}
