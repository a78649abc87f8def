package lof

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"gonum.org/v1/gonum/mat"
)

// Scores appends to dst the local outlier factor of each row of points, by Euclidean distance [B]:
// about 1 for inliers, below 1 in the middle of a dense region, far above 1 for outliers. k >= 1 is
// the number of neighbours, see Neighbours; one above n-1 counts as n-1.
//
// Points that are all equal score 1. Without o.Floor a point with k copies (not under Distinct)
// scores 1, and one of fewer that has it as a neighbour +Inf; so is a score beyond float64.
// Differences below 2^-990 of the largest coordinate may count as 0.
func Scores(dst []float64, points mat.Matrix, k int, o Options) ([]float64, error) {
	const fn = "lof.Scores"
	if err := check(fn, k, o); err != nil {
		return dst, err
	}
	if d, ok := points.(*mat.Dense); points == nil || ok && d == nil {
		return dst, input.Bad(fn, "points", -1, "nil matrix")
	}
	n, dim := points.Dims()
	rows := make([]float64, 0, n*dim)
	for i := range n {
		for j := range dim {
			x := points.At(i, j)
			if !isFinite(x) {
				return dst, input.Bad(fn, "points", i, "column %d is %v, want a finite value", j, x)
			}
			rows = append(rows, x)
		}
	}
	if n == 0 {
		return dst, nil
	}
	dst = slices.Grow(dst, n)[:len(dst)+n]
	c := newCloud(rows, n, dim)
	c.search(k, o.Ties)
	c.score(dst[len(dst)-n:], o.Floor)
	return dst, nil
}

// Scores1D is Scores for finite numbers in any order, by the distance |x - y|: the same to
// rounding, with no difference lost, and faster by a sort. Under ExactK it costs and rounds as
// Scores does. With room in dst it makes four allocations.
func Scores1D(dst, xs []float64, k int, o Options) ([]float64, error) {
	const fn = "lof.Scores1D"
	if err := check(fn, k, o); err != nil {
		return dst, err
	}
	if i := slices.IndexFunc(xs, func(x float64) bool { return !isFinite(x) }); i >= 0 {
		return dst, input.Bad(fn, "xs", i, "%v, want a finite value", xs[i])
	}
	n := len(xs)
	if n == 0 {
		return dst, nil
	}
	dst = slices.Grow(dst, n)[:len(dst)+n]
	c := newCloud(slices.Clone(xs), n, 1)
	if o.Ties == ExactK {
		c.search(k, o.Ties)
	} else {
		c.slide(k, o.Ties)
	}
	c.score(dst[len(dst)-n:], o.Floor)
	return dst, nil
}

// tie is the relative difference up to which a distance counts as equal to the k-distance:
// differences of decimals are rounded, and .3 - .2 is not .2 - .1.
const tie = 0x1p-40

// A cloud is a set of points, scaled. Equal points are one site.
type cloud struct {
	scale
	dim    int
	rows   []float64 // coordinates of the points as the caller numbers them, row-major
	places []place   // points by coordinates, then by index
	sites  []site
	lists  [][]near // the neighbourhood of each site; nil: those of the windows
	buffer []near
}

// A place is one point.
type place struct {
	x     float64 // first coordinate
	index int     // as the caller numbers it
}

// A site is all points with the same coordinates. They have the same k-distance, neighbours and
// score.
type site struct {
	x      float64 // first coordinate
	from   int     // place of its first point
	count  int     // number of its points
	kdist  float64 // k-distance
	lrd    float64 // local reachability density
	lo, hi int     // window: on a line, the first and the last site of the neighbourhood
}

// A near is the points of one site that are neighbours.
type near struct {
	site  int
	count float64
	dist  float64
}

// newCloud takes rows over.
func newCloud(rows []float64, n, dim int) cloud {
	magnitude := 0.0
	for _, x := range rows {
		magnitude = max(magnitude, math.Abs(x))
	}
	c := cloud{scale: scaleOf(magnitude), dim: dim, rows: rows, places: make([]place, n), sites: make([]site, 0, n)}
	for i, x := range rows {
		rows[i] = c.times(x)
	}
	for i := range c.places {
		c.places[i].index = i
		if dim > 0 {
			c.places[i].x = c.row(i)[0]
		}
	}
	slices.SortFunc(c.places, func(a, b place) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return cmp.Or(slices.Compare(c.row(a.index), c.row(b.index)), a.index-b.index)
	})
	for i, p := range c.places {
		if i == 0 || !slices.Equal(c.row(p.index), c.row(c.places[i-1].index)) {
			c.sites = append(c.sites, site{x: p.x, from: i})
		}
		c.sites[len(c.sites)-1].count++
	}
	return c
}

// row returns the coordinates of point i.
func (c *cloud) row(i int) []float64 { return c.rows[i*c.dim:][:c.dim] }

// members returns the points of site u.
func (c *cloud) members(u int) []place { return c.places[c.sites[u].from:][:c.sites[u].count] }

// weight returns how many points of site u count towards k: under Distinct copies of a point do
// not.
func (c *cloud) weight(u int, ties Ties) int {
	if ties == Distinct {
		return 1
	}
	return c.sites[u].count
}

// clip returns the number of neighbours that k counts as.
func (c *cloud) clip(k int, ties Ties) int {
	if ties == Distinct {
		return min(k, len(c.sites)-1)
	}
	return min(k, len(c.places)-1)
}

// near returns the neighbourhood of site u, valid until the next call.
func (c *cloud) near(u int) []near {
	if c.lists != nil {
		return c.lists[u]
	}
	s := &c.sites[u]
	n := s.hi - s.lo + 1
	list := slices.Grow(c.buffer[:0], n)[:n]
	for i := range list {
		o := &c.sites[s.lo+i]
		list[i] = near{s.lo + i, float64(o.count), math.Abs(s.x - o.x)}
	}
	list[u-s.lo].count-- // the point itself
	c.buffer = list
	return list
}

// score stores the score of each point at its index in scores, given the neighbourhoods [B,
// definitions 5 to 7].
func (c *cloud) score(scores []float64, floor float64) {
	least := c.floor(floor)
	for u := range c.sites {
		neighbours, sum := 0.0, 0.0
		for _, o := range c.near(u) {
			neighbours += o.count
			sum += o.count * max(o.dist, c.sites[o.site].kdist, least)
		}
		c.sites[u].lrd = neighbours / sum
		if sum == 0 { // all neighbours are copies of the point, or there are none
			c.sites[u].lrd = math.Inf(1)
		}
	}
	for u := range c.sites {
		score := 1.0
		if lrd := c.sites[u].lrd; !math.IsInf(lrd, 1) {
			neighbours, sum := 0.0, 0.0
			for _, o := range c.near(u) {
				neighbours += o.count
				sum += o.count * c.sites[o.site].lrd
			}
			score = sum / neighbours / lrd
		}
		for _, p := range c.members(u) {
			scores[p.index] = score
		}
	}
}
