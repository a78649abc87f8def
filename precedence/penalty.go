package precedence

import (
	"math"

	"github.com/schedmath/schedmath/internal/enum"
)

// Penalty is what a job costs as a function of its completion time: non-decreasing, and never NaN.
// A caller's own Penalty may also have a method
//
//	Latest(z float64) float64
//
// that returns the greatest t with At(t) <= z, -Inf if there is none and +Inf if there is no last
// one; it makes the maximum problem faster. The penalties of this package need none.
//
// At is called with completion times between 0 and the sum of the works only. A NaN, an infinity in
// a sum, or a value below that at an earlier time is then an InputError.
type Penalty interface {
	At(t float64) float64
}

// inverse is the optional method of a Penalty.
type inverse interface{ Latest(z float64) float64 }

// Latest returns the last time in [0, end] at which a penalty is at most z, -1 if there is none
// (where its method says -Inf). A deadline of Tardy and SLA includes the rounding that they allow.
// For a caller's own penalty without the method Latest the time is found by halving, to 2^-64 of
// end. For an end that is negative or NaN, and a penalty that is nil or has fields out of range,
// there is none.
func Latest(p Penalty, z, end float64) float64 {
	var c cost
	if reason, _ := c.set(p, true); reason != "" || !(end >= 0) {
		return -1
	}
	if !c.hasLatest() {
		return halve(p, z, end)
	}
	if t := c.latest(z); t < 0 {
		return -1
	} else if t <= end {
		return t
	}
	return end // also for NaN, which a penalty must not return
}

// halve is Latest for a penalty without an inverse.
func halve(p Penalty, z, end float64) float64 {
	switch {
	case !(p.At(0) <= z):
		return -1
	case p.At(end) <= z:
		return end
	}
	low, high := 0.0, end
	for range 64 {
		mid := low + float64((high-low)/2)
		if mid <= low || mid >= high {
			break
		}
		if p.At(mid) <= z {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// Response is Weight * t, the weighted response time. Stretch is a response with weight one over
// the job's own time. Weight, here and below, is finite and not negative; 0 is 0. Functions refuse
// other fields; At does not look at them.
type Response struct{ Weight float64 }

// At returns Weight * t, and 0 for a weight of 0.
func (r Response) At(t float64) float64 { return times(r.Weight, t) }

// Tardy is Weight once t > Deadline, and 0 until then. Deadline, here and below, is finite. Here and
// in SLA it is taken 2^-51 of itself later: jobs of .1 and .2 keep a deadline of .3, although their
// float64 sum is above it. Among whole numbers below 2^50 this changes nothing.
type Tardy struct{ Deadline, Weight float64 }

// At returns Weight if t > Deadline, otherwise 0.
func (d Tardy) At(t float64) float64 {
	if t > graced(d.Deadline) {
		return d.Weight
	}
	return 0
}

// Tardiness is Weight * max(0, t - Deadline).
type Tardiness struct{ Deadline, Weight float64 }

// At returns Weight * max(0, t - Deadline).
func (d Tardiness) At(t float64) float64 {
	if t > d.Deadline {
		return times(d.Weight, t-d.Deadline)
	}
	return 0
}

// Lateness is Weight * (t - Deadline), negative for a job that is early.
type Lateness struct{ Deadline, Weight float64 }

// At returns Weight * (t - Deadline), and 0 for a weight of 0.
func (d Lateness) At(t float64) float64 { return times(d.Weight, t-d.Deadline) }

// SLA is a staircase: Costs[k] is the whole cost, not an increment, once t > Deadlines[k]; until
// Deadlines[0] it is 0. Deadlines ascend strictly, Costs are >= 0 and never fall; all are finite,
// and both slices have the same length. The zero SLA costs nothing.
type SLA struct{ Deadlines, Costs []float64 }

// At returns the cost of the last deadline before t, or 0 if there is none.
func (s SLA) At(t float64) float64 { return stair(s.Deadlines, s.Costs, t) }

// NoPenalty costs nothing whenever the job completes: 0 in a sum and -Inf in a maximum.
type NoPenalty struct{}

// At returns 0; in a maximum the functions of this package take it for -Inf.
func (NoPenalty) At(float64) float64 { return 0 }

// Aggregate is how the penalties of all jobs become one number.
type Aggregate uint8

// The two aggregates. Of no jobs the sum is 0 and the maximum -Inf.
const (
	Sum Aggregate = iota
	Max
)

// String returns "sum" or "max", and "Aggregate(7)" for what is neither.
func (a Aggregate) String() string { return enum.Name(a, "Aggregate", "sum", "max") }

// MarshalText returns the word of String.
func (a Aggregate) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// Objective is what to minimise: the sum or the maximum of the penalties at the completion times,
// one for each job; a nil one is an input error.
//
// The twenty constructors, from SumResponse to MaxSLA, take an element for each job in every list
// and keep none of them. Errors of all: lists of different lengths; a number out of range. Weights
// are finite and not negative (0 is 0), deadlines finite, times alone positive, a number of jobs in
// [0, 2^30), and an SLA is as its type says.
type Objective struct {
	Aggregate Aggregate
	Penalties []Penalty
}

// Solution is an order of the jobs on one machine of speed 1, which completes them one after the
// other from time 0.
type Solution struct {
	Order  []int   // the jobs in order; it respects the precedence
	Value  float64 // of the objective
	Bound  float64 // no order has less
	Exact  bool    // no order has less than Value: by theory or by exhaustive search
	Method Method  // the algorithm that found it
}

// times returns w * x where 0 times anything is 0. The conversion forbids a fused multiply-add with
// what follows.
func times(w, x float64) float64 {
	if w == 0 || x == 0 {
		return 0
	}
	return float64(w * x)
}

// graced returns the last time that a deadline allows. Works and a deadline in decimals are off by
// at most 2^-53 of each, their sum by as much again: by 2^-52 of the deadline together.
func graced(deadline float64) float64 { return deadline + float64(math.Abs(deadline)*0x1p-51) }

// stair returns the cost of the last of the deadlines before t.
func stair(deadlines, costs []float64, t float64) float64 {
	lo, hi := 0, min(len(deadlines), len(costs))
	for lo < hi {
		if m := int(uint(lo+hi) / 2); t > graced(deadlines[m]) {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo == 0 {
		return 0
	}
	return costs[lo-1]
}
