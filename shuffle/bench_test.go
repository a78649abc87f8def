package shuffle_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/shuffle"
)

// randomBlocks are blocks of 64 MB with three copies on different racks.
func randomBlocks(n, racks int) []shuffle.Block {
	r := rand.New(rand.NewPCG(1, 2))
	blocks := make([]shuffle.Block, n)
	for i := range blocks {
		blocks[i] = shuffle.Block{Bytes: 64e6, Racks: r.Perm(racks)[:3]}
	}
	return blocks
}

// randomBlocksOn is randomBlocks with the copies on three neighbouring racks, for any number of
// racks.
func randomBlocksOn(n, racks int) []shuffle.Block {
	r := rand.New(rand.NewPCG(1, 2))
	blocks := make([]shuffle.Block, n)
	for i := range blocks {
		q := r.IntN(racks)
		blocks[i] = shuffle.Block{Bytes: 64e6, Racks: []int{q, (q + 1) % racks, (q + 2) % racks}}
	}
	return blocks
}

// randomCandidates are of users with jobs submitted in the last two hours.
func randomCandidates(n int) []shuffle.Candidate {
	r := rand.New(rand.NewPCG(3, 4))
	tasks := make([]shuffle.Candidate, n)
	for i := range tasks {
		tasks[i] = shuffle.Candidate{Kind: shuffle.Kind(r.IntN(2)), Arrival: 7200 * r.Float64(), Local: shuffle.Locality(r.IntN(3)),
			Preferred: r.IntN(2) == 0, Heavy: r.IntN(2) == 0}
	}
	return tasks
}

func BenchmarkMapRacks(b *testing.B) {
	for _, c := range []struct{ blocks, racks int }{{1000, 40}, {100_000, 100}} {
		for _, reduces := range []int{0, 40, 997} {
			b.Run(fmt.Sprintf("blocks=%d/racks=%d/reduces=%d", c.blocks, c.racks, reduces), func(b *testing.B) {
				blocks := randomBlocks(c.blocks, c.racks)
				b.ReportAllocs()
				for b.Loop() {
					if p, err := shuffle.MapRacks(c.racks, blocks, .8, reduces, shuffle.Options{}); err != nil || len(p.Racks) == 0 {
						b.Fatal(p, err)
					}
				}
			})
		}
	}
}

// Racks that are executors. A tenth of the blocks, if any, has no copy.
func BenchmarkMapRacksGrowth(b *testing.B) {
	for _, n := range []int{0, 10, 10_000} {
		for _, racks := range []int{1e3, 1.6e4, 1 << 20} {
			b.Run(fmt.Sprintf("blocks=%d/racks=%d", n, racks), func(b *testing.B) {
				blocks := randomBlocksOn(n, racks)
				for i := range blocks {
					if i%10 == 9 {
						blocks[i].Racks = nil
					}
				}
				b.ReportAllocs()
				for b.Loop() {
					if p, err := shuffle.MapRacks(racks, blocks, .8, 100, shuffle.Options{}); err != nil || len(p.Racks) == 0 {
						b.Fatal(p, err)
					}
				}
			})
		}
	}
}

func BenchmarkNext(b *testing.B) {
	tasks := randomCandidates(1000)
	for _, saturated := range []bool{false, true} {
		for _, window := range []float64{0, 600, 1e9} {
			b.Run(fmt.Sprintf("saturated=%t/window=%g", saturated, window), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if i, _, err := shuffle.Next(tasks, saturated, window); i < 0 || err != nil {
						b.Fatal(i, err)
					}
				}
			})
		}
	}
}

// TestAllocations: what is called at every heartbeat, or for every task, allocates nothing.
func TestAllocations(t *testing.T) {
	tasks := randomCandidates(1000)
	bytes, reduces := make([]float64, 40), make([]int, 40)
	used, capacity := make([]shuffle.Link, 40), make([]shuffle.Link, 40)
	for q := range bytes {
		bytes[q], reduces[q] = float64(q), q
	}
	links, flags := make([]shuffle.Link, 0, 40), make([]bool, 0, 40)
	var ratio shuffle.Ratio
	for name, f := range map[string]func() error{
		"Next":         func() error { _, _, err := shuffle.Next(tasks, true, 600); return err },
		"CrossRack":    func() error { _, err := shuffle.CrossRack(bytes, reduces); return err },
		"Traffic":      func() error { _, err := shuffle.Traffic(links, bytes, reduces); return err },
		"Saturated":    func() error { _, err := shuffle.Saturated(flags, used, capacity, 0); return err },
		"Ratio.Add":    func() error { return ratio.Add(1, 2) },
		"ratio.Value":  func() error { ratio.Value(); return nil },
		"Next, no job": func() error { _, _, err := shuffle.Next(nil, false, 0); return err },
	} {
		n := testing.AllocsPerRun(20, func() {
			must(t, f())
		})
		if n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}
