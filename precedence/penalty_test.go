package precedence_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/precedence"
)

// checkLatest checks that t = Latest(z) is the greatest time with At(t) <= z.
func checkLatest(t *testing.T, p precedence.Penalty, z float64) {
	t.Helper()
	x := precedence.LatestOf(p, z)
	switch {
	case x != x:
		t.Fatalf("%#v.Latest(%v) is NaN", p, z)
	case math.IsInf(x, 1):
		if v := p.At(math.MaxFloat64); !(v <= z) {
			t.Fatalf("%#v.Latest(%v) = +Inf, At(MaxFloat64) = %v", p, z, v)
		}
		return
	case math.IsInf(x, -1):
		if v := p.At(-math.MaxFloat64); v <= z && z > math.Inf(-1) {
			t.Fatalf("%#v.Latest(%v) = -Inf, At(-MaxFloat64) = %v", p, z, v)
		}
		return
	}
	next := math.Nextafter(x, math.Inf(1))
	if v, w := p.At(x), p.At(next); !(v <= z) || next <= math.MaxFloat64 && !(w > z) {
		t.Fatalf("%#v.Latest(%v) = %v: At there %v, At of the next time %v", p, z, x, v, w)
	}
}

func TestLatestIsTheInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	special := []float64{0, 1, -1, 5e-324, 1e-310, 1e-300, 1e300, math.MaxFloat64, -math.MaxFloat64, 0.1, 100, -100, 7}
	number := func() float64 {
		switch r.IntN(3) {
		case 0:
			return special[r.IntN(len(special))]
		case 1:
			return math.Ldexp(r.Float64()-0.5, r.IntN(200)-100)
		}
		return float64(r.IntN(100)) - 50
	}
	for range 20_000 {
		w, d, z := math.Abs(number()), number(), number()
		if r.IntN(20) == 0 {
			z = bad[r.IntN(3)]
		}
		for _, p := range []precedence.Penalty{precedence.Response{Weight: w}, precedence.Lateness{Deadline: d, Weight: w},
			precedence.Tardiness{Deadline: d, Weight: w}, precedence.Tardy{Deadline: d, Weight: w}, precedence.NoPenalty{},
			precedence.SLA{Deadlines: []float64{d, d + math.Abs(d) + 1}, Costs: []float64{w, w + 1}}, precedence.SLA{}} {
			checkLatest(t, p, z)
			checkLatest(t, p, p.At(number()))
		}
	}
}

// Nonsense has no time, and never one that is NaN or outside [0, end].
func TestLatestNonsense(t *testing.T) {
	tardy := precedence.Tardy{Deadline: 3, Weight: 2}
	for _, c := range []struct {
		p      precedence.Penalty
		z, end float64
	}{
		{nil, 1, 10}, {(*precedence.Tardy)(nil), 1, 10}, {(*precedence.SLA)(nil), 1, 10},
		{tardy, 1, math.NaN()}, {hidden{tardy}, 1, math.NaN()}, {precedence.NoPenalty{}, 1, math.NaN()},
		{tardy, 1, -1}, {hidden{tardy}, 1, -1}, {precedence.NoPenalty{}, 1, math.Inf(-1)},
		{tardy, math.NaN(), 10}, {hidden{tardy}, math.NaN(), 10},
	} {
		if got := precedence.Latest(c.p, c.z, c.end); got != -1 {
			t.Errorf("Latest(%#v, %v, %v) = %v, want -1", c.p, c.z, c.end, got)
		}
	}
	for _, p := range []precedence.Penalty{precedence.Tardy{Deadline: math.NaN(), Weight: 2}, precedence.Response{Weight: math.NaN()},
		precedence.Lateness{Deadline: math.Inf(-1), Weight: math.Inf(1)}, precedence.SLA{Deadlines: []float64{math.NaN()}, Costs: []float64{7}},
		precedence.SLA{Costs: []float64{1}}, fn(func(float64) float64 { return math.NaN() })} {
		for _, end := range []float64{0, 10, math.MaxFloat64, math.Inf(1)} {
			if got := precedence.Latest(p, 1, end); !(got == -1 || got >= 0 && got <= end) {
				t.Errorf("Latest(%#v, 1, %v) = %v, want -1 or a time in [0, end]", p, end, got)
			}
		}
	}
}

