package estimate

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
)

// most is the largest time and size, as in package aging, where sizes go: no sum or product of them
// overflows.
const most = 0x1p200

// InitialSize returns the first guess at the size of a job, before any of its tasks has run: xi *
// tasks * meanTask [HFSP III-D.1]. meanTask is the mean run time of past tasks of its kind
// (Trainer.MeanTask). xi, in [1, 2^200], is caution: 1 trusts the guess, more puts new jobs behind
// known ones of the same nominal size.
func InitialSize(tasks int, meanTask, xi float64) (float64, error) {
	const fn = "estimate.InitialSize"
	if tasks < 0 {
		return 0, negativeTasks(fn, tasks)
	}
	if !isTime(meanTask) {
		return 0, notTime(fn, "meanTask", -1, meanTask)
	}
	if !(xi >= 1 && xi <= most) {
		return 0, input.Bad(fn, "xi", -1, "%v, want within [1, 2^200]", xi)
	}
	return size(float64(tasks)*meanTask*xi, fn, "meanTask")
}

// PhaseSize returns the size of a MAP phase, or of the execution part of a REDUCE phase, of which
// some tasks have run: the mean of their run times, samples, times tasks, which includes them [HFSP
// III-D.2]. No sample is an error; more than tasks are allowed. Permuting the samples changes the
// last place at most.
func PhaseSize(samples []float64, tasks int) (float64, error) {
	const fn = "estimate.PhaseSize"
	if tasks < 0 {
		return 0, negativeTasks(fn, tasks)
	}
	if len(samples) == 0 {
		return 0, input.Bad(fn, "samples", -1, "empty, want at least one sample")
	}
	var sum dd.T
	for i, x := range samples {
		if !isTime(x) {
			return 0, notTime(fn, "samples", i, x)
		}
		sum = sum.AddFloat(x)
	}
	return size(meanTimes(sum, len(samples), tasks), fn, "samples")
}

// Extrapolate returns the run time to expect of a task that has run for elapsed and done the
// fraction progress, in (0, 1], of its work: elapsed / progress. HFSP asks at a timeout of 10 s of
// execution, with the fraction of the input read, and later again for a task without progress [HFSP
// III-D.3].
func Extrapolate(elapsed, progress float64) (float64, error) {
	const fn = "estimate.Extrapolate"
	if !isTime(elapsed) {
		return 0, notTime(fn, "elapsed", -1, elapsed)
	}
	if !(progress > 0 && progress <= 1) {
		return 0, input.Bad(fn, "progress", -1, "%v, want > 0 and <= 1", progress)
	}
	return size(elapsed/progress, fn, "progress")
}

// ShuffleSize returns the size of the shuffle part of a REDUCE phase: the mean of the samples'
// shuffle times weighted by their inputs, times tasks [HFSP III-D.3]. times[i] runs from when
// sample i was scheduled to when its reduce function starts; inputs[i], 0 or in [2^-200, 2^200], is
// the data that it pulls. If all inputs are 0 the plain mean is taken. No sample is an error.
func ShuffleSize(times, inputs []float64, tasks int) (float64, error) {
	const fn = "estimate.ShuffleSize"
	if tasks < 0 {
		return 0, negativeTasks(fn, tasks)
	}
	if len(times) == 0 {
		return 0, input.Bad(fn, "times", -1, "empty, want at least one sample")
	}
	if len(inputs) != len(times) {
		return 0, input.Bad(fn, "inputs", -1, "length %d, want %d, the length of times", len(inputs), len(times))
	}
	var plain, weighted, weight dd.T
	for i, t := range times {
		if !isTime(t) {
			return 0, notTime(fn, "times", i, t)
		}
		w := inputs[i]
		if !(w == 0 || w >= 1/most && w <= most) {
			return 0, input.Bad(fn, "inputs", i, "%v, want 0 or a value in [2^-200, 2^200]", w)
		}
		plain = plain.AddFloat(t)
		weighted = weighted.Add(dd.Of(t).Mul(w))
		weight = weight.AddFloat(w)
	}
	if weight.Hi == 0 {
		return size(meanTimes(plain, len(times), tasks), fn, "times")
	}
	return size(weighted.Div(weight.Float()).Mul(float64(tasks)).Float(), fn, "times")
}

// ReduceSize returns the size of a REDUCE phase, the sum of its ShuffleSize and of its execution's
// PhaseSize [HFSP III-D.3].
func ReduceSize(shuffle, execution float64) (float64, error) {
	const fn = "estimate.ReduceSize"
	if !isTime(shuffle) {
		return 0, notTime(fn, "shuffle", -1, shuffle)
	}
	if !isTime(execution) {
		return 0, notTime(fn, "execution", -1, execution)
	}
	return size(shuffle+execution, fn, "execution")
}

// meanTimes returns the mean of count terms, whose sum is given, times tasks.
func meanTimes(sum dd.T, count, tasks int) float64 {
	return sum.Div(float64(count)).Mul(float64(tasks)).Float()
}

// isTime reports whether x is a time: in [0, 2^200]. NaN is none.
func isTime(x float64) bool { return x >= 0 && x <= most }

func notTime(fn, arg string, index int, x float64) error {
	return input.Bad(fn, arg, index, "%v, want a time in [0, 2^200]", x)
}

func negativeTasks(fn string, tasks int) error {
	return input.Bad(fn, "tasks", -1, "%d, want >= 0", tasks)
}

// size returns x without the sign of -0, or an error of arg where x is too large.
func size(x float64, fn, arg string) (float64, error) {
	if !(x <= most) {
		return 0, input.Bad(fn, arg, -1, "too large, the result is %v, want at most 2^200", x)
	}
	return math.Abs(x), nil
}
