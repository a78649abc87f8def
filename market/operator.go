package market

import (
	"math"

	"github.com/schedmath/schedmath/internal/input"
)

// Incomes divides all of total, in [0, 2^52] micro-credits, for an interval: it returns the fraction
// reserve, in [0, 1], for newcomers, and appends to dst each user's part of the rest by weights, to
// a micro-credit. A credit for each server makes a server cost one [DP, section 5].
//
// Errors: weights that are all 0 with something to divide.
func Incomes(dst []Credits, total Credits, reserve float64, weights []float64) ([]Credits, Credits, error) {
	const fn = "market.Incomes"
	switch {
	case total < 0 || total > 1<<52:
		return dst, 0, input.Bad(fn, "total", -1, "want micro-credits in [0, 2^52]")
	case !(reserve >= 0 && reserve <= 1):
		return dst, 0, input.Bad(fn, "reserve", -1, "want a fraction in [0, 1]")
	}
	sum := 0.0
	for i, w := range weights {
		if !validWeight(w) {
			return dst, 0, input.Bad(fn, "weights", i, "want 0 or a weight in [2^-200, 2^200]")
		}
		sum += w
	}
	kept := Credits(math.Round(float64(total) * reserve))
	if sum == 0 && kept < total {
		return dst, 0, input.Bad(fn, "weights", -1, "all are 0: nobody to receive the total")
	}
	// Each gets the difference of two roundings of the running sum.
	running, given := 0.0, Credits(0)
	for _, w := range weights {
		running += w
		next := Credits(0)
		if sum > 0 {
			next = Credits(math.Round(float64(total-kept) * (running / sum)))
		}
		dst, given = append(dst, next-given), next
	}
	return dst, kept, nil
}

// Inflation tells how prices move over the intervals between the Totals of successive Steps. level
// is Revenue and Unmet over what all slots cost at par, the income for each server: 1 if all are
// held at par, more if credits buy less. drift is the unspent part of the incomes: below 0 users
// spend savings. Both are 0 with fewer than two Totals, level without slots, drift without incomes.
//
// Errors: par not positive; Totals of negative money, or with more Unsold than slots.
func Inflation(window []Totals, slots Slots, par Credits) (level, drift float64, err error) {
	const fn = "market.Inflation"
	if err := check(fn, slots, Options{}); err != nil {
		return 0, 0, err
	}
	if par <= 0 {
		return 0, 0, input.Bad(fn, "par", -1, "want micro-credits above 0")
	}
	var revenue, income, unmet, worth float64
	for i, t := range window {
		if min(t.Revenue, t.Income, t.Unmet) < 0 || min(t.Unsold[0], t.Unsold[1]) < 0 || t.Unsold[0] > slots[0] || t.Unsold[1] > slots[1] {
			return 0, 0, input.Bad(fn, "window", i, "negative money, or more Unsold than slots")
		}
		if i > 0 {
			revenue, income, unmet = revenue+float64(t.Revenue), income+float64(t.Income), unmet+float64(window[i-1].Unmet)
			worth += float64(par) * (float64(slots[0]) + float64(slots[1]))
		}
	}
	if worth > 0 {
		level = (revenue + unmet) / worth
	}
	if income > 0 {
		drift = (income - revenue) / income
	}
	return level, drift, nil
}
