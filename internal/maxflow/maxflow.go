// Package maxflow finds a maximum flow, and a minimum cut, in networks whose arcs carry any amount:
// nodes send what they have along arcs to nodes that take some of it, as much as can be.
//
// With an arc from each job to its predecessors, what no one takes is the greatest gain of an
// initial set (with each job all its predecessors), where a gain sends and a loss takes. With
// the weight of each job on a left and on a right node, what is taken is the weight that disjoint
// paths need not carry twice (Dilworth).
//
// The flow is found by push and relabel (A. Goldberg, R. Tarjan: A new approach to the maximum-flow
// problem. Journal of the ACM 35(4), 1988): nodes with excess, first in first out, push it towards
// nodes that can still take, with labels that never exceed the distance to such a node. Excess
// that can reach none stays where it is: neither the cut nor the amount needs the second phase,
// which sends it back. O(n^3) for n nodes, near O(n + arcs) as a rule.
package maxflow

import "github.com/schedmath/schedmath/internal/u128"

// A Network is nodes, numbered as they are added, and the flow among them. All amounts together are
// below 2^128. The zero value is empty.
type Network struct {
	begin, to      []int32 // arcs of a node: to[begin[v]:begin[v+1]]; an arc is an index of to
	backBegin      []int32
	back, backArc  []int32 // arcs into a node: from where, and which
	flow           []u128.T
	excess, wanted []u128.T // wanted: what the node can still take
	taken          u128.T
	label, at      []int32 // at: which arc to try next
	active         []int32 // nodes with excess, the first to discharge first
	queue          []int32
	count          []int32 // nodes by label
	relabelled     int
}

// Clear empties the network and keeps its memory.
func (w *Network) Clear() {
	w.begin, w.to, w.excess, w.wanted = w.begin[:0], w.to[:0], w.excess[:0], w.wanted[:0]
}

// Add adds a node that has and takes the given amounts, one of them 0, with arcs to the nodes of
// the list, which may be added later.
func (w *Network) Add(has, takes u128.T, to ...int32) {
	w.begin = append(w.begin, int32(len(w.to)))
	w.to = append(w.to, to...)
	w.excess, w.wanted = append(w.excess, has), append(w.wanted, takes)
}

// resized returns s with n elements, all 0.
func resized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Run sends as much as can be taken, once, and returns how much that is.
func (w *Network) Run() u128.T {
	n := len(w.excess)
	w.begin = append(w.begin, int32(len(w.to)))
	w.taken = u128.T{}
	w.flow = resized(w.flow, len(w.to))
	w.back, w.backArc = resized(w.back, len(w.to)), resized(w.backArc, len(w.to))
	w.label, w.at, w.count = resized(w.label, n), resized(w.at, n), resized(w.count, n+2)
	w.reverse(n)
	w.relabelAll()
	for len(w.active) > 0 {
		v := w.active[0]
		w.active = w.active[1:]
		if w.label[v] < w.none() {
			w.discharge(v)
		}
		if w.relabelled > n {
			w.relabelAll()
		}
	}
	w.relabelAll()
	return w.taken
}

// Stuck says whether, after Run, nothing that node v may have can reach a node that takes more.
// These nodes are the largest set of the greatest surplus, of has over takes, that no arc leaves.
func (w *Network) Stuck(v int) bool { return w.label[v] == w.none() }

// reverse makes the lists of arcs into each node.
func (w *Network) reverse(n int) {
	begin := resized(w.backBegin, n+1)
	for _, v := range w.to {
		begin[v+1]++
	}
	for v := range n {
		begin[v+1] += begin[v]
	}
	for u := range int32(n) {
		for a := w.begin[u]; a < w.begin[u+1]; a++ {
			v := w.to[a]
			w.back[begin[v]], w.backArc[begin[v]] = u, a
			begin[v]++
		}
	}
	copy(begin[1:], begin[:n])
	begin[0] = 0
	w.backBegin = begin
}

