package batch

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// Level is that of the intervals.
const Level = .9

const (
	gaps = 100 // starts over which Kueue's proposal takes the mean gap

	// Futures are 200, but of long queues so many that all futures together have at most so many
	// starts, and at least 20.
	mostStarts = 20000
)

// An Instant is what a scheduler knows when a job arrives that has to wait, or at any other time.
type Instant struct {
	Now     float64
	Running []backfill.Running
	Queue   []backfill.Job
	jobs    []*slotmodel.JobSpec // running ones first, then the queue
	ages    []float64            // of the running ones
	*known
}

// known is what does not change from one instant to the next.
type known struct {
	processors []int64
	windows    []backfill.Window
	alike      bool // jobs of a user are
	past       backfill.Remaining[int]
}

func newKnown(jobs []slotmodel.JobSpec, processors int, windows []backfill.Window) *known {
	// A log that does not say has one user.
	alike := slices.ContainsFunc(jobs, func(s slotmodel.JobSpec) bool { return s.User != jobs[0].User })
	return &known{processors: []int64{int64(processors)}, windows: windows, alike: alike}
}

// run and wait add a job.
func (i *Instant) run(s *slotmodel.JobSpec, start float64) {
	i.Running = append(i.Running, backfill.Running{Need: []int64{int64(s.Maps.Tasks)}, End: start + s.Requested, Owner: s.User + 1})
	i.jobs, i.ages = append(i.jobs, s), append(i.ages, i.Now-start)
}

func (i *Instant) wait(s *slotmodel.JobSpec) {
	i.Queue = append(i.Queue, backfill.Job{Need: []int64{int64(s.Maps.Tasks)}, Time: s.Requested, Owner: s.User + 1})
	i.jobs = append(i.jobs, s)
}

// until is the instant with the first jobs of the queue alone.
func (i Instant) until(queue int) Instant {
	i.Queue, i.jobs = i.Queue[:queue], i.jobs[:len(i.Running)+queue]
	return i
}

// Forecast tells when each job of the queue will start under EASY. How long jobs run is drawn from
// the parts of their requests for which earlier ones ran, of the same user where there are enough.
func (i *Instant) Forecast(level float64, src rand.Source) ([]backfill.Interval, error) {
	remaining := func(k int, u float64) float64 {
		age := 0.
		if k < len(i.ages) {
			age = i.ages[k]
		}
		return i.past.Quantile(i.jobs[k].User, i.jobs[k].Requested, age, u)
	}
	o := backfill.ForecastOptions{Level: level, Samples: min(200, max(20, mostStarts/len(i.Queue))), Options: backfill.Options{Windows: i.windows}}
	if i.alike {
		for _, s := range i.jobs {
			o.Groups = append(o.Groups, s.User)
		}
	}
	return backfill.Forecast(nil, i.processors, i.Now, i.Running, i.Queue, remaining, o, src)
}

// Play plays rigid jobs with requested times, in the order of arrival, under EASY around windows,
// whose Owner is the number of a user plus 1. waits hears of
// each that has to wait, the last of the queue as it is told: those behind it arrive at the same
// time, and are left out; the instant is valid until waits returns. starts hears of each start, arrive
// how many jobs more have arrived.
func Play(jobs []slotmodel.JobSpec, processors int, windows []backfill.Window, arrive func(jobs int), waits func(job int, i Instant) error, starts func(job int, at float64)) error {
	var (
		start            = make([]float64, len(jobs))
		waiting, running []int
		known            = newKnown(jobs, processors, windows)
		i                = Instant{known: known}
	)
	for arrived, now := 0, math.Inf(-1); ; {
		last := now
		now = math.Inf(1)
		if arrived < len(jobs) {
			now = jobs[arrived].Arrival
		}
		for _, j := range running {
			now = min(now, start[j]+jobs[j].Maps.Work)
		}
		for k := range windows {
			if _, to, ok := windows[k].Next(last); ok && len(waiting) > 0 {
				now = min(now, to)
			}
		}
		if math.IsInf(now, 1) {
			return nil
		}
		var failed error
		running = slices.DeleteFunc(running, func(j int) bool {
			s := &jobs[j]
			if start[j]+s.Maps.Work > now {
				return false
			}
			failed = cmp.Or(failed, known.past.Add(s.User, s.Requested, s.Maps.Work))
			return true
		})
		before := arrived
		for ; arrived < len(jobs) && jobs[arrived].Arrival <= now; arrived++ {
			waiting = append(waiting, arrived)
		}
		arrive(arrived - before)
		i.Now, i.Running, i.Queue, i.jobs, i.ages = now, i.Running[:0], i.Queue[:0], i.jobs[:0], i.ages[:0]
		for _, j := range running {
			i.run(&jobs[j], start[j])
		}
		for _, j := range waiting {
			i.wait(&jobs[j])
		}
		plan, err := backfill.Plan(nil, known.processors, now, i.Running, i.Queue, backfill.Options{Windows: windows})
		if err = cmp.Or(failed, err); err != nil {
			return err
		}
		for k, j := range waiting {
			if plan[k] > now && j >= before {
				if err := waits(j, i.until(k+1)); err != nil {
					return err
				}
			}
		}
		left := waiting[:0]
		for k, j := range waiting {
			if plan[k] > now {
				left = append(left, j)
				continue
			}
			start[j], running = now, append(running, j)
			starts(j, now)
		}
		waiting = left
	}
}

