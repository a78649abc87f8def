package estimate

import (
	"cmp"
	"maps"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
)

// trainerVersion grows with every change of what a TrainerSnapshot means.
const trainerVersion = 2

// TrainerSnapshot is the state of a Trainer as plain data, fit for encoding/json and the like:
// float64 values survive JSON bit for bit. Equal states have equal snapshots, whatever their
// history.
type TrainerSnapshot[K comparable] struct {
	Version int                     `json:"version"`
	Samples int                     `json:"samples"` // TrainerOptions with the defaults filled in
	Limit   float64                 `json:"limit"`
	Slots   int                     `json:"slots"`
	Past    PastSnapshot            `json:"past"`
	Jobs    []TrainerJobSnapshot[K] `json:"jobs"` // in the order of Add
}

// mostCounted is the greatest PastSnapshot.Count: float64 and readers of JSON hold all up to it.
const mostCounted = 1 << 53

// PastSnapshot is the run time of the finished tasks, the first 2^53 of them: Hi + Lo over Count
// tasks, Hi being the float64 nearest to Hi + Lo.
type PastSnapshot struct {
	Count int64   `json:"count"`
	Hi    float64 `json:"hi"`
	Lo    float64 `json:"lo"`
}

// TrainerJobSnapshot is the training of one job.
type TrainerJobSnapshot[K comparable] struct {
	Key   K   `json:"key"`
	Tasks int `json:"tasks"`
	// Samples: by number, at most min(s, Tasks), not ending in a Waiting one
	Samples []SampleSnapshot `json:"samples"`
}

// SampleSnapshot is one sample: its State, one of the constants SampleWaiting, SampleRunning,
// SampleExtrapolated and SampleFinished, and its run time, which is 0 in the first two.
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

// Snapshot returns the state of the trainer, sharing nothing with it; of a nil trainer that of a
// zero one. O(n (log n + s)).
func (t *Trainer[K]) Snapshot() TrainerSnapshot[K] {
	if t == nil {
		t = new(Trainer[K])
	}
	o := t.settings()
	s := TrainerSnapshot[K]{
		Version: trainerVersion, Samples: o.Samples, Limit: o.Limit, Slots: t.slots,
		Past: PastSnapshot{Count: t.count, Hi: t.past.Hi, Lo: t.past.Lo},
		Jobs: make([]TrainerJobSnapshot[K], 0, len(t.of)),
	}
	ids := slices.SortedFunc(maps.Values(t.of), func(a, b int32) int { return cmp.Compare(t.jobs[a].added, t.jobs[b].added) })
	for _, i := range ids {
		j := &t.jobs[i]
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

// RestoreTrainer returns a trainer in the state of a snapshot. It goes on as the original would:
// the same calls have the same results, bit for bit. The snapshot is not retained. O(n (log n +
// s)).
//
// Errors: an *schedmath.InputError for a snapshot that Snapshot does not write, with the index of
// the job at fault.
func RestoreTrainer[K comparable](s TrainerSnapshot[K]) (*Trainer[K], error) {
	corrupt := func(index int, format string, args ...any) (*Trainer[K], error) {
		return nil, input.Bad("estimate.RestoreTrainer", "s", index, format, args...)
	}
	past := s.Past
	switch {
	case s.Version != trainerVersion:
		return corrupt(-1, "Version is %d, want %d", s.Version, trainerVersion)
	case s.Samples < 1:
		return corrupt(-1, "Samples is %d, want >= 1", s.Samples)
	case !(s.Limit > 0 && s.Limit <= 1):
		return corrupt(-1, "Limit is %v, want > 0 and <= 1", s.Limit)
	case s.Slots < 0:
		return corrupt(-1, "Slots is %d, want >= 0", s.Slots)
	case past.Count < 0 || past.Count > mostCounted:
		return corrupt(-1, "Past.Count is %d, want within [0, 2^53]", past.Count)
	case !(past.Hi >= 0 && past.Hi <= float64(past.Count)*most):
		return corrupt(-1, "Past.Hi is %v, want a sum of %d times in [0, 2^200]", past.Hi, past.Count)
	case past.Hi+past.Lo != past.Hi:
		return corrupt(-1, "Past.Lo is %v, want below the last place of Hi %v", past.Lo, past.Hi)
	}
	t := &Trainer[K]{
		options: TrainerOptions{Samples: s.Samples, Limit: s.Limit},
		slots:   s.Slots,
		count:   past.Count,
	}
	if past.Hi > 0 { // no -0
		t.past = dd.T{Hi: past.Hi, Lo: past.Lo}
	}
	var finishedSamples int64
	for at, job := range s.Jobs {
		most := min(job.Tasks, s.Samples)
		_, known := t.of[job.Key]
		switch {
		case job.Key != job.Key:
			return corrupt(at, "Key is %v, want a key that equals itself", job.Key)
		case known:
			return corrupt(at, "Key %v occurs twice", job.Key)
		case job.Tasks < 0:
			return corrupt(at, "Tasks is %d, want >= 0", job.Tasks)
		case len(job.Samples) > most:
			return corrupt(at, "Samples has length %d, want at most %d", len(job.Samples), most)
		}
		i := t.enter(job.Key, job.Tasks)
		for n, x := range job.Samples {
			state := slices.Index(sampleStates[:], x.State)
			timed := state == int(extrapolated) || state == int(finished)
			switch {
			case state < 0:
				return corrupt(at, "Samples[%d].State is %.40q, want one of %q", n, x.State, sampleStates)
			case !isTime(x.Duration) || !timed && x.Duration != 0:
				return corrupt(at, "Samples[%d].Duration is %v in state %s, want a time in [0, 2^200], and 0 before there is one", n, x.Duration, x.State)
			case state == int(vacant) && n == len(job.Samples)-1:
				return corrupt(at, "Samples ends in a sample in state %s, want it left out", SampleWaiting)
			}
			t.set(i, n, sampleState(state), x.Duration)
		}
		finishedSamples += int64(t.jobs[i].in[finished])
	}
	if finishedSamples > past.Count {
		return corrupt(-1, "Past.Count is %d, want at least the %d finished samples", past.Count, finishedSamples)
	}
	return t, nil
}
