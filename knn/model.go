package knn

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/kdtree"
)

// model is what predictions rest on: the observations that are not held out, scaled, those at equal points joined to a site. Its
// buffers are reused by the next fit.
type model struct {
	options Options
	dim     int
	n       int // observations
	columns []column
	sites   []site
	points  []float64      // of the sites, row-major
	siteOf  []int          // of each observation of the estimator; -1: held out
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
	mean, square         dd.T
}

// far bounds a scaled query, so that no sum of squares overflows: at that distance all observations are equally far.
const far = 0x1p480

func (c *column) scaled(x float64) float64 {
	if c.factor == 0 {
		return 0
	}
	return max(-far, min(far, (x*c.unit-c.offset)*c.factor))
}

// unit returns the power of two that brings x near 1, where squares and sums neither overflow nor vanish, as near as float64 allows on
// the way there and back.
func unit(x float64) float64 {
	_, exp := math.Frexp(x)
	return math.Ldexp(1, -max(-1000, min(1000, exp)))
}

// fit makes the model of the present observations.
func (e *Estimator) fit() {
	m := &e.model
	m.options, m.dim, m.n, m.tree, m.asked = e.options, e.dim, 0, nil, 0
	if m.columns == nil {
		m.columns, e.row, e.query = make([]column, e.dim), make([]float64, e.dim), make([]float64, e.dim)
	}
	m.siteOf = m.siteOf[:0]
	for i := range e.ys {
		held := -1
		if !e.held(i) {
			held = 0
			m.n++
		}
		m.siteOf = append(m.siteOf, held)
	}
	m.findRange(e)
	if m.options.Scaling == ZScore {
		m.findDeviation(e)
	}
	m.join(e)
}

// findRange sets the range of each column and y, and all of a scale but the standard deviation.
func (m *model) findRange(e *Estimator) {
	for j := range m.columns {
		m.columns[j] = column{lo: math.Inf(1), hi: math.Inf(-1), factor: 1}
	}
	m.yLo, m.yHi = math.Inf(1), math.Inf(-1)
	for i, s := range m.siteOf {
		if s < 0 {
			continue
		}
		x, y := e.observation(i)
		m.yLo, m.yHi = min(m.yLo, y), max(m.yHi, y)
		for j, v := range x {
			c := &m.columns[j]
			if v < c.lo {
				c.lo, c.atLo = v, 0
			}
			if v > c.hi {
				c.hi, c.atHi = v, 0
			}
			if v == c.lo {
				c.atLo++
			}
			if v == c.hi {
				c.atHi++
			}
		}
	}
	m.yUnit = unit(max(-m.yLo, m.yHi))
	most := 0.0
	for j := range m.columns {
		c := &m.columns[j]
		most = max(most, -c.lo, c.hi)
		c.unit = unit(max(-c.lo, c.hi))
		if m.options.Scaling == Unscaled {
			continue
		}
		c.offset = c.lo * c.unit
		if c.factor = 0; c.lo < c.hi {
			c.factor = 1 / (c.hi*c.unit - c.offset)
		}
	}
	if m.options.Scaling == Unscaled {
		for j := range m.columns {
			m.columns[j].unit = unit(most)
		}
	}
}

// findDeviation makes each factor the inverse of the standard deviation. Sums are in double-double, so that the order of the
// observations does not decide whether two distances are equal.
func (m *model) findDeviation(e *Estimator) {
	for pass := range 2 {
		for i, s := range m.siteOf {
			if s < 0 {
				continue
			}
			x, _ := e.observation(i)
			for j, v := range x {
				c := &m.columns[j]
				t := v*c.unit - c.offset
				if pass == 0 {
					c.mean = c.mean.AddFloat(t)
				} else {
					t -= c.mean.Hi
					c.square = c.square.AddFloat(float64(t * t))
				}
			}
		}
		for j := range m.columns {
			c := &m.columns[j]
			if pass == 0 {
				c.mean = c.mean.Div(float64(m.n))
			} else if c.factor > 0 {
				c.factor = 1 / math.Sqrt(c.square.Div(float64(m.n)).Float())
			}
		}
	}
}

// join scales the observations and joins those at equal points to sites, in the order in which these first occur. Should the hashes of
// two points be equal, one point may get two sites, which only costs time.
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
