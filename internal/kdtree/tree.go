package kdtree

import "github.com/schedmath/schedmath/internal/orderstat"

// bucket is the greatest number of points in a leaf.
const bucket = 16

// Tree is a k-d tree over a fixed set of points. It is immutable: any number of goroutines may
// query it.
//
// Node i has the children 2i+1 and 2i+2, and all leaves are at the same depth, so that a node needs
// no pointers: the points of its subtree are a range of the tree's order that is halved at each
// level.
type Tree struct {
	dim    int
	leaf   int       // number of the first leaf
	points []float64 // coordinates in the tree's order, row-major
	ids    []int     // the caller's index of each point in the tree's order
	boxes  []float64 // for each node and coordinate the least and the greatest value
	first  []int     // for each node the least index in it
}

// New builds a tree over len(points)/dim points, of which point i is points[i*dim : (i+1)*dim]. It
// copies them. dim is at least 1, len(points) a multiple of it, and every coordinate is finite.
//
// A node is split at the median of the coordinate in which it is widest, equal values by index. The
// depth is therefore ceil(log2(n/16)) whatever the points. Cost O(n log n) on average for n points;
// memory n (dim + 1) words and at most n/4 boxes.
func New(points []float64, dim int) *Tree {
	n := len(points) / dim
	t := &Tree{dim: dim, points: make([]float64, len(points)), ids: make([]int, n)}
	for most := n; most > bucket; most = (most + 1) / 2 {
		t.leaf = 2*t.leaf + 1
	}
	t.boxes = make([]float64, (2*t.leaf+1)*2*dim)
	t.first = make([]int, 2*t.leaf+1)
	if n == 0 {
		return t
	}
	order := make([]Neighbour, n)
	for i := range order {
		order[i].Index = i
	}
	t.split(0, 0, points, order)
	return t
}

// split computes box and least index of a node with the points of order, and below them those of
// its children. It brings order into that of the tree.
func (t *Tree) split(node, from int, points []float64, order []Neighbour) {
	dim := t.dim
	box := t.boxes[node*2*dim:][:2*dim]
	first := order[0].Index
	for j := range dim {
		x := points[first*dim+j]
		box[2*j], box[2*j+1] = x, x
	}
	for _, o := range order {
		first = min(first, o.Index)
		for j, x := range points[o.Index*dim:][:dim] {
			if x < box[2*j] {
				box[2*j] = x
			} else if x > box[2*j+1] {
				box[2*j+1] = x
			}
		}
	}
	t.first[node] = first
	if node >= t.leaf {
		for i, o := range order {
			t.ids[from+i] = o.Index
			copy(t.points[(from+i)*dim:], points[o.Index*dim:][:dim])
		}
		return
	}
	axis := 0
	for j := range dim {
		if box[2*j+1]-box[2*j] > box[2*axis+1]-box[2*axis] {
			axis = j
		}
	}
	for i := range order {
		order[i].Key = points[order[i].Index*dim+axis]
	}
	half := (len(order) + 1) / 2
	orderstat.Select(order, half)
	t.split(2*node+1, from, points, order[:half])
	t.split(2*node+2, from+half, points, order[half:])
}
