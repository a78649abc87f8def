package backfill_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/backfill"
)

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
