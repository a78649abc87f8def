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
	// The data are small integers, so that a lateness that is not 0 differs from it by far more
	// than the simplex errs.
	const zero = 1e-7
	feasible, not, tight, minima := 0, 0, 0, 0
	for seed := range uint64(1000) {
		r := random(seed)
		slots := 1 + r.IntN(5)
		n := 1 + r.IntN(3)
		if seed%10 == 0 {
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
		if (err == nil) != (late <= zero) {
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
		if late > -zero {
			tight++
		}
		checkOnTime(t, slots, jobs, deadlines, s)
	}
	t.Logf("%d feasible, of which %d tight, %d infeasible, %d with too large minima", feasible, tight, not, minima)
	if feasible < 500 || not < 200 || tight < 100 || minima < 2 {
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

// TestWaterFillFromPacking takes the completion times of packings of many jobs as deadlines: they
// can be met, and, if the packing is tight for them all, nothing less can be.
func TestWaterFillFromPacking(t *testing.T) {
	for seed := range uint64(300) {
		r := random(seed)
		slots, n := 1+r.IntN(60), 1+r.IntN(80)
		jobs := make([]malleable.Job, n)
		spare := slots
		for j := range jobs {
			jobs[j] = malleable.Job{Work: 10 * r.Float64(), Max: 1 + r.IntN(slots)}
			if m := min(jobs[j].Max, r.IntN(4)); r.IntN(3) == 0 && m <= spare {
				jobs[j].Min = m
				spare -= m
			}
		}
		p, err := malleable.Pack(slots, jobs, nil, r.Perm(n))
		if err != nil {
			t.Fatal(err)
		}
		deadlines := p.Completion(nil)
		s, err := malleable.WaterFill(slots, jobs, deadlines)
		if err != nil {
			t.Fatalf("seed %d: WaterFill at the completion times of a packing: %v", seed, err)
		}
		checkOnTime(t, slots, jobs, deadlines, s)
		work := 0.0
		for _, j := range jobs {
			work += j.Work
		}
		for j := range deadlines {
			deadlines[j] = work / float64(slots) * (1 - 1e-9)
		}
		if _, err := malleable.WaterFill(slots, jobs, deadlines); err == nil {
			t.Errorf("seed %d: WaterFill with all deadlines before work/slots = nil, want an error", seed)
		}
	}
}

// TestWaterFillExtremes: works over twenty orders of magnitude on up to 2^28 slots.
func TestWaterFillExtremes(t *testing.T) {
	for seed := range uint64(300) {
		r := random(seed)
		slots := 1 + r.IntN(1<<(r.IntN(28)+1))
		n := 1 + r.IntN(300)
		jobs := make([]malleable.Job, n)
		spare := slots
		for j := range jobs {
			jobs[j] = malleable.Job{Work: math.Exp(8 * r.NormFloat64()), Max: 1 + r.IntN(1+r.IntN(slots))}
			if m := min(jobs[j].Max, r.IntN(1+slots/n)); r.IntN(3) == 0 && m <= spare {
				jobs[j].Min = m
				spare -= m
			}
		}
		p, err := malleable.Pack(slots, jobs, nil, r.Perm(n))
		if err != nil {
			t.Fatal(err)
		}
		if err := malleable.Verify(slots, jobs, nil, p); err != nil {
			t.Errorf("seed %d: Pack fails Verify: %v", seed, err)
		}
		d := p.Completion(nil)
		for _, f := range []float64{1, 1.5} {
			for j := range d {
				d[j] *= f
			}
			s, err := malleable.WaterFill(slots, jobs, d)
			if err != nil {
				t.Errorf("seed %d: WaterFill of %d jobs on %d slots at %v times the completion times of a packing: %v", seed, n, slots, f, err)
				continue
			}
			if err := malleable.Verify(slots, jobs, nil, s); err != nil {
				t.Errorf("seed %d: WaterFill of %d jobs on %d slots fails Verify: %v", seed, n, slots, err)
			}
			for j, c := range s.Completion(nil) {
				if c > d[j] {
					t.Errorf("seed %d: WaterFill: job %d completes at %v, after its deadline %v", seed, j, c, d[j])
				}
			}
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

func TestWaterFillInfiniteDeadlines(t *testing.T) {
	inf := math.Inf(1)
	for _, deadlines := range [][]float64{{inf, inf, inf}, {2, inf, inf}, {inf, 3, 0}} {
		jobs := []malleable.Job{{Work: 4}, {Work: 9, Min: 1, Max: 3}, {}}
		s, err := malleable.WaterFill(4, jobs, deadlines)
		if err != nil {
			t.Fatalf("WaterFill(4, %v, %v): %v", jobs, deadlines, err)
		}
		checkOnTime(t, 4, jobs, deadlines, s)
	}
}

func BenchmarkWaterFill(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			jobs, _, priority := benchJobs(b, n, 1, 100, true)
			p, err := malleable.Pack(100, jobs, nil, priority)
			if err != nil {
				b.Fatal(err)
			}
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

// TestWaterFillWithinVerify: of a packing whose times are shortened by one factor, WaterFill finds
// the completion times feasible where Verify accepts the schedule.
func TestWaterFillWithinVerify(t *testing.T) {
	accepted, refused := 0, 0
	for seed := range uint64(2000) {
		r := random(seed)
		slots, n := 1+r.IntN(60), 1+r.IntN(12)
		jobs := make([]malleable.Job, n)
		spare := slots
		for j := range jobs {
			jobs[j] = malleable.Job{Work: []float64{10 * r.Float64(), float64(1+r.IntN(90)) / 10, math.Exp(9 * r.NormFloat64())}[seed%3]}
			if seed%2 == 0 {
				jobs[j].Max = 1 + r.IntN(slots)
			}
			if m := r.IntN(4); m <= spare && (jobs[j].Max == 0 || m <= jobs[j].Max) && r.IntN(3) == 0 {
				jobs[j].Min = m
				spare -= m
			}
		}
		p, err := malleable.Pack(slots, jobs, nil, r.Perm(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, less := range []float64{0x1p-50, 0x1p-42, 0x1p-40, 0x1p-39, 0x1.8p-39, 0x1.dp-39, 0x1p-30} {
			factor := 1 - less
			completion := p.Completion(nil)
			for j := range completion {
				completion[j] *= factor
			}
			var pieces []malleable.Piece
			for q := range p.Pieces() {
				pieces = append(pieces, malleable.Piece{Job: q.Job, Slots: q.Slots, Start: q.Start * factor, End: q.End * factor})
			}
			s, err := malleable.NewSchedule(completion, pieces)
			if err != nil {
				t.Fatal(err)
			}
			if malleable.Verify(slots, jobs, nil, s) != nil {
				continue
			}
			accepted++
			filled, err := malleable.WaterFill(slots, jobs, completion)
			if err != nil {
				refused++
				t.Errorf("seed %d: WaterFill(%d, %v, %v) = %v, but a schedule that ends then passes Verify", seed, slots, jobs, completion, err)
				continue
			}
			checkOnTime(t, slots, jobs, completion, filled)
		}
	}
	if accepted < 10_000 {
		t.Errorf("%d schedules are accepted by Verify, want 10,000 at least", accepted)
	}
	t.Logf("%d schedules pass Verify, of which WaterFill refuses %d", accepted, refused)
}
