package precedence

import (
	"slices"

	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var must = expect.Must

// A Composite is an inner node of a decomposition tree.
type Composite struct {
	Left, Right int32
	Series      bool
}

// Decompose returns the decomposition tree of the order of g, whatever arcs are implied.
func (g *Graph) Decompose() (tree []Composite, ok bool) {
	list := decompose(g.Reduce())
	for _, c := range list {
		tree = append(tree, Composite{c.left, c.right, c.series})
	}
	return tree, list != nil || g.Len() < 2
}

// SidneyBlocks returns the blocks of Sidney's decomposition, each ascending.
func SidneyBlocks(g *Graph, work, weight []float64) ([][]int, error) {
	s, err := newSmith("precedence.SidneyBlocks", g, work, weight)
	if err != nil {
		return nil, err
	}
	s.g = s.g.Reduce()
	d := s.sidney()
	var blocks [][]int
	from := int32(0)
	for _, to := range d.ends {
		b := ints(d.jobs[from:to])
		slices.Sort(b)
		blocks = append(blocks, b)
		from = to
	}
	return blocks, nil
}

// What Solution.Method may be, for the tests.
const (
	MethodSmith        = methodSmith
	MethodSidney       = methodSidney
	MethodDueDates     = methodDueDates
	MethodThresholds   = methodThresholds
	MethodBackward     = methodBackward
	MethodMooreHodgson = methodMooreHodgson
	MethodLawlerMoore  = methodLawlerMoore
	MethodDownSets     = methodDownSets
	MethodSearch       = methodSearch
)

// LatestOf is the inverse of a penalty of this package.
func LatestOf(p Penalty, z float64) float64 {
	var c cost
	c.set(p, true)
	return c.latest(z)
}
