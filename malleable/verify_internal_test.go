package malleable

import (
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/precedence"
)

// Len returns the number of jobs.
func (s *Schedule) Len() int { return len(s.completion) }

// PackAllowed is PackInto of jobs that can hold allowed counts of slots only.
func PackAllowed(s *Schedule, slots int, jobs []Job, g *precedence.Graph, priority, allowed []int, horizon float64) error {
	return s.run("malleable.PackAllowed", slots, jobs, g, priority, allowed, horizon)
}

// TestVerifyHorizon breaks a schedule that stops at a horizon, which NewSchedule does not make.
func TestVerifyHorizon(t *testing.T) {
	inf := math.Inf(1)
	jobs := []Job{{Work: 4, Max: 2}, {Work: 4, Min: 1}}
	good := func() *Schedule {
		return &Schedule{plan: plan{
			pieces:     []Piece{{0, 2, 0, 2}, {1, 1, 0, 2}, {1, 2, 2, 2.5}},
			completion: []float64{2, inf}, remaining: []float64{0, 1}, makespan: inf, horizon: 2.5,
		}}
	}
	if err := Verify(3, jobs, nil, good()); err != nil {
		t.Fatalf("Verify of the good schedule: %v", err)
	}
	for reason, change := range map[string]func(s *Schedule){
		"completes after the horizon":                 func(s *Schedule) { s.completion[0] = 3 },
		"the horizon 2.5":                             func(s *Schedule) { s.pieces[2].End = 3 },
		"no work left but does not complete":          func(s *Schedule) { s.remaining[1] = 0 },
		"does 3 of its work of 2":                     func(s *Schedule) { s.remaining[1] = 2 },
		"does 3 of its work of NaN":                   func(s *Schedule) { s.remaining[1] = math.NaN() },
		"holds no slot until 2.5, less than its leas": func(s *Schedule) { s.pieces = s.pieces[:2]; s.remaining[1] = 2 },
	} {
		s := good()
		change(s)
		err := Verify(3, jobs, nil, s)
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("Verify = %v, want %q", err, reason)
		}
	}
}
