package fluid

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath"
)

// Job is one job. Times are in any one unit, work in slots times that unit.
type Job struct {
	Arrival  float64 // when the job arrives, finite and >= 0
	Size     float64 // its work, finite and >= 0; a job of size 0 finishes when it arrives
	Estimate float64 // what the scheduler believes Size to be, finite and >= 0; taken as it stands, so that 0 is an estimate of 0
	Slots    float64 // most slots usable at once, >= 0 and perhaps a fraction; 0 or +Inf: no limit
	Weight   float64 // share under PS, in FSP's virtual system and among late jobs, finite and >= 0; 0 means 1
}

// Step sets the capacity from a time on.
type Step struct {
	Time  float64 // finite and >= 0, later than the step before
	Slots float64 // finite and >= 0
}

// Options refines a run. The zero value is a constant capacity.
type Options struct {
	// Capacity, when set, overrides the number of slots from each step's time on, also at time 0. Steps are in increasing
	// order of time; before the first one the slots argument holds.
	Capacity []Step
}

// valid tells a finite number >= 0; NaN fails.
func valid(x float64) bool { return x >= 0 && x <= math.MaxFloat64 }

func (r *Runner) bad(arg string, index int, format string, args ...any) error {
	return &schedmath.InputError{Func: r.name, Arg: arg, Index: index, Reason: fmt.Sprintf(format, args...)}
}

// check validates the arguments of a run and notes what kind of jobs they are.
func (r *Runner) check(slots float64, jobs []Job, o Options) error {
	if !valid(slots) {
		return r.bad("slots", -1, "%v, want finite and >= 0", slots)
	}
	r.hard = !easy(slots)
	for i, s := range o.Capacity {
		r.hard = r.hard || !easy(s.Time) || !easy(s.Slots)
		switch {
		case !valid(s.Time):
			return r.bad("o", i, "Capacity.Time is %v, want finite and >= 0", s.Time)
		case !valid(s.Slots):
			return r.bad("o", i, "Capacity.Slots is %v, want finite and >= 0", s.Slots)
		case i > 0 && s.Time <= o.Capacity[i-1].Time:
			return r.bad("o", i, "Capacity.Time is %v, want later than %v", s.Time, o.Capacity[i-1].Time)
		}
	}
	if len(jobs) > math.MaxInt32 {
		return r.bad("jobs", -1, "length is %d, want at most %d", len(jobs), math.MaxInt32)
	}
	r.order, r.unit, r.least = false, true, math.Inf(1)
	before := 0.0
	for i := range jobs {
		j := &jobs[i]
		if j.Arrival < before {
			r.order = true
		}
		before = j.Arrival
		if j.Weight != 0 && j.Weight != 1 {
			r.unit = false
		}
		if j.Slots != 0 && j.Slots < r.least {
			r.least = j.Slots
		}
		if j.easy() {
			continue
		}
		if !easy(j.Arrival) || !easy(j.Size) || !easy(j.Estimate) || !easy(j.Weight) || !easy(j.Slots) && !math.IsInf(j.Slots, 1) {
			r.hard = true
		}
		name, x := "Weight", j.Weight
		switch {
		case !valid(j.Arrival):
			name, x = "Arrival", j.Arrival
		case !valid(j.Size):
			name, x = "Size", j.Size
		case !valid(j.Estimate):
			name, x = "Estimate", j.Estimate
		case !(j.Slots >= 0):
			return r.bad("jobs", i, "Slots is %v, want >= 0", j.Slots)
		case valid(j.Weight):
			continue
		}
		return r.bad("jobs", i, "%s is %v, want finite and >= 0", name, x)
	}
	return nil
}
