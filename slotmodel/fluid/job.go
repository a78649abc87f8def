package fluid

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath"
)

// Quantities are 0 or lie in [least, most]: the products and quotients of a run then stay far from
// overflow and underflow, and no step can give Inf or NaN.
const (
	least = 0x1p-200
	most  = 0x1p200
)

// Job is one job. Times are in any one unit, work in slots times that unit. Every field is 0 or in
// [2^-200, 2^200].
type Job struct {
	Arrival  float64 // when the job arrives
	Size     float64 // its work; a job of size 0 finishes when it arrives
	Estimate float64 // what the scheduler believes Size to be; 0 is an estimate of 0
	Weight   float64 // share under PS, in FSP's virtual system and among late jobs; 0 means 1
}

// amount reports whether x is 0 or in [least, most]; NaN is not.
func amount(x float64) bool { return x == 0 || x >= least && x <= most }

const amountRange = "want 0 or a value in [2^-200, 2^200]"

// weight is the weight that counts.
func (j *Job) weight() float64 {
	if j.Weight == 0 {
		return 1
	}
	return j.Weight
}

// fault says what is wrong with a job, or "".
func (j *Job) fault() string {
	field, x := "", 0.0
	switch {
	case !amount(j.Arrival):
		field, x = "Arrival", j.Arrival
	case !amount(j.Size):
		field, x = "Size", j.Size
	case !amount(j.Estimate):
		field, x = "Estimate", j.Estimate
	case !amount(j.Weight):
		field, x = "Weight", j.Weight
	default:
		return ""
	}
	return fmt.Sprintf("%s is %v, %s", field, x, amountRange)
}

func (r *Runner) bad(arg string, index int, format string, args ...any) error {
	return &schedmath.InputError{Func: r.name, Arg: arg, Index: index, Reason: fmt.Sprintf(format, args...)}
}

// check validates the arguments of a run and notes what kind of jobs they are.
func (r *Runner) check(slots float64, jobs []Job, p Policy) error {
	if !(slots >= least && slots <= most) {
		return r.bad("slots", -1, "%v, want a value in [2^-200, 2^200]", slots)
	}
	if len(jobs) > math.MaxInt32 {
		return r.bad("jobs", -1, "length is %d, want at most %d", len(jobs), math.MaxInt32)
	}
	r.equal = true
	for i := range jobs {
		j := &jobs[i]
		if s := j.fault(); s != "" {
			return r.bad("jobs", i, "%s", s)
		}
		r.equal = r.equal && j.weight() == jobs[0].weight()
	}
	switch q := p.(type) {
	case nil:
		return r.bad("p", -1, "nil, want a policy")
	case FIFO, PS, LAS, SRPT, SPT:
	case FSP:
		if q.Late > LateNext {
			return r.bad("p", -1, "Late is %d, want a rule of this package", int(q.Late))
		}
	default:
		return r.bad("p", -1, "a %T, want a policy value of this package", p)
	}
	return nil
}
