package lof

import (
	"math"
	"slices"
)

// Scores1D appends to dst the local outlier factor of each of xs, finite numbers in any order, by the distance |x - y|. It returns
// what Scores does for a matrix of one column, faster: a sort finds all neighbours.
//
// Scores depend on no order and, save under ExactK, equal values score the same to the bit. Cost O(n log n + s) for n values, where s
// is the number of different values summed over all neighbourhoods, about n k at most without ties; memory 13 words a value. It
// allocates four times however many values there are, if dst has room for them.
//
// See Scores for k, ties, infinite densities and special cases.
//
// Errors: an *schedmath.InputError for a value that is not finite, k < 1, or an o out of range. dst is then returned as given.
func Scores1D(dst, xs []float64, k int, o Options) ([]float64, error) {
	const fn = "Scores1D"
	if err := check(fn, k, o); err != nil {
		return dst, err
	}
	if i := slices.IndexFunc(xs, func(x float64) bool { return !isFinite(x) }); i >= 0 {
		return dst, inputError(fn, "xs", i, "%v, want a finite value", xs[i])
	}
	if len(xs) == 0 {
		return dst, nil
	}
	n := len(dst)
	dst = slices.Grow(dst, len(xs))[:n+len(xs)]
	l := newLine(xs)
	l.score(dst[n:], k, o)
	return dst, nil
}

// A line is a set of points on a line.
type line struct {
	scale
	places  []place // by value, then by index
	of      []int   // the group of each place
	groups  []group
	windows []window // the neighbourhood of each group
}

// A place is one point.
type place struct {
	x     float64
	index int // as the caller numbers it
}

// A group is all points of one value. They have the same k-distance, neighbourhood and score.
type group struct {
	x     float64
	from  int     // place of its first point
	count float64 // number of its points
	kdist float64 // k-distance
	lrd   float64 // local reachability density
}

// A window is the groups lo to hi, with first and last points of lo and hi and all of those between. A point is in its own window.
type window struct {
	lo, hi      int
	first, last float64
	neighbours  float64 // points in the window but the point itself
}

func newLine(xs []float64) line {
	magnitude := 0.0
	for _, x := range xs {
		magnitude = max(magnitude, math.Abs(x))
	}
	l := line{scale: scaleOf(magnitude), places: make([]place, len(xs)), of: make([]int, len(xs))}
	for i, x := range xs {
		l.places[i] = place{l.times(x), i}
	}
	slices.SortFunc(l.places, func(a, b place) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return a.index - b.index
	})
	u := 0
	for i := 1; i < len(xs); i++ {
		if l.places[i].x != l.places[i-1].x {
			u++
		}
		l.of[i] = u
	}
	l.groups = make([]group, u+1)
	for i, p := range l.places {
		g := &l.groups[l.of[i]]
		if g.count == 0 {
			g.x, g.from = p.x, i
		}
		g.count++
	}
	l.windows = make([]window, u+1)
	return l
}

// score stores the score of each point at its index in scores [B, definitions 5 to 7].
func (l *line) score(scores []float64, k int, o Options) {
	l.slide(k, o.Ties)
	groups, least := l.groups, l.floor(o.Floor)
	for u := range groups {
		g, w := &groups[u], &l.windows[u]
		sum := 0.0
		for v := w.lo; v <= w.hi; v++ {
			o := &groups[v]
			reach := math.Abs(g.x - o.x)
			if reach < o.kdist {
				reach = o.kdist
			}
			if reach < least {
				reach = least
			}
			sum += w.points(v, u, o.count) * reach
		}
		g.lrd = density(w.neighbours, sum)
	}
	for u := range groups {
		g, w := &groups[u], &l.windows[u]
		score := 1.0
		if !math.IsInf(g.lrd, 1) {
			sum := 0.0
			for v := w.lo; v <= w.hi; v++ {
				sum += w.points(v, u, groups[v].count) * groups[v].lrd
			}
			score = sum / w.neighbours / g.lrd
		}
		for _, p := range l.members(u) {
			scores[p.index] = score
		}
	}
}

// density returns a local reachability density. It is infinite where all neighbours are copies of the point, or where there are none.
func density(neighbours, sum float64) float64 {
	if sum > 0 {
		return neighbours / sum
	}
	return math.Inf(1)
}

// points returns how many of the count points of group v are neighbours of one of group u.
func (w *window) points(v, u int, count float64) float64 {
	switch v {
	case w.lo:
		count = w.first
	case w.hi:
		count = w.last
	}
	if v == u {
		count--
	}
	return count
}

// members returns the points of group u.
func (l *line) members(u int) []place {
	g := &l.groups[u]
	return l.places[g.from:][:int(g.count)]
}
