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
			k, low = j, min(low, j)
			if j < len(n.order)-1 {
				continue
			}
		}
		l := n.order[k]
		m := n.loadAt(l, k)
		if n.weight[l] == 0 || !(m.rest > 0) { // fix keeps no state of words without links in use
			n.unrank(k)
			continue
		}
		x := n.shareOf(l, m)
		if float64(x*tie) < level {
			if j := n.placeOf(l, k); j < k {
				copy(n.order[j+1:k+1], n.order[j:k])
				n.order[j] = l
				k, low = j, min(low, j)
				continue
			}
		}
		if k+1 < len(n.order) && x > level {
			p := n.order[k+1]
			if n.shareOf(p, n.loadAt(p, k)) < x {
				n.order[k], n.order[k+1] = p, l
				continue
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
		row := n.rows[0][(k-int(n.outs[k]))*r:]
		if side == 1 {
			row = n.rows[1][int(n.outs[k])*r:]
		}
		for w := range n.words {
			for set := n.inUse[side*n.words+w] &^ n.ranked[side*n.words+w]; set != 0; set &= set - 1 {
				i := w<<6 + bits.TrailingZeros64(set)
				l := int32(side*r + i)
				m := &row[i]
				switch {
				case m.rest > 0:
					if x := n.shareOf(l, m); x < least {
						link, least, place = l, x, k
					}
				case m.used > float64(n.capacity[l]*tie):
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

// fix gives what is left on the link at place k the level x.
func (n *Network) fix(l int32, k int, x float64) {
	r, side, row := n.racks, 0, k-int(n.outs[k])
	n.outs[k+1] = n.outs[k]
	if int(l) < r {
		side, row = 1, int(n.outs[k])
		n.outs[k+1]++
	}
	if len(n.rows[side]) < (row+2)*r {
		n.rows[side] = append(n.rows[side], make([]load, r)...)
	}
	all, rows := n.cell[int(l)*r:int(l)*r+r], n.rows[side][row*r:]
	for k, set := range n.inUse[side*n.words : (side+1)*n.words] {
		if set == 0 {
			continue
		}
		cells := all[k<<6 : min(k<<6+64, r)]
		from := rows[k<<6:][:len(cells)]
		to := rows[r+(k<<6):][:len(cells)]
		for i, w := range cells {
			to[i] = load{used: from[i].used + float64(w*x), rest: from[i].rest - w}
		}
	}
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
