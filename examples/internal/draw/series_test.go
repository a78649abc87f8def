package draw_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/internal/numbers"
)

func TestMeans(t *testing.T) {
	list := []numbers.Interval{{Mean: 3, Half: 1}, {Mean: 5, Half: .5}}
	if s := draw.Means(0, "", nil, list); !slices.Equal(s.X, []float64{1, 2}) || !slices.Equal(s.Y, []float64{3, 5}) || !slices.Equal(s.Spread, []float64{1, .5}) {
		t.Errorf("Means(%v) = x %v, y %v, spread %v, want 1 and 2, 3 and 5, 1 and .5", list, s.X, s.Y, s.Spread)
	}
	if s := draw.Curve(0, "", []float64{7, 9}, []float64{3, 5}); !slices.Equal(s.X, []float64{7, 9}) {
		t.Errorf("Curve over 7 and 9 has x %v", s.X)
	}
}

func TestAdd(t *testing.T) {
	var s draw.Series
	if i := s.Add([]float64{1, 3}); i.Mean != 2 || !slices.Equal(s.Y, []float64{2}) || len(s.Seeds) != 1 {
		t.Errorf("Add(1, 3) = %v, y %v, seeds %v, want a point at 2 with a dot for each", i, s.Y, s.Seeds)
	}
}
