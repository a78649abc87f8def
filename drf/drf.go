package drf

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/internal/tree"
)

// User is one who runs tasks, or an inner node of a tree.
type User struct {
	Demand []float64 // of one task, per resource; nil: nothing. Of an inner node nil
	Weight float64   // its dominant share, relative to its siblings'; 0 means 1
	Max    float64   // most tasks; 0 or +Inf: no limit. Of an inner node 0
}

func (u *User) weight() float64 { return cmp.Or(u.Weight, 1) }

func (u *User) most() float64 { return cmp.Or(u.Max, math.Inf(1)) }

const numberRange = "want 0 or a number in [2^-200, 2^200]"

func amount(x float64) bool { return x == 0 || x >= 0x1p-200 && x <= 0x1p200 }

func check(function string, capacity []float64, users []User) error {
	for r, c := range capacity {
		if !amount(c) {
			return input.Bad(function, "capacity", r, "%v, %s", c, numberRange)
		}
	}
	for i := range users {
		u := &users[i]
		switch {
		case u.Demand != nil && len(u.Demand) != len(capacity):
			return input.Bad(function, "users", i, "Demand has %d resources, want %d or nil", len(u.Demand), len(capacity))
		case slices.ContainsFunc(u.Demand, func(d float64) bool { return !amount(d) }):
			return input.Bad(function, "users", i, "Demand is %v, %s each", u.Demand, numberRange)
		case !amount(u.Weight):
			return input.Bad(function, "users", i, "Weight is %v, %s", u.Weight, numberRange)
		case !amount(u.Max) && !math.IsInf(u.Max, 1):
			return input.Bad(function, "users", i, "Max is %v, %s or +Inf", u.Max, numberRange)
		}
	}
	return nil
}

// DominantShare returns the greatest part of any resource that used takes of capacity, 0 if it
// takes nothing: the least DominantShare over weight is served first. Something of a capacity of 0
// is a share of +Inf. A NaN leaves a resource out, and so does the shorter list.
func DominantShare(capacity, used []float64) (share float64) {
	for r, u := range used[:min(len(used), len(capacity))] {
		if part := u / capacity[r]; part > 0 {
			share = max(share, part)
		}
	}
	return share
}

// Next returns the index of the user to give the next task, -1 if there is none, by the tasks that
// each runs: of those below their Max whose next task fits into what is free, to 10^-12 of a
// capacity, the one of the least dominant share per weight, to 2^-40, ties to the lower index.
//
// Errors: tasks of another length than users, or negative.
func Next(capacity []float64, users []User, tasks []int) (int, error) {
	if err := check("drf.Next", capacity, users); err != nil {
		return -1, err
	}
	if len(tasks) != len(users) {
		return -1, input.Bad("drf.Next", "tasks", -1, "%d of them for %d users", len(tasks), len(users))
	}
	if i := slices.IndexFunc(tasks, func(t int) bool { return t < 0 }); i >= 0 {
		return -1, input.Bad("drf.Next", "tasks", i, "negative")
	}
	used := make([]float64, len(capacity))
	for i := range users {
		for r, d := range users[i].Demand {
			used[r] += float64(tasks[i]) * d
		}
	}
	best, least := -1, math.Inf(1)
	for i := range users {
		u := &users[i]
		share := DominantShare(capacity, u.Demand)
		if share == 0 || float64(tasks[i])+1 > u.most() {
			continue
		}
		if level := share * float64(tasks[i]) / u.weight(); level < least*(1-near) && u.fits(capacity, used) {
			best, least = i, level
		}
	}
	return best, nil
}

func (u *User) fits(capacity, used []float64) bool {
	for r, d := range u.Demand {
		if d > 0 && used[r]+d > capacity[r]*(1+1e-12) { // decimals do not sum up exactly
			return false
		}
	}
	return true
}

// Shares appends to dst how many tasks, a fraction perhaps, each user gets by dominant resource
// fairness. parents[i] is the parent of i, -1 for the root; nil puts all under the root. An inner
// node gets the sum of its children's.
//
// Errors: a Demand or Max of an inner node; parents of another length than users or in a cycle.
func Shares(dst []float64, capacity []float64, users []User, parents []int) ([]float64, error) {
	if err := check("drf.Shares", capacity, users); err != nil {
		return dst, err
	}
	t, bad, reason := tree.New(len(users), parents)
	if reason != "" {
		return dst, input.Bad("drf.Shares", "parents", bad, "%s", reason)
	}
	for i := range users {
		if len(t.Children(i)) > 0 && (users[i].Demand != nil || users[i].Max != 0) {
			return dst, input.Bad("drf.Shares", "users", i, "has children, want no Demand and no Max")
		}
	}
	n := len(dst)
	dst = slices.Grow(dst, len(users))[:n+len(users)]
	clear(dst[n:])
	f := newFilling(capacity, users, t, dst[n:])
	for steps := 0; f.measure(); steps++ {
		if steps > 100*(len(users)+1)*(len(capacity)+1) { // none is known that takes a hundredth of them
			return dst[:n], input.Bad("drf.Shares", "users", -1, "shares do not settle")
		}
		f.step()
	}
	for _, i := range slices.Backward(t.Order) {
		if parents != nil && parents[i] >= 0 {
			dst[n+parents[i]] += dst[n+i]
		}
	}
	return dst, nil
}
