package knn

import (
	"math"
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/internal/kdtree"
	"github.com/schedmath/schedmath/internal/orderstat"
)

// The rule that chooses between all distances and the tree, as measured (docs/benchmarks.md): the
// tree pays for a rank up to the fraction 2^-dim of the sites, once the queries since the fit have
// taken as long as building it.
const treeQueries = 32

func (m *model) treePays(rank int) bool { return rank <= len(m.sites)>>min(m.dim, 62) }

// expect announces queries, and builds the tree if they pay for it.
func (m *model) expect(queries, rank int) {
	m.asked += queries
	if m.tree == nil && m.asked >= treeQueries && m.treePays(rank) {
		m.tree = kdtree.New(m.points, m.dim)
	}
}

// predict returns the prediction at the scaled point q, except for its interval, from the sites
// without site skip (-1: all). rank is how many observations lie within R.
func (m *model) predict(q []float64, outside bool, rank, skip int) Prediction {
	r2, closed := m.gather(q, rank, skip)
	p := Prediction{Radius: math.Sqrt(r2), Outside: outside, Degenerate: closed && m.options.Kernel == Epanechnikov}
	if m.options.Scaling == Unscaled {
		p.Radius /= m.columns[0].unit
	}
	// Weights are (R^2 - d^2) / R^2, since the kernel's 3/4 and 1/R and the paper's f cancel in the
	// mean. If all distances are equal, the Key of each becomes its weight.
	var total, sum float64
	for i := range m.near {
		o := &m.near[i]
		if closed {
			o.Key = 1
		} else {
			o.Key = (r2 - o.Key) / r2
		}
		at := &m.sites[o.Index]
		p.Neighbours += at.count
		total += o.Key * float64(at.count)
		sum += o.Key * at.sum.Float()
	}
	p.Value = max(m.yLo, min(m.yHi, sum/total/m.yUnit)) // rounding may lead out of the range
	if outside && m.options.Extrapolate {
		if v, ok := m.extrapolate(q, total, sum/total); ok {
			p.Value, p.Extrapolated = v/m.yUnit, true
		}
	}
	return p
}

// gather puts the sites that count into near, in their order, and returns the squared radius.
// closed: sites at the radius count, all with the same weight; else those below it. Both methods
// find the same to the bit.
func (m *model) gather(q []float64, rank, skip int) (r2 float64, closed bool) {
	if m.tree != nil && m.treePays(rank) {
		return m.gatherTree(q, rank, skip)
	}
	return m.gatherAll(q, rank, skip)
}

// gatherAll computes all distances.
func (m *model) gatherAll(q []float64, rank, skip int) (r2 float64, closed bool) {
	m.near = m.near[:0]
	for s, p := 0, m.points; s < len(m.sites); s, p = s+1, p[m.dim:] {
		sum := 0.0
		for j, v := range p[:m.dim] {
			d := q[j] - v
			sum += float64(d * d)
		}
		if s != skip {
			m.near = append(m.near, kdtree.Neighbour{Index: s, Key: sum})
		}
	}
	r2 = m.radius(m.near, rank)
	return r2, m.keep(r2)
}

// gatherTree asks the tree.
func (m *model) gatherTree(q []float64, rank, skip int) (r2 float64, closed bool) {
	m.near = m.tree.Nearest(m.near[:0], q, rank, skip)
	r2 = m.radius(m.near, rank)
	if m.closed(r2) {
		m.near = m.tree.Within(m.near, q, r2, skip) // all at the radius; keep takes a site once
	}
	return r2, m.keep(r2)
}

// closed reports whether sites at the radius count.
func (m *model) closed(r2 float64) bool {
	return m.options.Kernel == Uniform || !slices.ContainsFunc(m.near, func(o kdtree.Neighbour) bool { return o.Key < r2 })
}

// keep leaves in near the sites that count, in their order, by a bit for each site: they may be a
// large part of all, and sorting them then takes as long as finding them.
func (m *model) keep(r2 float64) (closed bool) {
	closed = m.closed(r2)
	m.dist = slices.Grow(m.dist[:0], len(m.sites))[:len(m.sites)]
	m.marks = slices.Grow(m.marks[:0], len(m.sites)/64+1)[:len(m.sites)/64+1]
	clear(m.marks)
	for _, o := range m.near {
		if o.Key < r2 || closed && o.Key == r2 {
			m.dist[o.Index] = o.Key
			m.marks[o.Index/64] |= 1 << (o.Index % 64)
		}
	}
	m.near = m.near[:0]
	for w, word := range m.marks {
		for ; word != 0; word &= word - 1 {
			s := 64*w + bits.TrailingZeros64(word)
			m.near = append(m.near, kdtree.Neighbour{Index: s, Key: m.dist[s]})
		}
	}
	return closed
}

// radius returns the squared distance of the rank-th nearest observation of the sites in a, which
// it rearranges. Where sites hold several observations it halves a by selections until one site is
// left. O(len(a)) expected.
func (m *model) radius(a []kdtree.Neighbour, rank int) float64 {
	if len(m.sites) == m.n {
		orderstat.Select(a, rank-1)
		return a[rank-1].Key
	}
	for len(a) > 1 {
		half := len(a) / 2
		orderstat.Select(a, half)
		if below := m.observations(a[:half]); rank <= below {
			a = a[:half]
		} else {
			a, rank = a[half:], rank-below
		}
	}
	return a[0].Key
}

// observations returns how many there are at the sites in a.
func (m *model) observations(a []kdtree.Neighbour) int {
	n := 0
	for _, o := range a {
		n += m.sites[o.Index].count
	}
	return n
}
