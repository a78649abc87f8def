package flow

import "math/bits"

// solve finds the rates after weights have changed.
func (n *Network) solve() {
	if len(n.capped) > 0 || len(n.busy) > 0 {
		n.fill()
		n.forget()
		return
	}
	low, ok := n.refill()
	if !ok {
		n.fill()
		n.forget()
		return
	}
	n.adopt(low)
}

// refill finds the order in which links get full, and their levels, from the order of the last solution, and returns the
// first place at which they may differ. Classes have no units.
//
// Progressive filling spends its time on searching for the link that is full next. Yet from one solution to the next
// the order hardly changes, and an order is easily checked: it is right if the share of each link, once those before it have
// theirs, is not below their levels, and if in the end no link has a rest or is overused. For then a class has the level of
// the first of its links, that link is full, and no class on it has more: these are the max-min fair rates, and found by the
// arithmetic of progressive filling. So the links are taken in the order of last time. One whose share turns out to be below
// the level reached goes back to the first place at which it was below that of the link there, and so does one that is left
// over; filling goes on from there, the state of each place having been kept. This lowers the level of a place and changes none
// before it, so it ends. It begins at the first place that the changes of weights make different.
//
// It gives up, and reports so, if rounding or an order that is wrong everywhere make it take long.
func (n *Network) refill() (low int, ok bool) {
	k := n.rewind()
	low = k
	known, share := int32(none), 0.0 // a link whose share at place k is known
	for steps := 8 * (n.racks + 8); steps > 0; steps-- {
		level := 0.0
		if k > 0 {
			level = n.at[k-1]
		}
		if k == len(n.order) {
			l, j := n.leftover(k)
			if l == none {
				return low, true
			}
			n.insert(l, j)
			n.truncate(j)
			k, low = j, min(low, j)
			if j < len(n.order)-1 {
				continue
			}
		}
		l := n.order[k]
		x := share
		if l != known {
			m := n.loadAt(l, k)
			if !(m.rest > 0) {
				n.unrank(k)
				continue
			}
			x = n.shareOf(l, m)
		}
		known = none
		if float64(x*tie) < level {
			if j := n.placeOf(l, k); j < k {
				copy(n.order[j+1:k+1], n.order[j:k])
				n.order[j] = l
				n.truncate(j)
				k, low = j, min(low, j)
				continue
			}
		}
		if k+1 < len(n.order) && x > level {
			p := n.order[k+1]
			y := n.shareOf(p, n.loadAt(p, k))
			if y < x {
				n.order[k], n.order[k+1] = p, l
				known, share = p, y
				continue
			}
			// What l gets changes nothing at links of its own side.
			if y < inf && (int(l) < n.racks) == (int(p) < n.racks) {
				known, share = p, y
			}
		}
		if x > float64(level*tie) {
			level = x
		}
		n.at[k] = level
		n.fix(l, k, level)
		k++
	}
	return low, false
}

// leftover returns a link that has no place although it is full once those of all k places are, and its place; none: there is none.
func (n *Network) leftover(k int) (link int32, place int) {
	link = none
	least, r := inf, n.racks
	for side := range 2 {
		full := n.full[1][:k-int(n.outs[k])]
		if side == 1 {
			full = n.full[0][:n.outs[k]]
		}
		for w := range n.words {
			for set := n.inUse[side*n.words+w] &^ n.ranked[side*n.words+w]; set != 0; set &= set - 1 {
				l := int32(side*r + w<<6 + bits.TrailingZeros64(set))
				m := carried(full, n.cell[int(l)*r:int(l)*r+r], n.weight[l])
				if m.rest > 0 {
					if x := n.shareOf(l, &m); x < least {
						link, least, place = l, x, k
					}
				} else if m.used > n.capacity[l] && n.loadAt(l, k).used > float64(n.capacity[l]*tie) {
					if j := n.placeOf(l, k); j < k {
						return l, j
					}
				}
			}
		}
	}
	if link != none && k > 0 && float64(least*tie) < n.at[k-1] {
		place = n.placeOf(link, k)
	}
	return link, place
}

// carried returns the state of a link of that weight with these cells, when these links are full, its used to within rounding.
func carried(links []full, cells []float64, weight float64) load {
	a, b, v, w := 0.0, 0.0, weight, 0.0
	for ; len(links) >= 2; links = links[2:] {
		x, y := cells[links[0].rack], cells[links[1].rack]
		a += float64(x * links[0].level)
		b += float64(y * links[1].level)
		v -= x
		w -= y
	}
	if len(links) > 0 {
		x := cells[links[0].rack]
		a += float64(x * links[0].level)
		v -= x
	}
	return load{used: a + b, rest: v + w}
}

// fix gives what is left on the link at place k the level x.
func (n *Network) fix(l int32, k int, x float64) {
	out := n.outs[k]
	if int(l) < n.racks {
		n.full[0][out] = full{l, x}
		n.outs[k+1] = out + 1
		return
	}
	n.full[1][int32(k)-out] = full{l - int32(n.racks), x}
	n.outs[k+1] = out
}

// adopt makes the levels from place low on those in use, and lets classes ride on the links that hold them now.
func (n *Network) adopt(low int) {
	n.round++
	n.fixed = 0
	r, words := n.racks, n.words
	if n.filled {
		n.filled = false
		for l, x := range n.level {
			if x < inf && !n.isRanked(int32(l)) {
				n.dropped = append(n.dropped, int32(l))
			}
		}
	}
	for i, set := range n.ranked {
		n.open[i] = ^set
	}
	for k := len(n.order) - 1; k >= low; k-- {
		l := n.order[k]
		n.rank[l] = int32(k)
		other, open := r, n.open[words:]
		if int(l) >= r {
			other, open = 0, n.open
		}
		peers, drives := n.peers[int(l)*words:(int(l)+1)*words], n.drives[int(l)*words:(int(l)+1)*words]
		for w, set := range peers {
			set &= open[w]
			gained := set &^ drives[w]
			drives[w] = set
			for ; gained != 0; gained &= gained - 1 {
				n.redirect(l, int32(other+w<<6+bits.TrailingZeros64(gained)), l)
			}
		}
		n.open[n.bit(int(l))>>6] |= 1 << (n.bit(int(l)) & 63)
	}
	for _, l := range n.dropped {
		if !n.isRanked(l) {
			n.rank[l] = unranked
			clear(n.drives[int(l)*words : (int(l)+1)*words])
		}
	}
	n.assign()
	for k := low; k < len(n.order); k++ {
		if l := n.order[k]; n.at[k] != n.level[l] {
			n.refresh(l)
			n.level[l] = n.at[k]
			n.arrive(l)
		}
	}
	for _, l := range n.dropped {
		if !n.isRanked(l) {
			n.refresh(l)
			n.level[l] = inf
			n.arrive(l)
		}
	}
	n.dropped = n.dropped[:0]
}
