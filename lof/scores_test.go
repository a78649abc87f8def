package lof_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/lof"
)

var must = expect.Must

// brute computes scores from the definitions: every distance, every list of neighbours in full. A
// distance within 2^-40 of the k-distance is a tie.
func brute(points [][]float64, k int, o lof.Options) []float64 {
	n := len(points)
	dist := make([][]float64, n)
	for i, p := range points {
		dist[i] = make([]float64, n)
		for j, q := range points {
			sum := 0.0
			for c := range p {
				sum += float64((p[c] - q[c]) * (p[c] - q[c]))
			}
			dist[i][j] = math.Sqrt(sum)
			if len(p) == 1 {
				dist[i][j] = math.Abs(p[0] - q[0])
			}
		}
	}
	places := 1
	for i := range points {
		if i > 0 && !slices.ContainsFunc(points[:i], func(p []float64) bool { return slices.Equal(p, points[i]) }) {
			places++
		}
	}
	k = min(k, n-1)
	if o.Ties == lof.Distinct {
		k = min(k, places-1)
	}
	kdist := make([]float64, n)
	near := make([][]int, n)
	for i := range points {
		var others []int
		for j := range points {
			if j != i {
				others = append(others, j)
			}
		}
		slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(dist[i][a], dist[i][b]) })
		if k == 0 {
			near[i] = others
			continue
		}
		switch o.Ties {
		case lof.ExactK:
			kdist[i] = dist[i][others[k-1]]
			rank := func(j int) int {
				switch {
				case dist[i][j] < kdist[i]*(1-0x1p-40):
					return 0
				case dist[i][j] <= kdist[i]*(1+0x1p-40):
					return 1
				}
				return 2
			}
			slices.SortFunc(others, func(a, b int) int { return cmp.Or(rank(a)-rank(b), a-b) })
			near[i] = others[:k]
			continue
		case lof.WithTies:
			kdist[i] = dist[i][others[k-1]]
		case lof.Distinct:
			var seen []int
			for _, j := range others {
				if slices.Equal(points[j], points[i]) || slices.ContainsFunc(seen, func(s int) bool { return slices.Equal(points[j], points[s]) }) {
					continue
				}
				if seen = append(seen, j); len(seen) == k {
					kdist[i] = dist[i][j]
				}
			}
		}
		for _, j := range others {
			if dist[i][j] <= kdist[i]*(1+0x1p-40) {
				near[i] = append(near[i], j)
			}
		}
	}
	lrd := make([]float64, n)
	for i := range points {
		sum := 0.0
		for _, j := range near[i] {
			sum += max(kdist[j], dist[i][j], o.Floor)
		}
		lrd[i] = float64(len(near[i])) / sum
		if sum == 0 {
			lrd[i] = math.Inf(1)
		}
	}
	scores := make([]float64, n)
	for i := range points {
		if scores[i] = 1; math.IsInf(lrd[i], 1) {
			continue
		}
		sum := 0.0
		for _, j := range near[i] {
			sum += lrd[j]
		}
		scores[i] = sum / float64(len(near[i])) / lrd[i]
	}
	return scores
}

func matrix(points [][]float64) *mat.Dense {
	if len(points) == 0 {
		return &mat.Dense{}
	}
	m := mat.NewDense(len(points), len(points[0]), nil)
	for i, p := range points {
		m.SetRow(i, p)
	}
	return m
}

func column(points [][]float64) []float64 {
	var xs []float64
	for _, p := range points {
		xs = append(xs, p[0])
	}
	return xs
}

// differ returns the first index at which scores differ by more than the relative tolerance, or -1.
func differ(got, want []float64, tolerance float64) int {
	if len(got) != len(want) {
		return min(len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] && !(math.Abs(got[i]-want[i]) <= tolerance*want[i]) {
			return i
		}
	}
	return -1
}

// A score is a list of numbers in which null stands for +Inf.
type score []*float64

func (s score) floats() []float64 {
	var xs []float64
	for _, x := range s {
		if x == nil {
			xs = append(xs, math.Inf(1))
		} else {
			xs = append(xs, *x)
		}
	}
	return xs
}

