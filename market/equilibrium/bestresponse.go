package equilibrium

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// validWeight reports whether w is 0 or in [2^-200, 2^200].
func validWeight(w float64) bool { return w == 0 || w >= 0x1p-200 && w <= 0x1p200 }

// BestResponse appends to dst the bid on each machine with which a user gets most for its budget:
// it maximises sum_j worth_j x_j / (x_j + others_j) subject to sum_j x_j = budget, x >= 0 [FLZ,
// section 3]. worth[j] is what all of machine j is worth to the user, others[j] the sum of all
// other bids on it, among them its owner's reserve price. A machine without worth gets no bid.
//
// Errors: numbers that are neither 0 nor in [2^-200, 2^200], lists of different lengths, and a
// machine with worth on which nobody else bids: the less one bids there the better, so there is no
// best bid. Give it a reserve price.
func BestResponse(dst []float64, budget float64, worth, others []float64) ([]float64, error) {
	const fn = "equilibrium.BestResponse"
	if !validWeight(budget) {
		return dst, input.Bad(fn, "budget", -1, "want 0 or a number in [2^-200, 2^200]")
	}
	if len(others) != len(worth) {
		return dst, input.Bad(fn, "others", -1, "another length than worth")
	}
	for j, w := range worth {
		switch {
		case !validWeight(w):
			return dst, input.Bad(fn, "worth", j, "want 0 or a number in [2^-200, 2^200]")
		case !validWeight(others[j]):
			return dst, input.Bad(fn, "others", j, "want 0 or a number in [2^-200, 2^200]")
		case w > 0 && others[j] == 0:
			return dst, input.Bad(fn, "others", j, "nobody else bids: want a reserve price")
		}
	}
	n := len(dst)
	dst = append(dst, make([]float64, len(worth))...)
	respond(dst[n:], wanted(worth), budget, worth, others)
	return dst, nil
}

// wanted lists the machines with worth.
func wanted(worth []float64) []int {
	var list []int
	for j, w := range worth {
		if w > 0 {
			list = append(list, j)
		}
	}
	return list
}

// respond sets bids. order lists the machines with worth, which respond sorts: they are taken in
// descending order of worth/others (ties: lower index) while their bids are not negative. Bids then
// make the marginal worth of a credit, worth others / (x + others)^2, equal on all machines bid on.
func respond(bids []float64, order []int, budget float64, worth, others []float64) {
	clear(bids)
	if budget == 0 {
		return
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(worth[b]/others[b], worth[a]/others[a]), cmp.Compare(a, b))
	})
	// roots and sum are over the machines taken: sum_i sqrt(w_i y_i), and X + sum_i y_i.
	roots, sum := 0.0, budget
	k := 0
	for _, j := range order {
		root, y := math.Sqrt(worth[j])*math.Sqrt(others[j]), others[j]
		// Its bid, root/roots sum - y, with it among the machines taken. The condition for the next
		// is stricter.
		if k > 0 && root/(roots+root)*(sum+y) <= y {
			break
		}
		roots, sum = roots+root, sum+y
		k++
	}
	spent := 0.0
	for _, j := range order[:k] {
		bids[j] = max(0, math.Sqrt(worth[j])*math.Sqrt(others[j])/roots*sum-others[j])
		spent += bids[j]
	}
	// Rounding is relative to the others' bids, which may be far larger than the budget.
	if spent > 0 {
		for _, j := range order[:k] {
			bids[j] *= budget / spent
		}
	} else if k > 0 {
		bids[order[0]] = budget
	}
}
