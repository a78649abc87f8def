package kdtree

import (
	"math"
	"slices"
)

// Neighbour is a point found by a query.
type Neighbour struct {
	Index int     // which point, as New numbered it
	Dist2 float64 // squared distance from the query
}

// Nearest appends to dst the k points nearest to query, or all if there are fewer, leaving out the point with index skip (-1 leaves
// out none). Of points at the same distance those with lower indices come first. The last neighbour appended is the farthest (of
// equally far ones the one with the highest index); the others are in no useful order, but the same in every call.
//
// Candidates gather in dst behind its elements. When 2k have come together a quickselect keeps the nearest k, and the farthest of
// them bounds the search from then on. Nothing is allocated if dst has room for Room(k) more.
//
// Expected cost O(log n + k) for points spread evenly in few dimensions, O(n) at worst. Equal points cost no more than others: a
// subtree whose box is as far as the bound is entered only if it holds a lower index.
func (t *Tree) Nearest(dst []Neighbour, query []float64, k, skip int) []Neighbour {
	k = min(k, len(t.ids))
	if k <= 0 {
		return dst
	}
	s := search{tree: t, query: query, skip: skip, found: slices.Grow(dst, t.Room(k)), base: len(dst), k: k, room: max(2*k, least), bound: Neighbour{math.MaxInt, math.Inf(1)}}
	s.visit(0, 0, len(t.ids))
	if len(s.found)-s.base > k {
		s.shrink()
	} else if n := len(s.found) - s.base; n > 0 {
		quickselect(s.found[s.base:], n-1)
	}
	return s.found
}

// least is the least number of candidates that Nearest gathers before it selects.
const least = 32

// Room returns how much room behind dst a call of Nearest for k points uses: 2k, but at least 32 and at most the number of points.
func (t *Tree) Room(k int) int { return min(max(2*k, least), len(t.ids)) }

// Within appends to dst the points whose squared distance from query is at most dist2, leaving out the point with index skip (-1
// leaves out none), in no useful order, but the same in every call. Cost as for Nearest with as many points.
func (t *Tree) Within(dst []Neighbour, query []float64, dist2 float64, skip int) []Neighbour {
	if len(t.ids) == 0 {
		return dst
	}
	s := search{tree: t, query: query, skip: skip, found: dst, base: len(dst), room: math.MaxInt, bound: Neighbour{math.MaxInt, dist2}}
	s.visit(0, 0, len(t.ids))
	return s.found
}

// search is one query on its way through the tree.
type search struct {
	tree  *Tree
	query []float64
	skip  int
	found []Neighbour // candidates from base on
	base  int
	k     int
	room  int       // number of candidates at which all but the nearest k are dropped
	bound Neighbour // no candidate behind it is wanted
}

// visit adds the candidates among points from to to-1, which are those of the node.
func (s *search) visit(node, from, to int) {
	t := s.tree
	if node >= t.leaf {
		s.scan(from, to)
		return
	}
	half := from + (to-from+1)/2
	cut := t.cuts[node]
	if s.query[cut.axis] <= cut.at {
		s.visit(2*node+1, from, half)
		if b := 2*node + 2; !before(s.bound, Neighbour{t.first[b], t.distance(b, s.query)}) {
			s.visit(b, half, to)
		}
	} else {
		s.visit(2*node+2, half, to)
		if a := 2*node + 1; !before(s.bound, Neighbour{t.first[a], t.distance(a, s.query)}) {
			s.visit(a, from, half)
		}
	}
}

// distance returns the squared distance of query from the box of the node. It adds up as scan does, and rounding is monotonic, so
// that it is at most the squared distance that scan finds for a point of the node.
func (t *Tree) distance(node int, query []float64) float64 {
	box := t.boxes[node*2*t.dim:][:2*t.dim]
	sum := 0.0
	for j, x := range query {
		d := max(box[2*j]-x, x-box[2*j+1], 0)
		sum += float64(d * d)
	}
	return sum
}

// scan adds the candidates among points from to to-1, which are those of a leaf.
func (s *search) scan(from, to int) {
	ids := s.tree.ids[from:to]
	columns := s.tree.points[from*s.tree.dim:]
	var memory [bucket]float64
	sums := memory[:len(ids)]
	for _, x := range s.query {
		column := columns[:len(sums)]
		for i, y := range column {
			d := x - y
			sums[i] += float64(d * d)
		}
		columns = columns[len(sums):]
	}
	for i, sum := range sums {
		id := ids[i]
		if sum > s.bound.Dist2 || sum == s.bound.Dist2 && id > s.bound.Index || id == s.skip {
			continue
		}
		s.found = append(s.found, Neighbour{id, sum})
		if len(s.found)-s.base == s.room {
			s.shrink()
		}
	}
}

// shrink drops all candidates but the nearest k.
func (s *search) shrink() {
	found := s.found[s.base:]
	quickselect(found, s.k-1)
	s.bound = found[s.k-1]
	s.found = s.found[:s.base+s.k]
}
