package batch

import (
	"cmp"
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
	ownUse = 20   // ended jobs from which on a user's own count alone
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

// history is the use of jobs that have ended.
type history struct {
	all   use
	users map[int]*use
}

// add takes a job that has ended.
func (h *history) add(s *slotmodel.JobSpec) {
	if h.users[s.User] == nil {
		h.users[s.User] = new(use)
	}
	h.all.add(s.Maps.Work / s.Requested)
	h.users[s.User].add(s.Maps.Work / s.Requested)
}

// left is a quantile of how long a job runs on that has run for an age, below 0 if it has not
// begun.
func (h *history) left(s *slotmodel.JobSpec, age, q float64) float64 {
	u := &h.all
	if own := h.users[s.User]; own != nil && len(own.parts) >= ownUse {
		u = own
	}
	if age < 0 {
		return u.quantile(-1, q) * s.Requested
	}
	return max(0, u.quantile(age/s.Requested, q)*s.Requested-age)
}

// samples is how many futures are drawn of a queue.
func samples(queue int) int { return min(200, max(20, mostStarts/queue)) }

// Forecasts plays rigid jobs with requested times, in the order of arrival, under EASY, and tells
// every so many-th of those that have to wait when it will start. How long jobs run is drawn from
// the parts of their requests for which earlier ones ran, of the same user where there are enough.
// arrive hears how many jobs more have arrived.
func Forecasts(jobs []slotmodel.JobSpec, processors, every int, seed uint64, arrive func(jobs int)) ([]Told, error) {
	var (
		starts           = make([]float64, len(jobs))
		need             = make([][]int64, len(jobs))
		waiting, running []int
		told             []Told
		known            []backfill.Outcome // of started jobs, in the order of starts
		toldTo           = map[int]int{}    // by job: index in told
		past             = history{users: map[int]*use{}}
		begun            []float64
		src              = workload.Stream(seed, workload.FirstFreePurpose, 0)
		waited           = 0
	)
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
			past.add(s)
			return true
		})
		before := arrived
		for ; arrived < len(jobs) && jobs[arrived].Arrival <= now; arrived++ {
			need[arrived] = []int64{int64(jobs[arrived].Maps.Tasks)}
			waiting = append(waiting, arrived)
		}
		arrive(arrived - before)
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
					return past.left(&jobs[running[k]], now-starts[running[k]], q)
				}
				return past.left(&jobs[waiting[k-len(running)]], -1, q)
			}
			// Those behind it in the queue arrive at the same time; it is told as if they did not.
			f, err := backfill.Forecast(nil, capacity, now, held, queue[:i+1], remaining, backfill.ForecastOptions{Level: Level, Samples: samples(i + 1)}, src)
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

// At tells at a time each of the jobs that wait then, in the order of the queue, when it will start
// under EASY, from when jobs started so far. jobs are in the order of arrival, starts NaN or +Inf
// where there is none; waits are the places of those that wait.
func At(jobs []slotmodel.JobSpec, starts []float64, processors int, now float64, seed uint64) (waits []int, told []backfill.Interval, err error) {
	past := history{users: map[int]*use{}}
	var ended, runs []int
	var held []backfill.Running
	var queue []backfill.Job
	for i := range jobs {
		s, need := &jobs[i], []int64{int64(jobs[i].Maps.Tasks)}
		switch start := starts[i]; {
		case s.Arrival > now:
		case !(start <= now):
			waits, queue = append(waits, i), append(queue, backfill.Job{Need: need, Time: s.Requested})
		case start+s.Maps.Work <= now:
			ended = append(ended, i)
		default:
			runs, held = append(runs, i), append(held, backfill.Running{Need: need, End: max(now, start+s.Requested)})
		}
	}
	slices.SortStableFunc(ended, func(a, b int) int {
		return cmp.Compare(starts[a]+jobs[a].Maps.Work, starts[b]+jobs[b].Maps.Work)
	})
	for _, i := range ended {
		past.add(&jobs[i])
	}
	remaining := func(k int, q float64) float64 {
		if k < len(runs) {
			return past.left(&jobs[runs[k]], now-starts[runs[k]], q)
		}
		return past.left(&jobs[waits[k-len(runs)]], -1, q)
	}
	if len(queue) == 0 {
		return nil, nil, nil
	}
	told, err = backfill.Forecast(nil, []int64{int64(processors)}, now, held, queue, remaining, backfill.ForecastOptions{Level: Level, Samples: samples(len(queue))}, workload.Stream(seed, workload.FirstFreePurpose, 0))
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
