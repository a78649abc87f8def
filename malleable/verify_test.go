package malleable_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// TestVerifyRejects breaks a good schedule in each way that there is and looks for the reason that
// Verify gives.
func TestVerifyRejects(t *testing.T) {
	type piece = malleable.Piece
	const slots = 4
	jobs := []malleable.Job{{Work: 6, Max: 3}, {Work: 4, Min: 1, Max: 2}, {Work: 4}, {Work: 0}}
	g, err := precedence.NewGraph(4, [][2]int{{0, 2}, {2, 3}})
	must(t, err)
	good := []piece{{0, 3, 0, 2}, {1, 1, 0, 2}, {1, 2, 2, 3}, {2, 2, 2, 3}, {2, 4, 3, 3.5}}
	done := []float64{2, 3, 3.5, 3.5}
	check := func(pieces []piece, done []float64) error {
		s, err := malleable.NewSchedule(done, pieces)
		if err != nil {
			t.Fatalf("NewSchedule(%v, %v): %v", done, pieces, err)
		}
		return malleable.Verify(slots, jobs, g, s)
	}
	if err := check(good, done); err != nil {
		t.Fatalf("Verify of the good schedule: %v", err)
	}
	for _, broken := range []struct {
		name, reason string
		job          int
		change       func(p []piece, c []float64) ([]piece, []float64)
	}{
		{"number of jobs", "has 3 jobs", -1, func(p []piece, c []float64) ([]piece, []float64) { return p[:3], c[:3] }},
		{"no slots", "at least 1", 0, func(p []piece, c []float64) ([]piece, []float64) { p[0].Slots = 0; return p, c }},
		{"negative slots", "at least 1", 1, func(p []piece, c []float64) ([]piece, []float64) { p[1].Slots = -1; return p, c }},
		{"before time 0", "want 0 <= start", 0, func(p []piece, c []float64) ([]piece, []float64) { p[0].Start = -1; return p, c }},
		{"backwards", "want 0 <= start", 2, func(p []piece, c []float64) ([]piece, []float64) { p[3].End = 1; return p, c }},
		{"no length", "want 0 <= start", 2, func(p []piece, c []float64) ([]piece, []float64) { return append(p, piece{2, 1, 1, 1}), c }},
		{"above the maximum", "more than its most", 1, func(p []piece, c []float64) ([]piece, []float64) { p[2].Slots = 3; return p, c }},
		{"below the minimum", "less than its least", 1, func(p []piece, c []float64) ([]piece, []float64) {
			p[1] = piece{1, 1, 1, 2}
			p[2].End = 3.5
			c[1] = 3.5
			p[3].Slots, p[4].Slots = 1, 2
			return p, c
		}},
		{"a pause below the minimum", "less than its least", 1, func(p []piece, c []float64) ([]piece, []float64) {
			p[1].End = 1.5
			return p, c
		}},
		{"too many slots", "more than 4", -1, func(p []piece, c []float64) ([]piece, []float64) { p[3].Slots = 3; return p, c }},
		{"before its predecessor", "before it is ready", 2, func(p []piece, c []float64) ([]piece, []float64) {
			p[0] = piece{0, 2, 0, 3}
			p[1].End, p[2].Start, p[2].Slots, p[2].End = 3, 3, 1, 4
			p[3] = piece{2, 1, 2, 3}
			p[4].Slots, p[4].End = 3, 4
			c[0], c[1], c[2], c[3] = 3, 4, 4, 4
			return p, c
		}},
		{"two pieces at once", "two pieces at once", 2, func(p []piece, c []float64) ([]piece, []float64) {
			p[3] = piece{2, 1, 2, 3}
			return append(p, piece{2, 1, 2, 3}), c
		}},
		{"too little work", "of its work", 2, func(p []piece, c []float64) ([]piece, []float64) { p[4].Slots = 3; return p, c }},
		{"too much work", "of its work", 0, func(p []piece, c []float64) ([]piece, []float64) {
			p[0].Slots = 3
			p[0].End = 2.5
			p[3].Start, p[3].Slots = 2.5, 2
			p[2].Slots = 1
			c[0] = 2.5
			return p, c
		}},
		{"completion too late", "completes at", 2, func(p []piece, c []float64) ([]piece, []float64) { c[2], c[3] = 4, 4; return p, c }},
		{"completion too early", "after it completes", 2, func(p []piece, c []float64) ([]piece, []float64) { c[2] = 3; return p, c }},
		{"no work but early", "before it is ready", 3, func(p []piece, c []float64) ([]piece, []float64) { c[3] = 3; return p, c }},
		{"never done", "does not complete", 3, func(p []piece, c []float64) ([]piece, []float64) { c[3] = math.Inf(1); return p, c }},
		{"no pieces", "of its work", 0, func(p []piece, c []float64) ([]piece, []float64) { return slices.Delete(p, 0, 1), c }},
	} {
		err := check(broken.change(slices.Clone(good), slices.Clone(done)))
		named := err != nil && (broken.job < 0 || strings.Contains(err.Error(), fmt.Sprintf(": job %d ", broken.job)))
		if !named || !strings.Contains(err.Error(), broken.reason) {
			t.Errorf("Verify of a schedule with %s = %v, want job %d and %q", broken.name, err, broken.job, broken.reason)
		}
	}
}

