// Package tree lists the children of the nodes of a tree that is given by the parents: packages
// aging and drf share over it.
package tree

import (
	"fmt"
	"slices"
)

// Tree is a tree of nodes 0..n-1 below a root that is node -1.
type Tree struct {
	Order []int // the nodes, each after its parent
	first []int // the children of node i are kids[first[i+1]:first[i+2]]
	kids  []int
}

// New returns the tree of n nodes in which parents[i] is the parent of i; nil puts all below the
// root. It costs O(n). Bad parents give the index of the first, or -1 for all of them, and a
// reason; good ones no reason.
func New(n int, parents []int) (t Tree, bad int, reason string) {
	if parents != nil && len(parents) != n {
		return Tree{}, -1, fmt.Sprintf("%d of them for %d nodes", len(parents), n)
	}
	t = Tree{Order: make([]int, 0, n), first: make([]int, n+3), kids: make([]int, n)}
	parent := func(i int) int {
		if parents == nil {
			return -1
		}
		return parents[i]
	}
	for i := range n {
		p := parent(i)
		if p < -1 || p >= n {
			return Tree{}, i, fmt.Sprintf("%d, want -1 or an index", p)
		}
		t.first[p+3]++
	}
	for k := range n + 1 {
		t.first[k+2] += t.first[k+1]
	}
	for i := range n { // moves first[p+2] from where the children of p begin to where they end
		at := &t.first[parent(i)+2]
		t.kids[*at] = i
		*at++
	}
	t.Order = append(t.Order, t.Children(-1)...)
	for k := 0; k < len(t.Order); k++ {
		t.Order = append(t.Order, t.Children(t.Order[k])...)
	}
	if len(t.Order) < n {
		reached := make([]bool, n)
		for _, i := range t.Order {
			reached[i] = true
		}
		return Tree{}, slices.Index(reached, false), "leads into a cycle"
	}
	return t, 0, ""
}

// Children returns the children of node i, or of the root for -1, in ascending order. The caller
// may sort them otherwise.
func (t *Tree) Children(i int) []int { return t.kids[t.first[i+1]:t.first[i+2]] }
