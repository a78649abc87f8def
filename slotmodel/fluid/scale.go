package fluid

import (
	"math"
	"slices"
)

// easy tells a number whose products and quotients with others of its kind stay far from overflow and underflow: 0 or from 2^-200
// to 2^201. Nearly all inputs are easy; a run with others is done in other units. NaN, infinities and negative numbers are not.
func easy(x float64) bool {
	const low, high = 1023 - 200, 1023 + 200 // by the sign and exponent bits, which spares branches
	return math.Float64bits(x)>>52-low <= high-low || x == 0
}

// easy tells that all numbers of j are, without a branch for each: as an integer a float64 grows with its magnitude, and 0 less 1
// is the largest of all. It also fails for -0 and for an infinite cap, which leaves them to a closer look.
func (j *Job) easy() bool {
	const low, high = (1023-200)<<52 - 1, (1023+201)<<52 - 1
	a, s, e := math.Float64bits(j.Arrival), math.Float64bits(j.Size), math.Float64bits(j.Estimate)
	c, w := math.Float64bits(j.Slots), math.Float64bits(j.Weight)
	return max(a, s, e, c, w) <= high && min(a-1, s-1, e-1, c-1, w-1) >= low
}

// units is a change of units by powers of two, which is exact but for numbers that become negligible.
type units struct {
	time, slots, weight int // the exponents of the new units
}

// Relative to the largest of their kind: work and times below least count as 0, slots and weights below few as few.
const (
	least = 0x1p-600
	few   = 0x1p-400
)

// rescale runs the jobs in units in which the largest time, capacity and weight are near 1, and puts the results into
// dst in the units of the jobs.
func (r *Runner) rescale(dst *Result, slots float64, jobs []Job, p Policy, o Options) error {
	exponent := func(x float64) int {
		if x == 0 {
			return 0
		}
		_, e := math.Frexp(x)
		return e
	}
	var u units
	most, weight := slots, 0.0
	for _, s := range o.Capacity {
		most = max(most, s.Slots)
	}
	for i := range jobs {
		weight = max(weight, jobs[i].Weight)
		if jobs[i].Weight == 0 {
			weight = max(weight, 1)
		}
	}
	u.slots, u.weight = exponent(most), exponent(weight)
	late := math.MinInt
	see := func(x float64, e int) {
		if x > 0 {
			late = max(late, exponent(x)-e)
		}
	}
	for _, s := range o.Capacity {
		see(s.Time, 0)
	}
	for i := range jobs {
		see(jobs[i].Arrival, 0)
		see(jobs[i].Size, u.slots)
		see(jobs[i].Estimate, u.slots)
	}
	if late > math.MinInt {
		u.time = late
	}

	scaled := make([]Job, len(jobs))
	for i, j := range jobs {
		if j.Weight == 0 {
			j.Weight = 1
		}
		if j.Slots >= most {
			j.Slots = 0 // never binds
		}
		scaled[i] = Job{
			Arrival: flush(math.Ldexp(j.Arrival, -u.time)), Size: flush(math.Ldexp(j.Size, -(u.time + u.slots))),
			Estimate: flush(math.Ldexp(j.Estimate, -(u.time + u.slots))), Weight: max(math.Ldexp(j.Weight, -u.weight), few),
		}
		if j.Slots > 0 {
			scaled[i].Slots = max(math.Ldexp(j.Slots, -u.slots), few)
		}
	}
	unit := func(x float64) float64 {
		if x == 0 {
			return 0
		}
		return max(math.Ldexp(x, -u.slots), few)
	}
	var steps []Step
	for _, s := range o.Capacity {
		s = Step{flush(math.Ldexp(s.Time, -u.time)), unit(s.Slots)}
		if n := len(steps); n > 0 && steps[n-1].Time == s.Time {
			steps = steps[:n-1] // they differ by less than counts
		}
		steps = append(steps, s)
	}
	r.order, r.unit = true, false // to be on the safe side: rounding may have changed either
	r.least = math.Inf(1)
	for _, j := range scaled {
		if j.Slots > 0 {
			r.least = min(r.least, j.Slots)
		}
	}
	var res Result
	if err := r.simulate(&res, unit(slots), scaled, p, Options{Capacity: steps}); err != nil {
		return err
	}
	back := func(x float64) float64 { return math.Ldexp(x, u.time) }
	beyond := &UnfinishedError{Func: r.name}
	for i := range jobs {
		// A time below least of the largest was taken for 0.
		if res.Finish[i] = max(back(res.Finish[i]), jobs[i].Arrival); math.IsInf(res.Finish[i], 1) {
			beyond.Jobs = append(beyond.Jobs, i)
		}
		res.Sojourn[i] = back(res.Sojourn[i])
		if res.Virtual != nil {
			res.Virtual[i] = max(back(res.Virtual[i]), jobs[i].Arrival)
		}
	}
	if len(beyond.Jobs) > 0 {
		return beyond
	}
	res.Area, res.Makespan = back(res.Area), slices.Max(res.Finish)
	*dst = res
	return nil
}

func flush(x float64) float64 {
	if x < least {
		return 0
	}
	return x
}
