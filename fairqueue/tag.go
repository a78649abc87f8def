package fairqueue

import "github.com/schedmath/schedmath/internal/input"

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
