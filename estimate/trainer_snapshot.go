package estimate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/dd"
)

// TrainerSnapshotVersion is the version of snapshots that this package writes and reads.
const TrainerSnapshotVersion = 2

// TrainerSnapshot is the state of a Trainer as plain data, fit for encoding/json and the like: float64 values survive JSON
// bit for bit. Equal states have equal snapshots, whatever their history.
type TrainerSnapshot[K comparable] struct {
	Version int                     `json:"version"`
	Samples int                     `json:"samples"` // TrainerOptions with the defaults filled in
	Limit   float64                 `json:"limit"`
	Slots   int                     `json:"slots"`
	Past    PastSnapshot            `json:"past"`
	Jobs    []TrainerJobSnapshot[K] `json:"jobs"` // in the order of Add
}

// PastSnapshot is the run time of all finished tasks: Hi + Lo over Count tasks, Hi being the float64 nearest to Hi + Lo.
type PastSnapshot struct {
	Count int64   `json:"count"`
	Hi    float64 `json:"hi"`
	Lo    float64 `json:"lo"`
}

// TrainerJobSnapshot is the training of one job.
type TrainerJobSnapshot[K comparable] struct {
	Key     K                `json:"key"`
	Tasks   int              `json:"tasks"`
	Samples []SampleSnapshot `json:"samples"` // by number, at most min(s, Tasks), not ending in a Waiting one
}

// SampleSnapshot is one sample: its State, one of the constants SampleWaiting, SampleRunning, SampleExtrapolated and
// SampleFinished, and its run time, which is 0 in the first two.
type SampleSnapshot struct {
	State    string  `json:"state"`
	Duration float64 `json:"duration"`
}

// States of a SampleSnapshot.
const (
	SampleWaiting      = "waiting"      // to be started again, after it failed
	SampleRunning      = "running"      //
	SampleExtrapolated = "extrapolated" // running, with a preliminary run time
	SampleFinished     = "finished"     // with its true run time
)

// sampleStates are the names of the states, by sampleState.
var sampleStates = [...]string{vacant: SampleWaiting, running: SampleRunning, extrapolated: SampleExtrapolated, finished: SampleFinished}

// Snapshot returns the state of the trainer, sharing nothing with it; of a nil trainer that of a zero one. O(n (log n + s)).
func (t *Trainer[K]) Snapshot() TrainerSnapshot[K] {
	if t == nil {
		t = new(Trainer[K])
	}
	o := t.settings()
	s := TrainerSnapshot[K]{
		Version: TrainerSnapshotVersion, Samples: o.Samples, Limit: o.Limit, Slots: t.slots,
		Past: PastSnapshot{Count: t.count, Hi: t.past.Hi, Lo: t.past.Lo},
		Jobs: make([]TrainerJobSnapshot[K], 0, len(t.of)),
	}
	jobs := make([]*training[K], 0, len(t.of))
	for _, i := range t.of {
		jobs = append(jobs, &t.jobs[i])
	}
	slices.SortFunc(jobs, func(a, b *training[K]) int { return cmp.Compare(a.added, b.added) })
	for _, j := range jobs {
		used := len(j.samples)
		for used > 0 && j.samples[used-1].state == vacant {
			used--
		}
		job := TrainerJobSnapshot[K]{Key: j.key, Tasks: j.tasks, Samples: make([]SampleSnapshot, used)}
		for n, x := range j.samples[:used] {
			job.Samples[n] = SampleSnapshot{State: sampleStates[x.state], Duration: x.duration}
		}
		s.Jobs = append(s.Jobs, job)
	}
	return s
}

