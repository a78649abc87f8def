package malleable_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/malleable"
)

// TestChangedAndChangedBack: a job too short for the clock takes another's slots and gives them
// back at one time. Pieces that meet differ in slots all the same.
func TestChangedAndChangedBack(t *testing.T) {
	jobs := []malleable.Job{{Work: 1, Max: 1}, {Work: 1e-300}, {Work: 1, Max: 1}, {Work: 30}}
	in := instance{slots: 4, jobs: jobs, arcs: [][2]int{{0, 1}, {1, 2}}, priority: []int{0, 1, 2, 3}}
	s, err := malleable.Pack(in.slots, jobs, in.graph(t), in.priority)
	must(t, err)
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

// TestVerifyExact: the tolerance scales with the times, so that a small mistake in a small schedule
// counts, and on a large cluster the work of a job with a small Max counts as exactly as on a small one.
func TestVerifyExact(t *testing.T) {
	for _, slots := range []int{1, 1000, malleable.MaxSlots} {
		for _, scale := range []float64{1e-12, 1, 1e12} {
			for _, off := range []float64{1, 1 + 1e-9} {
				s, err := malleable.NewSchedule([]float64{scale * off}, []malleable.Piece{{Job: 0, Slots: 1, Start: 0, End: scale * off}})
				must(t, err)
				if err := malleable.Verify(slots, []malleable.Job{{Work: scale, Max: 1}}, nil, s); (err == nil) != (off == 1) {
					t.Errorf("Verify on %d slots of work %v in a time %v times too long = %v", slots, scale, off, err)
				}
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
			must(t, malleable.PackInto(s, 3, jobs, nil, []int{0, 1}, horizon))
			if err := malleable.Verify(3, jobs, nil, s); err != nil {
				t.Errorf("PackInto(3, %v, horizon %v) fails Verify: %v", jobs, horizon, err)
			}
		}
	}
}

// TestMinimaErrorIsShort: a message does not list a million jobs, and a sum of minima does not overflow.
func TestMinimaErrorIsShort(t *testing.T) {
	jobs := slices.Repeat([]malleable.Job{{Work: 1, Min: 1}}, 1000)
	_, err := malleable.WaterFill(2, jobs, make([]float64, 1000))
	if err == nil || len(err.Error()) > 200 || !strings.Contains(err.Error(), "and 990 more") {
		t.Errorf("WaterFill of 1000 minima = %v", err)
	}
	huge := []malleable.Job{{Work: 1, Min: math.MaxInt}, {Work: 1, Min: math.MaxInt}}
	_, err = malleable.Pack(2, huge, nil, []int{0, 1})
	var minima *malleable.MinimaError
	if !errors.As(err, &minima) || minima.Minima != math.MaxInt || len(minima.Jobs) != 2 {
		t.Errorf("Pack with huge minima = %v, want a MinimaError of both", err)
	}
}
