package knn

import "math"

// linear holds the buffers of extrapolate.
type linear struct {
	centre, spread []float64
	normal         []float64 // dim rows of dim+1: correlations of the coordinates, and with y
	used           []bool
}

// extrapolate returns local linear regression at q: the weighted least-squares plane through the
// sites in near, whose weights predict has put into Key. total and mean are the sum of the weights
// and the weighted mean of y.
//
// The normal equations, of coordinates about their means and over their spreads, are solved by
// Gauss-Jordan elimination, largest pivot first. A coordinate that does not vary among the
// neighbours, or depends linearly on those before it (a pivot at most 1e-10, which is 1 less its
// squared multiple correlation), gets the coefficient 0. ok is false, and the plateau stands, if
// that leaves none, or the result is not finite.
func (m *model) extrapolate(q []float64, total, mean float64) (y float64, ok bool) {
	const singular = 1e-10
	d := m.dim
	if m.used == nil {
		m.centre, m.spread, m.normal, m.used = make([]float64, d), make([]float64, d), make([]float64, d*(d+1)), make([]bool, d)
	}
	clear(m.centre)
	clear(m.spread)
	clear(m.normal)
	clear(m.used)
	// Coordinates are relative to those of the first site, so that one that does not vary has a
	// spread of exactly 0.
	first := m.points[m.near[0].Index*d:][:d]
	for _, o := range m.near {
		w := o.Key * float64(m.sites[o.Index].count) / total
		for j, z := range m.points[o.Index*d:][:d] {
			m.centre[j] += w * (z - first[j])
		}
	}
	for _, o := range m.near {
		w := o.Key * float64(m.sites[o.Index].count) / total
		for j, z := range m.points[o.Index*d:][:d] {
			z = z - first[j] - m.centre[j]
			m.spread[j] += w * z * z
		}
	}
	standard := func(j int, z float64) float64 {
		if m.spread[j] == 0 {
			return 0
		}
		return (z - first[j] - m.centre[j]) / math.Sqrt(m.spread[j])
	}
	for _, o := range m.near {
		z := m.points[o.Index*d:][:d]
		n := float64(m.sites[o.Index].count)
		for i := range d {
			t := o.Key / total * standard(i, z[i])
			row := m.normal[i*(d+1):][:d+1]
			for j := range d {
				row[j] += t * n * standard(j, z[j])
			}
			row[d] += t * (m.sites[o.Index].sum.Float() - n*mean)
		}
	}
	y = mean
	for range d {
		p, best := -1, singular
		for j := range d {
			if v := m.normal[j*(d+1)+j]; !m.used[j] && v > best {
				p, best = j, v
			}
		}
		if p < 0 {
			break
		}
		m.used[p], ok = true, true
		row := m.normal[p*(d+1):][:d+1]
		for j := range row {
			row[j] /= best
		}
		for i := range d {
			if other := m.normal[i*(d+1):][:d+1]; i != p {
				f := other[p]
				for j := range other {
					other[j] -= f * row[j]
				}
			}
		}
	}
	for j := range d {
		if m.used[j] {
			y += m.normal[j*(d+1)+d] * standard(j, q[j])
		}
	}
	return y, ok && finite(y) && finite(y/m.yUnit)
}
