package aging_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// TestReestimateZero: a job whose new size is 0 is late at once, whatever rounding says about the
// service it received, and the snapshot of that state can be restored.
func TestReestimateZero(t *testing.T) {
	for n := range 3000 {
		r := regimes[n%len(regimes)]
		rng := rand.New(rand.NewPCG(12, uint64(n)))
		g := r.generator(rng, false)
		c := newCluster(t, g.capacity)
		calls := []call{}
		do := func(a call) {
			calls = append(calls, a)
			apply(t, c, a, 1, 1, 1, 1)
		}
		for key := range 1 + rng.IntN(4) {
			do(call{op: "Add", key: key, job: aging.Job{Work: max(g.size(), g.low), Slots: g.limit(), Weight: g.weight()}})
			if rng.IntN(2) == 0 {
				_, in, _ := c.NextFinish()
				do(call{op: "Advance", x: in * rng.Float64() / 2})
			}
		}
		do(call{op: "Reestimate", key: 0})
		if j, ok := c.Job(0); !ok || j.Work != 0 || !slices.Contains(c.Late(nil), 0) {
			t.Fatalf("%s: Job(0) = %v, %v, Late(nil) = %v, want job 0 late\n%s", r.name, j, ok, c.Late(nil), reproduction(g.capacity, calls))
		}
		text, err := json.Marshal(c.Snapshot())
		must(t, err)
		var s aging.Snapshot[int]
		must(t, json.Unmarshal(text, &s))
		if _, err := aging.Restore(s); err != nil {
			t.Fatalf("%s: Restore(%s): %v\n%s", r.name, text, err, reproduction(g.capacity, calls))
		}
	}
}

// TestOnTimeHasWork: exactly the late jobs have no work left, also where many finishes fall on one
// instant.
func TestOnTimeHasWork(t *testing.T) {
	fails := func(capacity float64, calls []call) error {
		p, err := newPlayer(exactaging.Float{}, capacity)
		for _, a := range calls {
			if err == nil {
				err = p.do(a)
			}
			if err == nil {
				err = survives(p.c)
			}
		}
		return err
	}
	for n := range 15 * *cases {
		r := regimes[n%len(regimes)]
		rng := rand.New(rand.NewPCG(13, uint64(n)))
		g := r.generator(rng, false)
		p, err := newPlayer(exactaging.Float{}, g.capacity)
		var calls []call
		for err == nil && len(calls) < 80 {
			a := next(g, p)
			calls = append(calls, a)
			if err = p.do(a); err == nil {
				err = survives(p.c)
			}
		}
		if err != nil {
			calls = shrink(calls, func(less []call) bool { return fails(g.capacity, less) != nil })
			t.Fatalf("%s, history %d: %v\n%s", r.name, n, fails(g.capacity, calls), reproduction(g.capacity, calls))
		}
	}
}

// TestFinishAtLevelZero: where the caps use up the capacity to the last bit, the jobs at their caps
// finish first.
func TestFinishAtLevelZero(t *testing.T) {
	c := newCluster(t, 0x1p-100)
	must(t, c.Add(1, aging.Job{Work: 0x1p200, Slots: 3, Weight: 0x1p-200}))
	must(t, c.Add(2, aging.Job{Work: 0x1p100, Slots: 0x1p-100, Weight: 0x1p199}))
	first, _ := c.First(aging.ByFinish)
	if keys, _ := all(c, aging.ByFinish); !slices.Equal(keys, []int{2, 1}) || first != 2 {
		t.Errorf("First(finish) = %v, All(finish) yields %v, want 2 and [2 1]", first, keys)
	}
}
