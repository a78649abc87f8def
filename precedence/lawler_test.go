package precedence_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/precedence"
)

// hidden has At and nothing else; inverse has Latest too. Neither can be recognised.
type hidden struct{ p precedence.Penalty }

func (h hidden) At(t float64) float64 { return h.p.At(t) }

type inverse struct{ p precedence.Penalty }

func (h inverse) At(t float64) float64     { return h.p.At(t) }
func (h inverse) Latest(z float64) float64 { return precedence.LatestOf(h.p, z) }

// liar has a Latest that is wrong by shift.
type liar struct {
	p     precedence.Penalty
	shift float64
}

func (h liar) At(t float64) float64     { return h.p.At(t) }
func (h liar) Latest(z float64) float64 { return precedence.LatestOf(h.p, z) + h.shift }

// fn is a penalty of any shape.
type fn func(t float64) float64

func (f fn) At(t float64) float64 { return f(t) }

// The three forms give the same value to the last bit, also for works and weights that are not
// whole: for whole ones by the modified due dates too.
func TestLawlerFormsAgree(t *testing.T) {
	methods := map[precedence.Method]int{}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(40)
		g, err := precedence.NewGraph(n, orders.Random(r, n, []float64{0, 0.05, 0.3}[r.IntN(3)]))
		must(t, err)
		whole := seed%2 == 0
		number := func(most int) float64 {
			x := float64(r.IntN(most))
			if !whole {
				x += r.Float64()
			}
			return x
		}
		work := make([]float64, n)
		penalties := make([]precedence.Penalty, n)
		form := r.IntN(7)
		for j := range n {
			work[j] = number(10) * float64(r.IntN(4))
			w, d := number(5), number(60)-10
			switch form {
			case 0:
				penalties[j] = precedence.Lateness{Deadline: d, Weight: w}
			case 1:
				penalties[j] = precedence.Tardiness{Deadline: d, Weight: w}
			case 2:
				penalties[j] = precedence.Response{Weight: w}
			case 3:
				penalties[j] = precedence.Tardy{Deadline: d, Weight: w}
			case 4:
				penalties[j] = precedence.SLA{Deadlines: []float64{d, d + 5, d + 30}, Costs: []float64{w, w, w + 3}}
			case 5: // one weight: modified due dates, where whole numbers make them exact
				if penalties[j] = (precedence.Lateness{Deadline: math.Trunc(d), Weight: 2}); !whole {
					penalties[j] = precedence.Response{Weight: 2}
				}
			case 6:
				penalties[j] = []precedence.Penalty{precedence.NoPenalty{}, precedence.Lateness{Deadline: d, Weight: w},
					precedence.Tardiness{Deadline: d, Weight: w}, precedence.Tardy{Deadline: d, Weight: w}}[r.IntN(4)]
			}
		}
		// NoPenalty is known by its type; hidden it would be 0, also in a maximum.
		wrap := func(w func(precedence.Penalty) precedence.Penalty) []precedence.Penalty {
			out := make([]precedence.Penalty, n)
			for j, p := range penalties {
				if out[j] = w(p); p == (precedence.Penalty(precedence.NoPenalty{})) {
					out[j] = p
				}
			}
			return out
		}
		forms := [][]precedence.Penalty{wrap(func(p precedence.Penalty) precedence.Penalty { return hidden{p} }), penalties,
			wrap(func(p precedence.Penalty) precedence.Penalty { return inverse{p} }),
			wrap(func(p precedence.Penalty) precedence.Penalty { return liar{p, float64(r.IntN(5) - 2)} })}
		var want precedence.Solution
		for i, f := range forms {
			s, err := precedence.Lawler(g, work, f)
			if err != nil {
				t.Fatalf("seed %d: Lawler(%v, %v): %v", seed, work, f, err)
			}
			if err := precedence.Verify(g, s.Order); err != nil {
				t.Fatalf("seed %d: Lawler(%v, %v): %v", seed, work, f, err)
			}
			if i == 0 {
				want = s
			}
			if s.Value != want.Value || s.Bound != s.Value || !s.Exact {
				t.Fatalf("seed %d: Lawler(%v, %v) = %v by %s, want %v by %s", seed, work, f, s.Value, s.Method, want.Value, want.Method)
			}
			methods[s.Method]++
		}
	}
	for _, m := range []precedence.Method{precedence.MethodDueDates, precedence.MethodThresholds, precedence.MethodBackward} {
		if methods[m] < 300 {
			t.Errorf("%v was used %d times: %v", m, methods[m], methods)
		}
	}
}

