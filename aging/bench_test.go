package aging_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

var benchSizes = []int{1e3, 1e5, 1e6}

// capKinds are the ways in which jobs are capped: by how many distinct ratios Slots/Weight there
// are.
var capKinds = []struct {
	name  string
	slots func(src *rand.Rand) float64
}{
	{"none", func(*rand.Rand) float64 { return 0 }},
	{"1000", func(src *rand.Rand) float64 { return float64(1 + src.IntN(1000)) }},
	{"distinct", func(src *rand.Rand) float64 { return 1000 * (1 - src.Float64()) }},
}

// full returns a cluster of n jobs with Pareto sizes and the next job. With 250 slots a job three
// in ten are at their caps at first, half after n events, all after 40 n: jobs of small caps stay
// longest.
func full(n int, slots func(*rand.Rand) float64) (*aging.Cluster[int], func() aging.Job) {
	src := rand.New(rand.NewPCG(1, 2))
	c, err := aging.New[int](float64(n) * 250)
	if err != nil {
		panic(err)
	}
	next := func() aging.Job {
		return aging.Job{Work: math.Pow(1-src.Float64(), -0.7), Slots: slots(src)}
	}
	for i := range n {
		if err := c.Add(i, next()); err != nil {
			panic(err)
		}
	}
	return c, next
}

// BenchmarkCluster measures one event of a cluster that always holds n jobs: add a job, let the
// next one finish, remove it.
func BenchmarkCluster(b *testing.B) {
	for _, kind := range capKinds {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("caps=%s/n=%d", kind.name, n), func(b *testing.B) {
				c, next := full(n, kind.slots)
				jobs := make([]aging.Job, 1<<20) // enough for distinct ratios to stay distinct
				for i := range jobs {
					jobs[i] = next()
				}
				key := n
				for b.Loop() {
					must(b, c.Add(key, jobs[key%len(jobs)]))
					key++
					k, in, ok := c.NextFinish()
					if !ok || c.Advance(in) != nil || !c.Remove(k) {
						b.Fatalf("no event after %d", key)
					}
				}
				if c.Len() != n {
					b.Fatalf("Len() = %d, want %d", c.Len(), n)
				}
			})
		}
	}
}

// BenchmarkClusterMemory reports the bytes that a cluster keeps for each job.
func BenchmarkClusterMemory(b *testing.B) {
	for _, kind := range capKinds {
		b.Run("caps="+kind.name+"/n=1000000", func(b *testing.B) {
			const n = 1e6
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				c, _ := full(n, kind.slots)
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "B/job")
				if c.Len() != n {
					b.Fatalf("Len() = %d, want %d", c.Len(), int(n))
				}
			}
		})
	}
}

func benchJobs(n int) []aging.Job {
	src := rand.New(rand.NewPCG(3, 4))
	jobs := make([]aging.Job, n)
	for i := range jobs {
		jobs[i] = aging.Job{Work: math.Pow(1-src.Float64(), -0.7), Slots: 100 * src.Float64(), Weight: 1 + float64(src.IntN(5))}
	}
	return jobs
}

func BenchmarkMaxMin(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			jobs := benchJobs(n)
			dst := make([]float64, 0, n)
			b.ReportAllocs()
			for b.Loop() {
				if got, err := aging.MaxMin(dst, float64(n)*20, jobs); err != nil || len(got) != n {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOrder(b *testing.B) {
	for _, caps := range []bool{false, true} {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("caps=%t/n=%d", caps, n), func(b *testing.B) {
				jobs := benchJobs(n)
				if !caps {
					for i := range jobs {
						jobs[i].Slots = 0
					}
				}
				dst := make([]int, 0, n)
				for b.Loop() {
					if got, err := aging.Order(dst, float64(n)*20, jobs, aging.ByFinish); err != nil || len(got) != n {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkFirst measures the priority decision after an arrival and a departure, n jobs present, a
// tenth of them completed.
func BenchmarkFirst(b *testing.B) {
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
		for _, kind := range capKinds {
			for _, n := range []int{1e3, 1e5} {
				b.Run(fmt.Sprintf("by=%v/caps=%s/n=%d", by, kind.name, n), func(b *testing.B) {
					c, next := full(n, kind.slots)
					for i := 0; i < n; i += 10 {
						c.Complete(i)
					}
					job := next()
					for b.Loop() {
						must(b, c.Add(-1, job))
						if _, ok := c.First(by); !ok || !c.Remove(-1) {
							b.Fatal("no first job")
						}
					}
				})
			}
		}
	}
}

func BenchmarkTag(b *testing.B) {
	for _, n := range []int{1e2, 1e4, 1e6} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			c := newCluster(b, 1)
			for i := range n {
				must(b, c.Add(i, aging.Job{Work: float64(1 + i%97)}))
			}
			i := 0
			for b.Loop() {
				if _, ok := c.Tag(i); !ok {
					b.Fatal("no tag")
				}
				if i++; i == n {
					i = 0
				}
			}
		})
	}
}
