package flow

import (
	"math"
	"math/bits"
	"sort"
)

// meter is a link while it fills.
type meter struct {
	capacity float64
	used     float64 // by classes that are fixed
	rest     float64 // weight of the others
}

// held is weight taken out of a cell.
type held struct {
	out, in int32
	weight  float64
}

// tie joins links whose shares differ by rounding only, so that what is symmetric gets equal rates. A link's share is
// the outcome of at most 2R subtractions with relative error 2^-53 each.
const tie = 1 + 0x1p-44

// upTo returns the share up to which links are full at a level. It is finite: +Inf is no share.
func upTo(level float64) float64 { return min(float64(level*tie), math.MaxFloat64) }

// fill finds the level of every link: all x grow together from 0. A link is full when its share, (capacity - what
// the fixed classes on it use)/(weight of the others), is the least: the others on it are fixed at that level. A class
// whose unit is not above the least share is fixed at its unit. So the x of a class is the least of its unit and the
// levels of its two links; ports fill like links (gate.go). In exact arithmetic the least share never falls; here the level is kept from falling, so
// no x is 0 and a link is overused by rounding only. Cost O(L) per round; a round fills a link or reaches units; O(1)
// per cell and per class with a unit.
func (n *Network) fill() {
	n.raise(false)
	for tries := 0; len(n.busy) > 0 && tries < 2 && !n.guessed(); tries++ {
		n.raise(tries == 1)
	}
}

// raise is fill, as if all that is expected of ports were true unless it is to be sure.
func (n *Network) raise(sure bool) {
	n.begin(sure)
	level, bound, next, full := 0.0, 0.0, 0, false
	floor := 0.0 // no link has a lower share, as what ports fix makes shares grow
	for {
		link, port, low := 0, int32(none), 0.0
		if len(n.busy) > 0 {
			port, low = n.leastPort(floor, level)
		}
		if port == none {
			link, low = n.leastShare()
			if len(n.busy) > 0 {
				// Keys are not kept up with what ports fix.
				for n.share[link] < infBits && n.key(low, link) != n.share[link] {
					n.share[link] = n.key(low, link)
					link, low = n.leastShare()
				}
				floor = low
				if i, less := n.leastPort(low, level); i != none {
					port, low = i, less
				}
			}
		}
		if low == inf && !n.unlimited {
			break
		}
		if low > bound {
			if next < len(n.capped) && n.capped[next].unit <= low {
				next = n.fixUnits(next, low, full)
				level = n.capped[next-1].unit
				bound = upTo(level)
				n.shareAnew()
				floor = 0
				continue
			}
			if low == inf {
				break
			}
			level, bound = low, upTo(low)
		}
		if !full {
			full = true
			for i := range n.capped[:next] {
				n.exclude(&n.paces[n.capped[i].slot])
			}
		}
		if port != none {
			n.fixPort(port, level)
			continue
		}
		n.fixLink(int32(link), level)
		floor = 0
	}
	n.end()
}

// begin empties the links.
func (n *Network) begin(sure bool) {
	clear(n.open)
	for l := range n.meters {
		n.meters[l] = meter{capacity: n.capacity[l], rest: n.weight[l]}
		n.found[l] = inf
		if n.weight[l] > 0 {
			n.open[n.bit(l)>>6] |= 1 << (n.bit(l) & 63)
		}
	}
	n.openOut, n.openIn = 0, 0
	for k := range n.words {
		n.openOut += bits.OnesCount64(n.open[k])
		n.openIn += bits.OnesCount64(n.open[n.words+k])
	}
	n.round++
	n.fixed = 0
	n.undo = n.undo[:0]
	n.openPorts(sure)
	n.shareAnew()
}

// end restores the weights of cells and notes the rates in use.
func (n *Network) end() {
	for _, q := range n.undo {
		n.place(q.out, q.in, q.weight)
	}
	for l := range n.meters {
		if n.found[l] == inf {
			clear(n.drives[l*n.words : (l+1)*n.words])
		}
	}
	n.assign()
	for l, x := range n.found {
		if x != n.level[l] {
			n.refresh(int32(l))
			n.level[l] = x
		}
	}
	for l := range n.arrival {
		n.arrive(int32(l))
	}
}

// shareAnew computes all shares.
func (n *Network) shareAnew() {
	for l := range n.meters {
		n.share[l] = n.key(n.meters[l].share(), l)
	}
}

// bit returns the place of link l in open.
func (n *Network) bit(l int) int {
	if l < n.racks {
		return l
	}
	return n.words<<6 + l - n.racks
}

// key packs a share >= +0 and its link into a number whose order is that of the shares, but for the last bits.
func (n *Network) key(share float64, link int) uint64 {
	return math.Float64bits(share)&^n.mask | uint64(link)
}

