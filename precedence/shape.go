package precedence

import "github.com/schedmath/schedmath/internal/enum"

// Shape is the narrowest class of orders, of those that the solvers of this package tell apart, to
// which a graph belongs. The classes are nested: chains are both out- and in-forests, and all but
// ShapeGeneral are series-parallel.
type Shape uint8

const (
	ShapeIndependent Shape = iota // no arcs
	ShapeChains                   // at most one predecessor and one successor each
	ShapeOutForest                // at most one predecessor each
	ShapeInForest                 // at most one successor each
	// ShapeSeriesParallel: made from single jobs by putting orders one after the other or side by
	// side
	ShapeSeriesParallel
	ShapeGeneral // all others
)

// String returns the name in lower case, as "out-forest", and "Shape(7)" for what is none.
func (s Shape) String() string {
	return enum.Name(s, "Shape", "independent", "chains", "out-forest", "in-forest", "series-parallel", "general")
}

// MarshalText returns the word of String.
func (s Shape) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Shape returns the class of the order, whatever implied arcs the graph has beside those of its
// transitive reduction.
//
// Cost O(n + e) for a reduced graph and for any that is series-parallel without implied arcs;
// otherwise that of Reduce.
func (g *Graph) Shape() Shape {
	if s := g.shapeByDegree(); s != ShapeGeneral {
		return s
	}
	if decompose(g) != nil {
		return ShapeSeriesParallel
	}
	if r := g.Reduce(); r != g {
		return r.Shape()
	}
	return ShapeGeneral
}

// shapeByDegree tells forests by their degrees and calls everything else general. A graph that it
// calls a forest is reduced.
func (g *Graph) shapeByDegree() Shape {
	in, out := g.degrees()
	switch {
	case in == 0:
		return ShapeIndependent
	case in == 1 && out == 1:
		return ShapeChains
	case in == 1:
		return ShapeOutForest
	case out == 1:
		return ShapeInForest
	}
	return ShapeGeneral
}
