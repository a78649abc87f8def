package precedence

// composite is an inner node of the decomposition tree of a series-parallel order: two orders side
// by side or, in series, all jobs of left before all of right. Nodes 0 to n-1 are the jobs, and
// node n+k is element k of the list.
type composite struct {
	left, right int32
	series      bool
}

// decompose returns the decomposition tree of a series-parallel order (Valdes, Tarjan and Lawler
// [5]): n-1 composites, each after its children, the last of them the root. Which of the equivalent
// trees it is depends on the labels alone. It is nil for a general order, for a graph with implied
// arcs, and for less than two jobs. O(n + e).
func decompose(g *Graph) []composite {
	if g.n < 2 {
		return nil
	}
	head, tail, nodes := rootGraph(g)
	if head == nil {
		return nil
	}
	return newReduction(head, tail, nodes).run()
}

// rootGraph returns the directed multigraph whose edges are the jobs and in which the edge of j
// leaves the node that the edge of i enters exactly when (i, j) is an arc: the job j is the edge
// from head[j] to tail[j]. Node 0 is before all, node 1 after all. Without such a graph the order,
// if reduced, is not series-parallel, and head is nil.
func rootGraph(g *Graph) (head, tail []int32, nodes int) {
	head, tail = make([]int32, g.n), make([]int32, g.n)
	nodes = 2
	for j := range g.n {
		after := g.Succs(j)
		if len(after) == 0 {
			tail[j] = 1
			continue
		}
		if tail[j] != 0 {
			continue
		}
		// The arcs around j must be those of a complete bipartite graph.
		before := g.Preds(int(after[0]))
		for _, i := range before {
			if tail[i] != 0 || len(g.Succs(int(i))) != len(after) {
				return nil, nil, 0
			}
			tail[i] = int32(nodes)
		}
		for _, k := range after {
			if head[k] != 0 || len(g.Preds(int(k))) != len(before) {
				return nil, nil, 0
			}
			head[k] = int32(nodes)
		}
		nodes++
	}
	for j := range g.n {
		for _, k := range g.Succs(j) {
			if head[k] != tail[j] {
				return nil, nil, 0
			}
		}
	}
	return head, tail, nodes
}

// reduction shrinks a root graph to one edge from node 0 to node 1 by joining parallel edges and
// edges in series.
type reduction struct {
	head, tail        []int32
	name              []int32 // of an edge: its node in the tree
	firstOut, firstIn []int32 // of a node: an edge, or -1
	// out, in: of an edge: the next and the previous edge in the list of its head, and in that of
	// its tail
	out, in [2][]int32
	todo    []int32 // nodes to look at
	listed  []bool
	tree    []composite
}

func newReduction(head, tail []int32, nodes int) *reduction {
	n := len(head)
	list := func(k int) []int32 { return make([]int32, k) }
	r := &reduction{head: head, tail: tail, name: list(n), firstOut: list(nodes), firstIn: list(nodes),
		out: [2][]int32{list(n), list(n)}, in: [2][]int32{list(n), list(n)},
		listed: make([]bool, nodes), tree: make([]composite, 0, n-1)}
	for v := range nodes {
		r.firstOut[v], r.firstIn[v] = -1, -1
	}
	for e := n - 1; e >= 0; e-- {
		r.name[e] = int32(e)
		push(&r.out, r.firstOut, head[e], int32(e))
		push(&r.in, r.firstIn, tail[e], int32(e))
	}
	for v := nodes - 1; v >= 2; v-- {
		r.list(int32(v))
	}
	return r
}

func push(links *[2][]int32, first []int32, v, e int32) {
	f := first[v]
	links[0][e], links[1][e] = f, -1
	if f >= 0 {
		links[1][f] = e
	}
	first[v] = e
}

func unlink(links *[2][]int32, first []int32, v, e int32) {
	next, prev := links[0][e], links[1][e]
	if prev >= 0 {
		links[0][prev] = next
	} else {
		first[v] = next
	}
	if next >= 0 {
		links[1][next] = prev
	}
}

func (r *reduction) list(v int32) {
	if v >= 2 && !r.listed[v] {
		r.listed[v] = true
		r.todo = append(r.todo, v)
	}
}

func (r *reduction) join(left, right int32, series bool) int32 {
	r.tree = append(r.tree, composite{left, right, series})
	return int32(len(r.name) + len(r.tree) - 1)
}

// parallel joins the first edges of v's list for as long as the first two have both ends in common,
// and reports whether one is left alone. Looking at two suffices: with two neighbours v cannot
// vanish, and whoever changes one of them lists v again.
func (r *reduction) parallel(v int32, links *[2][]int32, first, otherEnd []int32) bool {
	for {
		e := first[v]
		f := links[0][e]
		if f < 0 {
			return true
		}
		if otherEnd[e] != otherEnd[f] {
			return false
		}
		r.name[e] = r.join(r.name[e], r.name[f], false)
		unlink(&r.out, r.firstOut, r.head[f], f)
		unlink(&r.in, r.firstIn, r.tail[f], f)
	}
}

// run returns the tree, or nil if the graph does not shrink to one edge. Each look at a node costs
// O(1) and what it joins, and each join in series lists two nodes: O(n) together.
func (r *reduction) run() []composite {
	for len(r.todo) > 0 {
		v := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		r.listed[v] = false
		if r.firstIn[v] < 0 {
			continue // already gone
		}
		single := r.parallel(v, &r.in, r.firstIn, r.head)
		if !r.parallel(v, &r.out, r.firstOut, r.tail) || !single {
			continue
		}
		e, f := r.firstIn[v], r.firstOut[v]
		r.name[e] = r.join(r.name[e], r.name[f], true)
		r.firstIn[v], r.firstOut[v] = -1, -1
		w := r.tail[f]
		unlink(&r.in, r.firstIn, w, f)
		r.tail[e] = w
		push(&r.in, r.firstIn, w, e)
		r.list(r.head[e])
		r.list(w)
	}
	// All that may be left is a bundle of edges from node 0 to node 1.
	if !r.parallel(0, &r.out, r.firstOut, r.tail) || len(r.tree) != len(r.name)-1 {
		return nil
	}
	return r.tree
}
