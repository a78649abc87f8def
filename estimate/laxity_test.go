package estimate_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// plainPhase lets tasks run second by second: times are whole.
func plainPhase(tasks []float64, slots int) float64 {
	left := make([]float64, slots)
	now := 0.0
	for next := 0; ; now++ {
		busy := false
		for s := range left {
			for left[s] == 0 && next < len(tasks) {
				left[s] = tasks[next]
				next++
			}
			busy = busy || left[s] > 0
		}
		if !busy {
			return now
		}
		for s := range left {
			left[s] = max(0, left[s]-1)
		}
	}
}

func TestPhaseTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 9), func(i int) float64 { return float64(i) }), 0, 30).Draw(t, "tasks")
		slots := rapid.IntRange(1, 35).Draw(t, "slots")
		got, err := estimate.PhaseTime(slots, tasks)
		if want := plainPhase(tasks, slots); err != nil || got != want {
			t.Fatalf("PhaseTime(%v, %d) = %v, %v, want %v", tasks, slots, got, err, want)
		}
		sum, longest := 0.0, 0.0
		for _, x := range tasks {
			sum, longest = sum+x, max(longest, x)
		}
		sum /= float64(slots)
		if !(max(sum, longest) <= got*(1+1e-15) && got <= (sum+longest)*(1+1e-15)) || len(tasks) <= slots && got != longest {
			t.Fatalf("PhaseTime(%v, %d) = %v, want between %v and %v, the longest if all fit", tasks, slots, got, max(sum, longest), sum+longest)
		}
	})
	if got, err := estimate.PhaseTime(math.MaxInt, []float64{zero}); got != 0 || math.Signbit(got) || err != nil {
		t.Errorf("PhaseTime([-0], MaxInt) = %v, %v, want 0", got, err)
	}
}

func TestProjectedTime(t *testing.T) {
	for _, c := range []struct {
		maps, reduces []float64
		want          float64
	}{
		{nil, nil, 0},
		{[]float64{2, 5, 3}, []float64{1, 4}, 9},
		{[]float64{2, 5, 3}, nil, 5},
		{nil, []float64{7}, 7},
	} {
		if got, err := estimate.ProjectedTime(c.maps, c.reduces); got != c.want || err != nil {
			t.Errorf("ProjectedTime(%v, %v) = %v, %v, want %v", c.maps, c.reduces, got, err, c.want)
		}
	}
}

func TestLaxity(t *testing.T) {
	for _, c := range []struct{ deadline, elapsed, remaining, want float64 }{
		{20, 5, 9, 6}, {20, 5, 15, 0}, {20, 5, 16, -1}, {0, 0, 0, 0}, {zero, 0, 0, 0}, {inf, 5, most, inf}, {0, most, most, -2 * most},
	} {
		if got, err := estimate.Laxity(c.deadline, c.elapsed, c.remaining); got != c.want || math.Signbit(got) != (c.want < 0) || err != nil {
			t.Errorf("Laxity(%v, %v, %v) = %v, %v, want %v", c.deadline, c.elapsed, c.remaining, got, err, c.want)
		}
	}
}

// The order is the one in which every pair stands as the rule says.
func TestLaxityOrder(t *testing.T) {
	before := func(x []float64, a, b int) bool {
		switch {
		case x[a] < 0 && x[b] >= 0:
			return false
		case x[a] >= 0 && x[b] < 0:
			return true
		case x[a] != x[b]:
			return x[a] < x[b]
		}
		return a < b
	}
	special := []float64{0, zero, inf, -inf, 1, -1, tiny, -tiny}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(special), rapid.Float64Range(-5, 5)), 0, 20).Draw(t, "laxity")
		got, err := estimate.LaxityOrder([]int{-7}, x)
		if err != nil || len(got) != len(x)+1 || got[0] != -7 {
			t.Fatalf("LaxityOrder([-7], %v) = %v, %v, want -7 and %d indices", x, got, err, len(x))
		}
		got = got[1:]
		for i := range got {
			for j := range i {
				if got[i] == got[j] || !before(x, got[j], got[i]) {
					t.Fatalf("LaxityOrder(%v) = %v: %d stands before %d", x, got, got[j], got[i])
				}
			}
		}
	})
	dst, x := make([]int, 0, 100), make([]float64, 100)
	for i := range x {
		x[i] = float64(i * 37 % 11)
	}
	if n := testing.AllocsPerRun(100, func() { dst, _ = estimate.LaxityOrder(dst[:0], x) }); n != 0 {
		t.Errorf("LaxityOrder allocates %v times with room in dst, want 0", n)
	}
}

func TestLaxityErrors(t *testing.T) {
	type list = []float64
	phases := []expect.Call{expect.Bad("tasks", -1, 1, list{most, most})}
	projected := []expect.Call{expect.Bad("reduces", -1, list{most}, list{most})}
	laxity := []expect.Call{expect.Bad("deadline", -1, nan, 1, 1), expect.Bad("deadline", -1, -tiny, 1, 1), expect.Bad("deadline", -1, huge, 1, 1)}
	for _, slots := range []int{0, -1, math.MinInt} {
		phases = append(phases, expect.Bad("slots", -1, slots, list{1}))
	}
	for _, bad := range []float64{nan, -1, -inf, inf, huge} {
		times := list{1, bad, 2}
		phases = append(phases, expect.Bad("tasks", 1, 3, times), expect.Bad("tasks", 1, 1, times))
		projected = append(projected, expect.Bad("maps", 1, times, nil), expect.Bad("reduces", 1, nil, times))
		laxity = append(laxity, expect.Bad("elapsed", -1, 1, bad, 1), expect.Bad("remaining", -1, 1, 1, bad))
	}
	expect.Refused(t, "estimate.PhaseTime", estimate.PhaseTime, nil, phases...)
	expect.Refused(t, "estimate.ProjectedTime", estimate.ProjectedTime, nil, projected...)
	expect.Refused(t, "estimate.Laxity", estimate.Laxity, nil, laxity...)
	expect.Refused(t, "estimate.LaxityOrder", estimate.LaxityOrder, nil, expect.Bad("laxity", 1, []int{1, 2, 3}[:1], list{1, nan}))
}
