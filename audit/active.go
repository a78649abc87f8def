package audit

import (
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/tree"
)

// active is the part of the tree that counts now: the leaves with a demand, those whose window of
// the worst debt does not rest, and the nodes above them. No other node is entitled to anything,
// uses anything or changes the share of another, and its account stands still.
type active struct {
	nodes    []int  // ascending
	has      []bool // by node
	parentOf []int  // of the whole tree; nil: all nodes are below the root

	// The tree of the active nodes, by index of nodes.
	laid    bool // for the nodes as they are
	at      []int
	parents []int
	tree    tree.Tree

	// Scratch, by index of nodes:
	claims []aging.Claim
	shares []float64
	kept   []bool
}

// allActive returns the whole tree of n nodes.
func allActive(parents []int, n int) active {
	a := active{nodes: make([]int, n), has: slices.Repeat([]bool{true}, n), parentOf: parents, at: make([]int, n)}
	for i := range a.nodes {
		a.nodes[i] = i
	}
	return a
}

// parent returns the parent of a node, -1 for the root.
func (a *active) parent(i int) int {
	if a.parentOf == nil {
		return -1
	}
	return a.parentOf[i]
}

// add makes a node active, and those above it.
func (a *active) add(i int) {
	for ; i >= 0 && !a.has[i]; i = a.parent(i) {
		k, _ := slices.BinarySearch(a.nodes, i)
		a.nodes = slices.Insert(a.nodes, k, i)
		a.has[i], a.laid = true, false
	}
}

// keep takes the leaves out that need not be told of the next stretch, and the nodes above which
// have no active leaf any more.
func (a *active) keep(need func(leaf int) bool) {
	a.kept = slices.Grow(a.kept[:0], len(a.nodes))[:len(a.nodes)]
	clear(a.kept)
	for _, k := range slices.Backward(a.tree.Order) {
		if len(a.tree.Children(k)) == 0 {
			a.kept[k] = need(a.nodes[k])
		}
		if up := a.parents[k]; up >= 0 && a.kept[k] {
			a.kept[up] = true
		}
	}
	if !slices.Contains(a.kept, false) {
		return
	}
	rest := a.nodes[:0]
	for k, i := range a.nodes {
		if a.has[i] = a.kept[k]; a.has[i] {
			rest = append(rest, i)
		}
	}
	a.nodes, a.laid = rest, false
}

// lay lays out the tree of the active nodes.
func (a *active) lay() {
	if a.laid {
		return
	}
	for k, i := range a.nodes {
		a.at[i] = k
	}
	a.parents = a.parents[:0]
	for _, i := range a.nodes {
		up := a.parent(i)
		if up >= 0 {
			up = a.at[up]
		}
		a.parents = append(a.parents, up)
	}
	a.tree, _, _ = tree.New(len(a.nodes), a.parents)
	a.laid = true
}
