package malleable

import (
	"errors"
	"fmt"
	"math"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// PlanOptions are the effort of the search for a priority and the counts of slots that jobs may
// hold. The zero value is the recommended default.
type PlanOptions struct {
	Search precedence.Options // of precedence.Minimize
	// Packs is the most packings of a maximum with arcs. The first is that of the order of
	// precedence.Minimize, the second that by critical paths, the others are of orders nearby. 0:
	// 200, of more than 50 jobs 10,000/jobs, but at least 2. 1: the scheme of [1] alone.
	Packs int
	// Allowed are the counts of slots that a job may hold beside 0, ascending, for instance 1, 2,
	// 4, 8; nil means all. A Min is rounded up to an allowed count and a Max down to one. Each ready
	// job gets its Min; then, by priority, each gets the largest count up to its Max that the slots
	// left over allow, and the rest goes on to the next job.
	//
	// What rounding costs: let L be the largest s - (the largest allowed count <= s) over all s
	// below the largest Max. With all Min 0, job j completes by (work of j and of all jobs before
	// it in the priority)/(slots - L) + (the longest chain of Work/Max, Max rounded down). With
	// powers of two the makespan, and by an optimal order for one machine the total weighted
	// completion time, stay within 4 times the least without restriction.
	Allowed []int
}

// Report says how good a plan is.
type Report struct {
	Order []int   // the priority that was packed; it respects the arcs
	Value float64 // of the objective
	Bound float64 // no schedule has less
	// Exact: Value is finite (-Inf if nobody pays) and above Bound by at most 2^-40 of Bound or
	// 2^-39 of the gap that bisection began with
	Exact  bool
	Factor float64           // no schedule has less than Value/Factor: 1 if Exact, +Inf if nothing is known
	Method precedence.Method // how precedence.Minimize found the first priority
	Filled bool              // the schedule is of WaterFill, not the packing of Order
	Why    string            // why it is exact, or what is known instead
}

// Plan is CIRCUMFLEX in one call [1]: it packs the priority that precedence.Minimize finds for one
// machine and works Work/slots, and reports how far from the best that can be. A maximum of at most
// 500 jobs without precedence or Allowed, some Max below slots, is found by bisection with
// WaterFill, to 2^-39 of the gap between packing and bound.
//
// Errors: those of Pack and of Minimize; negative Packs; Allowed that are none, do not ascend or
// lie outside 1 to slots; a job with no allowed count between its Min and its Max.
func Plan(slots int, jobs []Job, g *precedence.Graph, obj precedence.Objective, o PlanOptions) (*Schedule, Report, error) {
	// Any malleable schedule, its jobs put in order of completion, completes each job no sooner than
	// one machine of speed slots would: hence the one-machine bound. For response times without minima
	// and without Allowed, the value is at most f + 1 times the least when the order is within a factor
	// f of the least on one machine.
	//
	// Packing alone does not solve a maximum: without precedence each trial value of the bisection
	// gives each job a deadline, and WaterFill decides, in up to 41 calls.
	const fn = "malleable.Plan"
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return nil, Report{}, err
	}
	if o.Packs < 0 {
		return nil, Report{}, input.Bad(fn, "o", -1, "Packs is %d, want at least 0", o.Packs)
	}
	if o.Packs == 0 {
		o.Packs = max(2, 10_000/max(50, len(jobs)))
	}
	jobs, err := restrict(fn, "o", slots, jobs, o.Allowed)
	if err != nil {
		return nil, Report{}, err
	}
	work := make([]float64, len(jobs))
	fluid, minima := true, false // as if one machine; some Min > 0
	for j := range jobs {
		work[j] = jobs[j].Work / float64(slots)
		fluid = fluid && jobs[j].Min == 0 && jobs[j].most(slots) == slots
		minima = minima || jobs[j].Min > 0
	}
	sol, err := precedence.Minimize(g, work, obj, o.Search)
	if err != nil {
		return nil, Report{}, input.As(fn, "", err)
	}
	s := new(Schedule)
	if err := s.run(fn, slots, jobs, g, sol.Order, o.Allowed, math.Inf(1)); err != nil {
		return nil, Report{}, err
	}
	limits, err := Bounds(slots, jobs, g, nil)
	if err != nil {
		return nil, Report{}, input.As(fn, "", err)
	}
	r := Report{Order: sol.Order, Method: sol.Method, Factor: math.Inf(1)}
	least, err := value(fn, obj, limits.Earliest)
	if err != nil {
		return nil, Report{}, err
	}
	r.Bound = max(sol.Bound, least)
	if r.Value, err = value(fn, obj, s.completion); err != nil {
		return nil, Report{}, err
	}
	if obj.Aggregate == precedence.Max && g != nil && g.Arcs() > 0 {
		if s, err = r.improve(fn, slots, jobs, g, obj, o, s); err != nil {
			return nil, Report{}, err
		}
	}
	switch {
	case meets(r.Value, r.Bound):
		r.Exact = true
		r.Why = "the value meets the lower bound"
		if fluid && sol.Exact {
			r.Why = "all jobs can use all slots and may pause: packing an order that is optimal on one machine is optimal"
		}
	case o.Allowed == nil && obj.Aggregate == precedence.Max && (g == nil || g.Arcs() == 0) && len(jobs) <= 500:
		if s, err = r.bisect(fn, slots, jobs, obj, s); err != nil {
			return nil, Report{}, err
		}
	case fluid:
		r.Why = "packing is optimal for an optimal order, but the order is only known to be near one"
	case o.Allowed != nil:
		r.Why = "jobs hold allowed counts of slots only, and packing leaves what rounding costs"
	case minima:
		r.Why = "jobs hold minima, and packing a one-machine order has no guarantee"
	default:
		r.Why = "some jobs cannot use all slots; packing a one-machine order is near the best only for response times"
		if responses(obj) {
			r.Why = "some jobs cannot use all slots; for response times packing adds at most the least value to that of the order on one machine"
		}
	}
	r.Bound = min(r.Bound, r.Value) // rounding
	switch {
	case math.IsInf(r.Value, 1):
		r.Exact = false
		r.Why = "the penalties are infinite"
	case r.Exact:
		r.Factor = 1
	case r.Bound > 0:
		r.Factor = r.Value / r.Bound
	}
	if !r.Exact && !math.IsInf(r.Factor, 1) {
		r.Why = fmt.Sprintf("%s; here within %.4g of the bound", r.Why, r.Factor)
	}
	return s, r, nil
}

