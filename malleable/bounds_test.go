package malleable_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// TestPrefixBound checks C_j <= prefix/slots + longest chain of Work/Max on every random case
// without minima, and the lower bounds on all.
func TestPrefixBound(t *testing.T) {
	for seed := range uint64(8000) {
		in := randomInstance(random(seed), seed%4 == 0)
		g := in.graph(t)
		s, err := malleable.Pack(in.slots, in.jobs, g, in.priority)
		if err != nil {
			continue
		}
		limits, err := malleable.Bounds(in.slots, in.jobs, g, in.priority)
		if err != nil {
			t.Fatal(err)
		}
		free := !slices.ContainsFunc(in.jobs, func(j malleable.Job) bool { return j.Min > 0 })
		if (limits.Latest != nil) != free {
			t.Fatalf("seed %d: Bounds(%+v).Latest = %v", seed, in, limits.Latest)
		}
		for j, c := range s.Completion(nil) {
			if c < limits.Earliest[j] && !near(c, limits.Earliest[j]) {
				t.Errorf("seed %d: job %d of %+v completes at %v, before Earliest %v", seed, j, in, c, limits.Earliest[j])
			}
			if free && c > limits.Latest[j] && !near(c, limits.Latest[j]) {
				t.Errorf("seed %d: job %d of %+v completes at %v, after Latest %v", seed, j, in, c, limits.Latest[j])
			}
		}
		if s.Makespan() < limits.Makespan && !near(s.Makespan(), limits.Makespan) {
			t.Errorf("seed %d: %+v ends at %v, before %v", seed, in, s.Makespan(), limits.Makespan)
		}
		if free && s.Makespan() > 2*limits.Makespan*(1+1e-12) {
			t.Errorf("seed %d: %+v ends at %v, more than twice %v", seed, in, s.Makespan(), limits.Makespan)
		}
	}
}

