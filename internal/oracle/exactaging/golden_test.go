package exactaging_test

import (
	"math/big"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/exactaging"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

func TestGoldenShares(t *testing.T) {
	for n, c := range golden.ReadFluid(t).Shares {
		s := exactaging.New[int](exactaging.Rat{}, c.Capacity)
		for i := range c.Caps {
			s.Add(i, 1, c.Caps[i], c.Weights[i])
		}
		for i, w := range c.Share {
			if got := s.Share(i); got.Cmp(golden.Rat(t, w)) != 0 {
				t.Errorf("case %d: Share(%d) = %v, want %v", n, i, got, w)
			}
		}
	}
}

// TestGoldenVirtual replays arrivals and capacity steps and compares the virtual finishes.
func TestGoldenVirtual(t *testing.T) {
	f := exactaging.Rat{}
	for _, c := range golden.ReadFluid(t).Cases {
		steps := c.Slots.Steps
		if len(steps) == 0 {
			steps = [][2]float64{{0, c.Slots.Slots}}
		}
		want := c.Expected["FSP"].Virtual
		if want == nil {
			continue
		}
		s := exactaging.New[int](f, 0)
		now := new(big.Rat)
		added := map[int]bool{}
		for n := 0; n < len(want); {
			for len(steps) > 0 && f.Of(steps[0][0]).Cmp(now) <= 0 {
				s.SetCapacity(steps[0][1])
				steps = steps[1:]
			}
			var step *big.Rat
			least := func(d *big.Rat) {
				if step == nil || d.Cmp(step) < 0 {
					step = d
				}
			}
			for i, j := range c.Jobs {
				if a := f.Of(j.A); !added[i] && a.Cmp(now) <= 0 {
					size := j.S
					if j.E != nil {
						size = *j.E
					}
					s.Add(i, size, j.Cap, j.W)
					added[i] = true
				} else if !added[i] {
					least(f.Sub(a, now))
				}
			}
			late, _ := s.Late()
			for _, i := range late {
				if now.Cmp(golden.Rat(t, want[i])) != 0 {
					t.Errorf("case %d: job %d finishes in virtual time at %v, want %v", c.ID, i, now, want[i])
				}
				s.Complete(i)
				n++
			}
			if len(steps) > 0 {
				least(f.Sub(f.Of(steps[0][0]), now))
			}
			if _, in, ok := s.NextFinish(); ok {
				least(in)
			}
			if step == nil {
				break
			}
			now = f.Add(now, step)
			s.AdvanceBy(step)
		}
	}
}

// TestFloatAgrees: both fields give the same answers.
func TestFloatAgrees(t *testing.T) {
	r := exactaging.New[int](exactaging.Rat{}, 3)
	f := exactaging.New[int](exactaging.Float{}, 3)
	for i := range 40 {
		work, slots, weight := float64(1+i*7%5), float64(i%3), float64(1+i%4)
		r.Add(i, work, slots, weight)
		f.Add(i, work, slots, weight)
		r.Advance(0.75)
		f.Advance(0.75)
	}
	a, b := r.Finishes(), f.Finishes()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("Finishes() = %v and %v, want as many and some", a, b)
	}
	for i := range a {
		x, y := exactaging.Rat{}.Float64(a[i].At), exactaging.Float{}.Float64(b[i].At)
		if x != y {
			t.Errorf("Finishes()[%d] = job %d at %v and job %d at %v", i, a[i].Key, x, b[i].Key, y)
		}
	}
}
