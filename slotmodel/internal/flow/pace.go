package flow

import (
	"math"
	"math/bits"
)

// A pace says how a class's clock runs.
//
// A class that keeps its own time (driver none) has a constant rate: at time from, left bytes per unit of weight were
// to be sent until its first tag. These are classes at their unit, and classes that have no rate yet.
//
// Another has the level of one of its links, its driver, for a rate, as have all classes that link drives. So the
// link needs a clock, its reading, and the classes ride on it: their first tags are fixed readings, whatever becomes
// of the level. This is the virtual time of flows once more, one storey up, and the reason why a new level costs
// nothing per class; only classes that change drivers do.
type pace struct {
	left             clock
	counted          clock // what its clock showed when what it has sent was counted
	rate, from, unit float64
	weight           float64 // of its flows: whole numbers, so sums are exact
	out, in          int32   // its links
	driver           int32   // the link, or none
	place            int32   // in rides[driver], or in loose
	fixed            uint64  // the last solution that left it at its unit
}

// A ride says that the first tag of class is reached when the link's reading is at.
type ride struct {
	at    clock
	class int32
}

// roads holds the clocks of links.
type roads struct {
	round      uint64    // how often rates were solved
	fixed      int       // classes left at their unit by that
	solved     []float64 // per link: when its level was found
	reading    []clock   // per link: bytes per unit of weight at time solved; from 0 when something rides on it again
	rides      [][]ride  // per link, in no order
	nearest    []int32   // per link: the ride with the least at, or none
	beyond     []clock   // per link: not above the at of any other ride
	arrival    []float64 // per link: when nearest is reached; +Inf: none; +Inf to the end of a block
	early      []float64 // per block of 8 links: the least arrival
	late       []uint64  // set of links whose arrival may be another one
	soonest    float64   // the least of first and arrival
	ownSoonest float64   // the least of first
	moved      bool      // these may be others
	asked      float64   // from then to tick that is the next multiple of the interval
	tick       float64
	loose      []int32  // classes that pass links and have no driver
	drives     []uint64 // per link, a set of the racks at the other end: cells whose riding classes ride on it
}

func (k *roads) init(racks int) {
	k.soonest, k.ownSoonest = inf, inf
	k.late = make([]uint64, (2*racks+63)/64)
	k.solved = make([]float64, 2*racks)
	k.reading = make([]clock, 2*racks)
	k.rides = make([][]ride, 2*racks)
	k.nearest = make([]int32, 2*racks)
	k.beyond = make([]clock, 2*racks)
	arrival := make([]float64, (2*racks+7)&^7)
	for l := range arrival {
		arrival[l] = inf
	}
	k.arrival, k.early = arrival[:2*racks], make([]float64, len(arrival)/8)
	for l := range k.nearest {
		k.nearest[l], k.early[l>>3] = none, inf
	}
	k.drives = make([]uint64, 2*racks*((racks+63)/64))
}

// read returns the reading of link l now.
func (n *Network) read(l int32) clock {
	if n.now == n.solved[l] {
		return n.reading[l]
	}
	return n.reading[l].add(float64(n.level[l] * (n.now - n.solved[l])))
}

// refresh makes now the time of the reading of link l, before its level changes.
func (n *Network) refresh(l int32) {
	if len(n.rides[l]) > 0 {
		n.reading[l] = n.read(l)
	} else {
		n.reading[l] = clock{}
	}
	n.solved[l] = n.now
}

// rate returns x of class c.
func (n *Network) rate(c int32) float64 {
	p := &n.paces[c]
	if p.driver != none {
		return n.level[p.driver]
	}
	return p.rate
}

// left returns the bytes per unit of weight until the class's first tag, now; below 0 by the rounding of time only.
func (n *Network) left(c int32) clock {
	p := &n.paces[c]
	switch {
	case p.driver != none:
		return n.rides[p.driver][p.place].at.sub(n.read(p.driver))
	case p.rate == inf:
		return p.left
	}
	return p.left.add(-float64(p.rate * (n.now - p.from)))
}

// clock returns what the class's clock shows now.
func (n *Network) clock(c int32) clock {
	h := n.classes[c].heap
	if len(h) == 0 {
		return clock{}
	}
	return h[0].at.sub(n.left(c))
}

// restart notes that the class's clock shows now and that its first tag is another one.
func (n *Network) restart(c int32, now clock) {
	p := &n.paces[c]
	left := n.classes[c].heap[0].at.sub(now)
	if p.driver != none {
		n.move(c, n.read(p.driver).plus(left))
		return
	}
	p.left, p.from = left, n.now
	n.setDue(c, n.dueOf(c))
}

// step notes that the class's first tag has moved by x on its clock.
func (n *Network) step(c int32, x clock) {
	p := &n.paces[c]
	if p.driver != none {
		n.move(c, n.rides[p.driver][p.place].at.plus(x))
		return
	}
	p.left = p.left.plus(x)
	n.setDue(c, n.dueOf(c))
}

// dueOf returns when the first tag of the class is reached at the present rates, not before now.
func (n *Network) dueOf(c int32) float64 {
	p := &n.paces[c]
	if p.driver != none {
		return n.passes(p.driver, p.place)
	}
	if !(p.rate > 0) {
		return inf
	}
	return later(n.now, p.from+p.left.hi/p.rate)
}

// passes returns when ride i of link l is reached, not before now.
func (n *Network) passes(l, i int32) float64 {
	return later(n.now, n.solved[l]+n.rides[l][i].at.since(n.reading[l])/n.level[l])
}

