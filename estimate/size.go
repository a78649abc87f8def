package estimate

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/dd"
)

// InitialSize returns the first guess at the size of a job, before any of its tasks has run: xi * tasks * meanTask.
//
// tasks >= 0 is the job's number of tasks, meanTask the mean run time of past tasks of the same kind, finite and >= 0
// (Trainer.MeanTask keeps it), xi >= 1 and finite how cautiously jobs of unknown size are scheduled: 1 trusts the guess,
// more puts new jobs behind known ones of the same nominal size.
//
// With xi = 1 the result is the rounded product. A job without tasks has size 0.
//
// Errors: an *schedmath.InputError for an argument out of range (+Inf is no xi), or when the size exceeds the largest
// float64. Source: [HFSP III-D.1].
func InitialSize(tasks int, meanTask, xi float64) (float64, error) {
	const fn = "estimate.InitialSize"
	if tasks < 0 {
		return 0, negativeTasks(fn, tasks)
	}
	if !isTime(meanTask) {
		return 0, notTime(fn, "meanTask", -1, meanTask)
	}
	if !(xi >= 1 && xi <= math.MaxFloat64) {
		return 0, &schedmath.InputError{Func: fn, Arg: "xi", Index: -1, Reason: fmt.Sprintf("%v, want finite and >= 1", xi)}
	}
	if tasks == 0 || meanTask == 0 {
		return 0, nil
	}
	// Fractions and exponents apart: xi * tasks may overflow where the whole product does not.
	mk, ek := math.Frexp(float64(tasks))
	ml, el := math.Frexp(meanTask)
	mx, ex := math.Frexp(xi)
	return finite(math.Ldexp(mx*mk*ml, ek+el+ex), fn, "meanTask")
}

// PhaseSize returns the size of a phase of which some tasks have run: the mean of their run times, samples, times the
// number of tasks. It serves a MAP phase as a whole and the execution part of a REDUCE phase.
//
// samples holds at least one time, each finite and >= 0; tasks >= 0 is the number of tasks of the phase, samples included.
// There may be more samples than tasks.
//
// The sum is compensated and scaled: the result is within one unit in the last place, permuting the samples changes no
// more than that, equal samples x give exactly the rounded x * tasks, and nothing overflows on the way.
//
// Errors: an *schedmath.InputError for an argument out of range, or when the size exceeds the largest float64.
// Source: [HFSP III-D.2].
func PhaseSize(samples []float64, tasks int) (float64, error) {
	const fn = "estimate.PhaseSize"
	if tasks < 0 {
		return 0, negativeTasks(fn, tasks)
	}
	if len(samples) == 0 {
		return 0, &schedmath.InputError{Func: fn, Arg: "samples", Index: -1, Reason: "empty, want at least one sample"}
	}
	var sum scaledSum
	for i, x := range samples {
		if !isTime(x) {
			return 0, notTime(fn, "samples", i, x)
		}
		sum.add(x)
	}
	return finite(sum.meanTimes(len(samples), tasks), fn, "samples")
}

// Extrapolate returns the run time to expect of a task that has run for elapsed and done the fraction progress of its
// work: elapsed / progress. HFSP asks this at a timeout of 10 s of execution, the progress being the fraction of the input
// read.
//
// elapsed is finite and >= 0, progress in (0, 1]: a task without progress has nothing to extrapolate, ask again later.
//
// Errors: an *schedmath.InputError for an argument out of range, or when the time exceeds the largest float64.
// Source: [HFSP III-D.3].
func Extrapolate(elapsed, progress float64) (float64, error) {
	const fn = "estimate.Extrapolate"
	if !isTime(elapsed) {
		return 0, notTime(fn, "elapsed", -1, elapsed)
	}
	if !(progress > 0 && progress <= 1) {
		return 0, &schedmath.InputError{Func: fn, Arg: "progress", Index: -1, Reason: fmt.Sprintf("%v, want > 0 and <= 1", progress)}
	}
	if elapsed == 0 {
		return 0, nil
	}
	return finite(elapsed/progress, fn, "progress")
}

