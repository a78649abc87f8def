package precedence

import (
	"fmt"
	"math"
	"reflect"
	"sort"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
)

// A cost is a Penalty made ready for inner loops: one switch instead of a call through an
// interface.
type cost struct {
	kind             kind
	weight, deadline float64   // kindNone: weight is its value; kindLinear: weight * (t - deadline)
	deadlines, costs []float64 // kindSLA
	user             *user     // kindUser
}

// A kind says which formula a cost has.
type kind uint8

const (
	kindTardiness kind = iota
	kindLinear
	kindTardy
	kindSLA
	kindNone
	kindUser
)

// A user is a caller's own Penalty, with its last value, against which the next is checked.
type user struct {
	penalty Penalty
	latest  inverse // nil if it has none
	sum     bool    // infinities are bad
	total   float64 // the sum of the works
	seen    bool    // time and value hold its last value
	time    float64
	value   float64
	bad     string // what was wrong with it first, or ""
}

// at returns the penalty at t. After a user's penalty went wrong it returns what keeps the caller's
// loop going. It is small enough to be inlined.
func (c *cost) at(t float64) float64 {
	if c.kind != kindTardiness {
		return c.atOther(t)
	}
	return float64(c.weight * max(0, t-c.deadline))
}

func (c *cost) atOther(t float64) float64 {
	switch c.kind {
	case kindLinear:
		return float64(c.weight * (t - c.deadline))
	case kindTardy:
		if t > c.deadline {
			return c.weight
		}
		return 0
	case kindSLA:
		return stair(c.deadlines, c.costs, t)
	case kindNone:
		return c.weight
	}
	return c.user.at(t)
}

func (u *user) at(t float64) float64 {
	if u.bad != "" {
		return u.value
	}
	t = min(max(t, 0), u.total) // sums in another order than that of the jobs are rounded
	v := u.penalty.At(t)
	switch {
	case v != v:
		u.bad = fmt.Sprintf("At(%v) is NaN, want a number", t)
	case u.sum && !(math.Abs(v) <= math.MaxFloat64):
		u.bad = fmt.Sprintf("At(%v) is %v, want a finite number in a sum", t, v)
	case u.seen && (t > u.time && v < u.value || t < u.time && v > u.value || t == u.time && v != u.value):
		u.bad = fmt.Sprintf("At(%v) is %v and At(%v) is %v, want it non-decreasing", u.time, u.value, t, v)
	default:
		u.time, u.value, u.seen = t, v, true
	}
	return u.value
}

// latest returns the greatest t with at(t) <= z, infinite if all or no times are, for costs whose
// hasLatest holds.
func (c *cost) latest(z float64) float64 {
	switch {
	case c.kind == kindUser:
		return c.user.latest.Latest(z)
	case c.kind == kindLinear:
		return latestLinear(c.weight, c.deadline, z)
	case (c.kind == kindNone || c.kind == kindTardy) && c.weight <= z:
		return posInf
	case c.kind == kindNone || !(z >= 0):
		return negInf
	case c.kind == kindTardiness:
		return latestLinear(c.weight, c.deadline, z)
	case c.kind == kindTardy:
		return c.deadline
	}
	// SLA: the first deadline whose cost is above z
	if k := sort.Search(len(c.costs), func(k int) bool { return c.costs[k] > z }); k < len(c.costs) {
		return graced(c.deadlines[k])
	}
	return posInf
}

func (c *cost) hasLatest() bool { return c.kind != kindUser || c.user.latest != nil }

// A problem is a checked instance.
type problem struct {
	fn    string // the exported function, for errors
	arg   string // its parameter that holds the penalties
	g     *Graph
	work  []float64
	cost  []cost
	total dd.T // the sum of the works
	sum   bool
}

// newProblem checks all arguments of fn and compiles the penalties. g may be nil.
func newProblem(fn, arg string, g *Graph, work []float64, penalties []Penalty, aggregate Aggregate) (*problem, error) {
	if g != nil && g.Len() != len(work) {
		return nil, input.Bad(fn, "work", -1, "length is %d, want one element for each of the %d jobs of g", len(work), g.Len())
	}
	err := checkSum(fn, "work", work, math.MaxFloat64/2)
	if err != nil {
		return nil, err
	}
	if len(penalties) != len(work) {
		return nil, input.Bad(fn, arg, -1, "length is %d, want one penalty for each of the %d jobs", len(penalties), len(work))
	}
	if g == nil {
		if g, err = NewGraph(len(work), nil); err != nil {
			return nil, err
		}
	}
	p := &problem{fn: fn, arg: arg, g: g, work: work, cost: make([]cost, len(penalties)), total: sumOf(work), sum: aggregate == Sum}
	most := 0.0
	for j := range penalties {
		c := &p.cost[j]
		if reason, value := c.set(penalties[j], p.sum); reason != "" {
			return nil, input.Bad(fn, arg, j, reason, value...)
		}
		if c.kind == kindUser {
			c.user.total = p.total.Hi
		}
		first, last := c.at(0), c.at(p.total.Hi)
		if c.kind == kindUser {
			if c.user.bad != "" {
				return nil, input.Bad(fn, arg, j, "%s", c.user.bad)
			}
			if !p.sum {
				continue
			}
		} else if !(math.Abs(first) <= math.MaxFloat64 && math.Abs(last) <= math.MaxFloat64) && c.kind != kindNone {
			return nil, input.Bad(fn, arg, j, "Weight is %v, which overflows at times from 0 to %v, the sum of the works", c.weight, p.total.Hi)
		}
		if p.sum {
			most += max(math.Abs(first), math.Abs(last))
		}
	}
	if !(most <= math.MaxFloat64) {
		return nil, input.Bad(fn, arg, -1, "the sum of the penalties at time %v, the sum of the works, overflows", p.total.Hi)
	}
	return p, nil
}

