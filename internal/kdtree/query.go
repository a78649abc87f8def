package kdtree

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/orderstat"
)

// Neighbour is a point found by a query: its Index as New numbered it, and as Key its squared
// distance from the query.
type Neighbour = orderstat.Item[float64]

// Nearest appends to dst the k points nearest to query, or all if there are fewer, leaving out
// the point with index skip (-1 leaves out none). Of points at the same distance those with lower
// indices come first. The last neighbour appended is the farthest (of equally far ones the one with
// the highest index); the others are in no useful order, but the same in every call.
//
// Nothing is allocated if dst has room for 2k more, or for all points if they are fewer.
//
// Expected cost O(log n + k) for points spread evenly in few dimensions, O(n) at worst. Equal
// points cost no more than others: a subtree whose box is as far as the farthest of k is entered
// only if it holds a lower index.
func (t *Tree) Nearest(dst []Neighbour, query []float64, k, skip int) []Neighbour {
	k = min(k, len(t.ids))
	if k <= 0 {
		return dst
	}
	s := search{tree: t, query: query, skip: skip, found: slices.Grow(dst, min(2*k, len(t.ids))), base: len(dst), k: k, bound: Neighbour{Index: math.MaxInt, Key: math.Inf(1)}}
	s.visit(0, 0, len(t.ids))
	if n := len(s.found) - s.base; n > 0 {
		s.k = min(k, n)
		s.cut()
	}
	return s.found
}

// Within appends to dst the points whose squared distance from query is at most dist2, leaving out
// the point with index skip (-1 leaves out none), in no useful order, but the same in every call.
// Cost as for Nearest with as many points.
func (t *Tree) Within(dst []Neighbour, query []float64, dist2 float64, skip int) []Neighbour {
	if len(t.ids) == 0 {
		return dst
	}
	s := search{tree: t, query: query, skip: skip, found: dst, base: len(dst), k: math.MaxInt / 2, bound: Neighbour{Index: math.MaxInt, Key: dist2}}
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
	k     int       // the number wanted
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
	left, right := s.tree.distance(2*node+1, s.query), s.tree.distance(2*node+2, s.query)
	if left <= right && s.wants(2*node+1, left) {
		s.visit(2*node+1, from, half)
	}
	if s.wants(2*node+2, right) {
		s.visit(2*node+2, half, to)
	}
	if left > right && s.wants(2*node+1, left) {
		s.visit(2*node+1, from, half)
	}
}

// wants reports whether a node whose box is at a squared distance may hold candidates.
func (s *search) wants(node int, dist2 float64) bool {
	return !orderstat.Before(s.bound, Neighbour{Index: s.tree.first[node], Key: dist2})
}

// distance returns the squared distance of query from the box of the node. It adds up as scan does,
// and rounding is monotonic, so that it is at most the squared distance that scan finds for a point
// of the node.
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
	query := s.query
	points := s.tree.points[from*s.tree.dim:]
	for _, id := range ids {
		point := points[:len(query)]
		points = points[len(query):]
		sum := 0.0
		for j, x := range query {
			d := x - point[j]
			sum += float64(d * d)
		}
		if sum > s.bound.Key || sum == s.bound.Key && id > s.bound.Index || id == s.skip {
			continue
		}
		s.found = append(s.found, Neighbour{Index: id, Key: sum})
		if len(s.found)-s.base == 2*s.k {
			s.cut()
		}
	}
}

// cut leaves the k nearest of the candidates, the farthest of them last.
func (s *search) cut() {
	orderstat.Select(s.found[s.base:], s.k-1)
	s.found = s.found[:s.base+s.k]
	s.bound = s.found[len(s.found)-1]
}
