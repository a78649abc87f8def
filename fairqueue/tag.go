package fairqueue

import "github.com/schedmath/schedmath/internal/input"

const (
	minWeight = 0x1p-60
	maxWeight = 0x1p60
	minCost   = 0x1p-60
	maxCost   = 0x1p60
	minTag    = 0x1p-124 // below any quotient of a cost by a weight
	maxTag    = 0x1p200  // far above what costs add up to
)

const (
	badTag    = "want a number in [0, 2^200]"
	badCost   = "want 0 or a number in [2^-60, 2^60]"
	badWeight = "want a number in [2^-60, 2^60]"
)

func validWeight(weight float64) bool { return weight >= minWeight && weight <= maxWeight }

func validCost(cost float64) bool { return cost == 0 || cost >= minCost && cost <= maxCost }

// Tag returns the tags of one request, for a caller that keeps its requests in a heap or a database
// of its own: serve the least start tag first. virtual is the start tag served last, last the
// finish tag of the flow's previous request (0 at first); start is max(virtual, last), finish is
// start + cost/weight.
//
// Errors: virtual or last outside [0, 2^200]; cost or weight out of range.
func Tag(virtual, last, cost, weight float64) (start, finish float64, err error) {
	start = max(virtual, last)
	switch {
	case !(virtual >= 0 && virtual <= maxTag):
		err = input.Bad("fairqueue.Tag", "virtual", -1, badTag)
	case !(last >= 0 && last <= maxTag):
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
