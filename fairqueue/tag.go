package fairqueue

import (
	"math"

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

// Tag returns the tags of one request, for a caller that keeps its requests in a heap or a database
// of its own: serve the least start tag first. virtual is the start tag served last, last the
// finish tag of the flow's previous request (0 at first); start is max(virtual, last), finish is
// start + cost/weight.
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
