package malleable_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/malleable"
)

// TestAssign checks the laws of one round on random claims: the most underallocated job first,
// patience, strictness, and the claims afterwards.
func TestAssign(t *testing.T) {
	for seed := range uint64(3000) {
		r := random(seed)
		claims := make([]malleable.Claim, 1+r.IntN(6))
		for j := range claims {
			claims[j] = malleable.Claim{Plan: r.IntN(5), Held: r.IntN(5), Waiting: r.IntN(4), Passed: r.IntN(3)}
		}
		free := r.IntN(8)
		near := make([]bool, free*len(claims))
		for i := range near {
			near[i] = r.IntN(3) == 0
		}
		local := func(slot, job int) bool { return near[slot*len(claims)+job] }
		o := malleable.AssignOptions{Patience: r.IntN(4), Strict: r.IntN(2) == 0}
		before := slices.Clone(claims)
		got, next, err := malleable.Assign([]int{9}, nil, free, claims, local, o)
		if err != nil || got[0] != 9 || len(got) != 1+free || !slices.Equal(before, claims) {
			t.Fatalf("seed %d: Assign(%d, %v) = %v, %v", seed, free, claims, got, err)
		}
		now := slices.Clone(claims)
		for slot, job := range got[1:] {
			order := make([]int, len(now))
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
				if c.Waiting == 0 || o.Strict && c.Held >= c.Plan {
					continue
				}
				if local(slot, j) || c.Passed >= o.Patience {
					taker = j
					c.Held++
					c.Waiting--
					c.Passed = 0
					break
				}
				c.Passed++
			}
			if taker != job {
				t.Fatalf("seed %d: Assign(%d, %v, %+v) gives slot %d to %d, want %d", seed, free, claims, o, slot, job, taker)
			}
		}
		if !slices.Equal(now, next) {
			t.Fatalf("seed %d: Assign(%d, %v, %+v) leaves %v, want %v", seed, free, claims, o, next, now)
		}
	}
}

// TestAssignAgain: what Assign returns it accepts, also at the ends of the ranges.
func TestAssignAgain(t *testing.T) {
	ends := []int{0, 1, malleable.MaxSlots - 1, malleable.MaxSlots}
	for seed := range uint64(2000) {
		r := random(seed)
		claims := make([]malleable.Claim, 1+r.IntN(4))
		for j := range claims {
			claims[j] = malleable.Claim{Plan: pick(r, ends), Held: pick(r, ends), Waiting: pick(r, []int{0, 2, math.MaxInt}), Passed: pick(r, []int{0, 1, math.MaxInt - 1, math.MaxInt})}
		}
		o := malleable.AssignOptions{Patience: pick(r, []int{0, 2, math.MaxInt}), Strict: r.IntN(2) == 0}
		for range 3 {
			got, next, err := malleable.Assign(nil, nil, 3, claims, func(slot, job int) bool { return slot == job }, o)
			if err != nil {
				t.Fatalf("seed %d: Assign(3, %v, %+v) = %v, want it to accept what it returned", seed, claims, o, err)
			}
			for slot, j := range got {
				if j >= 0 && claims[j].Held == malleable.MaxSlots {
					t.Errorf("seed %d: Assign(3, %v, %+v) gives slot %d to job %d, which holds all there can be", seed, claims, o, slot, j)
				}
			}
			claims = next
		}
	}
}

func TestAssignErrors(t *testing.T) {
	bad := []malleable.Claim{{}, {Waiting: -1}}
	index := map[string]int{"claims": 1, "free": -1, "o": -1}
	for arg, call := range map[string]func() error{
		"claims": func() error {
			_, _, err := malleable.Assign(nil, nil, 1, bad, nil, malleable.AssignOptions{})
			return err
		},
		"free": func() error {
			_, _, err := malleable.Assign(nil, nil, -1, nil, nil, malleable.AssignOptions{})
			return err
		},
		"o": func() error {
			_, _, err := malleable.Assign(nil, nil, 1, nil, nil, malleable.AssignOptions{Patience: -1})
			return err
		},
	} {
		expect.InputError(t, "Assign", call(), "malleable.Assign", arg, index[arg])
	}
}
