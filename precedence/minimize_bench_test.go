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

func BenchmarkDownsets(b *testing.B) {
	run := func(name string, n int, g *precedence.Graph) {
		work, weight, due := randomJobs(n, 3)
		obj, err := precedence.SumWeightedTardiness(due, weight)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
			for b.Loop() {
				if s, err := precedence.Minimize(g, work, obj, precedence.Options{States: 1 << 20}); err != nil || !s.Exact {
					b.Fatal(s.Exact, err)
				}
			}
		})
	}
	run("free", 20, nil)
	run("chains-2", 2*999, chainsOf(b, 2*999, 999))
	run("chains-4", 4*30, chainsOf(b, 4*30, 30))
	run("chains-10", 30, chainsOf(b, 30, 3))
	for _, shape := range []struct{ n, every int }{{26, 5}, {30, 4}, {48, 2}} {
		g, states := sparse(shape.n, shape.every)
		run(fmt.Sprintf("sparse-arcs-%d-states", states), shape.n, g)
	}
	// Antichains in series: few down-sets among many jobs.
	var arcs [][2]int
	const wide, rows = 10, 900
	for r := 1; r < rows; r++ {
		for i := range wide {
			for k := range wide {
				arcs = append(arcs, [2]int{(r-1)*wide + i, r*wide + k})
			}
		}
	}
	g, err := precedence.NewGraph(wide*400, arcs[:wide*wide*399])
	if err != nil {
		b.Fatal(err)
	}
	run("series", wide*400, g)
}

// sparse returns a random graph with about one arc for every so many pairs, the arcs drawn until there are at most a million down-sets, and
// how many there are.
func sparse(n, every int) (*precedence.Graph, int) {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	var arcs [][2]int
	for {
		for range n / every {
			i, j := r.IntN(n), r.IntN(n)
			if i < j {
				arcs = append(arcs, [2]int{i, j})
			}
		}
		if states := countDownsets(n, arcs, 1<<20); states <= 1<<20 {
			g, _ := precedence.NewGraph(n, arcs)
			return g, states
		}
	}
}

func countDownsets(n int, arcs [][2]int, most int) int {
	before := make([]uint64, n)
	for _, a := range arcs {
		before[a[1]] |= 1 << a[0]
	}
	now := map[uint64]bool{0: true}
	count := 1
	for range n {
		next := map[uint64]bool{}
		for s := range now {
			for j := range n {
				if s>>j&1 == 0 && before[j]&^s == 0 {
					next[s|1<<j] = true
				}
			}
			if count+len(next) > most {
				return most + 1
			}
		}
		count += len(next)
		now = next
	}
	return count
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
