package partition_test

import (
	"testing"

	"github.com/schedmath/schedmath/partition"
)

// TestAllocations pins what the doc comments promise: nothing is allocated with room in dst.
func TestAllocations(t *testing.T) {
	s, o := newSketch(t, 5, 2719, 1), newSketch(t, 5, 2719, 1)
	key, text := uint64(1), []byte("a key of more than seven bytes")
	sizes, groups := make([]float64, 0, 2719), make([]int, 0, 2719)
	cost, err := partition.Predicted(1, []float64{1, 2, 3}, func(_ int, x float64) float64 { return x })
	must(t, err)
	for name, f := range map[string]func() error{
		"Add":       func() error { key++; return s.Add(key, 3) },
		"AddBytes":  func() error { return s.AddBytes(text, 3) },
		"Merge":     func() error { return o.Merge(s) },
		"Count":     func() error { key += s.Count(key); return nil },
		"Partition": func() (err error) { _, err = s.Partition(2, key); return err },
		"Row":       func() (err error) { sizes, err = s.Row(sizes[:0], 3); return err },
		"Coalesce":  func() (err error) { groups, err = partition.Coalesce(groups[:0], sizes, 100); return err },
		"Skewness":  func() (err error) { _, err = partition.Skewness([]float64{1, 2}); return err },
		"Cost":      func() error { key += uint64(cost(0, 2.5)); return nil },
	} {
		if n := testing.AllocsPerRun(50, func() { must(t, f()) }); n != 0 {
			t.Errorf("%s allocates %v times a call, want 0", name, n)
		}
	}
}
