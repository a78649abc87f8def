package shuffle_test

import (
	"testing"

	"github.com/schedmath/schedmath/shuffle"
)

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