// A Told is what was said to a job at its arrival, and its start. Times are in seconds.
type Told struct {
	Job        int // its place
	At, Start  float64
	Forecast   backfill.Interval
	Calibrated backfill.Interval // by what was known at At
	Proposal   float64           // its place in the queue times the mean time between starts
}

// within reports whether the start lies in an interval.
func (t *Told) within(i backfill.Interval) bool { return i.Low <= t.Start && t.Start <= i.High }

// Forecasts plays jobs, as Play does, and tells every so many-th of those that have to wait when it
// will start.
func Forecasts(jobs []slotmodel.JobSpec, processors int, windows []backfill.Window, every int, seed uint64, arrive func(jobs int)) ([]Told, error) {
	calibrator, err := backfill.NewCalibrator(backfill.CalibratorOptions{Level: Level})
	if err != nil {
		return nil, err
	}
	var (
		told   []Told
		toldTo = map[int]int{} // by job: index in told
		begun  []float64
		waited = 0
		src    = workload.Stream(seed, workload.FirstFreePurpose, 0)
	)
	err = Play(jobs, processors, windows, arrive, func(job int, i Instant) error {
		if waited++; waited%every > 0 {
			return nil
		}
		f, err := i.Forecast(Level, src)
		if err != nil {
			return err
		}
		t := Told{Job: job, At: i.Now, Forecast: f[len(f)-1], Proposal: i.Now}
		if n := len(begun); n > 1 {
			first := max(0, n-gaps)
			t.Proposal += float64(len(f)) * (begun[n-1] - begun[first]) / float64(n-1-first)
		}
		t.Calibrated, err = calibrator.Interval(t.At, t.Forecast)
		toldTo[job], told = len(told), append(told, t)
		return err
	}, func(job int, at float64) {
		begun = append(begun, at)
		if k, ok := toldTo[job]; ok {
			told[k].Start = at
			calibrator.Add(backfill.Outcome{Given: told[k].At, Forecast: told[k].Forecast, Start: at}) // of a forecast, after it: no error
		}
	})
	return told, err
}

// At tells at a time each of the jobs that wait then, in the order of the queue, when it will start
// under EASY, from when jobs started so far. jobs are in the order of arrival, starts NaN or +Inf
// where there is none; waits are the places of those that wait.
func At(jobs []slotmodel.JobSpec, starts []float64, processors int, now float64, seed uint64) (waits []int, told []backfill.Interval, err error) {
	var ended []int
	i := Instant{Now: now, known: newKnown(jobs, processors, nil)}
	for k := range jobs {
		s := &jobs[k]
		switch start := starts[k]; {
		case s.Arrival > now:
		case !(start <= now):
			waits = append(waits, k)
		case start+s.Maps.Work <= now:
			ended = append(ended, k)
		default:
			i.run(s, start)
		}
	}
	for _, k := range waits {
		i.wait(&jobs[k])
	}
	slices.SortStableFunc(ended, func(a, b int) int {
		return cmp.Compare(starts[a]+jobs[a].Maps.Work, starts[b]+jobs[b].Maps.Work)
	})
	for _, k := range ended {
		if err := i.past.Add(jobs[k].User, jobs[k].Requested, jobs[k].Maps.Work); err != nil {
			return nil, nil, err
		}
	}
	if len(waits) == 0 {
		return nil, nil, nil
	}
	told, err = i.Forecast(Level, workload.Stream(seed, workload.FirstFreePurpose, 0))
	return waits, told, err
}

// A Verdict is what forecasts were worth over some time.
type Verdict struct {
	Jobs              int
	Raw, Cover        float64 // part of the starts within the intervals, as forecast and calibrated
	Error, ByProposal float64 // median distance of the start from the forecast's median and from the proposal, s
}

// Judge is the verdict over some who were told.
func Judge(told []Told) Verdict {
	v := Verdict{Jobs: len(told)}
	var errors, proposals []float64
	for i := range told {
		t := &told[i]
		if t.within(t.Forecast) {
			v.Raw++
		}
		if t.within(t.Calibrated) {
			v.Cover++
		}
		errors = append(errors, math.Abs(t.Start-t.Forecast.Median))
		proposals = append(proposals, math.Abs(t.Start-t.Proposal))
	}
	slices.Sort(errors)
	slices.Sort(proposals)
	v.Raw, v.Cover = v.Raw/float64(v.Jobs), v.Cover/float64(v.Jobs)
	v.Error, v.ByProposal = numbers.Quantile(errors, .5), numbers.Quantile(proposals, .5)
	return v
}