// ShuffleSize returns the size of the shuffle part of a REDUCE phase: the mean of the samples' shuffle times, weighted by
// the samples' inputs, times the number of tasks. The weights are inputs over their sum: only proportions matter.
//
// times[i], finite and >= 0, runs from the moment that sample i was scheduled to the moment that its reduce function
// starts; inputs[i], finite and >= 0, is the amount of data that it pulls. There is at least one sample; tasks >= 0 is the
// number of REDUCE tasks, samples included. A sample without input carries no weight; where no sample has input there is
// nothing to weigh by and the plain mean is taken, as in PhaseSize.
//
// Sums are compensated and scaled, as in PhaseSize: within a unit in the last place, with no overflow on the way.
//
// Errors: an *schedmath.InputError for an argument out of range or slices of different lengths, or when the size exceeds
// the largest float64. Source: [HFSP III-D.3].
func ShuffleSize(times, inputs []float64, tasks int) (float64, error) {
	const fn = "estimate.ShuffleSize"
	if tasks < 0 {
		return 0, negativeTasks(fn, tasks)
	}
	if len(times) == 0 {
		return 0, &schedmath.InputError{Func: fn, Arg: "times", Index: -1, Reason: "empty, want at least one sample"}
	}
	if len(inputs) != len(times) {
		return 0, &schedmath.InputError{Func: fn, Arg: "inputs", Index: -1,
			Reason: fmt.Sprintf("length %d, want %d, the length of times", len(inputs), len(times))}
	}
	var plain, weighted, weight scaledSum
	for i, t := range times {
		if !isTime(t) {
			return 0, notTime(fn, "times", i, t)
		}
		if w := inputs[i]; !(w >= 0 && w <= math.MaxFloat64) {
			return 0, &schedmath.InputError{Func: fn, Arg: "inputs", Index: i, Reason: fmt.Sprintf("%v, want finite and >= 0", w)}
		}
		plain.add(t)
		weighted.addProduct(t, inputs[i])
		weight.add(inputs[i])
	}
	if weight.sum.Hi == 0 {
		return finite(plain.meanTimes(len(times), tasks), fn, "times")
	}
	return finite(quotientTimes(weighted, weight, float64(tasks)), fn, "times")
}

// ReduceSize returns the size of a REDUCE phase: its shuffle part, as of ShuffleSize, plus its execution part, as of
// PhaseSize. Both are finite and >= 0.
//
// Errors: an *schedmath.InputError for an argument out of range, or when the sum exceeds the largest float64.
// Source: [HFSP III-D.3].
func ReduceSize(shuffle, execution float64) (float64, error) {
	const fn = "estimate.ReduceSize"
	if !isTime(shuffle) {
		return 0, notTime(fn, "shuffle", -1, shuffle)
	}
	if !isTime(execution) {
		return 0, notTime(fn, "execution", -1, execution)
	}
	if shuffle == 0 && execution == 0 {
		return 0, nil // no -0
	}
	return finite(shuffle+execution, fn, "execution")
}

// meanTimes returns the mean of the count terms of s, times tasks.
func (s scaledSum) meanTimes(count, tasks int) float64 {
	return quotientTimes(s, scaledSum{sum: dd.Of(float64(count))}, float64(tasks))
}

// isTime reports whether x is a time: finite and >= 0. NaN is none.
func isTime(x float64) bool { return x >= 0 && x <= math.MaxFloat64 }

func notTime(fn, arg string, index int, x float64) error {
	return &schedmath.InputError{Func: fn, Arg: arg, Index: index, Reason: fmt.Sprintf("%v, want a finite time >= 0", x)}
}

func negativeTasks(fn string, tasks int) error {
	return &schedmath.InputError{Func: fn, Arg: "tasks", Index: -1, Reason: fmt.Sprintf("%d, want >= 0", tasks)}
}

// finite returns x, or an error where x has overflowed.
func finite(x float64, fn, arg string) (float64, error) {
	if !(x <= math.MaxFloat64) {
		return 0, &schedmath.InputError{Func: fn, Arg: arg, Index: -1, Reason: "too large, the result exceeds the largest float64"}
	}
	return x, nil
}
