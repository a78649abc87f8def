package knn

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/kdtree"
)

// model is what predictions rest on: the observations that are not held out, scaled, those at equal
// points joined to a site. Its buffers are reused by the next fit.
type model struct {
	options Options
	dim     int
	n       int // observations
	columns []column
	sites   []site
	points  []float64      // of the sites, row-major
	siteOf  []int          // of each observation of the estimator; -1: held out
	values  []float64      // of one coordinate, by observation
	siteAt  map[uint64]int // by the hash of the coordinates
	seed    maphash.Seed
	key     []byte

	yUnit    float64 // power of two, the unit of the greatest |y|
	yLo, yHi float64 // range of y

	tree  *kdtree.Tree // of the sites; nil until queries pay for it
	asked int          // queries since the fit
	near  []kdtree.Neighbour
	dist  []float64 // by site
	marks []uint64  // a bit for each site
	linear
}

// site is the observations at one point.
type site struct {
	count int
	sum   dd.T // of y*yUnit, so exact that an observation can be taken out again
}

// column is the scale of a coordinate: (x*unit - offset) * factor.
type column struct {
	lo, hi               float64 // range
	atLo, atHi           int     // observations at its ends
	unit, offset, factor float64 // unit is a power of two; factor 0: the coordinate does not count
}

// far bounds a scaled query, so that no sum of squares overflows: at that distance all observations
// are equally far.
const far = 0x1p480

func (c *column) scaled(x float64) float64 {
	if c.factor == 0 {
		return 0
	}
	return max(-far, min(far, (x*c.unit-c.offset)*c.factor))
}

// unit returns the power of two that brings x near 1, where squares and sums neither overflow nor
// vanish, as near as float64 allows on the way there and back.
func unit(x float64) float64 {
	_, exp := math.Frexp(x)
	return math.Ldexp(1, -max(-1000, min(1000, exp)))
}

// newColumn returns the scale of the coordinate whose values are xs. The deviation is summed in
// double-double, so that the order of the observations does not decide whether two distances are
// equal.
func newColumn(xs []float64, scaling Scaling) column {
	c := column{lo: slices.Min(xs), hi: slices.Max(xs), factor: 1}
	for _, x := range xs {
		if x == c.lo {
			c.atLo++
		}
		if x == c.hi {
			c.atHi++
		}
	}
	c.unit = unit(max(-c.lo, c.hi))
	if scaling == Unscaled {
		return c
	}
	c.offset = c.lo * c.unit
	width := c.hi*c.unit - c.offset
	if scaling == ZScore {
		var mean, square dd.T
		for _, x := range xs {
			mean = mean.AddFloat(x*c.unit - c.offset)
		}
		mean = mean.Div(float64(len(xs)))
		for _, x := range xs {
			d := x*c.unit - c.offset - mean.Hi
			square = square.AddFloat(float64(d * d))
		}
		width = math.Sqrt(square.Div(float64(len(xs))).Float())
	}
	if c.factor = 0; c.lo < c.hi {
		c.factor = 1 / width
	}
	return c
}

// fit makes the model of the present observations.
func (e *Estimator) fit() {
	m := &e.model
	m.options, m.dim, m.tree, m.asked = e.options, e.dim, nil, 0
	if m.columns == nil {
		m.columns, e.row, e.query = make([]column, e.dim), make([]float64, e.dim), make([]float64, e.dim)
	}
	m.siteOf, m.values = m.siteOf[:0], m.values[:0]
	for i := range e.ys {
		s := -1
		if _, y := e.observation(i); !e.held(i) {
			s, m.values = 0, append(m.values, y)
		}
		m.siteOf = append(m.siteOf, s)
	}
	m.n = len(m.values)
	m.yLo, m.yHi = slices.Min(m.values), slices.Max(m.values)
	m.yUnit = unit(max(-m.yLo, m.yHi))
	most := 0.0
	for j := range m.columns {
		m.values = m.values[:0]
		for i, s := range m.siteOf {
			if x, _ := e.observation(i); s >= 0 {
				m.values = append(m.values, x[j])
			}
		}
		m.columns[j] = newColumn(m.values, m.options.Scaling)
		most = max(most, -m.columns[j].lo, m.columns[j].hi)
	}
	if m.options.Scaling == Unscaled {
		for j := range m.columns {
			m.columns[j].unit = unit(most)
		}
	}
	m.join(e)
}

// join scales the observations and joins those at equal points to sites, in the order in which
// these first occur. Should the hashes of two points be equal, one point may get two sites, which
// only costs time.
func (m *model) join(e *Estimator) {
	m.sites, m.points = m.sites[:0], m.points[:0]
	if m.siteAt == nil {
		m.siteAt, m.seed = map[uint64]int{}, maphash.MakeSeed()
	}
	clear(m.siteAt)
	for i, s := range m.siteOf {
		if s < 0 {
			continue
		}
		x, y := e.observation(i)
		m.key = m.key[:0]
		for j, v := range x {
			e.row[j] = m.columns[j].scaled(v) + 0 // no -0
			m.key = binary.LittleEndian.AppendUint64(m.key, math.Float64bits(e.row[j]))
		}
		hash := maphash.Bytes(m.seed, m.key)
		s, known := m.siteAt[hash]
		if !known || !slices.Equal(m.points[s*m.dim:][:m.dim], e.row) {
			s = len(m.sites)
			m.siteAt[hash] = s
			m.sites = append(m.sites, site{})
			m.points = append(m.points, e.row...)
		}
		m.siteOf[i] = s
		m.sites[s].count++
		m.sites[s].sum = m.sites[s].sum.AddFloat(float64(y * m.yUnit))
	}
}
