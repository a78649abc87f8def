package backfill_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
)

// FuzzPlan: whatever the arguments, an InputError, or for each job a start from now on; who starts
// now fits beside what the profile holds, a plan changes nothing of the profile, and
// forecasts are in order.
func FuzzPlan(f *testing.F) {
	drawn.Fuzz(f, 200, 40, func(t *testing.T, b drawn.Bytes) bool {
		resources := 1 + b.Below(4)
		units := func() []int64 {
			u := make([]int64, resources)
			for r := range u {
				if u[r] = int64(b.Below(9)); b.Below(40) == 0 {
					u[r] = []int64{-1, 1 << 60, 1<<60 + 1, math.MaxInt64}[b.Below(4)]
				}
			}
			return u
		}
		now := b.Number()
		p, err := backfill.New(units(), now)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) {
				t.Fatal(err)
			}
			return false
		}
		var running []backfill.Running
		for range b.Below(6) {
			need, from, end := units(), now, b.Number()
			change := p.Take
			switch b.Below(4) {
			case 0:
				change = p.Give
			case 1:
				from = b.Number()
			default:
				end = max(end, math.Nextafter(now, math.Inf(1)))
			}
			if err := change(need, from, end); err != nil {
				if !errors.Is(err, schedmath.ErrInput) {
					t.Fatal(err)
				}
			} else if from == now && !math.IsInf(end, 1) {
				running = append(running, backfill.Running{Need: need, End: end})
			}
		}
		queue := make([]backfill.Job, b.Below(8))
		for i := range queue {
			queue[i] = backfill.Job{Need: units(), Time: b.Number(), Promised: b.Number(), Owner: b.Below(3)}
		}
		o := backfill.Options{Depth: b.Below(5) - 1, Shortest: b.Below(2) > 0, InOrder: b.Below(3) == 0}
		for range b.Below(4) / 3 * (1 + b.Below(2)) {
			o.Windows = append(o.Windows, backfill.Window{Need: units(), From: b.Number(), To: b.Number(), Period: max(0, b.Number()), Until: b.Number(), Owner: b.Below(3)})
		}
		starts, err := p.Plan(nil, queue, o)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) || starts != nil {
				t.Fatalf("Plan(%v, %+v) = %v, %v, want nil and an InputError", queue, o, starts, err)
			}
			return false
		}
		free := p.Free(nil, now)
		for i, start := range starts {
			if !(start >= now) {
				t.Errorf("Plan(%v, %+v) at %v = %v: job %d", queue, o, now, starts, i)
			}
			for r, n := range queue[i].Need {
				if start == now && n > 0 && free[r] < n {
					t.Errorf("Plan(%v, %+v) at %v = %v: job %d starts beyond what is free", queue, o, now, starts, i)
				} else if start == now {
					free[r] -= n
				}
			}
		}
		again, err := p.Plan(nil, queue, o)
		if err != nil || !slices.Equal(again, starts) {
			t.Errorf("Plan(%v, %+v) = %v, then %v, %v", queue, o, starts, again, err)
		}
		rest := b.Numbers(len(running) + len(queue))
		forecasts, err := p.Forecast(nil, running, queue, func(i int, u float64) float64 { return rest[i] * (1 + u) }, backfill.ForecastOptions{Options: o, Samples: 3}, rand.NewPCG(1, 2))
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) || forecasts != nil {
				t.Fatalf("Forecast(%v, %v, %+v) = %v, %v, want nil and an InputError", running, queue, o, forecasts, err)
			}
			return false
		}
		for i, c := range forecasts {
			if !(now <= c.Low && c.Low <= c.Median && c.Median <= c.High) {
				t.Errorf("Forecast(%v, %v, %+v) at %v = %v: job %d", running, queue, o, now, forecasts, i)
			}
		}
		return len(queue) > 1
	})
}