// arrive notes that arrival of link l may be another one.
func (n *Network) arrive(l int32) {
	n.moved = true
	n.late[l>>6] |= 1 << (l & 63)
}

// arrivals computes what arrive has noted.
func (n *Network) arrivals() {
	for k, set := range n.late {
		for set != 0 {
			l := int32(k<<6 + bits.TrailingZeros64(set))
			block := l >> 3
			for of := set & (0xff << (block & 7 << 3)); of != 0; of &= of - 1 {
				l := int32(k<<6 + bits.TrailingZeros64(of))
				n.arrival[l] = inf
				if i := n.nearest[l]; i != none {
					n.arrival[l] = n.passes(l, i)
				}
			}
			n.early[block] = least(n.arrival[block<<3 : block<<3+8])
			set &^= 0xff << (block & 7 << 3)
		}
		n.late[k] = 0
	}
}

// search finds the nearest ride of l anew. O(R), or the number of units on it.
func (n *Network) search(l int32) {
	rides := n.rides[l]
	if len(rides) == 0 {
		n.nearest[l] = none
		return
	}
	// Of two keys, a reading's bits with the ride in the last of them, the less is chosen without a branch; which of two rides is
	// nearer cannot be predicted. Bits of readings are in their order, but for those below 0, by rounding, among themselves.
	mask := int64(1)<<bits.Len(uint(len(rides))) - 1
	a, b := int64(infBits)|mask, int64(infBits)|mask // the least key, and the least of the others
	for i := range rides {
		x := int64(math.Float64bits(rides[i].at.hi))&^mask | int64(i)
		b = min(b, max(a, x))
		a = min(a, x)
	}
	near := int32(a & mask)
	beyond := clock{hi: math.Float64frombits(uint64(b &^ mask))}
	if a < 0 || (a^b)&^mask == 0 {
		near = 0
		for i := range rides {
			if rides[i].at.before(rides[near].at) {
				near = int32(i)
			}
		}
		beyond = rides[near].at
	}
	n.nearest[l], n.beyond[l] = near, beyond
}

// approach notes that the first tag of ride i of link l is now reached when the link's reading is at, which is not that of the nearest
// unless it is a new one.
func (n *Network) approach(l, i int32, at clock) {
	k := n.nearest[l]
	switch {
	case k == none:
		n.nearest[l], n.beyond[l] = i, clock{hi: inf}
	case at.before(n.rides[l][k].at):
		n.nearest[l], n.beyond[l] = i, n.rides[l][k].at
	default:
		if at.before(n.beyond[l]) {
			n.beyond[l] = at
		}
		return
	}
	n.arrive(l)
}

// move changes the reading at which the first tag of c, which rides, is reached.
func (n *Network) move(c int32, at clock) {
	p := &n.paces[c]
	l := p.driver
	rides := n.rides[l]
	rides[p.place].at = at
	if n.nearest[l] == p.place {
		n.search(l)
		n.arrive(l)
	} else {
		n.approach(l, p.place, at)
	}
}

// alight ends the ride of c; its clock is lost.
func (n *Network) alight(c int32) {
	p := &n.paces[c]
	l := p.driver
	rides := n.rides[l]
	last := int32(len(rides) - 1)
	rides[p.place] = rides[last]
	n.paces[rides[p.place].class].place = p.place
	n.rides[l] = rides[:last]
	switch n.nearest[l] {
	case p.place:
		n.search(l)
		n.arrive(l)
	case last:
		n.nearest[l] = p.place
	}
	p.driver = none
}

// loosen notes that c has no driver.
func (n *Network) loosen(c int32) {
	n.paces[c].place = int32(len(n.loose))
	n.loose = append(n.loose, c)
}

// tighten takes c out of loose.
func (n *Network) tighten(c int32) {
	i, last := n.paces[c].place, len(n.loose)-1
	n.loose[i] = n.loose[last]
	n.paces[n.loose[i]].place = i
	n.loose = n.loose[:last]
}

// follow lets c ride on link l from now on, which is when rates are solved.
func (n *Network) follow(c, l int32) {
	p := &n.paces[c]
	if len(n.rides[l]) == 0 {
		n.refresh(l)
	}
	at := n.read(l).plus(n.left(c))
	if p.driver != none {
		n.alight(c)
	} else {
		n.tighten(c)
		n.setDue(c, inf)
	}
	p.driver, p.place = l, int32(len(n.rides[l]))
	n.rides[l] = append(n.rides[l], ride{at, c})
	n.approach(l, p.place, at)
}

// runFree lets c, which its unit or its port limits, run at rate x from now on.
func (n *Network) runFree(c int32, x float64) {
	p := &n.paces[c]
	p.left = n.left(c)
	if p.driver != none {
		n.alight(c)
		n.loosen(c)
	}
	p.from, p.rate = n.now, x
	n.setDue(c, n.dueOf(c))
}

// assign finds a driver for every class that has none and is not at its unit.
func (n *Network) assign() {
	for i := len(n.loose) - 1; i >= 0 && n.fixed < len(n.loose); i-- {
		c := n.loose[i]
		p := &n.paces[c]
		if p.fixed == n.round {
			continue
		}
		d := p.in - int32(n.racks)
		if n.drives[int(p.out)*n.words+int(d>>6)]>>(d&63)&1 != 0 {
			n.follow(c, p.out)
		} else {
			n.follow(c, p.in)
		}
	}
}

// setDue keeps the least of the block with due. O(1), O(64) if the least grows.
func (n *Network) setDue(c int32, t float64) {
	n.moved = true
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
