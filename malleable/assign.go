package malleable

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Claim is what the assignment layer knows of a job: what the plan gives it, what it has, and what
// it could start. All fields are >= 0, Plan and Held at most MaxSlots.
type Claim struct {
	// Plan: slots that the plan gives it now; 0 once the plan says that it is done, though it may
	// run over
	Plan    int
	Held    int // slots that it holds
	Waiting int // its tasks that have not started
	// Passed: slots that it has refused since it last started a task, because its data was
	// elsewhere
	Passed int
}

// maxFree bounds the free slots of one call of Assign, which tells a job for each of them.
const maxFree = 1 << 24

func checkClaims(fn string, claims []Claim) error {
	for j, c := range claims {
		if c.Plan < 0 || c.Held < 0 || c.Waiting < 0 || c.Passed < 0 {
			return input.Bad(fn, "claims", j, "is %+v, want all fields >= 0", c)
		}
		if c.Plan > MaxSlots || c.Held > MaxSlots {
			return input.Bad(fn, "claims", j, "is %+v, want Plan and Held of at most %d", c, MaxSlots)
		}
	}
	return nil
}

// compareShare compares Held/Plan by cross-multiplication, exactly, then the index. Jobs without a
// plan come after all that have one, the one that holds fewer slots first.
func compareShare(claims []Claim, a, b int) int {
	x, y := &claims[a], &claims[b]
	if (x.Plan == 0) != (y.Plan == 0) {
		if x.Plan == 0 {
			return 1
		}
		return -1
	}
	if x.Plan == 0 {
		return cmp.Or(cmp.Compare(x.Held, y.Held), cmp.Compare(a, b))
	}
	return cmp.Or(cmp.Compare(int64(x.Held)*int64(y.Plan), int64(y.Held)*int64(x.Plan)), cmp.Compare(a, b))
}

// Assign gives free slots, 0 to 2^24, one by one to jobs with waiting tasks ([1], appendices A.1
// and A.4): each to the job with the least Held/Plan at that moment, ties by index, that accepts
// it; jobs without a plan come last. A job accepts a slot if local(slot, job) holds, local is nil,
// or it has refused patience slots since it last started a task [6].
//
// It appends the job of each slot to dst, -1 for none, and to next the claims for the next call.
func Assign(dst []int, next []Claim, free int, claims []Claim, local func(slot, job int) bool, patience int) ([]int, []Claim, error) {
	const fn = "malleable.Assign"
	if free < 0 || free > maxFree {
		return dst, next, input.Bad(fn, "free", -1, "is %d, want 0 to %d", free, maxFree)
	}
	if patience < 0 {
		return dst, next, input.Bad(fn, "patience", -1, "is %d, want >= 0", patience)
	}
	if err := checkClaims(fn, claims); err != nil {
		return dst, next, err
	}
	from := len(next)
	next = append(next, claims...)
	now := next[from:]
	var order []int
	for j := range now {
		if now[j].Waiting > 0 && now[j].Held < MaxSlots {
			order = append(order, j)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return compareShare(now, a, b) })
	for slot := range free {
		taker := -1
		for i, j := range order {
			c := &now[j]
			if local != nil && !local(slot, j) && c.Passed < patience {
				c.Passed++
				continue
			}
			taker = j
			c.Held, c.Waiting, c.Passed = c.Held+1, c.Waiting-1, 0
			order = slices.Delete(order, i, i+1)
			if c.Waiting > 0 && c.Held < MaxSlots {
				at, _ := slices.BinarySearchFunc(order, j, func(a, b int) int { return compareShare(now, a, b) })
				order = slices.Insert(order, at, j)
			}
			break
		}
		dst = append(dst, taker)
	}
	return dst, next, nil
}
