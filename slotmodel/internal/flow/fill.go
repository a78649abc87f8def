package flow

// tie joins links whose shares differ by rounding only, so that what is symmetric gets equal rates.
// A share is the outcome of one subtraction for each class of the link, with a relative error of
// 2^-53 each: enough for 512 classes.
const tie = 1 + 0x1p-44

// settle fills the links if anything has changed since they were filled.
func (n *Network) settle() {
	if n.stale {
		n.fill()
		n.stale = false
	}
}

// fill finds the x of every active class by progressive filling: all x grow together from 0. When x
// reaches the share of a link, which is its room over the weight of the classes on it that still
// grow, the link is full and these classes stay there. What nothing limits gets +Inf.
//
// As x grows, no share falls in exact arithmetic. So a heap may hold an old share of a link as a
// lower bound, and the first link in it is full once its entry is up to date. Here the level is
// kept from falling by rounding, so that a link carries more than its capacity by rounding only.
//
// x depends on the present classes and capacities and on nothing else. Cost O(C) for C active
// classes, O(L) for the L links that they pass and O(log L) for each time that a link comes to the
// top of the heap, at most L times for each full link. It ends when all classes have an x: no link
// that is then left in the heap limits one.
func (n *Network) fill() {
	n.fills++
	n.moved, n.turns = n.moved[:0], n.turns[:0]
	for _, l := range n.used {
		k := &n.links[l]
		if k.room, k.rest = k.capacity, k.weight; k.capacity < inf {
			n.turns = append(n.turns, entry{clock{hi: k.share()}, l})
		}
	}
	n.turns.init(n.turn)
	level, fixed := 0.0, 0
	for fixed < len(n.due) && len(n.turns) > 0 && n.turns[0].at.hi < inf {
		l := n.turns[0].id
		share := n.links[l].share()
		if share > n.turns[0].at.hi {
			n.turns.set(0, entry{clock{hi: share}, l}, n.turn)
			continue
		}
		n.turns.remove(0, n.turn)
		if share > float64(level*tie) {
			level = share
		}
		for _, c := range n.links[l].classes {
			fixed += n.fix(c, level)
		}
	}
	if fixed < len(n.due) {
		for _, e := range n.due {
			n.fix(e.id, inf)
		}
	}
}

// fix gives class c its x and takes what it uses from the room of its links, unless it has its x
// already. It returns the number of classes that got one.
func (n *Network) fix(c int32, x float64) int {
	k := &n.classes[c]
	if k.filled == n.fills {
		return 0
	}
	k.filled = n.fills
	k.x = x
	if x != k.rate {
		n.moved = append(n.moved, c)
	}
	use := float64(k.weight * x)
	for _, l := range k.path {
		if l == none {
			break
		}
		n.links[l].room -= use
		n.links[l].rest -= k.weight
	}
	return 1
}
