// Package batch is what whatif and backfill share about rigid jobs whose users said how long they
// run: bounded slowdown, EASY++ and forecasts of starts.
package batch

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// Shortest is the least time, in seconds, over which bounded slowdowns are taken.
const Shortest = 10

// Bounded returns the bounded slowdown of a job of a run time that was so long in the system.
func Bounded(run, sojourn float64) float64 { return max(1, sojourn/max(run, Shortest)) }

// TrueTime is how long a rigid job runs.
func TrueTime(v *slotmodel.View, j slotmodel.Job) float64 {
	p := &v.Spec(j).Maps
	longest := 0.
	for i := range min(p.Tasks, max(1, len(p.Works))) {
		longest = max(longest, p.Of(i))
	}
	return longest
}

// PlusPlus is EASY++: backfill, the shortest first, by the mean of the user's last two jobs, which
// is prolonged when a job outlives it, and is never more than what was requested. A prediction is
// made at the arrival; with fewer than two ended jobs it is the request. A job of unknown request is
// taken to run for ever until its user's jobs tell.
type PlusPlus struct {
	policy.Backfill
	last  backfill.LastTwo[int]
	first []float64 // prediction of each job at its arrival; NaN: it has not arrived
	began []float64 // when it has started; NaN: it has not
}

// BeginRun forgets the previous run.
func (p *PlusPlus) BeginRun(v *slotmodel.View) {
	p.last = backfill.LastTwo[int]{}
	p.first = slices.Repeat([]float64{math.NaN()}, v.Jobs())
	p.began = slices.Clone(p.first)
	p.Shortest, p.Time = true, p.predict
	p.Backfill.BeginRun(v)
}

// ObservesGangs reports whether self is p: one call for all maps that start together is enough.
func (p *PlusPlus) ObservesGangs(self any) bool {
	return self == any(p) && p.Backfill.ObservesGangs(&p.Backfill)
}

// Observe learns run times.
func (p *PlusPlus) Observe(v *slotmodel.View, e slotmodel.Event) {
	switch e.Type {
	case slotmodel.Arrived:
		s := v.Spec(e.Job)
		p.first[e.Job] = cmp.Or(s.Requested, math.Inf(1))
		if t, ok := p.last.Predict(s.User); ok {
			p.first[e.Job] = min(t, p.first[e.Job])
		}
	case slotmodel.Started:
		p.began[e.Job] = e.Time
	case slotmodel.JobEnded:
		if slotmodel.Outcome(e.Value) == slotmodel.Finished && p.began[e.Job] <= e.Time {
			p.last.Add(v.Spec(e.Job).User, e.Time-p.began[e.Job]) // finite: no error
		}
	}
	p.Backfill.Observe(v, e)
}

// predict returns how long a job is planned to run.
func (p *PlusPlus) predict(v *slotmodel.View, j slotmodel.Job) float64 {
	if began := p.began[j]; v.Count(j, slotmodel.Map).Running > 0 {
		return backfill.Extend(p.first[j], v.Now()-began, v.Spec(j).Requested)
	}
	return p.first[j]
}
