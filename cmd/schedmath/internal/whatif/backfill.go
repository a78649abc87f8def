package whatif

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
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

// mostForecasts is about how many jobs are told when they will start: with 400 the part that lies
// within intervals is known to 3 points at 95%, with 1000 to 2.
const mostForecasts = 400

// foretells says whether starts are foretold.
func (s *setting) foretells(names []string) bool {
	return s.slots && s.Seeds == 1 && slices.Contains(names, "easy")
}

// plannedJobs are the jobs for which starts can be foretold, in the order of arrival, with requests;
// nil where not all jobs are rigid ones without reduces, or nobody said how long they run. places
// are theirs among all jobs.
func (s *setting) plannedJobs() (jobs []slotmodel.JobSpec, places []int) {
	longest := 0.
	for i, j := range s.Jobs {
		if !j.Rigid || j.Reduces.Tasks > 0 || j.Maps.Works != nil || j.After > 0 {
			return nil, nil
		}
		if longest = max(longest, j.Requested); j.Maps.Work > 0 { // others run for no time
			places = append(places, i)
		}
	}
	if longest == 0 {
		return nil, nil
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(s.Jobs[a].Arrival, s.Jobs[b].Arrival) })
	for _, i := range places {
		j := s.Jobs[i]
		j.Requested = max(cmp.Or(j.Requested, longest), j.Maps.Work)
		jobs = append(jobs, j)
	}
	return jobs, places
}

// forecasts says how well the starts under EASY can be foretold, in a sentence; "" where they
// cannot.
func (s *setting) forecasts(bar *program.Progress) (string, error) {
	jobs, _ := s.plannedJobs()
	told, err := batch.Forecasts(jobs, s.machines*mapsPerNode, max(1, len(jobs)/mostForecasts), s.Seed, bar.Add)
	bar.Add(s.Len() - len(jobs))
	if err != nil || len(told) == 0 {
		return "", err
	}
	v := batch.Judge(told)
	return fmt.Sprintf("Forecasts at the arrival of %s that waited under easy: %.0f%% of the starts within calibrated 90%% intervals, %.0f%% before calibration; median error %s s, of place times mean time between starts %s s",
		numbers.Count(v.Jobs, "job"), 100*v.Cover, 100*v.Raw, numbers.Short(v.Error), numbers.Short(v.ByProposal)), nil
}
