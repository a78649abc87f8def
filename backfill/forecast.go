package backfill

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// Interval is when a job may start: with Low and High, between which it starts with the probability
// asked for. +Inf: it may never start.
type Interval struct{ Low, Median, High float64 }

// ForecastOptions are the rule by which jobs will be started, and how to forecast.
type ForecastOptions struct {
	Options
	Samples int     // futures played, at most 2^20; 0: 200
	Level   float64 // probability that the start lies in the interval, in (0, 1); 0: .9
	// Groups has the group of each running job, then of the queue: any number, or -1 for none; nil:
	// nobody has one. Jobs of a group, of a user for example, are alike: in each future the group
	// draws one u, and each of its jobs takes it with probability Alike, else its own.
	Groups []int
	Alike  float64 // in [0, 1]; 0: .8
}

// maxSamples bounds the futures of a forecast, and the memory that they take.
const maxSamples = 1 << 20

// Forecast says when each job of the queue will start. It plays the plan forward: in each of
// Samples futures every job is given a time that it still runs, jobs are planned by their planned
// times and end at their true ones, and who gets a reservation is promised it in the next plan. It
// appends an interval for each job: its starts at the ranks (1-Level)/2, 1/2 and (1+Level)/2. What
// if I submitted this now? Put the job at the end of the queue.
//
// remaining returns the quantile u in [0, 1) of the time that a job still runs, at least 0: job i
// of running, for i below len(running), and then of the queue, whose jobs have yet to begin. A job
// that has run for long may be given a longer rest than a fresh one. Jobs that arrive later are not
// foreseen.
//
// The intervals are exact where remaining does not depend on u. The same src gives the same answer.
//
// Errors: as [Plan]; a nil remaining, with the index of the job a result that is negative or NaN; a
// nil src; Samples, Level or Alike out of range; Groups of another length.
func Forecast(dst []Interval, capacity []int64, now float64, running []Running, queue []Job, remaining func(i int, u float64) float64, o ForecastOptions, src rand.Source) ([]Interval, error) {
	const fn = "backfill.Forecast"
	p, err := holding(fn, capacity, now, running)
	if err != nil {
		return dst, err
	}
	return p.forecast(fn, dst, running, queue, remaining, o, src)
}

// Forecast forecasts on what the profile holds: each running job has been taken from now to its
// End, a late one to right after now. The rest is as with the function [Forecast].
func (p *Profile) Forecast(dst []Interval, running []Running, queue []Job, remaining func(i int, u float64) float64, o ForecastOptions, src rand.Source) ([]Interval, error) {
	const fn = "backfill.Profile.Forecast"
	if err := p.check(fn); err != nil {
		return dst, err
	}
	if err := checkRunning(fn, running, p.resources); err != nil {
		return dst, err
	}
	return p.forecast(fn, dst, running, queue, remaining, o, src)
}

func (p *Profile) forecast(fn string, dst []Interval, running []Running, queue []Job, remaining func(i int, u float64) float64, o ForecastOptions, src rand.Source) ([]Interval, error) {
	o.Samples, o.Level = cmp.Or(o.Samples, 200), cmp.Or(o.Level, .9)
	switch {
	case remaining == nil:
		return dst, input.Bad(fn, "remaining", -1, "nil")
	case src == nil:
		return dst, input.Bad(fn, "src", -1, "nil")
	case o.Samples < 1 || o.Samples > maxSamples:
		return dst, input.Bad(fn, "o", -1, "Samples is %d, want 0 to 2^20", o.Samples)
	case !(o.Level > 0 && o.Level < 1):
		return dst, input.Bad(fn, "o", -1, "Level is %v, want 0, or more and less than 1", o.Level)
	case !(o.Alike >= 0 && o.Alike <= 1):
		return dst, input.Bad(fn, "o", -1, "Alike is %v, want 0 to 1", o.Alike)
	}
	if err := p.checkQueue(fn, queue, o.Options); err != nil {
		return dst, err
	}
	if n := len(running) + len(queue); o.Groups != nil && len(o.Groups) != n {
		return dst, input.Bad(fn, "o", -1, "Groups has %d jobs, want none or %d", len(o.Groups), n)
	}
	base := new(Profile)
	base.around(p, o.Windows, running)
	o.Windows = nil // base has them
	f := newFuture(running, queue, o.Options)
	random := rand.New(src)
	shared, alike := map[int]float64{}, cmp.Or(o.Alike, .8) // shared: what a group draws in a future
	starts := make([]float64, len(queue)*o.Samples)         // by job, then future
	for s := range o.Samples {
		clear(shared)
		for _, g := range o.Groups {
			if _, drawn := shared[g]; !drawn && g != -1 {
				shared[g] = random.Float64()
			}
		}
		for i := range f.rest {
			draw := random.Float64
			if o.Groups != nil && o.Groups[i] != -1 && random.Float64() < alike {
				draw = func() float64 { return shared[o.Groups[i]] }
			}
			if f.rest[i] = remaining(i, draw()); !(f.rest[i] >= 0) {
				return dst, input.Bad(fn, "remaining", i, "%v, want at least 0", f.rest[i])
			}
		}
		f.play(base, func(job int, start float64) { starts[job*o.Samples+s] = start })
	}
	for i := range queue {
		of := starts[i*o.Samples : (i+1)*o.Samples]
		slices.Sort(of)
		dst = append(dst, Interval{rank(of, (1-o.Level)/2), rank(of, .5), rank(of, (1+o.Level)/2)})
	}
	return dst, nil
}

