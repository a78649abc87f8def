package fairqueue

import (
	"math"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
)

// Return says where a flow starts that becomes active.
type Return uint8

const (
	// ByVirtualTime is start-time fair queueing: at the virtual time, the greatest start tag served
	// so far.
	ByVirtualTime Return = iota
	// ToLeast is the virtual token counter: at the least start tag of the siblings that wait.
	ToLeast
)

var returns = []string{"virtual time", "least"}

// String returns "virtual time" or "least".
func (r Return) String() string { return enum.Name(r, "Return", returns...) }

// MarshalText returns what String does.
func (r Return) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the words of the two values: an InputError for other text.
func (r *Return) UnmarshalText(text []byte) error {
	return enum.Parse(r, "fairqueue.Return", text, returns...)
}

// Options of a Queue. The zero value is start-time fair queueing with memory and without credit.
type Options struct {
	Return Return `json:"return"`
	// Lag is how far, in cost per weight, a start tag may be behind the virtual time, whatever
	// brought it there: a skip, a limit, a service that cost less than was charged. 0: not at all,
	// +Inf: without limit. It is what a flow can save, and nobody gains more than that, however many
	// of its services end below their guesses. Who charges guesses sets it to the largest guess per
	// weight; see the package comment for what to choose.
	Lag float64 `json:"lag,omitzero"`
	// Least is the part of a flow's service here that stays its own whatever it got at other
	// replicas: what Elsewhere tells between two services here counts for at most (1/Least - 1)
	// times the cost of the former. In [2^-60, 1]; 0: all that others served counts.
	Least float64 `json:"least,omitzero"`
	// Forget makes a flow that left, and has nothing in flight, new when it comes back. Who may
	// leave and come back then gains everything that it owes: a flow that leaves after each service
	// of 10 is always served first, and has 149,990 where its equal has 10. Otherwise the queue
	// remembers a flow until the virtual time has passed its last finish, so that leaving and
	// coming back gains nothing.
	Forget bool `json:"forget,omitzero"`
}

// New returns an empty Queue. Errors: options out of range.
func New[K comparable](o Options) (*Queue[K], error) {
	const fn = "fairqueue.New"
	switch {
	case o.Return > ToLeast:
		return nil, input.Bad(fn, "o", -1, "Return is %v, want ByVirtualTime or ToLeast", o.Return)
	case !(o.Lag >= 0):
		return nil, input.Bad(fn, "o", -1, "Lag is %v, want at least 0", o.Lag)
	case o.Least != 0 && !(o.Least >= minWeight && o.Least <= 1):
		return nil, input.Bad(fn, "o", -1, "Least is %v, want 0 or a number in [2^-60, 1]", o.Least)
	}
	o.Lag = min(o.Lag, math.MaxFloat64) // JSON has no +Inf
	q := &Queue[K]{options: o}
	if o.Lag >= minTag {
		q.lag = fixedOf(min(o.Lag, maxTag))
	}
	return q, nil
}
