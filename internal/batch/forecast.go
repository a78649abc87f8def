package batch

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// Level is that of the intervals.
const Level = .9

const (
	memory = 1000 // ended jobs whose use of their requests is remembered
	own    = 20   // ended jobs from which on a user's own count alone
	gaps   = 100  // starts over which Kueue's proposal takes the mean gap

	// Futures are 200, but of long queues so many that all futures together have at most so many
	// starts, and at least 20.
	mostStarts = 20000
)

// A Told is what was said to a job at its arrival, and its start. Times are in seconds.
type Told struct {
	At, Start  float64
	Forecast   backfill.Interval
	Calibrated backfill.Interval // by what was known at At
	Proposal   float64           // its place in the queue times the mean time between starts
}

// within reports whether the start lies in an interval.
func (t *Told) within(i backfill.Interval) bool { return i.Low <= t.Start && t.Start <= i.High }

// use is the part of their requests that the last jobs ran for.
type use struct{ parts, sorted []float64 }

func (u *use) add(part float64) {
	if len(u.parts) == memory {
		k, _ := slices.BinarySearch(u.sorted, u.parts[0])
		u.sorted = slices.Delete(u.sorted, k, k+1)
		u.parts = slices.Delete(u.parts, 0, 1)
	}
	k, _ := slices.BinarySearch(u.sorted, part)
	u.sorted = slices.Insert(u.sorted, k, part)
	u.parts = append(u.parts, part)
}

// quantile is that of the parts above one, which itself stands where there is none.
func (u *use) quantile(above, q float64) float64 {
	k, found := slices.BinarySearch(u.sorted, above)
	for found && k < len(u.sorted) && u.sorted[k] == above {
		k++
	}
	if k == len(u.sorted) {
		return max(above, 1)
	}
	return u.sorted[k+int(q*float64(len(u.sorted)-k))]
}

// Forecasts plays rigid jobs with requested times, in the order of arrival, under EASY, and tells
// every so many-th of those that have to wait when it will start. How long jobs run is drawn from
// the parts of their requests for which earlier ones ran, of the same user where there are enough.
func Forecasts(jobs []slotmodel.JobSpec, processors, every int, seed uint64) ([]Told, error) {
	var (
		starts           = make([]float64, len(jobs))
		need             = make([][]int64, len(jobs))
		waiting, running []int
		told             []Told
		known            []backfill.Outcome // of started jobs, in the order of starts
		toldTo           = map[int]int{}    // by job: index in told
		all              use
		users            = map[int]*use{}
		begun            []float64
		src              = workload.Stream(seed, workload.FirstFreePurpose, 0)
		waited           = 0
	)
	useOf := func(j int) *use {
		if u := users[jobs[j].User]; u != nil && len(u.parts) >= own {
			return u
		}
		return &all
	}
	for arrived := 0; ; {
		now := math.Inf(1)
		if arrived < len(jobs) {
			now = jobs[arrived].Arrival
		}
		for _, j := range running {
			now = min(now, starts[j]+jobs[j].Maps.Work)
		}
		if math.IsInf(now, 1) {
			return told, nil
		}
		running = slices.DeleteFunc(running, func(j int) bool {
			s := &jobs[j]
			if starts[j]+s.Maps.Work > now {
				return false
			}
			all.add(s.Maps.Work / s.Requested)
			if users[s.User] == nil {
				users[s.User] = new(use)
			}
			users[s.User].add(s.Maps.Work / s.Requested)
			return true
		})
		before := arrived
		for ; arrived < len(jobs) && jobs[arrived].Arrival <= now; arrived++ {
			need[arrived] = []int64{int64(jobs[arrived].Maps.Tasks)}
			waiting = append(waiting, arrived)
		}
		held, queue := make([]backfill.Running, len(running)), make([]backfill.Job, len(waiting))
		for i, j := range running {
			held[i] = backfill.Running{Need: need[j], End: starts[j] + jobs[j].Requested}
		}
		for i, j := range waiting {
			queue[i] = backfill.Job{Need: need[j], Time: jobs[j].Requested}
		}
		capacity := []int64{int64(processors)}
		plan, err := backfill.Plan(nil, capacity, now, held, queue, backfill.Options{})
		if err != nil {
			return nil, err
		}
		for i, j := range waiting {
			if j < before || plan[i] == now {
				continue
			}
			if waited++; waited%every > 0 {
				continue
			}
			remaining := func(k int, q float64) float64 {
				if k < len(running) {
					s, age := &jobs[running[k]], now-starts[running[k]]
					return max(0, useOf(running[k]).quantile(age/s.Requested, q)*s.Requested-age)
				}
				w := waiting[k-len(running)]
				return useOf(w).quantile(-1, q) * jobs[w].Requested
			}
			// Those behind it in the queue arrive at the same time; it is told as if they did not.
			f, err := backfill.Forecast(nil, capacity, now, held, queue[:i+1], remaining, backfill.ForecastOptions{Level: Level, Samples: min(200, max(20, mostStarts/(i+1)))}, src)
			if err != nil {
				return nil, err
			}
			t := Told{At: now, Forecast: f[i], Proposal: now}
			if n := len(begun); n > 1 {
				first := max(0, n-gaps)
				t.Proposal += float64(i+1) * (begun[n-1] - begun[first]) / float64(n-1-first)
			}
			calibrated, err := backfill.Calibrate(nil, append(known, backfill.Outcome{Forecast: f[i], Start: math.Inf(1)}), Level)
			if err != nil {
				return nil, err
			}
			t.Calibrated = calibrated[len(known)]
			toldTo[j] = len(told)
			told = append(told, t)
		}
		left := waiting[:0]
		for i, j := range waiting {
			if plan[i] > now {
				left = append(left, j)
				continue
			}
			starts[j], running, begun = now, append(running, j), append(begun, now)
			if k, ok := toldTo[j]; ok {
				told[k].Start = now
				known = append(known, backfill.Outcome{Forecast: told[k].Forecast, Start: now})
			}
		}
		waiting = left
	}
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
