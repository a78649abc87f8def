package flow

import "math"

// ranks holds the order in which links get full if no class has a unit, and the state of filling at each place of it.
type ranks struct {
	order   []int32   // links that get full
	at      []float64 // per place: the level of that link; never falling
	outs    []int32   // per place: how many egress links come before it
	rank    []int32   // per link: its place, or unranked
	ranked  []uint64  // sets of egress and of ingress links in order
	full    [2][]full // egress and ingress links in order, with their levels
	loads   []load    // per link: after 0, 1, ... links of the other side in order got full, R + 1 places
	known   []int32   // per link: how many of these are known, but for the first
	dropped []int32   // links that lost their place
	changes []change  // cells that have changed since
	fresh   bool      // the states are void
	filled  bool      // levels in use have been found by fill
}

// load is the state of a link while links fill.
type load struct {
	used float64 // by what passes full links
	rest float64 // weight of the others
}

// full is a link that is full at a level, without its side.
type full struct {
	rack  int32
	level float64
}

// change says that the weight of a cell has grown by w.
type change struct {
	out, in int32
	w       float64
}

const (
	unranked    = math.MaxInt32
	manyChanges = 8 // from here on it is cheaper to begin at the first place
)

func (k *ranks) init(racks int) {
	k.rank = make([]int32, 2*racks)
	for l := range k.rank {
		k.rank[l] = unranked
	}
	k.outs = make([]int32, 2*racks+1)
	k.at = make([]float64, 2*racks)
	k.ranked = make([]uint64, 2*((racks+63)/64))
	k.full = [2][]full{make([]full, racks), make([]full, racks)}
	k.loads, k.known = make([]load, 2*racks*(racks+1)), make([]int32, 2*racks)
	k.fresh = true
}

// changed notes that the weight of a cell has changed.
func (k *ranks) changed(out, in int32, w float64) {
	if len(k.changes) < manyChanges {
		k.changes = append(k.changes, change{out, in, w})
	} else {
		k.fresh = true
	}
}

// forget makes nothing of the last solution be of use to the next.
func (n *Network) forget() {
	for _, l := range n.order {
		n.rank[l] = unranked
	}
	clear(n.ranked)
	n.order, n.changes = n.order[:0], n.changes[:0]
	n.fresh, n.filled = true, true
}

// rewind returns the first place at which weights that have changed make a difference, all before it being as it was.
func (n *Network) rewind() int {
	if n.fresh {
		n.fresh, n.changes = false, n.changes[:0]
		for l, w := range n.weight {
			n.loads[l*(n.racks+1)], n.known[l] = load{rest: w}, 0
		}
		return 0
	}
	k := len(n.order)
	for _, c := range n.changes {
		k = min(k, int(n.rank[c.out]), int(n.rank[c.in]))
	}
	n.truncate(k)
	for _, c := range n.changes {
		for _, l := range [2]int32{c.out, c.in} {
			at := int(l) * (n.racks + 1)
			loads := n.loads[at : at+int(n.known[l])+1]
			for i := range loads {
				loads[i].rest += c.w
			}
		}
	}
	// A link that has gained weight may be full earlier.
	for _, c := range n.changes {
		if c.w > 0 {
			k = n.promote(c.out, k)
			k = n.promote(c.in, k)
		}
	}
	n.changes = n.changes[:0]
	n.truncate(k)
	return k
}

// promote gives link l, whose place is not below k, an earlier one if it is full before place k, and returns that or k.
func (n *Network) promote(l int32, k int) int {
	if k == 0 || !(n.loadAt(l, k).rest > 0) {
		return k
	}
	j := n.placeOf(l, k)
	if j == k {
		return k
	}
	if !n.isRanked(l) {
		n.insert(l, j)
		return j
	}
	i := k
	for n.order[i] != l {
		i++
	}
	copy(n.order[j+1:i+1], n.order[j:i])
	n.order[j] = l
	return j
}

// insert puts l, which has no place, at place k.
func (n *Network) insert(l int32, k int) {
	n.order = append(n.order, 0)
	copy(n.order[k+1:], n.order[k:])
	n.order[k] = l
	n.ranked[n.bit(int(l))>>6] |= 1 << (n.bit(int(l)) & 63)
}

// unrank takes away the link at place k.
func (n *Network) unrank(k int) {
	l := n.order[k]
	n.dropped = append(n.dropped, l)
	n.ranked[n.bit(int(l))>>6] &^= 1 << (n.bit(int(l)) & 63)
	n.order = append(n.order[:k], n.order[k+1:]...)
}

// placeOf returns the first place at which link l, which is below the level before place k, has less than the link there; k if
// that is so by rounding only.
func (n *Network) placeOf(l int32, k int) int {
	j := k
	for ; j > 0; j-- {
		if m := n.loadAt(l, j-1); m.rest > 0 && float64(n.shareOf(l, m)*tie) >= n.at[j-1] {
			break
		}
	}
	if j == k {
		return k
	}
	x := n.shareOf(l, n.loadAt(l, j))
	if j > 0 {
		x = later(x, n.at[j-1])
	}
	if float64(x*tie) < n.at[j] {
		return j
	}
	return k
}

// isRanked reports whether link l has a place.
func (n *Network) isRanked(l int32) bool {
	b := n.bit(int(l))
	return n.ranked[b>>6]>>(b&63)&1 != 0
}

// truncate forgets what links carry after place k.
func (n *Network) truncate(k int) {
	out := n.outs[k]
	in := int32(k) - out
	known := n.known[:n.racks]
	for i, x := range known {
		known[i] = min(x, in)
	}
	known = n.known[n.racks:]
	for i, x := range known {
		known[i] = min(x, out)
	}
}

// loadAt returns the state of link l when the links before place k are full.
func (n *Network) loadAt(l int32, k int) *load {
	i, other := n.outs[k], 0
	if int(l) < n.racks {
		i, other = int32(k)-i, 1
	}
	at := int(l)*(n.racks+1) + int(i)
	if n.known[l] < i {
		n.follows(l, i, other)
	}
	return &n.loads[at]
}

// follows finds the states of link l up to that after i links of the other side.
func (n *Network) follows(l, i int32, other int) {
	from := n.known[l]
	n.known[l] = i
	links := n.full[other][from:i]
	at := int(l)*(n.racks+1) + int(from)
	loads := n.loads[at : at+len(links)+1]
	cells := n.cell[int(l)*n.racks:][:n.racks]
	m := loads[0]
	loads = loads[1:][:len(links)]
	for i, f := range links {
		w := cells[f.rack]
		m.used += float64(w * f.level)
		m.rest -= w
		loads[i] = m
	}
}

// shareOf returns what the rest on link l can get per unit of weight.
func (n *Network) shareOf(l int32, m *load) float64 {
	if !(m.rest > 0) {
		return inf
	}
	if free := n.capacity[l] - m.used; free > 0 {
		return free / m.rest
	}
	return 0
}
