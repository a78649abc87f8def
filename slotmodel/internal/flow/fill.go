package flow

// tie joins links whose shares differ by rounding only, so that what is symmetric gets equal rates. A share is the outcome of
// one subtraction for each class of the link, with a relative error of 2^-53 each.
const tie = 1 + 0x1p-44

// unfixed is the x of a class to which fill has given none yet.
const unfixed = -1

// settle fills the links if anything has changed since they were filled.
func (n *Network) settle() {
	if n.stale {
		n.fill()
		n.stale, n.filled = false, true
	}
}

// fill finds the x of every active class by progressive filling: all x grow together from 0. When x reaches the unit of a
// class, the class stays there. When x reaches the share of a link, which is its room over the weight of the classes on it
// that still grow, the link is full and these classes stay there. What nothing limits gets +Inf.
//
// As x grows, no share falls in exact arithmetic. So a heap may hold an old share of a link as a lower bound, and the first
// link in it is full once its entry is up to date. Here the level is kept from falling by rounding, so that a link carries
// more than its capacity by rounding only.
//
// x depends on the present classes and capacities and on nothing else.
// Cost O(C + U) for C active classes with at most four links each and units, and O(log L) for each of the L links in use when it
// comes to the top of the heap.
func (n *Network) fill() {
	for c := range n.classes {
		if k := &n.classes[c]; k.weight > 0 {
			k.x = unfixed
		}
	}
	n.turns = n.turns[:0]
	for _, l := range n.used {
		k := &n.links[l]
		if k.room, k.rest = k.capacity, k.weight; k.capacity < inf {
			n.turns.push(entry{clock{hi: k.share()}, l}, n.turn)
		}
	}
	level, next := 0.0, 0
	for {
		low := inf
		if len(n.turns) > 0 {
			low = n.turns[0].at.hi
		}
		if next < len(n.limited) {
			if c := n.limited[next]; n.classes[c].unit <= low {
				if next++; n.classes[c].x == unfixed {
					level = max(level, n.classes[c].unit)
					n.fix(c, n.classes[c].unit)
				}
				continue
			}
		}
		if low == inf {
			break
		}
		l := n.turns[0].id
		share := n.links[l].share()
		if share > low {
			n.turns.set(0, entry{clock{hi: share}, l}, n.turn)
			continue
		}
		n.turns.remove(0, n.turn)
		if share > float64(level*tie) {
			level = share
		}
		for _, c := range n.links[l].classes {
			if n.classes[c].x == unfixed {
				n.fix(c, level)
			}
		}
	}
	for c := range n.classes {
		if k := &n.classes[c]; k.x == unfixed {
			k.x = inf
		}
	}
}

// fix gives class c its x and takes what it uses from the room of its links.
func (n *Network) fix(c int32, x float64) {
	k := &n.classes[c]
	k.x = x
	use := times(k.weight, x)
	for _, l := range k.path {
		if l == none {
			break
		}
		n.links[l].room -= use
		n.links[l].rest -= k.weight
	}
}