// TestPiecesInOrder: a schedule has its pieces by their beginning, in whatever order they were given,
// and does not keep the list.
func TestPiecesInOrder(t *testing.T) {
	given := []malleable.Piece{{1, 1, 2, 3}, {0, 1, 1, 2}, {0, 2, 0, 1}}
	s, err := malleable.NewSchedule([]float64{2, 3}, given)
	must(t, err)
	want := []malleable.Piece{given[2], given[1], given[0]}
	given[0].Slots = 9
	if got := slices.Collect(s.Pieces()); !slices.Equal(got, want) {
		t.Errorf("pieces %v, want %v", got, want)
	}
}

// TestPiecesStop: a walk over the pieces or the intervals ends when its caller has seen enough.
func TestPiecesStop(t *testing.T) {
	s, err := malleable.Pack(2, []malleable.Job{{Work: 1}, {Work: 2}, {Work: 3}}, nil, []int{0, 1, 2})
	must(t, err)
	seen := 0
	for range s.Pieces() {
		if seen++; seen == 2 {
			break
		}
	}
	for range s.Intervals() {
		if seen++; seen == 3 {
			break
		}
	}
	if seen != 3 || countPieces(s) != 3 {
		t.Errorf("%d pieces and intervals seen of %d pieces, want 3 of 3", seen, countPieces(s))
	}
}

// TestScheduleMethodsOnAnything calls all methods on the zero value and on broken schedules.
func TestScheduleMethodsOnAnything(t *testing.T) {
	inf := math.Inf(1)
	for _, pieces := range [][]malleable.Piece{
		nil, {{0, 1, 2, 1}}, {{0, 1, -3, -2}}, {{0, -5, 0, 1}, {1, math.MaxInt, 0, 1}, {1, math.MaxInt, 0, 1}},
		{{0, 1, 0, 2}, {0, 1, 1, 3}}, {{0, 1, 1, 1}},
	} {
		s, err := malleable.NewSchedule([]float64{-1, inf}, pieces)
		must(t, err)
		n := 0
		for range s.Intervals() {
			if n++; n > 10 {
				t.Fatalf("Intervals of %v does not end", pieces)
			}
		}
		_ = s.At(nil, math.NaN())
	}
	var zero malleable.Schedule
	if zero.Len() != 0 || zero.Makespan() != 0 || len(zero.Completion(nil)) != 0 || len(zero.At(nil, 0)) != 0 {
		t.Error("the zero schedule is not empty")
	}
	if err := malleable.Verify(1, nil, nil, &zero); err != nil {
		t.Errorf("Verify of the zero schedule: %v", err)
	}
}
