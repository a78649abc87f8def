package lof

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/internal/kdtree"
)

// Scores appends to dst the local outlier factor of each row of points, by Euclidean distance: the mean density about its
// neighbours divided by the density about itself [B]. About 1 is an inlier, below 1 the middle of a dense region, far above 1 an
// outlier; inliers reach 2 by chance.
//
// k >= 1 is the number of neighbours; one above n-1 counts as n-1, for n points. Neighbours gives a good value. Coordinates are finite and in one
// unit, or scaled by the caller to be comparable. o says how ties and equal points count.
//
// The density of a point with at least k copies (not under Distinct) is infinite, unless o.Floor is set. It scores 1. A point of finite density next to one
// of infinite density scores +Inf. Points that are all equal score 1, and so does a single one; no score is NaN or negative.
//
// Translation, scaling and, save under ExactK, order of the points do not matter; a power of two as the scale changes no bit. Differences below
// 2^-990 of the largest coordinate may count as 0, and scores beyond float64 are +Inf.
//
// Expected cost O(n log n + n k log k) for points spread evenly in few dimensions, O(n^2) at worst; equal points cost no more than one of
// them. Memory O(n k) for different points. It allocates for each of them.
//
// Errors: an *schedmath.InputError for a nil matrix, a row with a value that is not finite (Index is the row), k < 1, or an o out of
// range. dst is then returned as given.
func Scores(dst []float64, points mat.Matrix, k int, o Options) ([]float64, error) {
	const fn = "Scores"
	if err := check(fn, k, o); err != nil {
		return dst, err
	}
	if d, ok := points.(*mat.Dense); points == nil || ok && d == nil {
		return dst, inputError(fn, "points", -1, "nil matrix")
	}
	n, dim := points.Dims()
	rows := make([]float64, 0, n*dim)
	magnitude := 0.0
	for i := range n {
		for j := range dim {
			x := points.At(i, j)
			if !isFinite(x) {
				return dst, inputError(fn, "points", i, "column %d is %v, want a finite value", j, x)
			}
			rows = append(rows, x)
			magnitude = max(magnitude, math.Abs(x))
		}
	}
	if n == 0 {
		return dst, nil
	}
	s := scaleOf(magnitude)
	for i, x := range rows {
		rows[i] = s.times(x)
	}
	dst = slices.Grow(dst, n)[:len(dst)+n]
	newCloud(rows, n, dim).score(dst[len(dst)-n:], k, o.Ties, s.floor(o.Floor))
	return dst, nil
}

// A cloud is a set of points in space. Equal points are one site.
type cloud struct {
	dim    int
	places []place   // points by coordinates, then by index
	rows   []float64 // coordinates of the sites, row-major
	sites  []site
}

// A site is all points with the same coordinates. They have the same k-distance, neighbours and score.
type site struct {
	from, count int // its points are places from to from+count-1
	near        []near
	kdist       float64 // k-distance
	lrd         float64 // local reachability density
}

// A near is the points of one site that are neighbours.
type near struct {
	site  int
	count float64
	dist  float64
}

func newCloud(rows []float64, n, dim int) *cloud {
	row := func(i int) []float64 { return rows[i*dim:][:dim] }
	c := &cloud{dim: dim, places: make([]place, n)}
	for i := range c.places {
		c.places[i].index = i
		if dim > 0 {
			c.places[i].x = rows[i*dim]
		}
	}
	slices.SortFunc(c.places, func(a, b place) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return cmp.Or(slices.Compare(row(a.index), row(b.index)), a.index-b.index)
	})
	for i, p := range c.places {
		if i == 0 || !slices.Equal(row(p.index), row(c.places[i-1].index)) {
			c.sites = append(c.sites, site{from: i})
			c.rows = append(c.rows, row(p.index)...)
		}
		c.sites[len(c.sites)-1].count++
	}
	return c
}

