package whatif

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
)

// bounded fills in the mean wait and the bounded slowdowns of the jobs that have ended, how much of
// the machine they used, and how many end later than under EASY.
func (r *Row) bounded(s *stage, run outcome) {
	var waits, slowdowns []float64
	done, last := 0., s.from
	if s.easy >= 0 {
		r.LaterEASY = 0
	}
	for i, size := range s.sizes {
		if !s.ended[i] {
			continue
		}
		waits = append(waits, max(0, run.Sojourn[i]-size))
		slowdowns = append(slowdowns, batch.Bounded(size, run.Sojourn[i]))
		done, last = done+seconds(&s.Jobs[i].Maps), max(last, run.Finish[i])
		if s.easy >= 0 && run.Finish[i]-s.runs[s.easy].Finish[i] > laterThan*run.Finish[i] {
			r.LaterEASY++
		}
	}
	slices.Sort(slowdowns)
	r.Wait, r.Bounded, r.BoundedP95 = numbers.Mean(waits), numbers.Mean(slowdowns), numbers.Quantile(slowdowns, .95)
	r.Use = done / (float64(s.machines*mapsPerNode) * (last - s.from))
}

// mostForecasts is about how many jobs are told when they will start.
const mostForecasts = 1000

// forecasts says how well the starts under EASY can be foretold, in a sentence; "" where not all
// jobs are rigid ones without reduces, or nobody said how long they run.
func (s *setting) forecasts() (string, error) {
	var jobs []slotmodel.JobSpec // but those that run for no time
	longest := 0.
	for _, j := range s.Jobs {
		if !j.Rigid || j.Reduces.Tasks > 0 || j.Maps.Works != nil || j.After > 0 {
			return "", nil
		}
		if longest = max(longest, j.Requested); j.Maps.Work > 0 {
			jobs = append(jobs, j)
		}
	}
	if longest == 0 {
		return "", nil
	}
	for i := range jobs {
		jobs[i].Requested = max(cmp.Or(jobs[i].Requested, longest), jobs[i].Maps.Work)
	}
	slices.SortStableFunc(jobs, func(a, b slotmodel.JobSpec) int { return cmp.Compare(a.Arrival, b.Arrival) })
	told, err := batch.Forecasts(jobs, s.machines*mapsPerNode, max(1, len(jobs)/mostForecasts), s.Seed)
	if err != nil || len(told) == 0 {
		return "", err
	}
	v := batch.Judge(told)
	return fmt.Sprintf("Forecasts at the arrival of %s that waited under easy: %.0f%% of the starts within calibrated 90%% intervals, %.0f%% before calibration; median error %s s, of place times mean time between starts %s s",
		numbers.Count(v.Jobs, "job"), 100*v.Cover, 100*v.Raw, numbers.Short(v.Error), numbers.Short(v.ByProposal)), nil
}
