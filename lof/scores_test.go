package lof_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/lof"
)

// brute computes scores from the definitions: every distance, every list of neighbours in full.
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
			if dist[i][j] <= kdist[i] {
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
