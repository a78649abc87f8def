package backfill_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// occurrences goes through those of a window, one by one.
func occurrences(w *backfill.Window, each func(from, to float64)) {
	each(w.From, w.To)
	for k := 1.; w.Period > 0 && w.From+float64(k*w.Period) < w.Until; k++ {
		each(w.From+float64(k*w.Period), w.To+float64(k*w.Period))
	}
}

// during reports whether a window is held at a time.
func during(w *backfill.Window, at float64) (held bool) {
	occurrences(w, func(from, to float64) { held = held || from <= at && at < to })
	return held
}

// drawWindows gives a scene windows, and its jobs owners.
func drawWindows(t *rapid.T, s *scene) {
	owner := func() int { return rapid.IntRange(0, 3).Draw(t, "owner") } // the third has no window
	unit := rapid.SampledFrom([]float64{1, .25, .1}).Draw(t, "unit of windows")
	for range rapid.IntRange(1, 3).Draw(t, "windows") {
		from := sceneNow + unit*float64(rapid.IntRange(-8, 20).Draw(t, "from"))
		w := backfill.Window{Need: make([]int64, len(s.capacity)), From: from, To: from + unit*float64(rapid.IntRange(1, 8).Draw(t, "long")), Owner: owner() % 3}
		for r, c := range s.capacity {
			w.Need[r] = rapid.Int64Range(0, c).Draw(t, "taken")
		}
		switch rapid.IntRange(0, 3).Draw(t, "recurs") {
		case 0:
			w.Period = w.To - w.From + unit*float64(rapid.IntRange(0, 5).Draw(t, "gap"))
			w.Until = w.From + w.Period*float64(rapid.IntRange(-1, 5).Draw(t, "times"))
		case 1:
			if rapid.Bool().Draw(t, "for ever") {
				w.To = math.Inf(1)
			}
		}
		s.options.Windows = append(s.options.Windows, w)
	}
	for i := range s.running {
		s.running[i].Owner = owner()
	}
	for i := range s.queue {
		s.queue[i].Owner = owner()
	}
}

// TestWindowsByDefinition: plans with windows agree with the definition, instant by instant, on
// 50,000 scenes: windows of maintenance and of owners, that recur, overlap, have begun or are reached
// into by what runs. Nobody starts beyond what it sees, so that nobody but its owner uses what a
// window holds.
func TestWindowsByDefinition(t *testing.T) {
	checks := 500 // a hundred plans each
	if testing.Short() {
		checks = 20
	}
	for range checks {
		rapid.Check(t, func(t *rapid.T) {
			s := drawScene(t, 8)
			drawWindows(t, &s)
			for i := range s.queue {
				if rapid.Bool().Draw(t, "promised") {
					s.queue[i].Promised = rapid.SampledFrom([]float64{10, 11, 12, 15}).Draw(t, "promise")
				}
			}
			got, err := backfill.Plan(nil, s.capacity, sceneNow, s.running, s.queue, s.options)
			must(t, err)
			if want := s.defined(); !slices.Equal(got, want) {
				t.Fatalf("Plan(%v, %v, %+v, %+v) = %v, want %v", s.capacity, s.running, s.queue, s.options, got, want)
			}
			for i, start := range got {
				if !math.IsInf(start, 1) && !s.fits(i, start, got) {
					t.Fatalf("job %d of %+v starts at %v beyond what it sees, %+v", i, s.queue, start, s.options)
				}
			}
		})
	}
}

// TestOwnersAreNotHeldUp: beside the same jobs an owner's job starts when it would without its
// windows, and nobody's job no earlier.
func TestOwnersAreNotHeldUp(t *testing.T) {
	for range 20 {
		rapid.Check(t, func(t *rapid.T) {
			s := drawScene(t, 0)
			drawWindows(t, &s)
			job := backfill.Job{Need: make([]int64, len(s.capacity)), Time: float64(rapid.IntRange(0, 12).Draw(t, "time")) / 4, Owner: rapid.IntRange(0, 2).Draw(t, "owner")}
			for r, c := range s.capacity {
				job.Need[r] = rapid.Int64Range(0, c).Draw(t, "need")
			}
			start := func() float64 {
				got, err := backfill.Plan(nil, s.capacity, sceneNow, s.running, []backfill.Job{job}, s.options)
				must(t, err)
				return got[0]
			}
			with := start()
			for i := range s.options.Windows {
				if w := &s.options.Windows[i]; w.Owner == job.Owner {
					w.Need = make([]int64, len(s.capacity))
				}
			}
			if without := start(); without != with && (job.Owner != 0 || without > with) {
				t.Fatalf("%+v starts at %v with its windows and at %v without, beside %+v", job, with, without, s)
			}
		})
	}
}

