package drf_test

import (
	"errors"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/drf"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
)

// Whatever the arguments: an InputError, or tasks of which nobody can have more, and Next names
// a user whose task fits too.
func FuzzShares(f *testing.F) {
	drawn.Fuzz(f, 200, 40, func(t *testing.T, b drawn.Bytes) bool {
		capacity, users := b.Numbers(1+b.Below(3)), make([]drf.User, b.Below(7))
		parents := make([]int, len(users))
		inner := make([]bool, len(users)+1)
		for i := range users {
			users[i] = drf.User{Demand: b.Numbers(len(capacity)), Weight: b.Number(), Max: b.Number()}
			parents[i] = b.Below(i+1) - 1
			inner[parents[i]+1] = true
		}
		for i := range users {
			if inner[i+1] && b.Below(8) > 0 {
				users[i].Demand, users[i].Max = nil, 0
			}
		}
		if b.Below(2) == 0 {
			parents = nil
		}
		shares, err := drf.Shares(nil, capacity, users, parents)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) || shares != nil {
				t.Fatalf("Shares(%v, %v, %v) = %v, %v, want nil and an InputError", capacity, users, parents, shares, err)
			}
			return false
		}
		check(t, capacity, users, parents, shares)
		tasks := make([]int, len(users))
		next, err := drf.Next(capacity, users, tasks)
		if err != nil || next < -1 || next >= len(users) {
			t.Fatalf("Next(%v, %v, %v) = %d, %v", capacity, users, tasks, next, err)
		}
		if next >= 0 {
			for r, d := range users[next].Demand {
				if d > capacity[r]*(1+1e-9) {
					t.Errorf("Next(%v, %v, %v) = %d, whose task does not fit", capacity, users, tasks, next)
				}
			}
		}
		return len(users) > 1
	})
}
