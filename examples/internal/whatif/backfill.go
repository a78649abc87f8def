package whatif

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// shortest is the least time, in seconds, over which bounded slowdowns are taken.
const shortest = 10

// backfills are the policies for jobs whose users said how long they run.
var backfills = []slotPolicy{
	{"easy", func() slotmodel.Policy { return new(policy.Backfill) }, planned},
	{"easy-sjbf", func() slotmodel.Policy { return &policy.Backfill{Shortest: true} }, planned},
	{"easy-true", func() slotmodel.Policy { return &policy.Backfill{Time: trueTime} }, planned},
	{"easy++", func() slotmodel.Policy { return &plusPlus{Backfill: policy.Backfill{Shortest: true}} }, planned},
	{"conservative", func() slotmodel.Policy { return &policy.Backfill{Depth: -1} }, planned},
}

func planned(j *slotmodel.JobSpec) bool { return j.Rigid && j.Requested > 0 }

// trueTime is how long a rigid job runs.
func trueTime(v *slotmodel.View, j slotmodel.Job) float64 {
	p := &v.Spec(j).Maps
	longest := 0.
	for i := range min(p.Tasks, max(1, len(p.Works))) {
		longest = max(longest, p.Of(i))
	}
	return longest
}

// plusPlus is EASY++: backfill, the shortest first, by the mean of the user's last two jobs, which
// is prolonged when a job outlives it, and is never more than what was requested.
type plusPlus struct {
	policy.Backfill
	last  backfill.LastTwo[int]
	first []float64 // prediction of each job at its arrival; NaN: it has not arrived
	began []float64 // when it has started; NaN: it has not
}

// BeginRun forgets the previous run.
func (p *plusPlus) BeginRun(v *slotmodel.View) {
	p.last = backfill.LastTwo[int]{}
	p.first = slices.Repeat([]float64{math.NaN()}, v.Jobs())
	p.began = slices.Clone(p.first)
	p.Time = p.predict
	p.Backfill.BeginRun(v)
}

// Observe learns run times.
func (p *plusPlus) Observe(v *slotmodel.View, e slotmodel.Event) {
	switch e.Type {
	case slotmodel.Arrived:
		s := v.Spec(e.Job)
		p.first[e.Job] = s.Requested
		if t, ok := p.last.Predict(s.User); ok && (t < s.Requested || s.Requested == 0) {
			p.first[e.Job] = t
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
func (p *plusPlus) predict(v *slotmodel.View, j slotmodel.Job) float64 {
	if began := p.began[j]; v.Count(j, slotmodel.Map).Running > 0 {
		return backfill.Extend(p.first[j], v.Now()-began, v.Spec(j).Requested)
	}
	return p.first[j]
}

// bounded fills in the mean wait and the bounded slowdowns of the jobs that have ended.
func (r *Row) bounded(s *stage, run outcome) {
	var waits, slowdowns []float64
	for i, size := range s.sizes {
		if s.ended[i] {
			waits = append(waits, max(0, run.sojourn[i]-size))
			slowdowns = append(slowdowns, max(1, run.sojourn[i]/max(size, shortest)))
		}
	}
	slices.Sort(slowdowns)
	r.Wait, r.Bounded, r.BoundedP95 = report.Mean(waits), report.Mean(slowdowns), report.Quantile(slowdowns, .95)
}
