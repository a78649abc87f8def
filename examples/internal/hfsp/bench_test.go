package hfsp

import (
	"fmt"
	"testing"

	"github.com/schedmath/schedmath/internal/replay"
)

// BenchmarkSweep is the replays of Figure 2, 12 per seed; the figure has 100 seeds, 1,200 replays.
func BenchmarkSweep(b *testing.B) {
	w, err := replay.Load("", 1, diskToNetwork, load, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, seeds := range []int{2, 20, 100} {
		b.Run(fmt.Sprintf("seeds=%d", seeds), func(b *testing.B) {
			for b.Loop() {
				s, err := run(w, 1, seeds, silent)
				if err != nil || !(s.exact[srpt] > 0) {
					b.Fatal(s, err)
				}
			}
		})
	}
}