// A job that ends at its deadline on paper is on time, whatever tenths round to; whole numbers, and
// a nanosecond of 18 minutes, are told apart.
func TestDeadlinesInTenths(t *testing.T) {
	for a := range 300 {
		for b := range 300 {
			end, due := float64(a)/10+float64(b)/10, float64(a+b)/10
			for _, p := range []precedence.Penalty{precedence.Tardy{Deadline: due, Weight: 1}, precedence.SLA{Deadlines: []float64{due}, Costs: []float64{1}}} {
				if p.At(end) != 0 || precedence.Latest(p, 0, 100) < end {
					t.Fatalf("%v.At(%v) = %v and Latest %v, want 0 and no earlier", p, end, p.At(end), precedence.Latest(p, 0, 100))
				}
			}
		}
	}
	deadlines := []float64{.3, .3}
	for _, obj := range []precedence.Objective{mustObj(t)(precedence.SumTardy(deadlines)), mustObj(t)(precedence.SumWeightedTardy(deadlines, []float64{2, 3})),
		mustObj(t)(precedence.MaxTardy(deadlines)), mustObj(t)(precedence.SumSLA([]precedence.SLA{{Deadlines: []float64{.3}, Costs: []float64{7}}, {}}))} {
		if s, err := precedence.Minimize(nil, []float64{.1, .2}, obj, precedence.Options{}); err != nil || s.Value != 0 || !s.Exact {
			t.Errorf("Minimize(works .1 and .2, %v %v) = %+v, %v, want 0", obj.Aggregate, obj.Penalties, s, err)
		}
	}
	for _, c := range [][2]float64{{1<<50 - 2, 1<<50 - 1}, {1080, 1080 + 1e-9}, {0, 5e-324}, {-3, -2}} {
		if got := (precedence.Tardy{Deadline: c[0], Weight: 1}).At(c[1]); got != 1 {
			t.Errorf("a deadline of %v forgives %v", c[0], c[1])
		}
	}
}

// A completion at a deadline is on time, also where the sum of works in another order rounds
// differently.
func TestDeadlinesAreStrict(t *testing.T) {
	for _, p := range []precedence.Penalty{precedence.Tardy{Deadline: 3, Weight: 2}, precedence.Tardiness{Deadline: 3, Weight: 2},
		precedence.SLA{Deadlines: []float64{3}, Costs: []float64{2}}} {
		if at, after := p.At(3), p.At(3+0x1p-47); at != 0 || !(after > 0) {
			t.Errorf("%#v: At(3) = %v, just after %v, want 0 and more", p, at, after)
		}
	}
	s := precedence.SLA{Deadlines: []float64{1, 2}, Costs: []float64{5, 7}}
	for at, want := range map[float64]float64{0: 0, 1: 0, 1.5: 5, 2: 5, 2.5: 7} {
		if got := s.At(at); got != want {
			t.Errorf("%v.At(%v) = %v, want %v: costs are whole, not increments", s, at, got, want)
		}
	}
	// 0.1 + 0.2 + 0.3 > 0.6 in plain float64.
	work := []float64{0.1, 0.2, 0.3}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		obj, err := precedence.MaxResponse(3)
		must(t, err)
		if last, err := precedence.Evaluate(work, obj, order); err != nil || last != 0.6 {
			t.Errorf("Evaluate(%v, %v): the last ends at %v, %v, want 0.6", work, order, last, err)
		}
	}
	for _, p := range []precedence.Penalty{precedence.Response{}, precedence.Lateness{Deadline: -3}, precedence.Tardiness{}} {
		if got := p.At(math.Inf(1)); got != 0 {
			t.Errorf("%#v.At(+Inf) = %v, want 0 for weight 0", p, got)
		}
	}
}