// leastShare returns a link with the least share, to within tie, and its share.
func (n *Network) leastShare() (link int, share float64) {
	a, b, c, d := infBits, infBits, infBits, infBits
	xs := n.share
	for ; len(xs) >= 4; xs = xs[4:] {
		a = min(a, xs[0])
		b = min(b, xs[1])
		c = min(c, xs[2])
		d = min(d, xs[3])
	}
	for _, x := range xs {
		a = min(a, x)
	}
	if a = min(a, b, c, d); a < infBits {
		link = int(a & n.mask)
		return link, n.meters[link].share()
	}
	return 0, inf
}

// fixUnits fixes the classes from place next of capped on whose unit is at most low, the least share, unless one of
// their links is full, and returns the place of the first that is left. Fixing a class at no more than the least share
// lowers no share, so low bounds them all the while, in any order. Before the first link is full nobody reads the
// weights of cells.
func (n *Network) fixUnits(next int, low float64, full bool) int {
	end := next + sort.Search(len(n.capped)-next, func(i int) bool { return n.capped[next+i].unit > low })
	if n.openOut*n.openIn >= end-next {
		for i := next; i < end; i++ {
			n.fixClass(n.capped[i].slot, full)
		}
		return end
	}
	for k, out := range n.open[:n.words] {
		for ; out != 0; out &= out - 1 {
			s := k<<6 + bits.TrailingZeros64(out)
			for j, in := range n.peers[s*n.words : (s+1)*n.words] {
				for in &= n.open[n.words+j]; in != 0; in &= in - 1 {
					d := j<<6 + bits.TrailingZeros64(in)
					for c := n.chain[s*n.racks+d]; c != none; c = n.classes[c].next {
						if p := &n.paces[c]; p.unit <= low && p.fixed != n.round {
							n.fixClass(c, full)
						}
					}
				}
			}
		}
	}
	return end
}

// fixClass fixes a class at its unit, unless one of its links is full. Shares are computed anew by the caller.
func (n *Network) fixClass(c int32, full bool) {
	p := &n.paces[c]
	if full {
		if n.found[p.out] < inf || n.found[p.in] < inf {
			return
		}
		n.exclude(p)
	}
	p.fixed = n.round
	n.fixed++
	if p.driver != none || p.rate != p.unit {
		n.runFree(c, p.unit)
	}
	use := float64(p.weight * p.unit)
	out, in := &n.meters[p.out], &n.meters[p.in]
	out.used += use
	out.rest -= p.weight
	in.used += use
	in.rest -= p.weight
}

// exclude takes a class that is fixed out of the weight of its cell, until end.
func (n *Network) exclude(p *pace) {
	n.place(p.out, p.in, -p.weight)
	n.undo = append(n.undo, held{p.out, p.in, p.weight})
}

// fixLink fixes all that is left on link l at level: from now on l drives it.
func (n *Network) fixLink(l int32, level float64) {
	m := &n.meters[l]
	m.used += float64(m.rest * level)
	m.rest, n.share[l], n.found[l] = 0, infBits, level
	r, words := n.racks, n.words
	peers := n.peers[int(l)*words : (int(l)+1)*words]
	drives := n.drives[int(l)*words : (int(l)+1)*words]
	// Where the racks at the other end have their links and their words of open.
	other, open := r, n.open[words:]
	if int(l) < r {
		n.openOut--
	} else {
		n.openIn--
		other, open = 0, n.open
	}
	n.open[n.bit(int(l))>>6] &^= 1 << (n.bit(int(l)) & 63)
	mask := n.mask
	cells, meters, share := n.cell[int(l)*r:], n.meters[other:], n.share[other:]
	for k, all := range peers {
		set := all & open[k]
		gained := set &^ drives[k]
		drives[k] = set
		for ; set != 0; set &= set - 1 {
			i := k<<6 + bits.TrailingZeros64(set)
			share[i] = math.Float64bits(meters[i].take(cells[i], level))&^mask | uint64(other+i)
		}
		for ; gained != 0; gained &= gained - 1 {
			i := k<<6 + bits.TrailingZeros64(gained)
			n.redirect(l, int32(other+i), l)
		}
	}
}

// redirect lets the classes that pass links a and b and ride do so on l. A class that has already been fixed does not ride.
func (n *Network) redirect(a, b, l int32) {
	r := int32(n.racks)
	cell := min(a, b)*r + max(a, b) - r
	for c := n.chain[cell]; c != none; c = n.classes[c].next {
		if n.paces[c].driver != none {
			n.follow(c, l)
		}
	}
	if c := n.plain[cell]; c != none && n.paces[c].driver != none {
		n.follow(c, l)
	}
}

// take moves w of the rest, fixed at level, to what is used and returns the share of the others.
func (m *meter) take(w, level float64) float64 {
	m.used += float64(w * level)
	m.rest -= w
	return m.share()
}

// share returns what the rest can get per unit of weight, +Inf without rest or limit, never less than +0.
func (m *meter) share() float64 {
	if !(m.rest > 0) {
		return inf
	}
	if free := m.capacity - m.used; free > 0 {
		return free / m.rest
	}
	return 0
}
