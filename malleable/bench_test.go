package malleable_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// benchJobs draws n jobs of which every second has a limit, and every fourth a minimum if minima is
// set; chains of the given length (1: none).
func benchJobs(b *testing.B, n, length, slots int, minima bool) ([]malleable.Job, *precedence.Graph, []int) {
	b.Helper()
	r := random(uint64(n))
	jobs := make([]malleable.Job, n)
	for j := range jobs {
		jobs[j] = malleable.Job{Work: 1 + 99*r.Float64()}
		if j%2 == 0 {
			jobs[j].Max = 1 + r.IntN(slots/4)
		}
	}
	if minima {
		for k := range slots / 2 {
			jobs[k*n/slots].Min = 1
		}
	}
	priority := r.Perm(n)
	if length == 1 {
		return jobs, nil, priority
	}
	lengths := make([]int, n/length)
	for i := range lengths {
		lengths[i] = length
	}
	g, err := precedence.Chains(lengths...)
	if err != nil {
		b.Fatal(err)
	}
	return jobs, g, g.Topological(nil)
}

func BenchmarkPack(b *testing.B) {
	for _, shape := range []struct {
		name   string
		length int
		minima bool
	}{{"independent", 1, false}, {"minima", 1, true}, {"chains", 20, false}} {
		for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/n=%d", shape.name, n), func(b *testing.B) {
				jobs, g, priority := benchJobs(b, n, shape.length, 100, shape.minima)
				s := new(malleable.Schedule)
				for b.Loop() {
					if err := malleable.PackInto(s, 100, jobs, g, priority, math.Inf(1)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(countPieces(s))/float64(n), "pieces/job")
			})
		}
	}
}

// quadratic is the family of instances with a number of changes that grows as the square of the
// number of jobs: k small jobs of one slot, and a chain that alternates between a job of one slot
// and a job of all slots, which takes the small jobs' slots and gives them back.
func quadratic(tb testing.TB, k int) (slots int, jobs []malleable.Job, g *precedence.Graph, priority []int) {
	tb.Helper()
	slots = k + 1
	var lengths []int
	for i := range k { // the chain
		job := malleable.Job{Work: 1, Max: 1}
		if i%2 == 1 {
			job = malleable.Job{Work: float64(slots)}
		}
		jobs = append(jobs, job)
	}
	lengths = append(lengths, k)
	for range k {
		jobs = append(jobs, malleable.Job{Work: float64(k), Max: 1})
		lengths = append(lengths, 1)
	}
	for j := range jobs {
		priority = append(priority, j)
	}
	g, err := precedence.Chains(lengths...)
	if err != nil {
		tb.Fatal(err)
	}
	return slots, jobs, g, priority
}

// TestPackQuadratic packs with thousands of changes.
func TestPackQuadratic(t *testing.T) {
	slots, jobs, g, priority := quadratic(t, 300)
	s, err := malleable.Pack(slots, jobs, g, priority)
	if err != nil {
		t.Fatal(err)
	}
	if countPieces(s) < 300*300/4 {
		t.Errorf("the quadratic family has %d pieces, want at least %d", countPieces(s), 300*300/4)
	}
	if err := malleable.Verify(slots, jobs, g, s); err != nil {
		t.Errorf("Pack fails Verify: %v", err)
	}
}

func BenchmarkPackQuadratic(b *testing.B) {
	for _, k := range []int{50, 500, 2000} {
		b.Run(fmt.Sprintf("n=%d", 2*k), func(b *testing.B) {
			slots, jobs, g, priority := quadratic(b, k)
			s := new(malleable.Schedule)
			for b.Loop() {
				if err := malleable.PackInto(s, slots, jobs, g, priority, math.Inf(1)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(countPieces(s)), "ns/piece")
			b.ReportMetric(float64(countPieces(s)), "pieces")
		})
	}
}
