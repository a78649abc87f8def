package malleable_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/malleable"
)

// TestPackAgainstDefinition compares completion times and every interval with the definition in
// exact arithmetic, minima included, and checks the laws that hold of each packing.
func TestPackAgainstDefinition(t *testing.T) {
	packed, infeasible := 0, 0
	s := new(malleable.Schedule)
	for seed := range uint64(3000) {
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
		in.checkScale(t, s)
		in.checkHorizon(t, r, s)
		if seed%5 != 0 {
			in.checkBounds(t, s)
		}
	}
	if packed < 1500 || infeasible < 100 {
		t.Errorf("%d packed and %d infeasible: the cases are too one-sided", packed, infeasible)
	}
}

// checkScale: all works times a power of two scale all times exactly.
func (in *instance) checkScale(t *testing.T, s *malleable.Schedule) {
	t.Helper()
	for _, scale := range []float64{0x1p-60, 0x1p60} {
		scaled := slices.Clone(in.jobs)
		for j := range scaled {
			scaled[j].Work *= scale
		}
		got, err := malleable.Pack(in.slots, scaled, in.graph(t), in.priority)
		must(t, err)
		for j, c := range s.Completion(nil) {
			if done := got.Completion(nil)[j]; done != c*scale {
				t.Fatalf("%+v, works times %g: job %d completes at %v, want %v", in, scale, j, done, c*scale)
			}
		}
	}
}

// checkBounds: C_j <= prefix/slots + longest chain of Work/Max without minima, and the lower bounds.
func (in *instance) checkBounds(t *testing.T, s *malleable.Schedule) {
	t.Helper()
	limits, err := malleable.Bounds(in.slots, in.jobs, in.graph(t), in.priority)
	must(t, err)
	free := !slices.ContainsFunc(in.jobs, func(j malleable.Job) bool { return j.Min > 0 })
	if (limits.Latest != nil) != free {
		t.Fatalf("Bounds(%+v).Latest = %v", in, limits.Latest)
	}
	for j, c := range s.Completion(nil) {
		if c < limits.Earliest[j] && !near(c, limits.Earliest[j]) {
			t.Errorf("job %d of %+v completes at %v, before Earliest %v", j, in, c, limits.Earliest[j])
		}
		if free && c > limits.Latest[j] && !near(c, limits.Latest[j]) {
			t.Errorf("job %d of %+v completes at %v, after Latest %v", j, in, c, limits.Latest[j])
		}
	}
	if got := s.Makespan(); got < limits.Makespan && !near(got, limits.Makespan) || free && got > 2*limits.Makespan*(1+1e-12) {
		t.Errorf("%+v ends at %v, want %v to twice that", in, got, limits.Makespan)
	}
}

// checkHorizon cuts a packing at random times: what was done and what remains are those of the
// whole.
func (in *instance) checkHorizon(t *testing.T, r *rand.Rand, whole *malleable.Schedule) {
	t.Helper()
	s, g := new(malleable.Schedule), in.graph(t)
	for _, horizon := range []float64{0, r.Float64() * whole.Makespan(), whole.Makespan() * float64(r.IntN(4)) / 3} {
		must(t, malleable.PackInto(s, in.slots, in.jobs, g, in.priority, horizon))
		must(t, malleable.Verify(in.slots, in.jobs, g, s))
		all := whole.Completion(nil)
		served := make([]float64, len(in.jobs))
		for p := range whole.Pieces() {
			served[p.Job] += float64(p.Slots) * max(0, min(p.End, horizon)-p.Start)
		}
		remaining := s.Remaining(nil)
		for j, c := range s.Completion(nil) {
			if all[j] <= horizon && c != all[j] || all[j] > horizon && !math.IsInf(c, 1) {
				t.Fatalf("PackInto(%+v, horizon %v): job %d completes at %v, whole %v", in, horizon, j, c, all[j])
			}
			if got := in.jobs[j].Work - served[j]; math.Abs(got-remaining[j]) > 0x1p-38*float64(in.slots)*whole.Makespan() {
				t.Fatalf("PackInto(%+v, horizon %v): job %d has %v left, want %v", in, horizon, j, remaining[j], got)
			}
		}
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
		clear(pieces) // the caller's
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
