package malleable_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// TestPrefixBoundNeedsNoMinima is a case in which a minimum breaks the bound: the last job of the
// priority holds a slot from the start.
func TestPrefixBoundNeedsNoMinima(t *testing.T) {
	jobs := []malleable.Job{{Work: 4, Max: 2}, {Work: 10, Min: 1, Max: 1}, {Work: 2}}
	s, err := malleable.Pack(2, jobs, nil, []int{0, 2, 1})
	must(t, err)
	jobs[1].Min = 0
	limits, err := malleable.Bounds(2, jobs, nil, []int{0, 2, 1})
	must(t, err)
	if got, bound := s.Completion(nil)[2], limits.Latest[2]; got != 6 || bound != 4 {
		t.Errorf("with a minimum job 2 completes at %v and the bound is %v, want 6 and 4", got, bound)
	}
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
		best := orders.Antichain(len(in.jobs), in.arcs, func(j int) int {
			if in.jobs[j].Work > 0 {
				return in.jobs[j].Min
			}
			return 0
		})
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
	must(t, err)
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
	must(t, err)
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