// TestPrefixBoundNeedsNoMinima is a case in which a minimum breaks the bound: the last job of the
// priority holds a slot from the start.
func TestPrefixBoundNeedsNoMinima(t *testing.T) {
	jobs := []malleable.Job{{Work: 4}, {Work: 10, Min: 1, Max: 1}}
	s, err := malleable.Pack(2, jobs, nil, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	jobs[1].Min = 0
	limits, err := malleable.Bounds(2, jobs, nil, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, bound := s.Completion(nil)[0], limits.Latest[0]; got != 4 || bound != 4 {
		t.Errorf("job 0 completes at %v with bound %v, want 4 and 4", got, bound)
	}
	jobs[0] = malleable.Job{Work: 4, Max: 2}
	jobs = append(jobs, malleable.Job{Work: 2})
	jobs[1].Min = 1
	s, err = malleable.Pack(2, jobs, nil, []int{0, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	jobs[1].Min = 0
	if limits, err = malleable.Bounds(2, jobs, nil, []int{0, 2, 1}); err != nil {
		t.Fatal(err)
	}
	if got, bound := s.Completion(nil)[2], limits.Latest[2]; got != 6 || bound != 4 {
		t.Errorf("with a minimum job 2 completes at %v and the bound is %v, want 6 and 4", got, bound)
	}
}

// TestTwoApproximation packs optimal one-machine orders of chains: the weighted completion time is
// within twice the larger of two lower bounds, the one-machine optimum and that of each chain by
// itself; and in exact terms against the best packing over all orders where that is known.
func TestTwoApproximation(t *testing.T) {
	all := readGolden(t)
	checked := 0
	for i := range all.Cases {
		c := &all.Cases[i]
		in := c.instance()
		g := in.graph(t)
		if c.Best == "" || g.Shape() > precedence.ShapeChains {
			continue
		}
		if slices.ContainsFunc(in.jobs, func(j malleable.Job) bool { return j.Min > 0 }) {
			continue
		}
		work, weight := make([]float64, c.N), make([]float64, c.N)
		for j := range work {
			work[j], weight[j] = in.jobs[j].Work/float64(c.S), c.Jobs[j].W
		}
		sol, err := precedence.Smith(g, work, weight)
		if err != nil {
			t.Fatal(err)
		}
		s, err := malleable.Pack(c.S, in.jobs, g, sol.Order)
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		for j, at := range s.Completion(nil) {
			got += weight[j] * at
		}
		best := golden.Float(t, c.Best)
		if got < best && !near(got, best) || got > 2*best {
			t.Errorf("case %d: packing Smith's order costs %v, the best packing %v", c.ID, got, best)
		}
		checked++
	}
	if checked == 0 {
		t.Error("no case checked")
	}
}

// reach is the transitive closure by repeated squaring of a matrix of booleans.
func reach(n int, arcs [][2]int) [][]bool {
	before := make([][]bool, n)
	for i := range before {
		before[i] = make([]bool, n)
	}
	for _, a := range arcs {
		before[a[0]][a[1]] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				before[i][j] = before[i][j] || before[i][k] && before[k][j]
			}
		}
	}
	return before
}

// TestNormalizeMinima compares with the heaviest antichain among all subsets, on graphs of all
// shapes. Minima of millions show each unit of its weight in what is left of them.
func TestNormalizeMinima(t *testing.T) {
	shapes := make(map[precedence.Shape]int)
	for seed := range uint64(3000) {
		r := random(seed)
		in := randomInstance(r, false)
		for j := range in.jobs {
			in.jobs[j].Max = 0
			in.jobs[j].Min = r.IntN(6)
		}
		g := in.graph(t)
		if g != nil {
			shapes[g.Shape()]++
		}
		before := reach(len(in.jobs), in.arcs)
		best := 0
		for set := range 1 << len(in.jobs) {
			sum, ok := 0, true
			for i := range in.jobs {
				if set&(1<<i) == 0 {
					continue
				}
				if in.jobs[i].Work > 0 {
					sum += in.jobs[i].Min
				}
				for k := range in.jobs {
					ok = ok && !(set&(1<<k) != 0 && before[i][k])
				}
			}
			if ok {
				best = max(best, sum)
			}
		}
		checkNormalized(t, seed, r.IntN(8)+1, in, g, best)
		for j := range in.jobs {
			in.jobs[j].Min *= 1_000_000
		}
		checkNormalized(t, seed, 999_983, in, g, best*1_000_000)
	}
	for s := precedence.ShapeIndependent; s <= precedence.ShapeGeneral; s++ {
		if shapes[s] < 20 {
			t.Errorf("%d graphs of shape %v", shapes[s], s)
		}
	}
}

func checkNormalized(t *testing.T, seed uint64, slots int, in instance, g *precedence.Graph, heaviest int) {
	t.Helper()
	least, err := malleable.NormalizeMinima(nil, slots, in.jobs, g)
	if err != nil {
		t.Fatal(err)
	}
	jobs := slices.Clone(in.jobs)
	for j, m := range least {
		want := in.jobs[j].Min
		if heaviest > slots && jobs[j].Work > 0 {
			want = int(int64(want) * int64(slots) / int64(heaviest))
		}
		if m != want {
			t.Fatalf("seed %d: NormalizeMinima(%d, %+v)[%d] = %d, want %d", seed, slots, in, j, m, want)
		}
		jobs[j].Min = m
	}
	s, err := malleable.Pack(slots, jobs, g, in.priority)
	if err != nil {
		t.Fatalf("seed %d: Pack after NormalizeMinima(%d, %+v): %v", seed, slots, in, err)
	}
	if err := malleable.Verify(slots, jobs, g, s); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
}

// TestAntichainAboveSlotsThatPacks: the antichain test is sufficient and not necessary.
func TestAntichainAboveSlotsThatPacks(t *testing.T) {
	jobs := []malleable.Job{{Work: 100, Min: 1}, {Work: 4, Min: 2}, {Work: 1, Min: 1}}
	g, err := precedence.NewGraph(3, [][2]int{{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if least, err := malleable.NormalizeMinima(nil, 2, jobs, g); err != nil || !slices.Equal(least, []int{0, 1, 0}) {
		t.Errorf("NormalizeMinima(2, %v) = %v, %v, want [0 1 0]: jobs 1 and 2 may need 3 slots", jobs, least, err)
	}
	s, err := malleable.Pack(2, jobs, g, []int{0, 1, 2})
	if err != nil {
		t.Fatalf("Pack(2, %v) = %v, want a schedule", jobs, err)
	}
	if err := malleable.Verify(2, jobs, g, s); err != nil {
		t.Error(err)
	}
}

func TestBoundsErrors(t *testing.T) {
	g, err := precedence.Chains(2)
	if err != nil {
		t.Fatal(err)
	}
	_, err = malleable.Bounds(1, make([]malleable.Job, 2), g, []int{1, 0})
	expect.InputError(t, "Bounds with a priority against the arcs", err, "malleable.Bounds", "priority", 0)
}

func BenchmarkNormalizeMinima(b *testing.B) {
	for _, n := range []int{100, 1000, 3000} {
		b.Run(fmt.Sprintf("dag/n=%d", n), func(b *testing.B) {
			r := random(uint64(n))
			jobs := make([]malleable.Job, n)
			var arcs [][2]int
			for j := range jobs {
				jobs[j] = malleable.Job{Work: 1, Min: r.IntN(4)}
				for range min(j, 3) {
					arcs = append(arcs, [2]int{r.IntN(j), j})
				}
			}
			g, err := precedence.NewGraph(n, arcs)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if least, err := malleable.NormalizeMinima(nil, 1, jobs, g); err != nil || len(least) != len(jobs) {
					b.Fatal(least, err)
				}
			}
		})
	}
}
