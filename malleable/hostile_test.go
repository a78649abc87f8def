package malleable_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/malleable"
)

// TestChangedAndChangedBack: a job too short for the clock takes another's slots and gives them
// back at one time. Pieces that meet differ in slots all the same.
func TestChangedAndChangedBack(t *testing.T) {
	jobs := []malleable.Job{{Work: 1, Max: 1}, {Work: 1e-300}, {Work: 1, Max: 1}, {Work: 30}}
	in := instance{slots: 4, jobs: jobs, arcs: [][2]int{{0, 1}, {1, 2}}, priority: []int{0, 1, 2, 3}}
	s, err := malleable.Pack(in.slots, jobs, in.graph(t), in.priority)
	if err != nil {
		t.Fatal(err)
	}
	want := []malleable.Piece{{0, 1, 0, 1}, {3, 3, 0, 2}, {2, 1, 1, 2}, {3, 4, 2, 8}}
	if got := slices.Collect(s.Pieces()); !slices.Equal(got, want) {
		t.Errorf("Pack(%+v) has pieces %v, want %v", in, got, want)
	}
	tiny := 0
	for seed := range uint64(3000) {
		r := random(seed)
		in := randomInstance(r, seed%2 == 0)
		for j := range in.jobs {
			if r.IntN(3) == 0 && in.jobs[j].Work > 0 {
				in.jobs[j].Work *= 1e-300
				tiny++
			}
		}
		s, err := malleable.Pack(in.slots, in.jobs, in.graph(t), in.priority)
		if err != nil {
			continue
		}
		if err := malleable.Verify(in.slots, in.jobs, in.graph(t), s); err != nil {
			t.Errorf("seed %d: Pack(%+v) fails Verify: %v", seed, in, err)
		}
		last := make([]malleable.Piece, len(in.jobs))
		for p := range s.Pieces() {
			if q := last[p.Job]; q.Slots == p.Slots && q.End == p.Start {
				t.Errorf("seed %d: Pack(%+v): pieces %v and %v meet with equal slots", seed, in, q, p)
			}
			last[p.Job] = p
		}
	}
	if tiny < 1000 {
		t.Errorf("%d jobs too short for the clock, want at least 1000", tiny)
	}
}

// TestAllowedMinima: a MinimaError counts the minima as allowed counts round them.
func TestAllowedMinima(t *testing.T) {
	jobs := []malleable.Job{{Work: 1, Min: 3}, {Work: 1, Min: 3}}
	_, err := packAllowed(6, jobs, nil, []int{0, 1}, []int{1, 2, 4})
	var e *malleable.MinimaError
	if !errors.As(err, &e) || e.Minima != 8 || e.Slots != 6 || !slices.Equal(e.Jobs, []int{0, 1}) {
		t.Errorf("PackAllowed(6, %v, allowed 1, 2, 4) = %v, want a MinimaError of 8", jobs, err)
	}
}

// TestVerifyCappedJob: on a large cluster the work of a job with a small Max counts as exactly as
// on a small one.
func TestVerifyCappedJob(t *testing.T) {
	for _, slots := range []int{1, 1000, malleable.MaxSlots} {
		for _, off := range []float64{1, 1 + 1e-9} {
			s, err := malleable.NewSchedule([]float64{off}, []malleable.Piece{{Job: 0, Slots: 1, Start: 0, End: off}})
			if err != nil {
				t.Fatal(err)
			}
			if err := malleable.Verify(slots, []malleable.Job{{Work: 1, Max: 1}}, nil, s); (err == nil) != (off == 1) {
				t.Errorf("Verify on %d slots of a job %v times too long = %v", slots, off, err)
			}
		}
	}
}

// TestVerifyLongJob: a horizon that is short beside a job, whose remaining work is then rounded by
// much in terms of the clock.
func TestVerifyLongJob(t *testing.T) {
	s := new(malleable.Schedule)
	for _, work := range []float64{1, 1e6, 1e18, 1e307} {
		for _, horizon := range []float64{1, 1e-3, 1e-9, 1e-300} {
			jobs := []malleable.Job{{Work: work + 0.1, Max: 1}, {Work: work / 3}}
			if err := malleable.PackInto(s, 3, jobs, nil, []int{0, 1}, horizon); err != nil {
				t.Fatal(err)
			}
			if err := malleable.Verify(3, jobs, nil, s); err != nil {
				t.Errorf("PackInto(3, %v, horizon %v) fails Verify: %v", jobs, horizon, err)
			}
		}
	}
}

