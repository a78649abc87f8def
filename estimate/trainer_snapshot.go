package estimate

import (
	"cmp"
	"maps"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
)

// TrainerSnapshot is the state of a Trainer as plain data, fit for JSON. Equal states have equal
// snapshots, whatever their history.
type TrainerSnapshot[K comparable] struct {
	Version int                     `json:"version"` // 1
	Samples int                     `json:"samples"` // TrainerOptions with the defaults filled in
	Limit   float64                 `json:"limit"`
	Slots   int                     `json:"slots"`
	Past    PastSnapshot            `json:"past"`
	Jobs    []TrainerJobSnapshot[K] `json:"jobs,omitempty"` // in the order of Add
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
	Samples []SampleSnapshot `json:"samples,omitempty"`
}

// SampleSnapshot is one sample: its state, and its run time where it has one.
type SampleSnapshot struct {
	State    SampleState `json:"state"`
	Duration float64     `json:"duration"`
}

// SampleState is the state of a sample.
type SampleState uint8

const (
	sampleWaiting      SampleState = iota // to be started
	sampleRunning                         // without a run time
	sampleExtrapolated                    // running, with a preliminary run time
	sampleFinished                        // with its true run time
)

var sampleStates = []string{"waiting", "running", "extrapolated", "finished"}

// String returns "waiting", "running", "extrapolated" or "finished", and "SampleState(7)" for what
// is none of them. MarshalText and UnmarshalText use the same words.
func (s SampleState) String() string { return enum.Name(s, "SampleState", sampleStates...) }

// MarshalText returns String.
func (s SampleState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText gives; an InputError for other text.
func (s *SampleState) UnmarshalText(text []byte) error {
	return enum.Parse(s, "estimate.SampleState", text, sampleStates...)
}

// timed reports whether a sample has a run time.
func (s SampleState) timed() bool { return s == sampleExtrapolated || s == sampleFinished }

// Snapshot returns the state of the trainer, sharing nothing with it.
func (t *Trainer[K]) Snapshot() TrainerSnapshot[K] {
	o := t.settings()
	s := TrainerSnapshot[K]{
		Version: 1, Samples: o.Samples, Limit: o.Limit, Slots: t.slots,
		Past: PastSnapshot{Count: t.count, Hi: t.past.Hi, Lo: t.past.Lo},
		Jobs: slices.Grow([]TrainerJobSnapshot[K](nil), len(t.of)),
	}
	ids := slices.SortedFunc(maps.Values(t.of), func(a, b int32) int { return cmp.Compare(t.jobs[a].added, t.jobs[b].added) })
	for _, i := range ids {
		j := &t.jobs[i]
		used := len(j.samples)
		for used > 0 && j.samples[used-1].state == sampleWaiting {
			used--
		}
		job := TrainerJobSnapshot[K]{Key: j.key, Tasks: j.tasks, Samples: slices.Grow([]SampleSnapshot(nil), used)}
		for _, x := range j.samples[:used] {
			job.Samples = append(job.Samples, SampleSnapshot{State: x.state, Duration: x.duration})
		}
		s.Jobs = append(s.Jobs, job)
	}
	return s
}

// RestoreTrainer returns a trainer in the state of a snapshot: the same calls have the same
// results, bit for bit. The snapshot is not retained.
//
// Errors: a snapshot that Snapshot does not give, with the index of the job at fault.
func RestoreTrainer[K comparable](s TrainerSnapshot[K]) (*Trainer[K], error) {
	corrupt := func(index int, format string, args ...any) (*Trainer[K], error) {
		return nil, input.Bad("estimate.RestoreTrainer", "s", index, format, args...)
	}
	past := s.Past
	switch {
	case s.Version != 1:
		return corrupt(-1, "Version is %d, want 1", s.Version)
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
			switch {
			case x.State > sampleFinished:
				return corrupt(at, "Samples[%d].State is %v, want at most finished", n, x.State)
			case !isTime(x.Duration) || !x.State.timed() && x.Duration != 0:
				return corrupt(at, "Samples[%d].Duration is %v in state %v, want a time in [0, 2^200], and 0 before there is one", n, x.Duration, x.State)
			case x.State == sampleWaiting && n == len(job.Samples)-1:
				return corrupt(at, "Samples ends in a sample in state %v, want it left out", x.State)
			}
			t.set(i, n, x.State, x.Duration)
		}
		finishedSamples += int64(t.jobs[i].in[sampleFinished])
	}
	if finishedSamples > past.Count {
		return corrupt(-1, "Past.Count is %d, want at least the %d finished samples", past.Count, finishedSamples)
	}
	return t, nil
}
