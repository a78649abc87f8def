package partition

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// TestPackTextbook compares pack with first fit, machine after machine from the one with least
// room, where rooms are halves or quarters away from whole sizes.
func TestPackTextbook(t *testing.T) {
	packed, failed := 0, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(38, seed))
		m := 1 + rng.IntN(9)
		sizes, speeds, o := make([]float64, rng.IntN(20)), make([]float64, m), Options{Ready: make([]float64, m)}
		for k := range sizes {
			sizes[k] = float64(rng.IntN(30))
		}
		for i := range speeds {
			speeds[i], o.Ready[i] = float64(int(1)<<rng.IntN(3)), float64(rng.IntN(10))
		}
		if rng.IntN(2) == 0 {
			o.Deadlines = make([]float64, m)
			for i := range o.Deadlines {
				o.Deadlines[i] = float64(rng.IntN(60)) + 0.125
			}
		}
		cost, err := BySpeed(speeds)
		expect.Must(t, err)
		p, err := newProblem("partition.Assign", m, sizes, cost, o)
		expect.Must(t, err)
		if p.total == 0 {
			continue
		}
		by := float64(rng.IntN(60)) + 0.125
		room, order := make([]float64, m), make([]int, m)
		for i := range room {
			limit := by
			if o.Deadlines != nil {
				limit = min(limit, o.Deadlines[i])
			}
			order[i], room[i] = i, min(max(0, (limit-o.Ready[i])*speeds[i]), p.total)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(room[a], room[b]) })
		want := make([]int, len(sizes))
		fits := true
		for _, k := range p.order {
			j := slices.IndexFunc(order, func(i int) bool { return room[i] >= sizes[k] })
			if j < 0 {
				fits = false
				break
			}
			want[k] = order[j]
			room[order[j]] -= sizes[k]
		}
		s := p.pack(by)
		if (s != nil) != fits || fits && !slices.Equal(s.of, want) {
			t.Fatalf("seed %d: pack(%v) of %v on %v with %+v: %+v, want %t %v", seed, by, sizes, speeds, o, s, fits, want)
		}
		if fits {
			packed++
		} else {
			failed++
		}
	}
	if packed < 500 || failed < 500 {
		t.Errorf("%d packed and %d failed, want many of both", packed, failed)
	}
}