// stair is cost from free on, and 1 after until. It counts how often its inverse is asked for.
type stair struct {
	cost, free, until float64
	asked             *int
}

func (s stair) At(t float64) float64 {
	switch {
	case t <= s.free:
		return 0
	case t <= s.until:
		return s.cost
	}
	return 1
}

func (s stair) Latest(z float64) float64 {
	*s.asked++
	switch {
	case z < 0:
		return math.Inf(-1)
	case z < s.cost:
		return s.free
	case z < 1:
		return s.until
	}
	return math.Inf(1)
}

// Costs halve from job to job, and a pass puts the costliest job that the threshold allows last:
// halving the threshold by value alone takes a pass for each job. The last ten places are for the
// ten cheapest jobs, which are more than a pass that only raises its threshold finds within its
// budget.
func TestLawlerHalvesByRank(t *testing.T) {
	const n = 1000
	asked := 0
	work := make([]float64, n)
	penalties := make([]precedence.Penalty, n)
	for j := range penalties {
		work[j] = 1
		penalties[j] = stair{cost: math.Ldexp(1, -1-j), free: n - 10, until: float64(2*n - j), asked: &asked}
	}
	s, err := precedence.Lawler(nil, work, penalties)
	if want := math.Ldexp(1, -(n - 9)); err != nil || s.Value != want || s.Method != precedence.MethodThresholds {
		t.Fatalf("Lawler of %d stairs = %v by %s, %v, want %v by thresholds", n, s.Value, s.Method, err, want)
	}
	// 64 halvings by rank between as many by value, each a pass over the jobs within its budget
	// of 4n + 64 after raises.
	if most := 2 * 64 * (5*n + 64); asked > most || asked < 10*n {
		t.Errorf("Lawler of %d stairs asks for Latest %d times, want 10 passes or more and at most %d", n, asked, most)
	}
}

// The first pass has raised its threshold to the greatest cost of all when its budget ends: then
// the optimum is known, and no order is.
func TestLawlerBoundBeforeOrder(t *testing.T) {
	const n = 200
	asked := 0
	work := make([]float64, n)
	penalties := make([]precedence.Penalty, n)
	// each raise asks nearly n jobs; the fifth, to 1/2, is beyond 4n + 64
	for j := range penalties {
		work[j] = 1
		penalties[j] = stair{cost: math.Ldexp(1, -1-max(0, 4-j)), until: 2 * n, asked: &asked}
	}
	s, err := precedence.Lawler(nil, work, penalties)
	if err != nil || s.Value != 0.5 || s.Method != precedence.MethodThresholds || precedence.Verify(nil, s.Order) != nil || len(s.Order) != n {
		t.Fatalf("Lawler of %d stairs = %v of %d jobs by %s, %v, want 0.5 by thresholds", n, s.Value, len(s.Order), s.Method, err)
	}
	if asked < 5*n+64 {
		t.Errorf("Lawler of %d stairs asks for Latest %d times: no pass was given up", n, asked)
	}
}

// Thresholds at scales where halving by value would need a thousand steps, and with infinite
// penalties.
func TestLawlerExtremes(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		work      []float64
		penalties []precedence.Penalty
		want      float64
	}{
		{nil, nil, math.Inf(-1)},
		{[]float64{1, 2}, []precedence.Penalty{precedence.NoPenalty{}, precedence.NoPenalty{}}, math.Inf(-1)},
		{[]float64{1, 1}, []precedence.Penalty{precedence.Response{Weight: 1e-300}, precedence.Response{Weight: 1e300}}, 1e300},
		{[]float64{1e-300, 1e300}, []precedence.Penalty{precedence.Response{Weight: 1}, precedence.Response{Weight: 1}}, 1e300},
		{[]float64{5e-324, 5e-324}, []precedence.Penalty{precedence.Response{Weight: 3}, precedence.Response{Weight: 1}}, 15e-324},
		{[]float64{0, 0, 0}, []precedence.Penalty{precedence.Lateness{Deadline: 3, Weight: 2}, precedence.Lateness{Deadline: 1, Weight: 4}, precedence.Lateness{Deadline: 9, Weight: 9}}, -4},
		{[]float64{4, 1}, []precedence.Penalty{precedence.Lateness{Deadline: 9, Weight: 1}, precedence.Lateness{Deadline: 9, Weight: 2}}, -5},
		{[]float64{2, 1}, []precedence.Penalty{fn(func(t float64) float64 {
			if t > 2 {
				return inf
			}
			return -inf
		}), hidden{precedence.Response{Weight: 1}}}, 3},
		{[]float64{2, 1}, []precedence.Penalty{fn(func(float64) float64 { return inf }), hidden{precedence.Response{Weight: 1}}}, inf},
	} {
		s, err := precedence.Lawler(nil, c.work, c.penalties)
		if err != nil || s.Value != c.want || !s.Exact {
			t.Errorf("Lawler(nil, %v, %v) = %v, %v, want %v", c.work, c.penalties, s.Value, err, c.want)
		}
	}
}

