package hfsp

import (
	"math"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
)

// A recorder notes what happens in one run: when jobs come and go, how long tasks take, and what
// HFSP estimates.
type recorder struct {
	times   []float64                    // of the changes of the load
	pending []float64                    // jobs present from then on
	taken   [2][]float64                 // by kind: seconds from the start to the end of each task
	size    [2]map[slotmodel.Job]float64 // by kind: the seconds of all tasks of a job's phase
	guess   [2]map[slotmodel.Job]float64 // by kind: HFSP's last estimate of it from samples
	started []float64                    // by attempt
}

func newRecorder() *recorder {
	r := new(recorder)
	for k := range r.size {
		r.size[k], r.guess[k] = map[slotmodel.Job]float64{}, map[slotmodel.Job]float64{}
	}
	return r
}

// log takes one event.
func (r *recorder) log(e slotmodel.Event) {
	switch e.Type {
	case slotmodel.Arrived:
		r.change(e.Time, 1)
	case slotmodel.JobEnded:
		r.change(e.Time, -1)
	case slotmodel.Started:
		for len(r.started) <= int(e.Attempt) {
			r.started = append(r.started, 0)
		}
		r.started[e.Attempt] = e.Time
	case slotmodel.Ended:
		seconds := e.Time - r.started[e.Attempt]
		r.taken[e.Kind] = append(r.taken[e.Kind], seconds)
		r.size[e.Kind][e.Job] += seconds
	}
}

func (r *recorder) change(t, by float64) {
	now := by
	if n := len(r.pending); n > 0 {
		now += r.pending[n-1]
	}
	r.times, r.pending = append(r.times, t), append(r.pending, now)
}

// estimate is HFSP's own estimate of a phase, noted down where it is one: a phase of at most as
// many tasks as samples is known when it is estimated.
func (r *recorder) estimate(v *slotmodel.View, s hfsp.Samples) float64 {
	size := phaseSize(v, s)
	if s.Tasks > len(s.Times) {
		r.guess[s.Kind][s.Job] = size
	}
	return size
}

// phaseSize is what HFSP takes for the size of a phase, by Section III-D.
func phaseSize(v *slotmodel.View, s hfsp.Samples) float64 {
	size, err := estimate.PhaseSize(s.Times, s.Tasks)
	if err == nil && s.Shuffles != nil {
		weights := make([]float64, len(s.Shuffles))
		for i := range weights {
			weights[i] = v.Spec(s.Job).Shuffle // every reduce pulls the same
		}
		var shuffle float64
		if shuffle, err = estimate.ShuffleSize(s.Shuffles, weights, s.Tasks); err == nil {
			size, err = estimate.ReduceSize(shuffle, size)
		}
	}
	if err != nil { // beyond the largest float64
		return math.MaxFloat64
	}
	return size
}

// errors returns estimate over size for each phase that was estimated, in the order of the jobs.
func (r *recorder) errors(k slotmodel.Kind, jobs int) []float64 {
	var ratios []float64
	for j := range slotmodel.Job(jobs) {
		if guess, ok := r.guess[k][j]; ok && r.size[k][j] > 0 && guess > 0 {
			ratios = append(ratios, guess/r.size[k][j])
		}
	}
	return ratios
}
