package precedence_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/precedence"
)

// A rival is an instance of weighted tardiness with plain ways to order it.
type rival struct {
	work, weight, due []float64
	arcs              [][2]int
}

// drawRival draws works of 1 to 100, weights of 1 to 10, and due dates about (1 - late) of the sum
// of the works; with arcs from one or two of the reach jobs before each job.
func drawRival(r *rand.Rand, n int, late float64, reach int) rival {
	v := rival{work: make([]float64, n), weight: make([]float64, n), due: make([]float64, n)}
	sum := 0.0
	for j := range n {
		v.work[j], v.weight[j] = float64(1+r.IntN(100)), float64(1+r.IntN(10))
		sum += v.work[j]
		for range min(j, reach, 1+r.IntN(2)) {
			v.arcs = append(v.arcs, [2]int{j - 1 - r.IntN(min(j, reach)), j})
		}
	}
	for j := range n {
		v.due[j] = math.Trunc(sum * (1 - late) * (0.5 + r.Float64()))
	}
	return v
}

func (v rival) solve(t *testing.T, o precedence.Options) float64 {
	t.Helper()
	obj := mustObj(t)(precedence.SumWeightedTardiness(v.due, v.weight))
	s, err := precedence.Minimize(mustGraph(t, len(v.work), v.arcs), v.work, obj, o)
	must(t, err)
	return s.Value
}

func (v rival) value(order []int) (sum float64) {
	end := 0.0
	for _, j := range order {
		end += v.work[j]
		sum += v.weight[j] * max(0, end-v.due[j])
	}
	return sum
}

// dispatch is apparent tardiness cost with a look-ahead of k mean works, without arcs.
func (v rival) dispatch(k float64) float64 {
	var left, order []int
	now, sum := 0.0, 0.0
	for j, w := range v.work {
		left = append(left, j)
		sum += w
	}
	for len(left) > 0 {
		best, most := 0, -1.0
		for i, j := range left {
			slack := max(0, v.due[j]-v.work[j]-now)
			if u := v.weight[j] / v.work[j] * math.Exp(-slack/(k*sum/float64(len(v.work)))); u > most {
				best, most = i, u
			}
		}
		j := left[best]
		left = slices.Delete(left, best, best+1)
		order = append(order, j)
		now += v.work[j]
	}
	return v.value(order)
}

// anneal swaps neighbours that no arc joins and moves jobs by up to 50 places, a neighbour at a
// time, for a count of moves.
func (v rival) anneal(r *rand.Rand, moves int) float64 {
	n := len(v.work)
	arc := map[[2]int]bool{}
	for _, a := range v.arcs {
		arc[a] = true
	}
	order, end := make([]int, n), make([]float64, n)
	now := 0.0
	for j := range n { // arcs go to later jobs
		now += v.work[j]
		order[j], end[j] = j, now
	}
	late := func(j int, t float64) float64 { return v.weight[j] * max(0, t-v.due[j]) }
	value := v.value(order)
	heat := 0.3 * value / float64(n)
	for range moves {
		i, step := r.IntN(n), 1-2*r.IntN(2)
		for range 1 + r.IntN(50) { // as far as each step is taken
			a, b := min(i, i+step), max(i, i+step)
			if a < 0 || b >= n || arc[[2]int{order[a], order[b]}] {
				break
			}
			x, y := order[a], order[b]
			begin := end[a] - v.work[x]
			rise := late(y, begin+v.work[y]) + late(x, end[b]) - late(x, end[a]) - late(y, end[b])
			if rise > 0 && r.Float64() >= math.Exp(-rise/heat) {
				break
			}
			order[a], order[b] = y, x
			end[a] = begin + v.work[y]
			value += rise
			i += step
		}
		heat *= math.Pow(1e-3, 1/float64(moves))
	}
	return v.value(order)
}

// Whatever Steps is, the search begins no worse than a dispatch rule, and by default it ends far
// below it.
func TestSearchAgainstDispatch(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 31))
		v := drawRival(r, 300+100*int(seed%3), 0.2+0.1*float64(seed), 0)
		rule := v.dispatch(2)
		if got := v.solve(t, precedence.Options{Steps: 1}); got > 1.05*rule {
			t.Errorf("seed %d: %v after one step, apparent tardiness cost %v", seed, got, rule)
		}
		if got := v.solve(t, precedence.Options{}); got > rule {
			t.Errorf("seed %d: %v, apparent tardiness cost %v", seed, got, rule)
		}
	}
}

// No sum of tardiness is below the least maximum, and where one job alone is late under an order of
// least maximum, that order is best.
func TestSearchAgainstMaximum(t *testing.T) {
	proven := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 33))
		const n = 100
		work, weight, due, sum := make([]float64, n), make([]float64, n), make([]float64, n), 0.0
		for j := range n {
			work[j], weight[j] = float64(1+r.IntN(100)), float64(1+r.IntN(10))
			sum += work[j]
		}
		for j := range n {
			due[j] = math.Trunc(sum * (0.6 + 0.4*r.Float64()))
		}
		most, err := precedence.Lawler(nil, work, mustObj(t)(precedence.MaxWeightedTardiness(due, weight)).Penalties)
		must(t, err)
		obj := mustObj(t)(precedence.SumWeightedTardiness(due, weight))
		start, err := precedence.Evaluate(work, obj, most.Order)
		must(t, err)
		s, err := precedence.Minimize(nil, work, obj, precedence.Options{Steps: 1})
		must(t, err)
		if s.Bound < most.Value {
			t.Errorf("seed %d: bound %v, want at least %v, the least maximum", seed, s.Bound, most.Value)
		}
		if most.Value == start && start > 0 {
			proven++
			if !s.Exact || s.Value != start {
				t.Errorf("seed %d: %v, exact %v, want %v, which one late job alone pays", seed, s.Value, s.Exact, start)
			}
		}
	}
	if proven == 0 {
		t.Error("no instance has one late job")
	}
}

// Where penalties are negative a sum may be below the least maximum.
func TestSearchOfNegativeSums(t *testing.T) {
	const n = 30
	work, penalties, want, end := make([]float64, n), make([]precedence.Penalty, n), 0.0, 0.0
	for j := range n - 1 { // the shortest first is best
		work[n-2-j] = float64(1 + j)
		penalties[j] = precedence.Lateness{Deadline: 2000, Weight: 1}
		end += float64(1 + j)
		want += end - 2000
	}
	work[n-1], penalties[n-1] = 1000, precedence.Tardiness{Deadline: 2000, Weight: 1}
	s, err := precedence.Minimize(nil, work, precedence.Objective{Aggregate: precedence.Sum, Penalties: penalties}, precedence.Options{})
	must(t, err)
	if s.Value != want || s.Bound > want {
		t.Errorf("value %v, bound %v, want %v", s.Value, s.Bound, want)
	}
}

// Under arcs the default ends where a plain annealing of a million moves does, or below.
func TestSearchAgainstAnnealing(t *testing.T) {
	ours, theirs := 0.0, 0.0
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 32))
		v := drawRival(r, 400, 0.7+0.05*float64(seed), []int{40, 400}[seed%2])
		ours += v.solve(t, precedence.Options{})
		theirs += v.anneal(r, 1_000_000)
	}
	if ours > 1.01*theirs {
		t.Errorf("%v in sum, annealing %v", ours, theirs)
	}
	t.Logf("%v in sum, annealing %v", ours, theirs)
}
