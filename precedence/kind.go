package precedence

import "github.com/schedmath/schedmath/internal/enum"

// Kind is the narrowest class of orders, of those that the solvers of this package tell apart, to
// which a graph belongs. The classes are nested: chains are both out- and in-forests, and all but
// KindGeneral are series-parallel.
type Kind uint8

const (
	KindIndependent Kind = iota // no arcs
	KindChains                  // at most one predecessor and one successor each
	KindOutForest               // at most one predecessor each
	KindInForest                // at most one successor each
	// KindSeriesParallel: made from single jobs by putting orders one after the other or side by
	// side
	KindSeriesParallel
	KindGeneral // all others
)

// String returns the name in lower case: "independent", "chains", "out-forest", "in-forest",
// "series-parallel" or "general", and "Kind(7)" for what is none of them.
func (k Kind) String() string {
	return enum.Name(k, "Kind", "independent", "chains", "out-forest", "in-forest", "series-parallel", "general")
}

// Kind returns the class of the order, whatever implied arcs the graph has beside those of its
// transitive reduction. A nil graph and one without jobs are independent.
//
// Cost O(n + e) for a reduced graph and for any that is series-parallel without implied arcs;
// otherwise that of Reduce.
func (g *Graph) Kind() Kind {
	if k := g.kindByDegree(); k != KindGeneral {
		return k
	}
	if decompose(g) != nil {
		return KindSeriesParallel
	}
	if g.isReduced {
		return KindGeneral
	}
	r := g.Reduce()
	if k := r.kindByDegree(); k != KindGeneral {
		return k
	}
	if decompose(r) != nil {
		return KindSeriesParallel
	}
	return KindGeneral
}

// kindByDegree tells forests by their degrees and calls everything else general. A graph that it
// calls a forest is reduced.
func (g *Graph) kindByDegree() Kind {
	in, out := g.degrees()
	switch {
	case in == 0:
		return KindIndependent
	case in == 1 && out == 1:
		return KindChains
	case in == 1:
		return KindOutForest
	case out == 1:
		return KindInForest
	}
	return KindGeneral
}
