package flow

import "slices"

// ends are the ports of a flow or class: of rack src, by which it leaves, and of rack dst, by which it enters; none: no port.
type ends struct{ out, in int32 }

var nowhere = ends{none, none}

// empty reports whether there is no port.
func (e ends) empty() bool { return e.out&e.in == none }

// gates holds ports: links of a part of a rack, which flows may pass beside those of racks.
type gates struct {
	ports []port
	busy  []gate // the ports with weight

	// Scratch of fill.
	queue  []turn    // a heap of the ports that are expected to get full
	most   []float64 // per link: what no class that passes it exceeds
	held   []float64 // per slot: x of a class that a port limits; +Inf: none does
	firm   []int32   // these slots
	missed []int32   // ports of which something wrong was expected
}

// A gate is a port in use.
type gate struct {
	alone float64 // its share if nothing else limits its classes
	guess float64 // the level at which it gets full is expected to be above that; +Inf: it is not expected to get full
	port  int32
	link  int32 // the rack's link that all its classes pass; none: some are inside the rack
	trust int32 // for how many solutions more it is expected, without getting full
}

type port struct {
	capacity float64
	weight   float64  // of active classes
	inside   float64  // of those inside the rack
	link     int32    // the rack's link, which the others pass
	place    int32    // in busy
	open     int32    // flows that name it
	members  []member // active classes that pass it, by (cell, other)
}

// A member is a class that passes a port.
type member struct {
	cell, other int32 // the other port that it passes, or none
	slot        int32
	far         int32 // the other rack's link, none inside the rack
	weight      float64
}

// Ports gives the network more ports, bytes per second > 0, +Inf for no limit, and returns the number of the first of them. The first call
// comes before the first Open.
func (n *Network) Ports(capacity ...float64) int {
	first := len(n.ports)
	for _, c := range capacity {
		n.ports = append(n.ports, port{capacity: c})
	}
	if n.most == nil {
		n.most = make([]float64, 2*n.racks)
	}
	return first
}

// Resize gives a port another capacity from now on, in interval mode from the next multiple on. Cost O(1), and a solution is due if something
// flows there; O(flows) if the port gets a limit or loses it while a flow is open that names it.
func (n *Network) Resize(i int, capacity float64) {
	g := &n.ports[i]
	was := g.capacity
	if capacity == was {
		return
	}
	g.capacity = capacity
	if (capacity == inf) != (was == inf) && g.open > 0 {
		n.reroute(int32(i))
	}
	if g.weight > 0 {
		n.weighed(int32(i))
		n.stale = true
	}
}

// reroute moves flows that pass port i to the classes they belong to now.
func (n *Network) reroute(i int32) {
	for f := range n.flows {
		s := &n.flows[f]
		if e := n.endsOf[f]; s.class == none || e.out != i && e.in != i {
			continue
		}
		if n.interval == 0 {
			n.weigh(int32(f), s.weight, s.unit)
		} else if w := &n.waits[f]; w.weight == 0 {
			w.weight, w.unit = s.weight, s.unit
			n.postpone(int32(f))
		}
	}
}

// passed returns the ports that limit flow f.
func (n *Network) passed(f int32) ends {
	e := n.endsOf[f]
	if e.out != none && n.ports[e.out].capacity == inf {
		e.out = none
	}
	if e.in != none && n.ports[e.in].capacity == inf {
		e.in = none
	}
	return e
}

// tally notes that k more flows with these ports are open.
func (n *Network) tally(e ends, k int32) {
	if e.out != none {
		n.ports[e.out].open += k
	}
	if e.in != none {
		n.ports[e.in].open += k
	}
}

// search returns the place in members of the class of a cell and another port.
func (g *port) search(cell, other int32) (at int, ok bool) {
	lo, hi := 0, len(g.members)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if m := &g.members[mid]; m.cell < cell || m.cell == cell && m.other < other {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(g.members) && g.members[lo].cell == cell && g.members[lo].other == other
}

// behind returns the slot of the class of a cell and ports, or none.
func (n *Network) behind(e ends, cell int32) int32 {
	i, other := e.in, e.out
	if i == none {
		i, other = e.out, none
	}
	g := &n.ports[i]
	if at, ok := g.search(cell, other); ok {
		return g.members[at].slot
	}
	return none
}

// attach makes class c a member of its ports.
func (n *Network) attach(c int32) {
	k, p := &n.classes[c], &n.paces[c]
	m := member{cell: k.src*int32(n.racks) + k.dst, slot: c, far: none}
	if i := k.ends.out; i != none {
		if m.other = k.ends.in; k.kind != local {
			m.far = p.in
		}
		n.ports[i].link = p.out
		n.ports[i].insert(m)
	}
	if i := k.ends.in; i != none {
		if m.other = k.ends.out; k.kind != local {
			m.far = p.out
		}
		n.ports[i].link = p.in
		n.ports[i].insert(m)
	}
	for len(n.held) < len(n.classes) {
		n.held = append(n.held, inf)
	}
}

func (g *port) insert(m member) {
	at, _ := g.search(m.cell, m.other)
	g.members = slices.Insert(g.members, at, m)
}

// detach undoes it.
func (n *Network) detach(c int32) {
	k := &n.classes[c]
	cell := k.src*int32(n.racks) + k.dst
	if i := k.ends.out; i != none {
		n.ports[i].remove(cell, k.ends.in)
	}
	if i := k.ends.in; i != none {
		n.ports[i].remove(cell, k.ends.out)
	}
}

func (g *port) remove(cell, other int32) {
	at, _ := g.search(cell, other)
	g.members = slices.Delete(g.members, at, at+1)
}

// crowd adds w to the weight of class c on its ports.
func (n *Network) crowd(c int32, w float64) {
	k := &n.classes[c]
	cell := k.src*int32(n.racks) + k.dst
	if i := k.ends.out; i != none {
		n.burden(i, cell, k.ends.in, w)
	}
	if i := k.ends.in; i != none {
		n.burden(i, cell, k.ends.out, w)
	}
}

// burden adds w to the weight of a member of port i.
func (n *Network) burden(i, cell, other int32, w float64) {
	g := &n.ports[i]
	at, _ := g.search(cell, other)
	m := &g.members[at]
	m.weight += w
	if m.far == none {
		g.inside += w
	}
	if g.weight == 0 {
		g.place = int32(len(n.busy))
		n.busy = append(n.busy, gate{alone: inf, guess: inf, port: i})
	}
	if g.weight += w; g.weight > 0 {
		n.weighed(i)
		return
	}
	last := len(n.busy) - 1
	n.busy[g.place] = n.busy[last]
	n.ports[n.busy[g.place].port].place = g.place
	n.busy = n.busy[:last]
}

// weighed notes that the weight or the capacity of port i has changed. One with less for each than before may be full now.
func (n *Network) weighed(i int32) {
	g := &n.ports[i]
	b, share := &n.busy[g.place], g.capacity/g.weight
	if share < b.alone && b.guess == inf {
		b.guess, b.trust = 0, 1
	}
	if b.alone, b.link = share, g.link; g.inside > 0 {
		b.link = none
	}
}
