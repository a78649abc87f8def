package fairqueue

import (
	"math"
	"math/bits"

	"github.com/schedmath/schedmath/internal/input"
)

const (
	minWeight = 0x1p-100
	maxWeight = 0x1p100
	maxCost   = 0x1p200
	maxTag    = 0x1p600 // far above what costs add up to; sums of two stay finite
)

const (
	badKey    = "not equal to itself, as NaN is: no key"
	badTag    = "want a number in [-2^600, 2^600]"
	badCost   = "want a number in [0, 2^200]"
	badWeight = "want a number in [2^-100, 2^100]"
)

func validWeight(weight float64) bool { return weight >= minWeight && weight <= maxWeight }

func validCost(cost float64) bool { return cost >= 0 && cost <= maxCost }

// Tag returns the tags of one request of start-time fair queueing, for a caller that keeps its
// requests in a heap or a database of its own: serve the least start tag first. virtual is the
// start tag served last, last the finish tag of the flow's previous request (0 at first), cost and
// weight are as for a Queue. start is max(virtual, last), finish is start + cost/weight.
//
// Errors: virtual or last outside [-2^600, 2^600]; cost or weight out of range.
func Tag(virtual, last, cost, weight float64) (start, finish float64, err error) {
	start = max(virtual, last)
	switch {
	case !(math.Abs(virtual) <= maxTag):
		err = input.Bad("fairqueue.Tag", "virtual", -1, badTag)
	case !(math.Abs(last) <= maxTag):
		err = input.Bad("fairqueue.Tag", "last", -1, badTag)
	case !validCost(cost):
		err = input.Bad("fairqueue.Tag", "cost", -1, badCost)
	case !validWeight(weight):
		err = input.Bad("fairqueue.Tag", "weight", -1, badWeight)
	default:
		return start, start + cost/weight, nil
	}
	return 0, 0, err
}

// micro is the number of micro-units in one unit.
const micro = 1_000_000

// TagMicros is Tag in whole micro-units: a weight of 1 is 1,000,000. carry is the rest that it
// returned for the flow's previous request (0 at first). A rest is what the finish tag leaves out,
// in weight-ths of a micro-unit: while the flow stays backlogged and its weight stays the same, its
// finish tags are the exact sums rounded down once, so that no rounding builds up. When the flow
// starts at virtual, or the rest is not one of this weight, the rest is dropped.
//
// Errors: virtual, last, carry or cost negative; weight below 1; a finish tag above the largest
// int64.
func TagMicros(virtual, last, carry, cost, weight int64) (start, finish, rest int64, err error) {
	const fn = "fairqueue.TagMicros"
	for i, x := range [...]int64{virtual, last, carry, cost} {
		if x < 0 {
			return 0, 0, 0, input.Bad(fn, [...]string{"virtual", "last", "carry", "cost"}[i], -1, "negative")
		}
	}
	if weight < 1 {
		return 0, 0, 0, input.Bad(fn, "weight", -1, "want at least 1 micro-unit")
	}
	start = max(virtual, last)
	if virtual > last || carry >= weight {
		carry = 0
	}
	hi, lo := bits.Mul64(uint64(cost), micro)
	lo, over := bits.Add64(lo, uint64(carry), 0)
	hi += over
	if hi < uint64(weight) {
		quotient, left := bits.Div64(hi, lo, uint64(weight))
		if quotient <= uint64(math.MaxInt64-start) {
			return start, start + int64(quotient), int64(left), nil
		}
	}
	return 0, 0, 0, input.Bad(fn, "cost", -1, "the finish tag of %d at weight %d exceeds an int64", cost, weight)
}