// TestWindows: on 10 units a window of 6 for owner 1 is held from 5 to 10.
func TestWindows(t *testing.T) {
	reserved := backfill.Window{Need: []int64{6}, From: 5, To: 10, Owner: 1}
	job := func(need int64, time float64, owner int) backfill.Job {
		return backfill.Job{Need: []int64{need}, Time: time, Owner: owner}
	}
	whole, none := reserved, reserved
	whole.Need, none.Need = []int64{10}, []int64{0}
	again := reserved
	again.Period, again.Until = 10, 30 // from 15 and 25 too
	for _, c := range []struct {
		name   string
		window backfill.Window
		jobs   []backfill.Job
		want   []float64
	}{
		{"who ends before", reserved, []backfill.Job{job(10, 5, 0)}, []float64{0}},
		{"who would reach into it", reserved, []backfill.Job{job(5, 6, 0)}, []float64{10}},
		{"who fits beside it", reserved, []backfill.Job{job(4, 60, 0)}, []float64{0}},
		{"its owner", reserved, []backfill.Job{job(10, 60, 1)}, []float64{0}},
		{"another owner", reserved, []backfill.Job{job(10, 6, 2)}, []float64{10}},
		{"its owner draws from it first", reserved, []backfill.Job{job(6, 10, 1), job(4, 10, 0)}, []float64{0, 0}},
		{"its owner beyond it", reserved, []backfill.Job{job(7, 10, 1), job(4, 6, 0)}, []float64{0, 10}},
		{"two of its owner", reserved, []backfill.Job{job(4, 60, 0), job(4, 9, 1), job(4, 9, 1)}, []float64{0, 0, 9}},
		{"an owner past its end", reserved, []backfill.Job{job(5, 60, 0), job(6, 60, 1)}, []float64{10, 70}},
		{"an owner behind who keeps out of it", whole, []backfill.Job{job(10, 6, 0), job(10, 12, 1)}, []float64{10, 16}},
		{"the same without the window", none, []backfill.Job{job(10, 6, 0), job(10, 12, 1)}, []float64{0, 6}},
		{"it recurs", again, []backfill.Job{job(5, 6, 0)}, []float64{30}},
		{"and leaves gaps", again, []backfill.Job{job(5, 5, 0), job(6, 5, 0)}, []float64{0, 10}},
	} {
		got, err := backfill.Plan(nil, []int64{10}, 0, nil, c.jobs, backfill.Options{Depth: -1, Windows: []backfill.Window{c.window}})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: Plan(%+v) with %+v = %v, %v, want %v", c.name, c.jobs, c.window, got, err, c.want)
		}
	}
}

// TestReachedIntoWindow: where what runs reaches into a window, less than nothing is free.
func TestReachedIntoWindow(t *testing.T) {
	p, err := backfill.New([]int64{10}, 0)
	must(t, err)
	must(t, p.Take([]int64{8}, 0, 7))
	starts, err := p.Plan(nil, []backfill.Job{{Need: []int64{1}, Time: 2}, {Need: []int64{1}, Time: 6}}, backfill.Options{Depth: -1, Windows: []backfill.Window{{Need: []int64{6}, From: 5, To: 10}}})
	if err != nil || !slices.Equal(starts, []float64{0, 7}) {
		t.Errorf("jobs start at %v, %v, want before what is lacking and behind it", starts, err)
	}
	for at, want := range map[float64]int64{0: 1, 2: 2, 5: -4, 7: 3, 10: 9} {
		if got := p.Planned().Free(nil, at); got[0] != want {
			t.Errorf("at %v %d units are free, want %d", at, got[0], want)
		}
	}
}

// TestWindowsThatTouch: where a window begins anew as it ends it is held once, whatever the rounding.
func TestWindowsThatTouch(t *testing.T) {
	for from := range 50 {
		for long := range 9 {
			w := backfill.Window{Need: []int64{6}, From: float64(from) * .1}
			w.To = w.From + float64(1+long)*.1
			w.Period = w.To - w.From
			w.Until = w.From + 50*w.Period
			for need, want := range map[int64]bool{4: true, 5: false} {
				job := backfill.Job{Need: []int64{need}, Time: 1000}
				got, err := backfill.Plan(nil, []int64{10}, 0, nil, []backfill.Job{job}, backfill.Options{Depth: -1, Windows: []backfill.Window{w}})
				must(t, err)
				if atOnce := got[0] == 0; atOnce != want {
					t.Errorf("%d of 10 units beside %+v start at %v, want at once: %v", need, w, got[0], want)
				}
			}
		}
	}
}

// TestNextOfAnything: whatever the window and the time, an occurrence that ends later, or none.
func TestNextOfAnything(t *testing.T) {
	numbers := []float64{math.NaN(), math.Inf(-1), -math.MaxFloat64, -1e18, -1, 0, 5e-324, 1, 1e18, math.MaxFloat64, math.Inf(1)}
	pick := func(k *int) float64 {
		x := numbers[*k%len(numbers)]
		*k /= len(numbers)
		return x
	}
	for n := range 11 * 11 * 11 * 11 * 11 {
		k := n
		w := backfill.Window{From: pick(&k), To: pick(&k), Period: pick(&k), Until: pick(&k)}
		after := pick(&k)
		if from, to, ok := w.Next(after); ok && !(from < to && to > after) || !ok && (from != 0 || to != 0) {
			t.Fatalf("Next(%v) of %+v = %v, %v, %v", after, w, from, to, ok)
		}
	}
}

