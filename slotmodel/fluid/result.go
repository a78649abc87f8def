package fluid

import "fmt"

// Result is what a run measured. Slices are indexed like the jobs.
type Result struct {
	Finish []float64 // time of completion
	// Sojourn is Finish - Arrival, >= 0, computed without the cancellation: a job of 1e-9 at a time
	// of 1e5 keeps its digits.
	Sojourn []float64

	// Virtual is the finish time in FSP's virtual system, nil under other policies. It is +Inf
	// where the capacity ends at 0 before the virtual system is done, which over-estimates can
	// bring about although every job finishes.
	Virtual []float64

	// Area is the integral over time of the number of jobs in the system, summed event by event. It
	// equals the sum of Sojourn (Little).
	Area     float64
	Makespan float64 // latest Finish, 0 without jobs
}

// MeanSojourn is the mean of Sojourn, 0 without jobs.
func (r *Result) MeanSojourn() float64 {
	if len(r.Sojourn) == 0 {
		return 0
	}
	var sum dd
	for _, x := range r.Sojourn {
		sum = sum.plus(x)
	}
	return sum.over(float64(len(r.Sojourn))).float()
}

// UnfinishedError says that some jobs never finish: the capacity ends at 0 with work left. It is an
// outcome of valid arguments, so it does not wrap schedmath.ErrInput.
type UnfinishedError struct {
	Func string // the function that was called
	Jobs []int  // the indices of the jobs that never finish, increasing
}

// Error names the function, the first of the jobs and how many others there are.
func (e *UnfinishedError) Error() string {
	s := e.Func + ": some jobs never finish"
	if len(e.Jobs) > 0 {
		s = fmt.Sprintf("%s: jobs[%d] and %d others never finish", e.Func, e.Jobs[0], len(e.Jobs)-1)
	}
	return s + ": the capacity ends at 0"
}