// none is the label of the nodes that can reach no node that takes more.
func (w *Network) none() int32 { return int32(len(w.label)) + 1 }

// relabelAll sets each label to the distance to a node that takes more, counted from 1, or to none
// where there is none, and lists the nodes with excess again.
func (w *Network) relabelAll() {
	none := w.none()
	w.relabelled = 0
	queue := w.queue[:0]
	for v := range w.label {
		w.label[v] = none
		if !w.wanted[v].IsZero() {
			w.label[v] = 1
			queue = append(queue, int32(v))
		}
	}
	for k := 0; k < len(queue); k++ {
		v := queue[k]
		d := w.label[v] + 1
		for _, u := range w.back[w.backBegin[v]:w.backBegin[v+1]] {
			if w.label[u] == none {
				w.label[u] = d
				queue = append(queue, u)
			}
		}
		for a := w.begin[v]; a < w.begin[v+1]; a++ {
			if u := w.to[a]; w.label[u] == none && !w.flow[a].IsZero() {
				w.label[u] = d
				queue = append(queue, u)
			}
		}
	}
	w.queue = queue
	clear(w.count)
	w.active = w.active[:0]
	for v, d := range w.label {
		w.at[v] = 0
		w.count[d]++
		if d < none && !w.excess[v].IsZero() {
			w.active = append(w.active, int32(v))
		}
	}
}

// discharge pushes v's excess to neighbours one label below, and raises v's label when there are
// none left.
func (w *Network) discharge(v int32) {
	none := w.none()
	out, in := w.begin[v+1]-w.begin[v], w.backBegin[v+1]-w.backBegin[v]
	for {
		d := w.label[v]
		for ; w.at[v] < out+in; w.at[v]++ {
			if k := w.at[v]; k < out { // along an arc, without limit
				a := w.begin[v] + k
				if u := w.to[a]; w.label[u] == d-1 {
					x := w.excess[v]
					w.flow[a] = w.flow[a].Plus(x)
					w.excess[v] = u128.T{}
					w.receive(u, x)
					return
				}
			} else { // back, as far as that node has pushed to v
				b := w.backBegin[v] + k - out
				a, u := w.backArc[b], w.back[b]
				if f := w.flow[a]; w.label[u] == d-1 && !f.IsZero() {
					x := w.excess[v]
					if f.Less(x) {
						x = f
					}
					w.flow[a] = f.Minus(x)
					w.excess[v] = w.excess[v].Minus(x)
					w.receive(u, x)
					if w.excess[v].IsZero() {
						return
					}
				}
			}
		}
		w.at[v] = 0
		w.relabelled++
		low := none
		for _, u := range w.to[w.begin[v]:w.begin[v+1]] {
			low = min(low, w.label[u]+1)
		}
		for k := w.backBegin[v]; k < w.backBegin[v+1]; k++ {
			if !w.flow[w.backArc[k]].IsZero() {
				low = min(low, w.label[w.back[k]]+1)
			}
		}
		w.count[d]--
		if w.count[d] == 0 && low < none { // no label d left: those above reach nobody
			for u, l := range w.label {
				if l > d && l < none {
					w.count[l]--
					w.label[u] = none
					w.count[none]++
				}
			}
			low = none
		}
		w.label[v] = low
		w.count[low]++
		if low == none {
			return
		}
	}
}

// receive gives x to v, which takes what it can.
func (w *Network) receive(v int32, x u128.T) {
	takes := w.wanted[v]
	if x.Less(takes) {
		takes = x
	}
	w.wanted[v] = w.wanted[v].Minus(takes)
	w.taken = w.taken.Plus(takes)
	if x = x.Minus(takes); x.IsZero() {
		return
	}
	if w.excess[v].IsZero() {
		w.active = append(w.active, v)
	}
	w.excess[v] = w.excess[v].Plus(x)
}