// TestNextOccurrence: Next agrees with a list of all.
func TestNextOccurrence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Float64Range(-50, 50).Draw(t, "from")
		w := backfill.Window{From: from, To: from + rapid.SampledFrom([]float64{.1, 1, 7}).Draw(t, "long")}
		if rapid.Bool().Draw(t, "recurs") {
			w.Period = (w.To - w.From) * rapid.SampledFrom([]float64{1.1, 1.3, 9}).Draw(t, "period")
			w.Until = w.From + w.Period*rapid.Float64Range(0, 40).Draw(t, "times")
		}
		after := rapid.Float64Range(-60, 60).Draw(t, "after")
		var list [][2]float64
		occurrences(&w, func(from, to float64) { list = append(list, [2]float64{from, to}) })
		if rapid.Bool().Draw(t, "at an end") {
			after = list[rapid.IntRange(0, len(list)-1).Draw(t, "of")][1]
		}
		want := slices.IndexFunc(list, func(x [2]float64) bool { return x[1] > after })
		from, to, ok := w.Next(after)
		if ok != (want >= 0) || ok && list[want] != [2]float64{from, to} {
			t.Fatalf("Next(%v) of %+v = %v, %v, %v, want occurrence %d of %v", after, w, from, to, ok, want, list)
		}
	})
}

// TestWindowsRefused: what is wrong with a window is said by Plan and Forecast alike.
func TestWindowsRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := backfill.Window{Need: []int64{1}, From: 1, To: 2}
	for _, w := range []backfill.Window{
		{Need: nil, To: 1}, {Need: []int64{-1}, To: 1}, {Need: []int64{1}}, {Need: []int64{1}, From: nan, To: 1}, {Need: []int64{1}, From: math.Inf(-1), To: 1},
		{Need: []int64{1}, To: nan}, {Need: []int64{1}, To: 2, Period: 1, Until: 9}, {Need: []int64{1}, To: 2, Period: -3, Until: 9},
		{Need: []int64{1}, To: 1, Period: nan, Until: 9}, {Need: []int64{1}, To: 1, Period: 2, Until: inf}, {Need: []int64{1}, To: 1, Period: 2, Until: nan},
		{Need: []int64{1}, To: 1, Period: 1, Until: 10001}, {Need: []int64{1 << 60}, To: 1},
	} {
		o := backfill.Options{Windows: []backfill.Window{good, w}}
		expect.Refused(t, "backfill.Plan", backfill.Plan, nil, expect.Bad("o", 1, nil, []int64{1}, 0, nil, nil, o))
		p, err := backfill.New([]int64{1}, 0)
		must(t, err)
		expect.Refused(t, "backfill.Profile.Plan", p.Plan, nil, expect.Bad("o", 1, nil, nil, o))
		f := backfill.ForecastOptions{Options: o}
		one := func(int, float64) float64 { return 1 }
		expect.Refused(t, "backfill.Profile.Forecast", p.Forecast, nil, expect.Bad("o", 1, nil, nil, nil, one, f, rand.NewPCG(1, 1)))
	}
}

// TestWindowsOfPlanned: what a plan with a window of an owner left takes no windows again, from a
// queue with and without a job of the owner, and neither do forecasts on it.
func TestWindowsOfPlanned(t *testing.T) {
	windows := []backfill.Window{{Need: []int64{6}, From: 5, To: 10, Owner: 1}}
	p, err := backfill.New([]int64{10}, 0)
	must(t, err)
	_, err = p.Plan(nil, []backfill.Job{{Need: []int64{5}, Time: 5, Owner: 1}}, backfill.Options{Windows: windows})
	must(t, err)
	for owner := range 2 {
		queue := []backfill.Job{{Need: []int64{1}, Time: 1, Owner: owner}}
		if starts, err := p.Planned().Plan(nil, queue, backfill.Options{Windows: windows}); starts != nil || !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("Plan = %v, %v, want an input error", starts, err)
		}
		o := backfill.ForecastOptions{Options: backfill.Options{Windows: windows}}
		rest := func(int, float64) float64 { return 1 }
		if told, err := p.Planned().Forecast(nil, nil, queue, rest, o, rand.NewPCG(1, 2)); told != nil || !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("Forecast = %v, %v, want an input error", told, err)
		}
		starts, err := p.Planned().Plan(nil, queue, backfill.Options{})
		must(t, err)
		if len(starts) != 1 || starts[0] != 0 {
			t.Errorf("starts %v, want 0: 5 of 10 are free, and 4 beside the window", starts)
		}
	}
}