// B.2 of the paper as printed: line 2 takes jobs without predecessors, and line 6 recomputes the
// set of jobs left.
func printedB2(n int, arcs [][2]int, work []float64, penalties []precedence.Penalty, successors bool) []int {
	left := map[int]bool{}
	total := 0.0
	for j := range n {
		left[j] = true
		total += work[j]
	}
	var order []int
	for len(left) > 0 {
		best := -1
		for j := range n {
			eligible := left[j]
			for _, a := range arcs {
				if successors && a[0] == j && left[a[1]] || !successors && a[1] == j && left[a[0]] {
					eligible = false
				}
			}
			if eligible && (best < 0 || penalties[j].At(total) < penalties[best].At(total)) {
				best = j
			}
		}
		order = append(order, best)
		delete(left, best)
		total -= work[best]
	}
	slices.Reverse(order)
	return order
}

func TestErrataB2(t *testing.T) {
	work := []float64{1, 2, 3}
	arcs := [][2]int{{0, 1}, {1, 2}}
	penalties := []precedence.Penalty{precedence.Lateness{Deadline: 1, Weight: 1}, precedence.Lateness{Deadline: 1, Weight: 1}, precedence.Lateness{Deadline: 1, Weight: 1}}
	g, err := precedence.NewGraph(3, arcs)
	must(t, err)
	if order := printedB2(3, arcs, work, penalties, false); precedence.Verify(g, order) == nil {
		t.Errorf("line 2 as printed gives the feasible order %v", order)
	}
	s, err := precedence.Lawler(g, work, penalties)
	if want := printedB2(3, arcs, work, penalties, true); err != nil || !slices.Equal(s.Order, want) {
		t.Errorf("Lawler(%v, %v) = %v, %v, want %v", arcs, work, s.Order, err, want)
	}
	// A maximum that starts at 0 is wrong for negative penalties.
	s, err = precedence.Lawler(nil, []float64{1, 1}, []precedence.Penalty{hidden{precedence.Lateness{Deadline: 9, Weight: 1}}, hidden{precedence.Lateness{Deadline: 5, Weight: 1}}})
	if err != nil || s.Value != -4 {
		t.Errorf("largest lateness = %v, %v, want -4", s.Value, err)
	}
}

// Ties in the modified due dates must follow the precedence, not the index: works of 0, and sums
// that round. The general form breaks ties by the index.
func TestLawlerTies(t *testing.T) {
	for _, work := range [][]float64{{0, 0, 0}, {1e-30, 1e-30, 1e-30}} {
		g, err := precedence.NewGraph(3, [][2]int{{2, 1}, {1, 0}})
		must(t, err)
		obj, err := precedence.MaxLateness([]float64{5, 5, 5})
		must(t, err)
		s, err := precedence.Minimize(g, work, obj, precedence.Options{})
		if err != nil || !slices.Equal(s.Order, []int{2, 1, 0}) {
			t.Errorf("Minimize(2 before 1 before 0, %v, lateness) = %v, %v, want [2 1 0]", work, s.Order, err)
		}
	}
	same := hidden{precedence.Response{Weight: 1}}
	s, err := precedence.Lawler(nil, []float64{1, 1, 1, 1}, []precedence.Penalty{same, same, same, same})
	if err != nil || !slices.Equal(s.Order, []int{0, 1, 2, 3}) {
		t.Errorf("Lawler of four equal jobs = %v, %v, want the order of the indices", s.Order, err)
	}
}

// A pass that raises its threshold at each job, with all of them to choose from, is given up before
// it costs n^2 values of Latest.
func TestThresholdsGiveUp(t *testing.T) {
	const n = 3000
	calls, work, penalties := 0, slices.Repeat([]float64{1}, n), make([]precedence.Penalty, n)
	for j := range penalties {
		penalties[j] = stair{cost: float64(1 + j*7%n), until: inf, asked: &calls}
	}
	s, err := precedence.Lawler(nil, work, penalties)
	if err != nil || s.Method != precedence.MethodThresholds || s.Value != n || calls > n*n/8 {
		t.Errorf("Lawler of %d jobs that are all late = %v by %s, %v, after %d values of Latest, want at most n^2 / 8", n, s.Value, s.Method, err, calls)
	}
}
