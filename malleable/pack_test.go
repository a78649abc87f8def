package malleable_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/malleable"
)

// TestPackAgainstDefinition compares completion times and every interval with the definition in
// exact arithmetic, minima included.
func TestPackAgainstDefinition(t *testing.T) {
	packed, infeasible := 0, 0
	s := new(malleable.Schedule)
	for seed := range uint64(6000) {
		r := random(seed)
		in := randomInstance(r, seed%2 == 0)
		if seed%5 == 0 {
			r.Shuffle(len(in.priority), func(i, k int) { in.priority[i], in.priority[k] = in.priority[k], in.priority[i] })
		}
		g := in.graph(t)
		want, intervals, at := exactPack(in.slots, in.jobs, in.arcs, in.priority)
		err := malleable.PackInto(s, in.slots, in.jobs, g, in.priority, math.Inf(1))
		var minima *malleable.MinimaError
		if want == nil {
			infeasible++
			if !errors.As(err, &minima) || !near(minima.Time, float(at)) || minima.Minima <= in.slots || minima.Slots != in.slots {
				t.Fatalf("seed %d: PackInto(%+v) = %v, want a MinimaError at %v", seed, in, err, at)
			}
			sum := 0
			for _, j := range minima.Jobs {
				sum += in.jobs[j].Min
			}
			if sum != minima.Minima {
				t.Fatalf("seed %d: MinimaError names %v with minima %d, want %d", seed, minima.Jobs, sum, minima.Minima)
			}
			continue
		}
		packed++
		if err != nil {
			t.Fatalf("seed %d: PackInto(%+v): %v", seed, in, err)
		}
		if err := malleable.Verify(in.slots, in.jobs, g, s); err != nil {
			t.Fatalf("seed %d: PackInto(%+v) fails Verify: %v", seed, in, err)
		}
		for j, c := range s.Completion(nil) {
			if !near(c, float(want[j])) {
				t.Fatalf("seed %d: PackInto(%+v): job %d completes at %v, want %v", seed, in, j, c, want[j])
			}
		}
		compareIntervals(t, in, s, intervals)
	}
	if packed < 3000 || infeasible < 200 {
		t.Errorf("%d packed and %d infeasible: the cases are too one-sided", packed, infeasible)
	}
}

// compareIntervals checks s against the exact intervals, of which those next to one another with
// equal slots count as one.
func compareIntervals(t *testing.T, in instance, s *malleable.Schedule, want []exactInterval) {
	t.Helper()
	var merged []exactInterval
	for _, w := range want {
		if k := len(merged) - 1; k >= 0 && slices.Equal(merged[k].slots, w.slots) {
			merged[k].end = w.end
			continue
		}
		merged = append(merged, w)
	}
	i := 0
	for iv, pieces := range s.Intervals() {
		if i == len(merged) {
			t.Fatalf("%+v: an interval %v beyond the %d expected", in, iv, len(merged))
		}
		w := merged[i]
		if !near(iv.Start, float(w.start)) || !near(iv.End, float(w.end)) {
			t.Fatalf("%+v: interval %d is %v, want %v to %v", in, i, iv, w.start, w.end)
		}
		got := make([]int, len(w.slots))
		for _, p := range pieces {
			got[p.Job] += p.Slots
		}
		if !slices.Equal(got, w.slots) {
			t.Fatalf("%+v: slots in interval %d, %v, are %v, want %v", in, i, iv, got, w.slots)
		}
		if at := s.At(nil, iv.Start+(iv.End-iv.Start)/2); !slices.Equal(at, got) {
			t.Fatalf("%+v: At the middle of interval %d = %v, want %v", in, i, at, got)
		}
		i++
	}
	if i != len(merged) {
		t.Fatalf("%+v: %d intervals, want %d", in, i, len(merged))
	}
}

// TestPackHorizon cuts packings at random times: what was done and what remains are those of the
// whole.
func TestPackHorizon(t *testing.T) {
	s := new(malleable.Schedule)
	for seed := range uint64(2000) {
		r := random(seed)
		in := randomInstance(r, false)
		g := in.graph(t)
		whole, err := malleable.Pack(in.slots, in.jobs, g, in.priority)
		if err != nil {
			t.Fatal(err)
		}
		for _, horizon := range []float64{0, r.Float64() * whole.Makespan(), whole.Makespan() * float64(r.IntN(4)) / 3} {
			if err := malleable.PackInto(s, in.slots, in.jobs, g, in.priority, horizon); err != nil {
				t.Fatal(err)
			}
			if err := malleable.Verify(in.slots, in.jobs, g, s); err != nil {
				t.Fatalf("seed %d: PackInto(%+v, horizon %v) fails Verify: %v", seed, in, horizon, err)
			}
			all := whole.Completion(nil)
			served := make([]float64, len(in.jobs))
			for p := range whole.Pieces() {
				served[p.Job] += float64(p.Slots) * max(0, min(p.End, horizon)-p.Start)
			}
			remaining := s.Remaining(nil)
			for j, c := range s.Completion(nil) {
				if all[j] <= horizon && c != all[j] || all[j] > horizon && !math.IsInf(c, 1) {
					t.Fatalf("seed %d: PackInto(%+v, horizon %v): job %d completes at %v, whole %v", seed, in, horizon, j, c, all[j])
				}
				if got := in.jobs[j].Work - served[j]; math.Abs(got-remaining[j]) > 0x1p-38*float64(in.slots)*whole.Makespan() {
					t.Fatalf("seed %d: PackInto(%+v, horizon %v): job %d has %v left, want %v", seed, in, horizon, j, remaining[j], got)
				}
			}
		}
	}
}

// TestPackKeepsOnError checks that a schedule survives a packing that fails.
func TestPackKeepsOnError(t *testing.T) {
	s := new(malleable.Schedule)
	good := []malleable.Job{{Work: 3}, {Work: 1}}
	for range 3 {
		if err := malleable.PackInto(s, 2, good, nil, []int{0, 1}, math.Inf(1)); err != nil {
			t.Fatal(err)
		}
		want := slices.Collect(s.Pieces())
		for _, bad := range [][]malleable.Job{{{Work: 1, Min: 2}, {Work: 1, Min: 1}}, {{Work: math.NaN()}, {}}} {
			if err := malleable.PackInto(s, 2, bad, nil, []int{1, 0}, math.Inf(1)); err == nil {
				t.Fatalf("PackInto(%v) = nil, want an error", bad)
			}
			if got := slices.Collect(s.Pieces()); !slices.Equal(got, want) || s.Makespan() != 2 || s.Len() != 2 {
				t.Errorf("after an error the schedule has pieces %v, want %v", got, want)
			}
		}
	}
}
