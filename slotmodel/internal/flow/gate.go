package flow

// Ports, unlike links of racks, are many, and few of them are full. So links fill as if only those ports were there that are expected to
// get full, and these not before a level that the next one will hardly be below. Both are known from the solutions before, and are
// checked: if no port is overused when its turn has come, or in the end, then each class has the level of a full link or port on which no
// class has more, which is max-min fair. Otherwise links fill again, less being left to guesses.
const (
	margin   = 0.875 // times the level at which a port got full: where it is expected not to be full yet
	patience = 64    // solutions in which a port may be expected in vain
)

// turn says that a port is not full before share is reached.
type turn struct {
	share float64
	port  int32
}

// expect lets port i have its turn from share on.
func (n *Network) expect(i int32, share float64) {
	b := &n.busy[n.ports[i].place]
	b.guess, b.trust = share, patience
}

// openPorts empties the ports, before links fill. If it is to be sure, nothing is left to guesses.
func (n *Network) openPorts(sure bool) {
	for _, c := range n.firm {
		n.held[c] = inf
	}
	n.firm, n.missed, n.queue = n.firm[:0], n.missed[:0], n.queue[:0]
	for i := range n.busy {
		b := &n.busy[i]
		switch {
		case sure:
			n.queue = append(n.queue, turn{b.alone, b.port})
		case b.guess < inf:
			n.queue = append(n.queue, turn{max(b.alone, b.guess), b.port})
		}
	}
	for i := len(n.queue)/2 - 1; i >= 0; i-- {
		n.sink(i)
	}
}

// before orders by share, then by number.
func (a turn) before(b turn) bool { return a.share < b.share || a.share == b.share && a.port < b.port }

// sink moves queue[i] away from the root.
func (n *Network) sink(i int) {
	h := n.queue
	x := h[i]
	for {
		k := 2*i + 1
		if k >= len(h) {
			break
		}
		if k+1 < len(h) && h[k+1].before(h[k]) {
			k++
		}
		if !h[k].before(x) {
			break
		}
		h[i] = h[k]
		i = k
	}
	h[i] = x
}

// leastPort returns the port with the least share, and that, if it is not above low; level is what has been reached. Shares in the queue
// are bounds from below, or expected to be: what full links and other ports give a port's classes is counted when its turn has come.
func (n *Network) leastPort(low, level float64) (port int32, share float64) {
	for len(n.queue) > 0 && n.queue[0].share <= low {
		top := &n.queue[0]
		used, rest := n.reckon(top.port)
		m := meter{n.ports[top.port].capacity, used, rest}
		x := m.share()
		if used+float64(rest*level) > float64(m.capacity*tie) {
			n.missed = append(n.missed, top.port)
		}
		switch {
		case x == inf:
			if b := &n.busy[n.ports[top.port].place]; b.trust > 1 {
				b.trust--
			} else {
				b.guess = inf
			}
			last := len(n.queue) - 1
			n.queue[0] = n.queue[last]
			n.queue = n.queue[:last]
			if last == 0 {
				return none, inf
			}
		case x > top.share:
			top.share = x
		default:
			return top.port, x
		}
		n.sink(0)
	}
	return none, inf
}

// reckon returns what classes that full links or other ports limit use of a port, and the weight of the others.
func (n *Network) reckon(i int32) (used, rest float64) {
	g := &n.ports[i]
	near := n.found[g.link]
	for k := range g.members {
		m := &g.members[k]
		x := n.held[m.slot]
		if m.far != none {
			x = lesser(x, lesser(near, n.found[m.far]))
		}
		if x < inf {
			used += float64(m.weight * x)
		} else {
			rest += m.weight
		}
	}
	return used, rest
}

// fixPort fixes at level what is left on port i, whose turn it is: classes that nothing full limits yet.
func (n *Network) fixPort(i int32, level float64) {
	g := &n.ports[i]
	n.expect(i, float64(level*margin))
	for k := range g.members {
		m := &g.members[k]
		if n.held[m.slot] < inf {
			continue
		}
		p := &n.paces[m.slot]
		if m.far != none {
			if n.found[g.link] < inf || n.found[m.far] < inf {
				continue
			}
			n.exclude(p)
			use := float64(p.weight * level)
			out, in := &n.meters[p.out], &n.meters[p.in]
			out.used += use
			out.rest -= p.weight
			in.used += use
			in.rest -= p.weight
			n.fixed++
		}
		n.held[m.slot] = level
		n.firm = append(n.firm, m.slot)
		p.fixed = n.round
		if p.driver != none || p.rate != level {
			n.runFree(m.slot, level)
		}
	}
	last := len(n.queue) - 1
	n.queue[0] = n.queue[last]
	if n.queue = n.queue[:last]; last > 0 {
		n.sink(0)
	}
}

// guessed reports whether what was expected of ports did no harm: none that had no turn is overused, and the others were not late.
func (n *Network) guessed() bool {
	sides := [2]float64{} // no class that leaves a rack, or enters one, has more
	for l, w := range n.weight {
		if w > 0 {
			sides[l/n.racks] = max(sides[l/n.racks], n.found[l])
		}
	}
	for l, x := range n.found {
		n.most[l] = lesser(x, sides[1-l/n.racks])
	}
	for k := range n.busy {
		b := &n.busy[k]
		if b.guess < inf || b.link != none && n.most[b.link] <= b.alone {
			continue
		}
		if used, rest := n.reckon(b.port); rest > 0 || used > float64(n.ports[b.port].capacity*tie) {
			n.missed = append(n.missed, b.port)
		}
	}
	for _, i := range n.missed {
		n.expect(i, 0)
	}
	return len(n.missed) == 0
}
