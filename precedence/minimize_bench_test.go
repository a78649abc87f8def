package precedence_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/precedence"
)

// own hides the formula and the inverse of a penalty.
type own struct{ precedence.Penalty }

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
	lengths := make([]int, n/length)
	for i := range lengths {
		lengths[i] = length
	}
	g, err := precedence.Chains(lengths...)
	if err != nil {
		b.Fatal(err)
	}
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
	general := func(w, d float64) precedence.Penalty { return own{precedence.Lateness{Deadline: d, Weight: w}} }
	response := func(w, d float64) precedence.Penalty { return own{precedence.Response{Weight: w}} }
	for _, n := range []int{1000, 10_000} {
		run("general", n, nil, general)
		run("general-chains", n, chainsOf(b, n, 10), general)
		run("general-response", n, nil, response)
	}
	for _, n := range []int{10_000, 1_000_000} {
		run("lateness-chains", n, chainsOf(b, n, 10), func(w, d float64) precedence.Penalty { return precedence.Lateness{Deadline: d, Weight: 1} })
	}
	for _, n := range []int{10_000, 100_000} {
		run("weighted-lateness-chains", n, chainsOf(b, n, 10), lateness)
		run("stretch", n, nil, func(w, d float64) precedence.Penalty { return precedence.Response{Weight: 1 / w} })
		run("SLA-chains", n, chainsOf(b, n, 10), func(w, d float64) precedence.Penalty {
			return precedence.SLA{Deadlines: []float64{d, d + 100, d + 500}, Costs: []float64{w, 2 * w, 5 * w}}
		})
	}
}

// The states are known: one less is too few.
func BenchmarkDownsets(b *testing.B) {
	run := func(name string, states, n int, g *precedence.Graph) {
		work, weight, due := randomJobs(n, 3)
		obj, err := precedence.SumWeightedTardiness(due, weight)
		if err != nil {
			b.Fatal(err)
		}
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
	graph := func(n int, arcs [][2]int) *precedence.Graph {
		g, err := precedence.NewGraph(n, arcs)
		if err != nil {
			b.Fatal(err)
		}
		return g
	}
	run("free", 1<<20, 20, nil)
	run("chains-2", 1000*1000, 2*999, chainsOf(b, 2*999, 999))
	run("chains-4", 31*31*31*31, 4*30, chainsOf(b, 4*30, 30))
	run("chains-10", 1<<20, 30, chainsOf(b, 30, 3))

	// A fixed number of pairs drawn, of which those in ascending order are arcs.
	for _, c := range []struct{ n, pairs, states int }{{26, 50, 745_344}, {30, 63, 384_252}, {48, 240, 561_095}} {
		r := rand.New(rand.NewPCG(5, uint64(c.n)))
		var arcs [][2]int
		for range c.pairs {
			if i, j := r.IntN(c.n), r.IntN(c.n); i < j {
				arcs = append(arcs, [2]int{i, j})
			}
		}
		run("random", c.states, c.n, graph(c.n, arcs))
	}

	// Each job of a square after those above it and to its left: a down-set is a path from one
	// corner to the opposite one.
	var grid [][2]int
	const side = 11
	for k := range side * side {
		if k%side > 0 {
			grid = append(grid, [2]int{k - 1, k})
		}
		if k >= side {
			grid = append(grid, [2]int{k - side, k})
		}
	}
	run("grid", 705_432, side*side, graph(side*side, grid))

	// A binary tree, each parent after its children: none or all of a subtree's root, and its
	// children's choices.
	var tree [][2]int
	for j := 1; j < 33; j++ {
		tree = append(tree, [2]int{j, (j - 1) / 2})
	}
	run("in-tree", 986_390, 33, graph(33, tree))

	// A crown: each of the upper jobs after all lower ones but its own.
	var crown [][2]int
	for k := range 18 * 18 {
		if k/18 != k%18 {
			crown = append(crown, [2]int{k / 18, 18 + k%18})
		}
	}
	run("crown", 524_305, 36, graph(36, crown))

	// Antichains in series, and a ladder whose sides wait for each other: few down-sets a job.
	const wide, rows = 10, 400
	var series, ladder [][2]int
	for k := range wide * (rows - 1) {
		for i := range wide {
			series = append(series, [2]int{k, (k/wide+1)*wide + i})
		}
	}
	run("series", rows*(1<<wide-1)+1, wide*rows, graph(wide*rows, series))
	const sides, rungs = 5, 8323
	for k := range sides * (rungs - 1) {
		ladder = append(ladder, [2]int{k, k + sides}, [2]int{k, (k/sides+1)*sides + (k+1)%sides})
	}
	run("ladder", 1_048_564, sides*rungs, graph(sides*rungs, ladder))
}

func BenchmarkMinimize(b *testing.B) {
	run := func(name string, n int, make func(due, weight []float64) (precedence.Objective, error)) {
		work, weight, due := randomJobs(n, 4)
		obj, err := make(due, weight)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
			for b.Loop() {
				if s, err := precedence.Minimize(nil, work, obj, precedence.Options{}); err != nil || !(s.Bound <= s.Value) {
					b.Fatal(s.Value, s.Bound, err)
				}
			}
		})
	}
	unweighted := func(due, _ []float64) (precedence.Objective, error) { return precedence.SumTardy(due) }
	for _, n := range []int{1000, 100_000} {
		run("Moore-Hodgson", n, unweighted)
		run("tardiness-search", n, precedence.SumWeightedTardiness)
	}
	for _, n := range []int{100, 500} {
		run("Lawler-Moore", n, precedence.SumWeightedTardy)
	}
}
