package sharedscan_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/sharedscan"
)

func BenchmarkCyclicChain(b *testing.B) {
	for _, shuffled := range []bool{false, true} {
		for _, n := range []int{1e3, 1e5} {
			r := rand.New(rand.NewPCG(1, 79))
			scans := make([]sharedscan.Scan, n)
			for i := range scans {
				scans[i] = sharedscan.Scan{Remaining: float64(3 * i), Min: r.IntN(3), Max: 5 + r.IntN(9)}
			}
			name := "arrival"
			if shuffled {
				name = "shuffled"
				r.Shuffle(n, func(i, j int) { scans[i], scans[j] = scans[j], scans[i] })
			}
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				var dst []sharedscan.Subjob
				for b.Loop() {
					var err error
					dst, err = sharedscan.CyclicChain(dst[:0], scans)
					if err != nil || len(dst) != n {
						b.Fatal(len(dst), err)
					}
				}
			})
		}
	}
}

// BenchmarkRegions has intervals of blocks, such as days, weeks and months.
func BenchmarkRegions(b *testing.B) {
	const jobs = 20
	for _, n := range []int{1e3, 1e5} {
		r := rand.New(rand.NewPCG(2, 83))
		scans := make([][]int, jobs)
		for i := range scans {
			from, to := r.IntN(n), r.IntN(n)
			for k := min(from, to); k <= max(from, to); k++ {
				scans[i] = append(scans[i], k)
			}
		}
		bytes := make([]float64, n)
		for k := range bytes {
			bytes[k] = float64(r.IntN(100))
		}
		b.Run(fmt.Sprintf("intervals/jobs=%d/n=%d", jobs, n), func(b *testing.B) {
			for b.Loop() {
				if v, err := sharedscan.Regions(scans, bytes); err != nil || len(v.Regions) < jobs {
					b.Fatal(len(v.Regions), err)
				}
			}
		})
	}
}