// checkSum returns an error if x has too many elements, one that is negative or not finite, or a sum
// above limit: a part of the range, so that no later step of the double-double sums can overflow.
func checkSum(fn, arg string, x []float64, limit float64) error {
	if len(x) > maxJobs {
		return input.Bad(fn, arg, -1, "length is %d, want at most %d", len(x), maxJobs)
	}
	sum := 0.0
	for j, v := range x {
		if !isWeight(v) {
			return input.Bad(fn, arg, j, "is %v, want a finite number >= 0", v)
		}
		sum += v
	}
	if !(sum <= limit) {
		return input.Bad(fn, arg, -1, "the sum is %v, want at most %v", sum, limit)
	}
	return nil
}

func sumOf(work []float64) (total dd.T) {
	for _, w := range work {
		total = total.AddFloat(w)
	}
	return total
}

// set compiles a penalty; a reason says what is wrong with it.
func (c *cost) set(p Penalty, sum bool) (reason string, value []any) {
	switch p := p.(type) {
	case nil:
		return "is nil, want a penalty (NoPenalty{} if the job has none)", nil
	case *Response, *Tardy, *Tardiness, *Lateness, *SLA, *NoPenalty:
		if v := reflect.ValueOf(p); !v.IsNil() {
			return c.set(v.Elem().Interface().(Penalty), sum)
		}
		return c.set(nil, sum)
	case Response:
		*c = cost{kind: kindLinear, weight: p.Weight}
		return c.checkNumbers()
	case Tardy:
		*c = cost{kind: kindTardy, weight: p.Weight, deadline: p.Deadline}
		return c.checkNumbers()
	case Tardiness:
		*c = cost{kind: kindTardiness, weight: p.Weight, deadline: p.Deadline}
		return c.checkNumbers()
	case Lateness:
		*c = cost{kind: kindLinear, weight: p.Weight, deadline: p.Deadline}
		return c.checkNumbers()
	case SLA:
		*c = cost{kind: kindSLA, deadlines: p.Deadlines, costs: p.Costs}
		return c.checkStairs()
	case NoPenalty:
		*c = cost{kind: kindNone}
		if !sum {
			c.weight = math.Inf(-1)
		}
	default:
		l, _ := p.(inverse)
		*c = cost{kind: kindUser, user: &user{penalty: p, latest: l, sum: sum}}
	}
	return "", nil
}

func (c *cost) checkNumbers() (string, []any) {
	if !isWeight(c.weight) {
		return "Weight is %v, want a finite number >= 0", []any{c.weight}
	}
	if !(math.Abs(c.deadline) <= math.MaxFloat64) {
		return "Deadline is %v, want a finite number", []any{c.deadline}
	}
	if c.kind == kindTardy {
		c.deadline = min(graced(c.deadline), math.MaxFloat64)
	}
	if c.weight == 0 { // 0 whenever it completes, and no 0 * Inf
		*c = cost{kind: kindNone}
	}
	return "", nil
}

func (c *cost) checkStairs() (string, []any) {
	if len(c.deadlines) != len(c.costs) {
		return "Costs has %v elements, want as many as Deadlines, %v", []any{len(c.costs), len(c.deadlines)}
	}
	for k, d := range c.deadlines {
		if !(math.Abs(d) <= math.MaxFloat64) {
			return "Deadlines[%v] is %v, want a finite number", []any{k, d}
		}
		if k > 0 && !(d > c.deadlines[k-1]) {
			return "Deadlines[%v] is %v, want more than the one before, %v", []any{k, d, c.deadlines[k-1]}
		}
		if v := c.costs[k]; !(v >= 0 && v <= math.MaxFloat64) {
			return "Costs[%v] is %v, want a finite number >= 0", []any{k, v}
		}
		if k > 0 && !(c.costs[k] >= c.costs[k-1]) {
			return "Costs[%v] is %v, want no less than the one before, %v", []any{k, c.costs[k], c.costs[k-1]}
		}
	}
	return "", nil
}

// userError returns the error of the first penalty that went wrong where it was evaluated, or of a
// sum beyond float64: newProblem has looked at the penalties at the sum of the works, so their sum
// is finite unless penalties fall, or additions in float64 rounded it into the range there.
func (p *problem) userError(value float64) error {
	for j := range p.cost {
		if u := p.cost[j].user; u != nil && u.bad != "" {
			return input.Bad(p.fn, p.arg, j, "%s", u.bad)
		}
	}
	if p.sum && !(math.Abs(value) <= math.MaxFloat64) {
		return input.Bad(p.fn, p.arg, -1, "the sum of the penalties is %v, want a finite number", value)
	}
	return nil
}
