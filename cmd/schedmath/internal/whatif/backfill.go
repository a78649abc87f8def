package whatif

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/slotmodel"
)

// use is the work that jobs did in the time that counts over what the processors can do then; where
// all time counts, up to the last end. What really happened has all jobs of the log.
func (s *stage) use(name string, r *outcome) float64 {
	til, done := s.til, 0.
	if math.IsInf(s.end, 1) {
		til = s.from
		for i, finish := range r.Finish {
			if s.ended[i] {
				til = max(til, finish)
			}
		}
	}
	add := func(start, end, amount float64) {
		if start, end = max(start, s.from), min(end, til); start < end { // neither is NaN
			done += float64(amount * (end - start))
		}
	}
	for i, finish := range r.Finish {
		if name == asItWas { // less what it stood still
			finish = min(finish, r.Start[i]+s.Jobs[i].Maps.Work)
		}
		add(r.Start[i], finish, float64(s.Jobs[i].Maps.Tasks))
	}
	if name == asItWas {
		for _, x := range s.others {
			add(x.Start, x.End, x.Amount)
		}
	}
	return done / (float64(s.processors) * (til - s.from))
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
	if longest == 0 || len(places) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(s.Jobs[a].Arrival, s.Jobs[b].Arrival) })
	jobs = make([]slotmodel.JobSpec, 0, len(places))
	for _, i := range places {
		j := s.Jobs[i]
		j.Requested = max(cmp.Or(j.Requested, longest), j.Maps.Work)
		jobs = append(jobs, j)
	}
	return jobs, places
}

// A foretold is how well the starts under EASY can be foretold, in a sentence, and each forecast; both
// empty where they cannot.
type foretold struct {
	text  string
	table numbers.Table
}

func (s *setting) forecasts(bar *program.Progress) (f foretold, err error) {
	jobs, places := s.plannedJobs()
	told, err := batch.Forecasts(jobs, s.processors, s.windows, max(1, len(jobs)/mostForecasts), s.Seed, bar.Add)
	bar.Add(s.Len() - len(jobs))
	if err != nil || len(told) == 0 {
		return f, err
	}
	v := batch.Judge(told)
	f.text = fmt.Sprintf("Forecasts at the arrival of %s that waited under easy: %.0f%% of the starts came within 90%% intervals that were calibrated by how far earlier forecasts were off, %.0f%% within those before that; half of the forecasts were off by %s s or less, and half of the guesses \"place in the queue times mean time between starts\" by %s s or less",
		numbers.Count(v.Jobs, "job"), 100*v.Cover, 100*v.Raw, numbers.Short(v.Error), numbers.Short(v.ByProposal))
	f.table.Columns = []string{"job", "given", "low", "median", "high", "start", "level"}
	for _, t := range told {
		x := t.Calibrated
		f.table.Add(s.nameOf(places[t.Job]), s.Clock(t.At), s.Clock(x.Low), s.Clock(x.Median), s.Clock(x.High), s.Clock(t.Start), batch.Level)
	}
	return f, nil
}
