package flow

// gates holds ports: links of single nodes, which flows may pass beside those of racks.
type gates struct {
	ports []port
	busy  []int32 // ports with weight
	queue []turn  // while links fill: a heap of those that are not full
}

type turn struct {
	share float64
	port  int32
}

type port struct {
	capacity float64
	weight   float64   // of active classes
	inside   float64   // of those inside the rack
	in       int32     // the rack's link
	members  []limited // these, by cell
	used     float64   // while links fill: by classes whose links are full
	rest     float64   // weight of the others
	place    int32     // in busy
}

// Ports gives the network ports, bytes per second > 0, +Inf for no limit. Before the first Open.
func (n *Network) Ports(capacity []float64) {
	n.ports = make([]port, len(capacity))
	for i, c := range capacity {
		n.ports[i].capacity = c
	}
}

// crowd adds w to the weight on a port.
func (n *Network) crowd(i int32, w float64) {
	p := &n.ports[i]
	if p.weight == 0 {
		p.place = int32(len(n.busy))
		n.busy = append(n.busy, i)
	}
	if p.weight += w; p.weight == 0 {
		last := len(n.busy) - 1
		n.busy[p.place] = n.busy[last]
		n.ports[n.busy[p.place]].place = p.place
		n.busy = n.busy[:last]
	}
}

// openPorts empties the ports, before links fill.
func (n *Network) openPorts() {
	n.queue = n.queue[:0]
	for _, i := range n.busy {
		p := &n.ports[i]
		p.used, p.rest = 0, p.weight
		n.queue = append(n.queue, turn{p.share(), i})
	}
	for i := len(n.queue)/2 - 1; i >= 0; i-- {
		n.sink(i)
	}
}

func (p *port) share() float64 {
	m := meter{p.capacity, p.used, p.rest}
	return m.share()
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

// leastPort returns the port with the least share, and that, if it is not above low. Shares in the queue are bounds from below: what
// links that are full give a port's classes is counted when it is its turn.
func (n *Network) leastPort(low float64) (port int32, share float64) {
	for len(n.queue) > 0 && n.queue[0].share <= low {
		top := &n.queue[0]
		x := inf
		if g := &n.ports[top.port]; g.rest > 0 && (g.inside > 0 || n.found[g.in] == inf) {
			n.reckon(g)
			x = g.share()
		}
		switch {
		case x == inf:
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

// reckon finds what full links leave of a port.
func (n *Network) reckon(g *port) {
	g.used, g.rest = 0, g.inside
	for _, m := range g.members {
		if p := &n.paces[m.slot]; n.classes[m.slot].kind == shared {
			if x := lesser(n.found[p.out], n.found[p.in]); x < inf {
				g.used += float64(p.weight * x)
			} else {
				g.rest += p.weight
			}
		}
	}
}

// fixPort fixes at level what is left on a port: classes none of whose links is full.
func (n *Network) fixPort(i int32, level float64) {
	g := &n.ports[i]
	g.rest = 0
	for _, m := range g.members {
		p := &n.paces[m.slot]
		if n.classes[m.slot].kind == shared {
			if n.found[p.out] < inf || n.found[p.in] < inf {
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
		p.fixed = n.round
		if p.driver != none || p.rate != level {
			n.runFree(m.slot, level)
		}
	}
}
