package precedence

// Penalty is what a job costs as a function of its completion time: non-decreasing, and never NaN. Every test of a deadline is
// strict: a completion at the deadline is on time. A Penalty may also have a method
//
//	Latest(z float64) float64
//
// that returns the greatest t with At(t) <= z, -Inf if there is none and +Inf if there is no last one; it makes the maximum
// problem faster. All penalties of this package have it.
type Penalty interface {
	At(t float64) float64
}

// Latest is the optional inverse of a Penalty.
type Latest interface {
	Latest(z float64) float64
}

// Response is Weight * t, the weighted response time. Stretch is a response with weight one over the job's own time.
// A weight of 0 is 0.
type Response struct{ Weight float64 }

// Tardy is Weight once t > Deadline, and 0 until then.
type Tardy struct{ Deadline, Weight float64 }

// Tardiness is Weight * max(0, t - Deadline).
type Tardiness struct{ Deadline, Weight float64 }

// Lateness is Weight * (t - Deadline), negative for a job that is early.
type Lateness struct{ Deadline, Weight float64 }

// SLA is a staircase: Costs[k] is the whole cost, not an increment, once t > Deadlines[k]; until Deadlines[0] it is 0.
// Deadlines ascend strictly, and Costs ascend from >= 0.
type SLA struct{ Deadlines, Costs []float64 }

// NoPenalty costs nothing whenever the job completes: 0 in a sum and -Inf in a maximum.
type NoPenalty struct{}

// Aggregate is how the penalties of all jobs become one number.
type Aggregate int

const (
	Sum Aggregate = iota
	Max
)

// Objective is what to minimise: the sum or the maximum of the penalties at the completion times. Penalties has one element for
// each job; a nil one is an input error.
type Objective struct {
	Aggregate Aggregate
	Penalties []Penalty
}

// Solution is an order of the jobs on one machine of speed 1, which completes them one after the other from time 0.
type Solution struct {
	Order  []int   // the jobs in order; it respects the precedence
	Value  float64 // of the objective
	Bound  float64 // no order has less
	Exact  bool    // no order has less than Value: by theory or by exhaustive search
	Method string  // the name of the algorithm that found it
}
