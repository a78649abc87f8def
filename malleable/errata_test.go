package malleable_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// The places in which the pseudo-code of appendix B.3, read literally, goes wrong.

func packed(t *testing.T, slots int, jobs []malleable.Job, arcs [][2]int) *malleable.Schedule {
	t.Helper()
	g, err := precedence.NewGraph(len(jobs), arcs)
	must(t, err)
	s, err := malleable.Pack(slots, jobs, g, g.Topological(nil))
	if err != nil {
		t.Fatalf("Pack(%d, %v): %v", slots, jobs, err)
	}
	if err := malleable.Verify(slots, jobs, g, s); err != nil {
		t.Fatalf("Pack(%d, %v) fails Verify: %v", slots, jobs, err)
	}
	return s
}

// Line 7 takes the minima of all unfinished jobs off the slots: here 1+2 from 2, so that nothing is
// left for the job that is ready.
func TestErratumSlackOfReadyJobs(t *testing.T) {
	s := packed(t, 2, []malleable.Job{{Work: 4, Min: 1}, {Work: 4, Min: 2}}, [][2]int{{0, 1}})
	if got, want := s.Completion(nil), []float64{2, 4}; !slices.Equal(got, want) {
		t.Errorf("completions %v, want %v", got, want)
	}
}

// Line 8 goes on while slots are left: for ever when all jobs are at their maxima.
func TestErratumSlackThatNobodyWants(t *testing.T) {
	s := packed(t, 9, []malleable.Job{{Work: 4, Max: 1}, {Work: 4, Max: 2}}, nil)
	if got, want := s.Completion(nil), []float64{4, 2}; !slices.Equal(got, want) {
		t.Errorf("completions %v, want %v", got, want)
	}
}

// Line 16 adds all successors of a job that completes: job 2 would begin at 1, while job 1 runs
// until 4.
func TestErratumJoin(t *testing.T) {
	s := packed(t, 3, []malleable.Job{{Work: 1, Max: 1}, {Work: 4, Max: 1}, {Work: 3}}, [][2]int{{0, 2}, {1, 2}})
	if got, want := s.Completion(nil), []float64{1, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("completions %v, want %v", got, want)
	}
}

// Lines 4 and 13 complete one job in each iteration: three jobs that complete together would make
// two intervals of no length.
func TestErratumTies(t *testing.T) {
	s := packed(t, 3, []malleable.Job{{Work: 1, Max: 1}, {Work: 1, Max: 1}, {Work: 1, Max: 1}, {Work: 3}}, [][2]int{{0, 3}})
	n := 0
	for iv := range s.Intervals() {
		if !(iv.Start < iv.End) {
			t.Errorf("interval %v", iv)
		}
		n++
	}
	if n != 2 || countPieces(s) != 4 {
		t.Errorf("%d intervals and %d pieces, want 2 and 4", n, countPieces(s))
	}
	// Thirds do not add up exactly: 1/3 + 1/3 + 1/3 and 1 are one event.
	third := 1.0 / 3
	s = packed(t, 2, []malleable.Job{{Work: third, Max: 1}, {Work: third, Max: 1}, {Work: third, Max: 1}, {Work: 1, Max: 1}, {Work: 2}},
		[][2]int{{0, 1}, {1, 2}, {2, 4}, {3, 4}})
	if n := countPieces(s); n != 5 {
		t.Errorf("%d pieces, want 5: %v", n, slices.Collect(s.Pieces()))
	}
}

// A job of no work has no interval of its own, not even one of no length, and needs no slots,
// whatever its minimum.
func TestZeroWork(t *testing.T) {
	s := packed(t, 2, []malleable.Job{{Work: 4}, {Min: 9}, {}, {Work: 2}, {Min: 1}}, [][2]int{{0, 1}, {1, 2}, {2, 3}})
	if got, want := s.Completion(nil), []float64{2, 2, 2, 3, 0}; !slices.Equal(got, want) || countPieces(s) != 2 {
		t.Errorf("completions %v in %d pieces, want %v in 2", got, countPieces(s), want)
	}
}
