package estimate

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// TrainerOptions are the settings of a Trainer. The zero value is HFSP's.
type TrainerOptions struct {
	Samples int     // sample tasks per job, s; 0: 5
	Limit   float64 // fraction t of the slots that sample tasks may take, at most 1; 0: 1, all of them
}

// Trainer keeps the training of many jobs: which job's sample task to start next, and what the
// samples have yielded [HFSP III-B, III-D]. Keep one for each kind of phase, with the slots of that
// kind.
//
// A job enters with Add and has min(Samples, tasks) samples to run. The caller starts a task of the
// job that Next names, reports Started, which numbers the sample, and then Finished with its run
// time, Extrapolated with a preliminary one, or Failed, and a sample waits again. With a run time
// of all samples the job is Done and has a Size. Only Remove forgets it.
//
// A caller with priorities of its own asks Room in place of Next, and takes its first job whose Job
// has samples Waiting. One more sample may start while running < Limit * slots, to 2^-50 of it;
// Started is accepted beyond.
//
// A zero Trainer has no slots. A key that holds a value that is not comparable panics, as in a map.
type Trainer[K comparable] struct {
	options TrainerOptions
	slots   int
	running int // sample tasks running, extrapolated ones included
	past    dd.T
	count   int64       // terms of past
	of      map[K]int32 // index of a job in jobs and at
	jobs    []training[K]
	at      []int32   // place in ready, -1 outside
	free    []int32   // indices of jobs that have left, the last is used first
	ready   heap.Heap // jobs with samples waiting, by number of tasks and order of Add
	added   uint64    // number of calls of Add
}

// training is the state of one job.
type training[K comparable] struct {
	key         K
	added       uint64   // ties go by it
	tasks, need int      // need = min(s, tasks)
	samples     []sample // by number; grows as samples start
	in          [4]int   // number of samples in each SampleState
}

type sample struct {
	state    SampleState
	duration float64
}

func (j *training[K]) running() int { return j.in[sampleRunning] + j.in[sampleExtrapolated] }

// waiting is the number of samples of the job to be started.
func (j *training[K]) waiting() int { return j.need - j.running() - j.in[sampleFinished] }

// done reports whether all samples have a run time.
func (j *training[K]) done() bool { return j.in[sampleExtrapolated]+j.in[sampleFinished] == j.need }

// NewTrainer returns a trainer without jobs for a cluster of so many slots.
//
// Errors: slots < 0, Samples < 0 or a Limit outside [0, 1].
func NewTrainer[K comparable](slots int, o TrainerOptions) (*Trainer[K], error) {
	const fn = "estimate.NewTrainer"
	switch {
	case slots < 0:
		return nil, input.Bad(fn, "slots", -1, "%d, want >= 0", slots)
	case o.Samples < 0:
		return nil, input.Bad(fn, "o", -1, "Samples is %d, want >= 0", o.Samples)
	case !(o.Limit >= 0 && o.Limit <= 1):
		return nil, input.Bad(fn, "o", -1, "Limit is %v, want within [0, 1]", o.Limit)
	}
	return &Trainer[K]{options: o, slots: slots}, nil
}

// settings returns the options with the defaults filled in.
func (t *Trainer[K]) settings() TrainerOptions {
	return TrainerOptions{Samples: cmp.Or(t.options.Samples, 5), Limit: cmp.Or(t.options.Limit, 1)}
}

// SetCapacity sets the number of slots of the cluster, after it grew, shrank or lost nodes.
//
// Errors: slots < 0.
func (t *Trainer[K]) SetCapacity(slots int) error {
	if slots < 0 {
		return input.Bad("estimate.Trainer.SetCapacity", "slots", -1, "%d, want >= 0", slots)
	}
	t.slots = slots
	return nil
}

// Room returns how many more sample tasks may start under the limit.
func (t *Trainer[K]) Room() int {
	allowed := t.slots
	if limit := t.settings().Limit; limit < 1 {
		// The least integer >= Limit * slots, at most slots, so the conversion is safe.
		share := limit * float64(t.slots)
		if whole := math.Ceil(share - float64(share*0x1p-50)); whole < float64(t.slots) {
			allowed = int(whole)
		}
	}
	return max(0, allowed-t.running)
}

// Training is the state of one job's training.
type Training struct {
	Tasks        int // tasks of the job
	Samples      int // samples it needs in all, min(s, Tasks)
	Waiting      int // samples to be started
	Running      int // samples running
	Extrapolated int // of the running ones, those with an extrapolated run time
	Finished     int // samples with their true run time
}

// Job returns the state of a job's training; ok is false if the job is not in training.
func (t *Trainer[K]) Job(key K) (state Training, ok bool) {
	i, ok := t.of[key]
	if !ok {
		return Training{}, false
	}
	j := &t.jobs[i]
	return Training{Tasks: j.tasks, Samples: j.need, Waiting: j.waiting(), Running: j.running(), Extrapolated: j.in[sampleExtrapolated], Finished: j.in[sampleFinished]}, true
}

// Done reports whether the job is in training and all its samples have a run time, true or
// extrapolated. A job without tasks is done at once.
func (t *Trainer[K]) Done(key K) bool {
	i, ok := t.of[key]
	return ok && t.jobs[i].done()
}

// Size returns the size of a job that is Done: the mean of its samples times its number of tasks,
// as PhaseSize has it. A job without tasks has size 0. ok is false if the job is not Done, or if
// its size exceeds 2^200. The size changes when a true run time replaces an extrapolated one.
func (t *Trainer[K]) Size(key K) (size float64, ok bool) {
	i, ok := t.of[key]
	if !ok || !t.jobs[i].done() {
		return 0, false
	}
	j := &t.jobs[i]
	if j.need == 0 {
		return 0, true
	}
	var sum dd.T
	for _, s := range j.samples {
		sum = sum.AddFloat(s.duration)
	}
	if size = meanTimes(sum, j.need, j.tasks); !isTime(size) {
		return 0, false
	}
	return size, true
}

// Durations appends the run times of the job's samples, true and extrapolated, to dst in the order
// of their numbers: for a caller with an estimator of its own. Nothing is appended for a job that
// is not in training.
func (t *Trainer[K]) Durations(dst []float64, key K) []float64 {
	i, ok := t.of[key]
	if !ok {
		return dst
	}
	for _, s := range t.jobs[i].samples {
		if s.state.timed() {
			dst = append(dst, s.duration)
		}
	}
	return dst
}

// MeanTask returns the mean run time of all tasks reported with Finished and Observe: the l of
// InitialSize. ok is false before the first.
func (t *Trainer[K]) MeanTask() (mean float64, ok bool) {
	if t.count == 0 {
		return 0, false
	}
	return t.past.Div(float64(t.count)).Float(), true
}
