package aging

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/internal/input"
)

// Positive quantities lie in [least, most]: sums of 2^40 of them, ratios of two and products of
// such ratios with a time then stay far inside float64, so that no step can overflow, underflow or
// produce a NaN.
const (
	least = 0x1p-200
	most  = 0x1p200
)

// Job is the demand of one job in the virtual system.
type Job struct {
	Work   float64 // virtual work left, in slot-time; 0: the job takes no share
	Slots  float64 // most slots it can use at once; 0 or +Inf: no limit
	Weight float64 // its share under contention, relative to the others; 0 means 1
}

// weight returns Weight, or 1 if that is 0.
func (j Job) weight() float64 {
	if j.Weight == 0 {
		return 1
	}
	return j.Weight
}

// slots returns Slots, or +Inf for no limit. A cap of 2^200 or more never binds, since no capacity
// is larger.
func (j Job) slots() float64 {
	if j.Slots == 0 || j.Slots >= most {
		return math.Inf(1)
	}
	return j.Slots
}

// amount reports whether x is 0 or in [least, most].
func amount(x float64) bool { return x == 0 || x >= least && x <= most }

const amountRange = "want 0 or a value in [2^-200, 2^200]"

// fault says what is wrong with a job, or "".
func (j Job) fault() string {
	switch {
	case !amount(j.Work):
		return fmt.Sprintf("Work is %v, %s", j.Work, amountRange)
	case !amount(j.Weight):
		return fmt.Sprintf("Weight is %v, %s", j.Weight, amountRange)
	case !(j.Slots == 0 || j.Slots >= least):
		return fmt.Sprintf("Slots is %v, want 0, +Inf or at least 2^-200", j.Slots)
	}
	return ""
}

func checkAmount(function, arg string, x float64) error {
	if amount(x) {
		return nil
	}
	return input.Bad(function, arg, -1, "%v, %s", x, amountRange)
}

// checkElapsed admits any time from 0 to most: a time too short to matter is not an error.
func checkElapsed(function string, x float64) error {
	if x >= 0 && x <= most {
		return nil
	}
	return input.Bad(function, "elapsed", -1, "%v, want a time in [0, 2^200]: time cannot go backwards", x)
}

// check validates what every batch function takes.
func check(function string, capacity float64, jobs []Job) error {
	if err := checkAmount(function, "capacity", capacity); err != nil {
		return err
	}
	for i := range jobs {
		if r := jobs[i].fault(); r != "" {
			return input.Bad(function, "jobs", i, "%s", r)
		}
	}
	return nil
}
