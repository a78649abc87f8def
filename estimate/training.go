package estimate

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// Add puts a job of so many tasks into training.
//
// Errors: a key that is present or not equal to itself; tasks < 0.
func (t *Trainer[K]) Add(key K, tasks int) error {
	const fn = "estimate.Trainer.Add"
	_, present := t.of[key]
	switch {
	case key != key:
		return input.Bad(fn, "key", -1, "%v, want a key that equals itself", key)
	case present:
		return input.Bad(fn, "key", -1, "%v is in training already", key)
	case tasks < 0:
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
	return i
}

// Remove forgets a job that has finished or was cancelled, and reports whether it was in training.
// Its running samples no longer count against the limit, its finished ones stay in MeanTask.
func (t *Trainer[K]) Remove(key K) bool {
	i, ok := t.of[key]
	if !ok {
		return false
	}
	j := &t.jobs[i]
	t.running -= j.running()
	*j = training[K]{samples: j.samples[:0]} // no samples waiting: out of the ready heap
	t.place(i)
	delete(t.of, key)
	t.free = append(t.free, i)
	return true
}

// set puts a sample of job i, which may be its next, into a state.
func (t *Trainer[K]) set(i int32, number int, state SampleState, duration float64) {
	j := &t.jobs[i]
	if number == len(j.samples) {
		j.samples = append(j.samples, sample{})
		j.in[sampleWaiting]++
	}
	t.running -= j.running()
	j.in[j.samples[number].state]--
	j.samples[number] = sample{state, math.Abs(duration)} // no -0
	j.in[state]++
	t.running += j.running()
	t.place(i)
}

// Started reports that a sample task of the job has been given a slot, and returns the number by
// which Finished, Failed and Extrapolated know it: the least that no other sample of the job has,
// from 0 on.
//
// Errors: a job that is not in training or has no sample waiting.
func (t *Trainer[K]) Started(key K) (number int, err error) {
	const fn = "estimate.Trainer.Started"
	i, err := t.find(fn, key)
	if err != nil {
		return 0, err
	}
	j := &t.jobs[i]
	if j.waiting() == 0 {
		return 0, input.Bad(fn, "key", -1, "%v has no sample waiting", key)
	}
	number = slices.IndexFunc(j.samples, func(s sample) bool { return s.state == sampleWaiting })
	if number < 0 {
		number = len(j.samples)
	}
	t.set(i, number, sampleRunning, 0)
	return number, nil
}

// Finished reports that a running sample of the job has ended, after duration on its slot. It
// replaces an extrapolated run time, and counts in MeanTask.
//
// Errors: a job that is not in training, a sample that is not running, a duration out of range.
func (t *Trainer[K]) Finished(key K, number int, duration float64) error {
	if err := t.report("estimate.Trainer.Finished", key, number, sampleFinished, duration); err != nil {
		return err
	}
	return t.Observe(duration)
}

// Extrapolated gives a running sample of the job a preliminary run time, as Extrapolate computes it
// from the progress at a timeout. It counts as a sample's run time in Done, Size and Durations
// until Finished or Failed; another call replaces it. The task still runs and counts against the
// limit.
//
// Errors: those of Finished.
func (t *Trainer[K]) Extrapolated(key K, number int, duration float64) error {
	return t.report("estimate.Trainer.Extrapolated", key, number, sampleExtrapolated, duration)
}

// Failed reports that a running sample of the job was lost, with its slot: it never started, an
// extrapolated run time is forgotten with it, and one more sample of the job is waiting.
//
// Errors: a job that is not in training, a sample that is not running.
func (t *Trainer[K]) Failed(key K, number int) error {
	return t.report("estimate.Trainer.Failed", key, number, sampleWaiting, 0)
}

// Observe counts the run time of a finished task that was no sample in MeanTask.
//
// Errors: a duration out of range.
func (t *Trainer[K]) Observe(duration float64) error {
	if !isTime(duration) {
		return notTime("estimate.Trainer.Observe", "duration", -1, duration)
	}
	if t.count < mostCounted {
		t.past = t.past.AddFloat(math.Abs(duration))
		t.count++
	}
	return nil
}

// find returns the index of a job in training.
func (t *Trainer[K]) find(fn string, key K) (int32, error) {
	i, ok := t.of[key]
	if !ok {
		return 0, input.Bad(fn, "key", -1, "%v is not in training", key)
	}
	return i, nil
}

// report puts a running sample into another state.
func (t *Trainer[K]) report(fn string, key K, number int, state SampleState, duration float64) error {
	i, err := t.find(fn, key)
	if err != nil {
		return err
	}
	samples := t.jobs[i].samples
	switch {
	case number < 0 || number >= len(samples) || samples[number].state != sampleRunning && samples[number].state != sampleExtrapolated:
		return input.Bad(fn, "number", -1, "%d, want a running sample of job %v", number, key)
	case !isTime(duration):
		return notTime(fn, "duration", -1, duration)
	}
	t.set(i, number, state, duration)
	return nil
}

// order breaks the ties of the ready heap. Its keys are the numbers of tasks as float64, which may
// round two huge numbers to one.
type order[K comparable] struct{ trainer *Trainer[K] }

// Before orders jobs as Next does.
func (o order[K]) Before(a, b int32) bool { return o.trainer.compare(a, b) < 0 }

func (t *Trainer[K]) compare(a, b int32) int {
	x, y := &t.jobs[a], &t.jobs[b]
	return cmp.Or(cmp.Compare(x.tasks, y.tasks), cmp.Compare(x.added, y.added))
}

// place puts job i into the ready heap if it has samples waiting and takes it out if not. Its rank
// never changes inside.
func (t *Trainer[K]) place(i int32) {
	j := &t.jobs[i]
	switch at := t.at[i]; {
	case j.waiting() > 0 && at < 0:
		t.ready.Push(heap.Entry{Key: float64(j.tasks), ID: i}, t.at, order[K]{t})
	case j.waiting() == 0 && at >= 0:
		t.ready.Remove(at, t.at, order[K]{t})
		t.at[i] = -1
	}
}

// Next returns the job whose sample task to start now: of the jobs with samples waiting the one
// with the fewest tasks, ties to the job added first. ok is false if the limit is reached or no job
// has a sample waiting. Nothing changes until the caller reports Started.
func (t *Trainer[K]) Next() (key K, ok bool) {
	if t.ready.Len() == 0 || t.Room() == 0 {
		return key, false
	}
	return t.jobs[t.ready.ID(0)].key, true
}
