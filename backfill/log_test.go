package backfill_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/backfill"
)

// TestLateJobsAndNodesThatLeave: on logs in which jobs outlive their planned ends and nodes leave and
// come back, under every rule, nobody starts beyond what is free, nobody waits who could start
// beside the others' starts, and all jobs start.
func TestLateJobsAndNodesThatLeave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 0)
		full := slices.Clone(s.capacity)
		promise := rapid.Bool().Draw(t, "promise")
		type job struct{ arrival, run, start float64 }
		jobs := make([]job, rapid.IntRange(1, 10).Draw(t, "jobs"))
		all := make([]backfill.Job, len(jobs))
		at := sceneNow
		for i := range jobs {
			at += rapid.SampledFrom([]float64{0, .25, 1, 3}).Draw(t, "gap")
			time := rapid.SampledFrom([]float64{0, .25, 1, 2.5, 7}).Draw(t, "time")
			need := make([]int64, len(full))
			for r, c := range full {
				need[r] = rapid.Int64Range(0, c).Draw(t, "need")
			}
			jobs[i] = job{at, time * rapid.SampledFrom([]float64{0, .5, 1, 2}).Draw(t, "part"), math.Inf(1)}
			all[i] = backfill.Job{Need: need, Time: time}
		}
		var left []float64 // when nodes leave, and when they are back
		for range rapid.IntRange(0, 2).Draw(t, "times nodes leave") {
			left = append(left, sceneNow+float64(rapid.IntRange(0, 60).Draw(t, "at"))/4)
		}
		const away = 4.
		next := func(now float64) float64 {
			soon := math.Inf(1)
			for _, x := range left {
				for _, y := range []float64{x, x + away} {
					if y > now {
						soon = min(soon, y)
					}
				}
			}
			for _, j := range jobs {
				for _, y := range []float64{j.arrival, j.start + j.run} {
					if y > now || y == now && j.run == 0 && j.start == now {
						soon = min(soon, y)
					}
				}
			}
			return soon
		}
		ended := make([]bool, len(jobs))
		for now := sceneNow; !math.IsInf(now, 1); now = next(now) {
			// The scene as it would be had the clock begun later: times are quarters, so that is exact.
			shift := now - sceneNow
			s.capacity = slices.Clone(full)
			for _, x := range left {
				if x <= now && now < x+away {
					s.capacity[0] /= 2
				}
			}
			s.running, s.queue = nil, nil
			var waiting []int
			for i, j := range jobs {
				if ended[i] = ended[i] || j.start+j.run <= now; ended[i] {
					jobs[i].start = math.Inf(-1) // of no event any more
					continue
				}
				if j.start <= now {
					s.running = append(s.running, backfill.Running{Need: all[i].Need, End: j.start + all[i].Time - shift})
				} else if j.arrival <= now {
					waiting = append(waiting, i)
					w := all[i]
					if w.Promised > 0 {
						w.Promised -= shift
					}
					s.queue = append(s.queue, w)
				}
			}
			plan, err := backfill.Plan(nil, s.capacity, sceneNow, s.running, s.queue, s.options)
			must(t, err)
			for k, start := range plan {
				if !math.IsInf(start, 1) && !s.fits(k, start, plan) {
					t.Fatalf("at %v job %d starts beyond what is free: %v, %+v", now, waiting[k], plan, s)
				}
				if !s.options.InOrder && start > sceneNow && s.fits(k, sceneNow, plan) {
					t.Fatalf("at %v job %d waits though it fits: %v, %+v", now, waiting[k], plan, s)
				}
				if start == sceneNow {
					jobs[waiting[k]].start = now
				} else if promise {
					all[waiting[k]].Promised = max(0, start+shift)
				}
			}
		}
		for i := range jobs {
			if !ended[i] {
				t.Fatalf("job %d never ends: %+v", i, jobs)
			}
		}
	})
}

// TestRepeatedPasses: after jobs have ended early, a plan is that of passes by promise in which
// each job moves to its earliest start beside the others' promises, repeated until nobody moves.
func TestRepeatedPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 6)
		s.options = backfill.Options{Depth: -1}
		starts, err := backfill.Plan(nil, s.capacity, sceneNow, s.running, s.queue, s.options)
		must(t, err)
		s.running = slices.DeleteFunc(s.running, func(backfill.Running) bool { return rapid.Bool().Draw(t, "has ended") })
		var order []int
		for i := range s.queue {
			if s.queue[i].Promised = starts[i]; !math.IsInf(starts[i], 1) {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(starts[a], starts[b]) })
		for i, start := range starts { // who could never run, and now can, comes last
			if math.IsInf(start, 1) {
				order = append(order, i)
			}
		}
		want := slices.Clone(starts)
		for moved := true; moved; {
			moved = false
			for _, i := range order {
				if earlier := s.earliest(i, want, sceneNow); earlier < want[i] {
					want[i], moved = earlier, true
				}
			}
		}
		got, err := backfill.Plan(nil, s.capacity, sceneNow, s.running, s.queue, s.options)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("Plan = %v, %v, want %v after %v: %+v", got, err, want, starts, s)
		}
	})
}