// rank returns the least of the sorted values that at least the part q of them do not exceed.
func rank(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// future plays jobs to their ends.
type future struct {
	jobs    []Job     // running ones first, then the queue
	running int       // how many of them run at the beginning
	first   []float64 // planned ends of those
	rest    []float64 // how long each still runs
	planned []float64 // when each that has started should end
	alive   []bool    // it runs
	ends    heap.Heap // those that will end, by their true ends
	waiting []int     // jobs of the queue, in its order
	queue   []Job     // the same, for Plan
	starts  []float64 // of the queue
	profile Profile   // what jobs hold up to their planned ends, and windows
	options Options
}

func newFuture(running []Running, queue []Job, o Options) *future {
	f := &future{running: len(running), options: o}
	for _, r := range running {
		f.jobs = append(f.jobs, Job{Need: r.Need, Owner: r.Owner})
		f.first = append(f.first, r.End)
	}
	f.jobs = append(f.jobs, queue...)
	f.rest = make([]float64, len(f.jobs))
	f.planned = make([]float64, len(f.jobs))
	f.alive = make([]bool, len(f.jobs))
	return f
}

// play plays one future and tells the start of each job of the queue.
func (f *future) play(p *Profile, started func(job int, start float64)) {
	f.profile.copyFrom(p)
	f.ends.Clear()
	clear(f.alive)
	now := p.times[0]
	for i := range f.running {
		f.begin(i, now, max(f.first[i], math.Nextafter(now, math.Inf(1)))) // p holds a late job so long
	}
	f.waiting, f.queue = f.waiting[:0], f.queue[:0]
	for i := f.running; i < len(f.jobs); i++ {
		f.waiting, f.queue = append(f.waiting, i), append(f.queue, f.jobs[i])
	}
	for len(f.waiting) > 0 {
		for f.ends.Len() > 0 && f.ends.Key(0) <= now {
			i := int(f.ends.Pop(nil, heap.LowID{}).ID)
			f.alive[i] = false
			f.hold(i, now, f.planned[i], 1) // what it was to hold longer
		}
		f.decide(now, started)
		next := f.profile.end(0)
		for i := range f.profile.held {
			next = min(next, f.profile.held[i].end(0))
		}
		if f.ends.Len() > 0 {
			next = min(next, f.ends.Key(0))
		}
		if math.IsInf(next, 1) {
			break
		}
		if now = next; now > f.profile.times[0] {
			f.profile.advance(now)
		}
	}
	for _, i := range f.waiting {
		started(i-f.running, math.Inf(1))
	}
}

// begin notes that a job runs from now on.
func (f *future) begin(i int, now, planned float64) {
	f.planned[i], f.alive[i] = planned, true
	if end := now + f.rest[i]; end < math.Inf(1) {
		f.ends.Push(heap.Entry{Key: end, ID: int32(i)}, nil, heap.LowID{})
	}
}

// hold adds sign times what a job needs to the profile.
func (f *future) hold(i int, from, to float64, sign int64) {
	f.profile.add(f.profile.of(f.jobs[i].Owner), f.jobs[i].Need, from, to, sign)
}

// decide starts what a plan starts now, and promises what it reserves.
func (f *future) decide(now float64, started func(job int, start float64)) {
	late := func(sign int64) {
		for i, alive := range f.alive {
			if alive && f.planned[i] <= now {
				f.hold(i, now, math.Nextafter(now, math.Inf(1)), sign)
			}
		}
	}
	late(-1)
	f.starts = f.profile.planned(f.starts[:0], nil, f.queue, f.options)
	late(1)
	kept := 0
	for k, i := range f.waiting {
		if f.starts[k] == now {
			end := until(now, f.jobs[i].Time)
			f.hold(i, now, end, -1)
			f.begin(i, now, end)
			started(i-f.running, now)
			continue
		}
		f.waiting[kept], f.queue[kept] = i, f.queue[k]
		f.queue[kept].Promised = f.starts[k]
		kept++
	}
	f.waiting, f.queue = f.waiting[:kept], f.queue[:kept]
}
