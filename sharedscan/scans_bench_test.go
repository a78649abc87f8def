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

// BenchmarkRegions has intervals of blocks, such as days, weeks and months, and sets at random, of
// which nearly every block has its own region.
func BenchmarkRegions(b *testing.B) {
	const jobs = 20
	for _, shape := range []string{"intervals", "random"} {
		for _, n := range []int{1e3, 1e4, 1e5} {
			r := rand.New(rand.NewPCG(2, 83))
			scans := make([][]int, jobs)
			for i := range scans {
				from, to := r.IntN(n), r.IntN(n)
				for k := range n {
					if shape == "intervals" && k >= min(from, to) && k <= max(from, to) || shape == "random" && r.IntN(2) == 0 {
						scans[i] = append(scans[i], k)
					}
				}
			}
			bytes := make([]float64, n)
			for k := range bytes {
				bytes[k] = float64(r.IntN(100))
			}
			b.Run(fmt.Sprintf("%s/jobs=%d/n=%d", shape, jobs, n), func(b *testing.B) {
				if testing.Short() && shape == "random" && jobs == 20 && n == 100_000 {
					b.Skip("long")
				}
				for b.Loop() {
					v, err := sharedscan.Regions(scans, bytes)
					if err != nil || len(v.Regions) < jobs {
						b.Fatal(len(v.Regions), err)
					}
					b.ReportMetric(float64(len(v.Regions)), "regions")
					b.ReportMetric(float64(v.Graph.Arcs()), "arcs")
				}
			})
		}
	}
}

// BenchmarkCircularScan is a lap of n blocks with jobs that join on the way, all leaving at the
// end.
func BenchmarkCircularScan(b *testing.B) {
	const jobs = 20
	for _, n := range []int{1e3, 1e5} {
		b.Run(fmt.Sprintf("jobs=%d/n=%d", jobs, n), func(b *testing.B) {
			for b.Loop() {
				c, _ := sharedscan.New[int](n)
				runs, joined := 0, 0
				for {
					if joined < jobs && runs >= joined*n/jobs {
						if _, err := c.Join(joined, 1); err != nil {
							b.Fatal(err)
						}
						joined++
					}
					block, ok := c.Next()
					if !ok {
						break
					}
					run, _ := c.Start(block)
					if _, err := c.Finish(nil, run.ID); err != nil {
						b.Fatal(err)
					}
					runs++
				}
				if left, _ := c.Left(jobs - 1); left != 0 || runs < n {
					b.Fatal(left, runs)
				}
			}
		})
	}
}