// meets reports whether a value is no more than a bound, up to the tie rule.
func meets(value, bound float64) bool {
	return value <= bound || value-bound <= math.Abs(bound)*simultaneous
}

// responses reports whether every penalty is proportional to time.
func responses(obj precedence.Objective) bool {
	for _, p := range obj.Penalties {
		switch p.(type) {
		case precedence.Response, *precedence.Response, precedence.NoPenalty, *precedence.NoPenalty:
		default:
			return false
		}
	}
	return true
}

// free reports whether a job with the penalty costs nothing.
func free(p precedence.Penalty) bool {
	switch p.(type) {
	case precedence.NoPenalty, *precedence.NoPenalty:
		return true
	}
	return false
}

// value evaluates an objective. NoPenalty is -Inf in a maximum, and so is a maximum of no jobs. A
// sum is rounded once, as that of package precedence.
func value(fn string, obj precedence.Objective, times []float64) (float64, error) {
	sum, most := 0.0, math.Inf(-1)
	var exact dd.T
	for j, p := range obj.Penalties {
		if free(p) {
			continue
		}
		c := p.At(times[j])
		if c != c {
			return 0, input.Bad(fn, "obj", j, "the penalty at %v is NaN", times[j])
		}
		sum += c
		exact = exact.AddFloat(c)
		most = max(most, c)
	}
	if obj.Aggregate == precedence.Max {
		return most, nil
	}
	if sum != sum { // +Inf and -Inf
		return 0, input.Bad(fn, "obj", -1, "the penalties add up to NaN")
	}
	if exact.Hi == exact.Hi { // not when a penalty is infinite
		sum = exact.Hi
	}
	return sum, nil
}

// bisect looks for the least maximum of independent jobs between the bound and the value of the
// schedule s.
func (r *Report) bisect(fn string, slots int, jobs []Job, obj precedence.Objective, s *Schedule) (*Schedule, error) {
	const halvings = 40
	latest := 0.0 // nobody need be later than when all work has been done one after the other
	for j := range jobs {
		latest += jobs[j].Work
	}
	low, high := r.Bound, r.Value
	within := (high - low) * (2 * simultaneous)
	deadlines := make([]float64, len(jobs))
	z := low // the bound itself may be possible
	for range 1 + halvings {
		if math.IsInf(z, 0) {
			break
		}
		for j, p := range obj.Penalties {
			deadlines[j] = latestAt(p, z, latest)
		}
		next, err := WaterFill(slots, jobs, deadlines)
		var in *schedmath.InputError
		if errors.As(err, &in) {
			return nil, err
		}
		if err != nil {
			low = z
		} else {
			v, err := value(fn, obj, next.completion)
			if err != nil {
				return nil, err
			}
			if v < r.Value {
				r.Value, r.Filled, s = v, true, next
			}
			high = min(high, z, v)
		}
		z = low + (high-low)/2
		if z <= low || z >= high {
			break
		}
	}
	r.Bound = min(low, r.Value)
	r.Exact = r.Value-low <= within || meets(r.Value, low)
	r.Why = "some jobs cannot use all slots, and water-filling at the deadlines of a smaller value stopped short of the bound"
	if r.Exact {
		r.Why = "no smaller value has a schedule: water-filling at its deadlines fails"
	}
	return s, nil
}

// latestAt returns the last time in [0, end] at which a penalty is at most z, -1 if there is none.
func latestAt(p precedence.Penalty, z, end float64) float64 {
	if free(p) {
		return end
	}
	return precedence.Latest(p, z, end)
}