// score stores the score of each point at its index in scores [B, definitions 5 to 7].
func (c *cloud) score(scores []float64, k int, ties Ties, least float64) {
	c.search(k, ties)
	for u := range c.sites {
		s := &c.sites[u]
		neighbours, sum := 0.0, 0.0
		for _, o := range s.near {
			neighbours += o.count
			sum += o.count * max(o.dist, c.sites[o.site].kdist, least)
		}
		s.lrd = density(neighbours, sum)
	}
	for u := range c.sites {
		s := &c.sites[u]
		score := 1.0
		if !math.IsInf(s.lrd, 1) {
			neighbours, sum := 0.0, 0.0
			for _, o := range s.near {
				neighbours += o.count
				sum += o.count * c.sites[o.site].lrd
			}
			score = sum / neighbours / s.lrd
		}
		for _, p := range c.places[s.from:][:s.count] {
			scores[p.index] = score
		}
	}
}

// search finds the k-distances and neighbours.
func (c *cloud) search(k int, ties Ties) {
	others := len(c.sites) - 1
	if ties == Distinct {
		k = min(k, others)
	} else {
		k = min(k, len(c.places)-1)
	}
	var tree *kdtree.Tree
	if others > 0 {
		tree = kdtree.New(c.rows, c.dim)
	}
	var (
		found []kdtree.Neighbour
		list  []near
	)
	for u := range c.sites {
		s := &c.sites[u]
		list = list[:0]
		if s.count > 1 {
			list = append(list, near{site: u, count: float64(s.count - 1)})
		}
		reached := s.count - 1 // points among the k nearest
		if ties == Distinct {
			reached = 0
		}
		if reached < k {
			query := c.rows[u*c.dim:][:c.dim]
			// One more than k, to see whether there are ties at the k-distance. It is the last found.
			found = tree.Nearest(found[:0], query, k+1, u)
			i := k
			if ties != Distinct && len(c.sites) < len(c.places) { // sites count as many as they have points
				slices.SortFunc(found, func(a, b kdtree.Neighbour) int { return cmp.Compare(a.Dist2, b.Dist2) })
				for i = 0; reached < k; i++ {
					reached += c.sites[found[i].Index].count
				}
			}
			kdist2 := 0.0
			for _, o := range found[:i] {
				kdist2 = max(kdist2, o.Dist2)
			}
			if found[len(found)-1].Dist2 > kdist2 || len(found) == others {
				for i < len(found) && found[i].Dist2 <= kdist2 {
					i++
				}
				found = found[:i]
			} else {
				found = tree.Within(found[:0], query, kdist2, u)
			}
			s.kdist = math.Sqrt(kdist2)
			copies := len(list)
			for _, o := range found {
				list = append(list, near{o.Index, float64(c.sites[o.Index].count), math.Sqrt(o.Dist2)})
			}
			if ties == ExactK {
				list = append(list[:copies], c.exact(list[copies:], s.kdist, k-(s.count-1))...)
			}
		}
		s.near = slices.Clone(list)
	}
}

// exact returns k points of a list of neighbours, which it changes: of those at the k-distance the ones with the lowest indices.
func (c *cloud) exact(list []near, kdist float64, k int) []near {
	atK := 0
	for _, o := range list {
		if o.dist < kdist {
			k -= int(o.count)
		} else {
			atK += int(o.count)
		}
	}
	if atK == k {
		return list
	}
	type tied struct{ index, at int }
	var candidates []tied
	for i, o := range list {
		if o.dist < kdist {
			continue
		}
		s := &c.sites[o.site]
		for _, p := range c.places[s.from:][:min(s.count, k)] {
			candidates = append(candidates, tied{p.index, i})
		}
		list[i].count = 0
	}
	slices.SortFunc(candidates, func(a, b tied) int { return a.index - b.index })
	for _, t := range candidates[:k] {
		list[t.at].count++
	}
	return slices.DeleteFunc(list, func(o near) bool { return o.count == 0 })
}
