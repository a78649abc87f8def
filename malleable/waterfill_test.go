package malleable_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/schedmath/schedmath/malleable"
)

// TestWaterFillAgainstLinearProgramme checks that a schedule is found exactly when one exists, and
// that it is one.
func TestWaterFillAgainstLinearProgramme(t *testing.T) {
	if testing.Short() {
		t.Skip("long: a linear programme a case")
	}
	feasible, not, tight, minima := 0, 0, 0, 0
	for seed := range uint64(300) {
		r := random(seed)
		slots := 1 + r.IntN(5)
		n := 1 + r.IntN(3)
		if seed%60 == 0 {
			n = 4
		}
		jobs, deadlines := make([]malleable.Job, n), make([]float64, n)
		for j := range jobs {
			jobs[j] = malleable.Job{Work: float64(1 + r.IntN(8)), Max: r.IntN(slots + 1)}
			if r.IntN(2) == 0 {
				jobs[j].Min = r.IntN(slots/2 + 1)
				if jobs[j].Max > 0 {
					jobs[j].Min = min(jobs[j].Min, jobs[j].Max)
				}
			}
			most := jobs[j].Max
			if most == 0 {
				most = slots
			}
			deadlines[j] = math.Ceil(jobs[j].Work/float64(most)) + float64(r.IntN(5))
		}
		s, err := malleable.WaterFill(slots, jobs, deadlines)
		var m *malleable.MinimaError
		if errors.As(err, &m) {
			minima++
			if m.Minima <= slots {
				t.Errorf("seed %d: WaterFill(%d, %v, %v) = %v", seed, slots, jobs, deadlines, err)
			}
			continue
		}
		late := leastLateness(t, slots, jobs, deadlines)
		if (err == nil) != (late <= simplex) {
			t.Fatalf("seed %d: WaterFill(%d, %v, %v) = %v, but the least lateness is %v", seed, slots, jobs, deadlines, err, late)
		}
		if err != nil {
			not++
			var d *malleable.DeadlineError
			if !errors.As(err, &d) || d.Deadline != deadlines[d.Job] || !(d.Missing > 0) {
				t.Errorf("seed %d: WaterFill(%d, %v, %v) = %#v, want a DeadlineError", seed, slots, jobs, deadlines, err)
			}
			continue
		}
		feasible++
		if late > -simplex {
			tight++
		}
		checkOnTime(t, slots, jobs, deadlines, s)
	}
	if feasible < 150 || not < 50 || tight < 30 || minima < 1 {
		t.Error("the cases are too one-sided")
	}
}

func checkOnTime(t *testing.T, slots int, jobs []malleable.Job, deadlines []float64, s *malleable.Schedule) {
	t.Helper()
	if err := malleable.Verify(slots, jobs, nil, s); err != nil {
		t.Fatalf("WaterFill(%d, %v, %v) fails Verify: %v", slots, jobs, deadlines, err)
	}
	for j, c := range s.Completion(nil) {
		if c > deadlines[j] {
			t.Errorf("WaterFill(%d, %v, %v): job %d completes at %v", slots, jobs, deadlines, j, c)
		}
	}
}

// TestWaterFillMinima is the counterexample to pouring without regard to minima: the two jobs fit
// by their works and maxima, but the first holds both slots until 3.
func TestWaterFillMinima(t *testing.T) {
	jobs := []malleable.Job{{Work: 6, Min: 2, Max: 2}, {Work: 3, Max: 1}}
	deadlines := []float64{5, 4}
	_, err := malleable.WaterFill(2, jobs, deadlines)
	var d *malleable.DeadlineError
	if !errors.As(err, &d) || d.Job != 1 {
		t.Errorf("WaterFill(2, %v, %v) = %v, want a DeadlineError of job 1", jobs, deadlines, err)
	}
	jobs[0].Min = 0
	if _, err := malleable.WaterFill(2, jobs, deadlines); err != nil {
		t.Errorf("WaterFill(2, %v, %v) = %v, want a schedule", jobs, deadlines, err)
	}
}

func BenchmarkWaterFill(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			jobs, _, priority := benchJobs(b, n, 1, 100)
			p, err := malleable.Pack(100, jobs, nil, priority)
			must(b, err)
			deadlines := p.Completion(nil)
			for j := range deadlines {
				deadlines[j] *= 1.01
			}
			var s *malleable.Schedule
			for b.Loop() {
				if s, err = malleable.WaterFill(100, jobs, deadlines); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(countPieces(s))/float64(n), "pieces/job")
		})
	}
}

// TestWaterFillMeetsPackings: WaterFill meets deadlines from the completion times of a packing to the
// largest float64, and those that a packing misses by so little that Verify accepts its schedule;
// of works over many orders of magnitude, on up to 2^28 slots.
func TestWaterFillMeetsPackings(t *testing.T) {
	far := []float64{30, 1e6, 1e18, 1e307, math.MaxFloat64 / 2, math.MaxFloat64, math.Inf(1)}
	accepted := 0
	for seed := range uint64(1000) {
		r := random(seed)
		slots, n := 1+r.IntN(60), 1+r.IntN(12)
		if seed%16 == 0 {
			slots, n = 1+r.IntN(1<<(r.IntN(28)+1)), 1+r.IntN(300)
		}
		jobs, spare := make([]malleable.Job, n), slots
		for j := range jobs {
			job := &jobs[j]
			job.Work = []float64{10 * r.Float64(), float64(1+r.IntN(90)) / 10, math.Exp(9 * r.NormFloat64()),
				pick(r, []float64{0, 5e-324, 1e-300, 1e-9, 1, 7})}[seed%4]
			if r.IntN(2) == 0 {
				job.Max = 1 + r.IntN(1+r.IntN(slots))
			}
			if m := r.IntN(1 + max(3, slots/n)); m <= spare && (job.Max == 0 || m <= job.Max) && r.IntN(3) == 0 {
				job.Min = m
				spare -= m
			}
		}
		p, err := malleable.Pack(slots, jobs, nil, r.Perm(n))
		must(t, err)
		must(t, malleable.Verify(slots, jobs, nil, p))
		fill := func(deadlines []float64) {
			t.Helper()
			s, err := malleable.WaterFill(slots, jobs, deadlines)
			if err != nil {
				t.Errorf("seed %d: WaterFill(%d, %v, %v) = %v, want a schedule as a packing is", seed, slots, jobs, deadlines, err)
				return
			}
			checkOnTime(t, slots, jobs, deadlines, s)
		}
		late := p.Completion(nil)
		for j := range late {
			late[j] = max(late[j], pick(r, far))
		}
		fill(late)
		if seed%4 == 3 {
			continue // the works may be too short for the clock
		}
		for _, less := range []float64{-.5, 0, 0x1p-50, 0x1p-42, 0x1p-40, 0x1p-39, 0x1.8p-39, 0x1.dp-39, 0x1p-30} {
			factor := 1 - less
			completion := p.Completion(nil)
			for j := range completion {
				completion[j] *= factor
			}
			if less > 0 {
				var pieces []malleable.Piece
				for q := range p.Pieces() {
					pieces = append(pieces, malleable.Piece{Job: q.Job, Slots: q.Slots, Start: q.Start * factor, End: q.End * factor})
				}
				s, err := malleable.NewSchedule(completion, pieces)
				must(t, err)
				if malleable.Verify(slots, jobs, nil, s) != nil {
					continue
				}
				accepted++
			}
			fill(completion)
		}
	}
	if accepted < 3500 {
		t.Errorf("%d schedules are accepted by Verify, want 3,500 at least", accepted)
	}
}