// TestAssignHuge: numbers of slots beyond those that the package accepts are errors, not overflows
// or lists without end.
func TestAssignHuge(t *testing.T) {
	for name, call := range map[string]func() error{
		"free": func() error {
			return third(malleable.Assign(nil, nil, math.MaxInt, nil, nil, malleable.AssignOptions{}))
		},
		"Held": func() error {
			return third(malleable.Assign(nil, nil, 1, []malleable.Claim{{Held: math.MaxInt, Waiting: 1}}, nil, malleable.AssignOptions{}))
		},
		"Plan": func() error {
			return third(malleable.Assign(nil, nil, 1, []malleable.Claim{{Plan: math.MaxInt}}, nil, malleable.AssignOptions{}))
		},
	} {
		if err := call(); !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("a huge %s = %v, want an InputError", name, err)
		}
	}
	most := malleable.Claim{Plan: malleable.MaxSlots, Held: malleable.MaxSlots, Waiting: math.MaxInt, Passed: math.MaxInt}
	claims := []malleable.Claim{most, {Plan: malleable.MaxSlots, Held: malleable.MaxSlots - 1, Waiting: 1}, most}
	if got, _, err := malleable.Assign(nil, nil, 2, claims, nil, malleable.AssignOptions{}); err != nil || !slices.Equal(got, []int{1, -1}) {
		t.Errorf("Assign(2, %v) = %v, %v, want [1 -1]", claims, got, err)
	}
}

func third[A, B any](_ A, _ B, err error) error { return err }

// TestNormalizeHugeMinima: minima whose sum no slots can hold are an error.
func TestNormalizeHugeMinima(t *testing.T) {
	huge := []malleable.Job{{Work: 1, Min: math.MaxInt / 4}, {Work: 1, Min: 1}}
	expect.InputError(t, "NormalizeMinima of huge minima", second(malleable.NormalizeMinima(nil, 2, huge, nil)), "malleable.NormalizeMinima", "jobs", 1)
}

// TestMinimaErrorIsShort: a message does not list a million jobs.
func TestMinimaErrorIsShort(t *testing.T) {
	jobs := slices.Repeat([]malleable.Job{{Work: 1, Min: 1}}, 1000)
	_, err := malleable.WaterFill(2, jobs, make([]float64, 1000))
	if err == nil || len(err.Error()) > 200 || !strings.Contains(err.Error(), "and 990 more") {
		t.Errorf("WaterFill of 1000 minima = %v", err)
	}
}

// TestWaterFillFarDeadlines: deadlines up to the largest float64 beside works of any size.
func TestWaterFillFarDeadlines(t *testing.T) {
	far := []float64{math.Inf(1), math.MaxFloat64, math.MaxFloat64 / 2, 1e307, 1e18, 1e6, 30}
	met := 0
	for seed := range uint64(4000) {
		r := random(seed)
		slots := []int{1, 2, 7, 100, malleable.MaxSlots}[r.IntN(5)]
		jobs, deadlines := make([]malleable.Job, 1+r.IntN(4)), make([]float64, 0, 4)
		for j := range jobs {
			jobs[j] = malleable.Job{Work: []float64{0, 5e-324, 1e-300, 1e-9, 1, 7}[r.IntN(6)], Max: r.IntN(3)}
			if r.IntN(4) == 0 {
				jobs[j].Min = min(1, jobs[j].Max)
			}
			deadlines = append(deadlines, far[r.IntN(len(far))])
		}
		s, err := malleable.WaterFill(slots, jobs, deadlines)
		var minima *malleable.MinimaError
		if errors.As(err, &minima) {
			continue
		}
		if err != nil {
			t.Errorf("seed %d: WaterFill(%d, %v, %v) = %v, want a schedule: one job after the other ends in time", seed, slots, jobs, deadlines, err)
			continue
		}
		met++
		checkOnTime(t, slots, jobs, deadlines, s)
	}
	if met < 3000 {
		t.Errorf("%d schedules, want at least 3000", met)
	}
}
