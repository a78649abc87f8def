package fluid

// Result is what a run measured. Slices are indexed like the jobs.
type Result struct {
	Finish []float64 // time of completion
	// Sojourn is Finish - Arrival, >= 0, computed without the cancellation: a job of 1e-9 at a time
	// of 1e5 keeps its digits.
	Sojourn []float64

	Virtual []float64 // finish time in FSP's virtual system, nil under other policies

	// Area is the integral over time of the number of jobs in the system, summed event by event. It
	// equals the sum of Sojourn (Little).
	Area float64
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
