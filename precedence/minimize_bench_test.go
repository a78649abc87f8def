package precedence_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/precedence"
)

func randomJobs(n int, seed uint64) (work, weight, due []float64) {
	r := rand.New(rand.NewPCG(seed, 2))
	for range n {
		work = append(work, float64(1+r.IntN(100)))
		weight = append(weight, float64(1+r.IntN(10)))
	}
	for range n {
		due = append(due, float64(r.IntN(50*n)))
	}
	return work, weight, due
}

func chainsOf(b *testing.B, n, length int) *precedence.Graph {
	g, err := precedence.Chains(slices.Repeat([]int{length}, n/length)...)
	must(b, err)
	return g
}

func BenchmarkLawler(b *testing.B) {
	run := func(name string, n int, g *precedence.Graph, penalty func(w, d float64) precedence.Penalty) {
		work, weight, due := randomJobs(n, 1)
		penalties := make([]precedence.Penalty, n)
		for j := range penalties {
			penalties[j] = penalty(weight[j], due[j])
		}
		b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
			for b.Loop() {
				if s, err := precedence.Lawler(g, work, penalties); err != nil || !s.Exact {
					b.Fatal(s.Exact, err)
				}
			}
		})
	}
	lateness := func(w, d float64) precedence.Penalty { return precedence.Lateness{Deadline: d, Weight: w} }
	general := func(w, d float64) precedence.Penalty { return hidden{precedence.Lateness{Deadline: d, Weight: w}} }
	for _, n := range []int{1000, 10_000} {
		run("general", n, nil, general)
		run("general-chains", n, chainsOf(b, n, 10), general)
	}
	for _, n := range []int{10_000, 1_000_000} {
		run("weighted-lateness-chains", n, chainsOf(b, n, 10), lateness)
		run("lateness-chains", n, chainsOf(b, n, 10), func(w, d float64) precedence.Penalty { return precedence.Lateness{Deadline: d, Weight: 1} })
	}
}

// The states are known: one less is too few.
func BenchmarkDownsets(b *testing.B) {
	run := func(name string, states, n int, g *precedence.Graph) {
		work, weight, due := randomJobs(n, 3)
		obj, err := precedence.SumWeightedTardiness(due, weight)
		must(b, err)
		b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
			if n > 20 {
				if s, err := precedence.Minimize(g, work, obj, precedence.Options{States: states - 1, Steps: 1}); err != nil || s.Method == precedence.MethodDownSets {
					b.Fatal(s.Method, err)
				}
			}
			for b.Loop() {
				if s, err := precedence.Minimize(g, work, obj, precedence.Options{States: states}); err != nil || s.Method != precedence.MethodDownSets {
					b.Fatal(s.Method, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(states), "ns/state")
		})
	}
	run("free", 1<<20, 20, nil)
	run("chains-4", 31*31*31*31, 4*30, chainsOf(b, 4*30, 30))
}
