package estimate

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
)

// Add puts a job of tasks >= 0 tasks into training. O(log n).
//
// Errors: an *schedmath.InputError if the key is present or not equal to itself, or for tasks < 0.
func (t *Trainer[K]) Add(key K, tasks int) error {
	const fn = "estimate.Trainer.Add"
	if t == nil {
		return nilTrainer(fn)
	}
	if key != key {
		return &schedmath.InputError{Func: fn, Arg: "key", Index: -1, Reason: fmt.Sprintf("%v, want a key that equals itself", key)}
	}
	if _, ok := t.of[key]; ok {
		return &schedmath.InputError{Func: fn, Arg: "key", Index: -1, Reason: fmt.Sprintf("%v is in training already", key)}
	}
	if tasks < 0 {
		return negativeTasks(fn, tasks)
	}
	t.enter(key, tasks)
	return nil
}

// enter adds a job whose key and tasks are good, and returns its index.
func (t *Trainer[K]) enter(key K, tasks int) int32 {
	var i int32
	if last := len(t.free) - 1; last >= 0 {
		i = t.free[last]
		t.free = t.free[:last]
	} else {
		i = int32(len(t.jobs))
		t.jobs = append(t.jobs, training[K]{})
		t.at = append(t.at, -1)
	}
	j := &t.jobs[i]
	*j = training[K]{key: key, added: t.added, tasks: tasks, need: min(tasks, t.settings().Samples), samples: j.samples[:0]}
	t.added++
	if t.of == nil {
		t.of = make(map[K]int32)
	}
	t.of[key] = i
	t.place(i)
	t.changes++
	return i
}

// Remove forgets a job that has finished or was cancelled; its running samples no longer count against the limit, its
// finished ones stay in MeanTask. It returns false, and does nothing, if the job is not in training. O(log n).
func (t *Trainer[K]) Remove(key K) bool {
	i, ok := t.index(key)
	if !ok {
		return false
	}
	j := &t.jobs[i]
	t.running -= j.running
	*j = training[K]{samples: j.samples[:0]} // no samples waiting: out of the ready heap
	t.place(i)
	delete(t.of, key)
	t.free = append(t.free, i)
	t.changes++
	return true
}

// Started reports that a sample task of the job has been given a slot, and returns the number by which Finished, Failed and
// Extrapolated know it: the least that no other sample of the job has, from 0 on. O(log n + s).
//
// Errors: an *schedmath.InputError if the job is not in training or has no sample waiting.
func (t *Trainer[K]) Started(key K) (number int, err error) {
	const fn = "estimate.Trainer.Started"
	if t == nil {
		return 0, nilTrainer(fn)
	}
	i, ok := t.of[key]
	if !ok {
		return 0, notTraining(fn, key)
	}
	j := &t.jobs[i]
	if j.waiting() == 0 {
		return 0, &schedmath.InputError{Func: fn, Arg: "key", Index: -1, Reason: fmt.Sprintf("%v has no sample waiting", key)}
	}
	n := j.vacant
	for n < len(j.samples) && j.samples[n].state != vacant {
		n++
	}
	if n == len(j.samples) {
		j.samples = slices.Grow(j.samples, min(j.need-n, 8)) // once for a small sample
		j.samples = append(j.samples, sample{})
	}
	j.samples[n] = sample{state: running}
	j.vacant = n + 1
	j.running++
	t.running++
	t.place(i)
	t.changes++
	return n, nil
}

// Finished reports that a running sample of the job has ended, after duration, in [0, 2^200], on its slot. It replaces an
// extrapolated run time, and counts in MeanTask. O(1), no allocation.
//
// Errors: an *schedmath.InputError if the job is not in training, the sample is not running, or duration is out of range.
func (t *Trainer[K]) Finished(key K, number int, duration float64) error {
	const fn = "estimate.Trainer.Finished"
	j, s, err := t.timed(fn, key, number, duration)
	if err != nil {
		return err
	}
	if s.state == extrapolated {
		j.extrapolated--
	}
	*s = sample{state: finished, duration: math.Abs(duration)} // no -0
	j.running--
	j.finished++
	t.running--
	t.past = t.past.AddFloat(math.Abs(duration))
	t.count++
	t.changes++
	return nil
}

// Extrapolated gives a running sample of the job a preliminary run time, in [0, 2^200], as Extrapolate computes it from
// the progress at a timeout. It counts as a sample's run time in Done, Size and Durations until Finished or Failed; another
// call replaces it. The task still runs and counts against the limit. O(1), no allocation.
//
// Errors: an *schedmath.InputError if the job is not in training, the sample is not running, or duration is out of range.
func (t *Trainer[K]) Extrapolated(key K, number int, duration float64) error {
	const fn = "estimate.Trainer.Extrapolated"
	j, s, err := t.timed(fn, key, number, duration)
	if err != nil {
		return err
	}
	if s.state == running {
		j.extrapolated++
	}
	*s = sample{state: extrapolated, duration: math.Abs(duration)} // no -0
	t.changes++
	return nil
}

// Failed reports that a running sample of the job was lost, with its slot: it never started, an extrapolated run time is
// forgotten with it, and one more sample of the job is waiting. O(log n).
//
// Errors: an *schedmath.InputError if the job is not in training or the sample is not running.
func (t *Trainer[K]) Failed(key K, number int) error {
	j, err := t.runningSample("estimate.Trainer.Failed", key, number)
	if err != nil {
		return err
	}
	if j.samples[number].state == extrapolated {
		j.extrapolated--
	}
	j.samples[number] = sample{}
	j.vacant = min(j.vacant, number)
	j.running--
	t.running--
	t.place(t.of[key])
	t.changes++
	return nil
}

// Observe counts the run time of a finished task that was no sample, in [0, 2^200], in MeanTask. O(1).
//
// Errors: an *schedmath.InputError if duration is out of range.
func (t *Trainer[K]) Observe(duration float64) error {
	const fn = "estimate.Trainer.Observe"
	if t == nil {
		return nilTrainer(fn)
	}
	if !isTime(duration) {
		return notTime(fn, "duration", -1, duration)
	}
	t.past = t.past.AddFloat(math.Abs(duration))
	t.count++
	return nil
}

// timed returns a running sample and its job for an event that gives it a run time.
func (t *Trainer[K]) timed(fn string, key K, number int, duration float64) (*training[K], *sample, error) {
	j, err := t.runningSample(fn, key, number)
	if err != nil {
		return nil, nil, err
	}
	if !isTime(duration) {
		return nil, nil, notTime(fn, "duration", -1, duration)
	}
	return j, &j.samples[number], nil
}

// runningSample returns the job that has a running sample of this number.
func (t *Trainer[K]) runningSample(fn string, key K, number int) (*training[K], error) {
	if t == nil {
		return nil, nilTrainer(fn)
	}
	i, ok := t.of[key]
	if !ok {
		return nil, notTraining(fn, key)
	}
	j := &t.jobs[i]
	if number < 0 || number >= len(j.samples) || (j.samples[number].state != running && j.samples[number].state != extrapolated) {
		return nil, &schedmath.InputError{Func: fn, Arg: "number", Index: -1, Reason: fmt.Sprintf("%d, want a running sample of job %v", number, key)}
	}
	return j, nil
}

func notTraining(fn string, key any) error {
	return &schedmath.InputError{Func: fn, Arg: "key", Index: -1, Reason: fmt.Sprintf("%v is not in training", key)}
}
