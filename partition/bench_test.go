package partition_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/partition"
)

// unequal draws n sizes and m machines of speeds 1 to 4 that have up to 1 time unit queued.
func unequal(b *testing.B, n, m int) ([]float64, partition.Cost, partition.Options) {
	rng := rand.New(rand.NewPCG(9, uint64(n)))
	sizes, speeds, ready := make([]float64, n), make([]float64, m), make([]float64, m)
	for k := range sizes {
		sizes[k] = 1 / (1e-3 + rng.Float64())
	}
	for i := range speeds {
		speeds[i], ready[i] = 1+3*rng.Float64(), rng.Float64()
	}
	cost, err := partition.BySpeed(speeds)
	must(b, err)
	return sizes, cost, partition.Options{Ready: ready}
}

func BenchmarkAssign(b *testing.B) {
	for _, size := range [][2]int{{45, 23}, {1e5, 1e3}} {
		sizes, cost, o := unequal(b, size[0], size[1])
		for _, m := range methods {
			o.Method = m
			b.Run(fmt.Sprintf("n=%d/m=%d/%v", size[0], size[1], m), func(b *testing.B) {
				for b.Loop() {
					p, err := partition.Assign(size[1], sizes, cost, o)
					if err != nil || !(p.Makespan >= p.Bound) {
						b.Fatal(err)
					}
					b.ReportMetric(p.Makespan/p.Bound, "gap")
				}
			})
		}
	}
}

// BenchmarkAssignSketch is the paper's case, with costs by speed and as an estimator predicts them.
func BenchmarkAssignSketch(b *testing.B) {
	s := newSketch(b, 5, 45, 1)
	zipf := rand.NewZipf(rand.New(rand.NewPCG(10, 1)), 1.2, 1, 1e6)
	for range 100000 {
		must(b, s.Add(zipf.Uint64(), 1))
	}
	_, bySpeed, o := unequal(b, 1, 23)
	totals := make([]float64, 33)
	for k := range totals {
		totals[k] = float64(k) * 100000 / 32
	}
	predicted, err := partition.Predicted(23, totals, bySpeed)
	must(b, err)
	for name, cost := range map[string]partition.Cost{"speed": bySpeed, "predicted": predicted} {
		for _, m := range methods {
			o.Method = m
			b.Run(fmt.Sprint(name, "/", m), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := partition.AssignSketch(23, s, cost, o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkSketch(b *testing.B) {
	keys := make([]uint64, 4096)
	rng := rand.New(rand.NewPCG(11, 1))
	for i := range keys {
		keys[i] = rng.Uint64()
	}
	s, o := newSketch(b, 5, 2719, 1), newSketch(b, 5, 2719, 1)
	i, key, data := 0, []byte("a user's name"), form(b, s)
	for name, f := range map[string]func() error{
		"Add":      func() error { i++; return s.Add(keys[i%len(keys)], 1) },
		"AddBytes": func() error { return s.AddBytes(key, 1) },
		"Merge": func() error {
			if o.Merge(s) != nil {
				o = newSketch(b, 5, 2719, 1) // full
			}
			return nil
		},
		"UnmarshalBinary": func() error { return o.UnmarshalBinary(data) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must(b, f())
			}
		})
	}
}

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
