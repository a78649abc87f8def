package malleable_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/malleable"
)

// TestAssign checks three rounds on random claims, also at the ends of the ranges: the most
// underallocated job first, patience, strictness, and the claims afterwards, which the next round
// takes.
func TestAssign(t *testing.T) {
	const most = malleable.MaxSlots
	for seed := range uint64(4000) {
		r := random(seed)
		draw := func(small int, ends ...int) int {
			if seed%4 == 0 {
				return pick(r, ends)
			}
			return r.IntN(small)
		}
		claims := make([]malleable.Claim, 1+r.IntN(6))
		for j := range claims {
			claims[j] = malleable.Claim{Plan: draw(5, 0, 1, most-1, most), Held: draw(5, 0, 1, most-1, most),
				Waiting: draw(4, 0, 1, 2, math.MaxInt), Passed: draw(3, 0, 1, math.MaxInt-1, math.MaxInt)}
		}
		patience := draw(4, 0, 2, math.MaxInt)
		for range 3 {
			claims = checkAssign(t, seed, r.IntN(8), claims, patience)
		}
	}
}

func checkAssign(t *testing.T, seed uint64, free int, claims []malleable.Claim, patience int) []malleable.Claim {
	t.Helper()
	r := random(seed)
	near := make([]bool, free*len(claims))
	for i := range near {
		near[i] = r.IntN(3) == 0
	}
	local := func(slot, job int) bool { return near[slot*len(claims)+job] }
	before := slices.Clone(claims)
	got, next, err := malleable.Assign([]int{9}, nil, free, claims, local, patience)
	if err != nil || got[0] != 9 || len(got) != 1+free || !slices.Equal(before, claims) {
		t.Fatalf("seed %d: Assign(%d, %v, %d) = %v, %v", seed, free, claims, patience, got, err)
	}
	now, order := slices.Clone(claims), make([]int, len(claims))
	for slot, job := range got[1:] {
		for j := range order {
			order[j] = j
		}
		share := func(j int) float64 { return float64(now[j].Held) / float64(now[j].Plan) }
		slices.SortStableFunc(order, func(a, b int) int {
			if now[a].Plan == 0 && now[b].Plan == 0 {
				return now[a].Held - now[b].Held
			}
			if now[a].Plan == 0 || now[b].Plan == 0 {
				return now[b].Plan - now[a].Plan
			}
			return cmp.Compare(share(a), share(b))
		})
		taker := -1
		for _, j := range order {
			c := &now[j]
			if c.Waiting == 0 || c.Held == malleable.MaxSlots {
				continue
			}
			if local(slot, j) || c.Passed >= patience {
				taker = j
				c.Held++
				c.Waiting--
				c.Passed = 0
				break
			}
			c.Passed++
		}
		if taker != job {
			t.Fatalf("seed %d: Assign(%d, %v, %d) gives slot %d to %d, want %d", seed, free, claims, patience, slot, job, taker)
		}
	}
	if !slices.Equal(now, next) {
		t.Fatalf("seed %d: Assign(%d, %v, %d) leaves %v, want %v", seed, free, claims, patience, next, now)
	}
	return next
}