// RestoreTrainer returns a trainer in the state of a snapshot. It goes on as the original would: the same calls have the
// same results, bit for bit. The snapshot is not retained. O(n (log n + s)).
//
// Errors: an *schedmath.InputError for a snapshot that Snapshot does not write, with the index of the job at fault.
func RestoreTrainer[K comparable](s TrainerSnapshot[K]) (*Trainer[K], error) {
	if s.Version != TrainerSnapshotVersion {
		return nil, corrupt(-1, "Version is %d, want %d", s.Version, TrainerSnapshotVersion)
	}
	if s.Samples < 1 {
		return nil, corrupt(-1, "Samples is %d, want >= 1", s.Samples)
	}
	if !(s.Limit > 0 && s.Limit <= 1) {
		return nil, corrupt(-1, "Limit is %v, want > 0 and <= 1", s.Limit)
	}
	if s.Slots < 0 {
		return nil, corrupt(-1, "Slots is %d, want >= 0", s.Slots)
	}
	if err := s.Past.check(); err != nil {
		return nil, err
	}
	t := &Trainer[K]{
		options: TrainerOptions{Samples: s.Samples, Limit: s.Limit},
		slots:   s.Slots,
		count:   s.Past.Count,
	}
	if s.Past.Hi > 0 { // no -0
		t.past = dd.T{Hi: s.Past.Hi, Lo: s.Past.Lo}
	}
	var finishedSamples int64
	for at, job := range s.Jobs {
		if job.Key != job.Key {
			return nil, corrupt(at, "Key is %v, want a key that equals itself", job.Key)
		}
		if _, ok := t.of[job.Key]; ok {
			return nil, corrupt(at, "Key %v occurs twice", job.Key)
		}
		if job.Tasks < 0 {
			return nil, corrupt(at, "Tasks is %d, want >= 0", job.Tasks)
		}
		if most := min(job.Tasks, s.Samples); len(job.Samples) > most {
			return nil, corrupt(at, "Samples has length %d, want at most %d", len(job.Samples), most)
		}
		i := t.enter(job.Key, job.Tasks)
		j := &t.jobs[i]
		for n, x := range job.Samples {
			state := slices.Index(sampleStates[:], x.State)
			if state < 0 {
				return nil, corrupt(at, "Samples[%d].State is %.40q, want one of %q", n, x.State, sampleStates)
			}
			timed := state == int(extrapolated) || state == int(finished)
			if !isTime(x.Duration) || (!timed && x.Duration != 0) {
				return nil, corrupt(at, "Samples[%d].Duration is %v in state %s, want a time in [0, 2^200], and 0 before there is one", n, x.Duration, x.State)
			}
			j.samples = append(j.samples, sample{state: sampleState(state), duration: math.Abs(x.Duration)})
			switch sampleState(state) {
			case running:
				j.running++
			case extrapolated:
				j.running++
				j.extrapolated++
			case finished:
				j.finished++
				finishedSamples++
			}
		}
		if last := len(j.samples) - 1; last >= 0 && j.samples[last].state == vacant {
			return nil, corrupt(at, "Samples ends in a sample in state %s, want it left out", SampleWaiting)
		}
		t.running += j.running
		t.place(i)
	}
	if finishedSamples > s.Past.Count {
		return nil, corrupt(-1, "Past.Count is %d, want at least the %d finished samples", s.Past.Count, finishedSamples)
	}
	return t, nil
}

// check reports a sum that no sequence of run times has.
func (p PastSnapshot) check() error {
	switch {
	case p.Count < 0:
		return corrupt(-1, "Past.Count is %d, want >= 0", p.Count)
	case !(p.Hi >= 0 && p.Hi <= float64(p.Count)*most):
		return corrupt(-1, "Past.Hi is %v, want a sum of %d times in [0, 2^200]", p.Hi, p.Count)
	case p.Hi+p.Lo != p.Hi:
		return corrupt(-1, "Past.Lo is %v, want below the last place of Hi %v", p.Lo, p.Hi)
	}
	return nil
}

func corrupt(index int, format string, args ...any) error {
	return &schedmath.InputError{Func: "estimate.RestoreTrainer", Arg: "s", Index: index, Reason: fmt.Sprintf(format, args...)}
}