func TestGolden(t *testing.T) {
	var file struct {
		Cases []struct {
			Name       string
			K          int
			Points     [][]float64
			KdistTies  bool  `json:"kdist_ties"`
			Duplicates bool  `json:"duplicates"`
			WithTies   score `json:"lof_ties"`
			ExactK     score `json:"lof_exactk"`
			Distinct   score `json:"lof_distinct"`
			Sklearn    score `json:"lof_sklearn"`
		}
	}
	golden.Decode(t, "lof.json", &file)
	if len(file.Cases) != 21 {
		t.Fatalf("lof.json has %d cases, want 21", len(file.Cases))
	}
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			compare := func(ties lof.Ties, want score, tolerance float64) {
				if want == nil {
					return
				}
				o := lof.Options{Ties: ties}
				got, err := lof.Scores(nil, matrix(c.Points), c.K, o)
				if i := differ(got, want.floats(), tolerance); err != nil || i >= 0 {
					t.Errorf("Scores(k %d, %+v) = %v, %v, want %v; differs at %d", c.K, o, got, err, want.floats(), i)
				}
				if got := brute(c.Points, c.K, o); differ(got, want.floats(), tolerance) >= 0 {
					t.Errorf("brute force with k %d, %+v gives %v, want %v", c.K, o, got, want.floats())
				}
				if len(c.Points[0]) > 1 {
					return
				}
				got, err = lof.Scores1D(nil, column(c.Points), c.K, o)
				if i := differ(got, want.floats(), tolerance); err != nil || i >= 0 {
					t.Errorf("Scores1D(k %d, %+v) = %v, %v, want %v; differs at %d", c.K, o, got, err, want.floats(), i)
				}
			}
			compare(lof.WithTies, c.WithTies, 1e-12)
			compare(lof.ExactK, c.ExactK, 1e-12)
			compare(lof.Distinct, c.Distinct, 1e-12)
			if !c.KdistTies && !c.Duplicates {
				compare(lof.WithTies, c.Sklearn, 1e-6)
			}
		})
	}
}

// TestOneColumn: Scores1D and Scores of one column agree up to the largest float64, as long as no
// difference is below 2^-990 of the largest value. Below that Scores loses differences which
// Scores1D keeps.
func TestOneColumn(t *testing.T) {
	small := []float64{-1, -.5, 0, .1, .3, .7, 1.5, 3.1, 7.1}
	for _, ties := range []lof.Ties{lof.WithTies, lof.Distinct} {
		o := lof.Options{Ties: ties}
		want, err := lof.Scores1D(nil, small, 3, o)
		if err != nil || differ(want, brute(matrixRows(small), 3, o), 1e-12) >= 0 {
			t.Fatalf("Scores1D(%v, 3, %+v) = %v, %v, want the definition's", small, o, want, err)
		}
		// A value that is nobody's neighbour changes no score, if it is far away.
		for e := range 54 {
			scale := math.Ldexp(1, -e)
			var xs []float64
			for _, x := range small {
				xs = append(xs, x*scale)
			}
			xs = append(xs, math.MaxFloat64)
			got, err := lof.Scores1D(nil, xs, 3, o)
			if err != nil || differ(got[:len(small)], want, 1e-12) >= 0 {
				t.Errorf("Scores1D(%v, 3, %+v) = %v, %v, want %v at first", xs, o, got, err, want)
			}
			for i := range small { // differences of 2^-990 of the largest value and more
				xs[i] *= math.Ldexp(1, 38+e)
			}
			if points := scores(t, matrixRows(xs), 3, o); differ(points[:len(small)], want, 1e-11) >= 0 {
				t.Errorf("Scores(%v, 3, %+v) = %v, want %v at first", xs, o, points, want)
			}
			for i := range small {
				xs[i] *= 0x1p-138 // differences whose squares underflow
			}
			points, err := lof.Scores(nil, matrix(matrixRows(xs)), 3, o)
			if err != nil || points[0] != 1 {
				t.Errorf("Scores(%v, 3, %+v) = %v, %v, want copies of one point, which score 1", xs, o, points, err)
			}
		}
	}
}

func matrixRows(xs []float64) [][]float64 {
	var rows [][]float64
	for _, x := range xs {
		rows = append(rows, []float64{x})
	}
	return rows
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[lof.Ties]string{lof.WithTies: "with ties", lof.ExactK: "exactly k", lof.Distinct: "distinct"})
}
