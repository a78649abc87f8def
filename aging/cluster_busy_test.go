package aging_test

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// busyCall draws a call for a history in which most jobs age, not wait late: late ones are soon
// completed or get a larger size, time passes in steps to the next finish or so, and the capacity
// puts the water level at the ratio of some job or near it, so that groups lie on both sides of it
// and cross it again and again.
func busyCall[E any](g *generator, p *player[E], crowd int) call {
	rng := g.rng
	late := p.c.Late(nil)
	if len(late) > 3 && rng.IntN(2) == 0 {
		key := late[rng.IntN(len(late))]
		if rng.IntN(6) == 0 && p.largest[key] > 0 {
			return call{op: "Reestimate", key: key, x: g.round(p.largest[key] * (1 + rng.Float64()))}
		}
		return call{op: "Complete", key: key}
	}
	if len(p.known)-len(late) < crowd && rng.IntN(3) > 0 || len(p.known) == 0 {
		for key := rng.IntN(1 << 20); ; key++ {
			_, there := p.o.Left(key)
			if _, here := p.c.Job(key); !here && !there {
				return call{op: "Add", key: key, job: aging.Job{Work: g.size(), Slots: g.limit(), Weight: g.weight()}}
			}
		}
	}
	i := rng.IntN(len(p.known))
	key := p.known[i]
	switch n := rng.IntN(100); {
	case n < 4:
		return call{op: "Complete", key: key}
	case n < 7:
		return call{op: "Remove", key: key}
	case n < 17:
		return call{op: "Reestimate", key: key, x: g.estimate(p.largest[key])}
	case n < 25:
		return call{op: "SetSlots", key: key, x: cmp.Or(g.limit(), inf)}
	case n < 33:
		return call{op: "SetWeight", key: key, x: one(g.weight())}
	case n < 45 || p.capacity == 0:
		if n == 33 {
			return call{op: "SetCapacity"}
		}
		level := p.batch[i].Slots / one(p.batch[i].Weight)
		if unlimited(p.batch[i].Slots) {
			level = g.slots() / g.regime.mostWeight()
		}
		x := 0.0
		for _, j := range p.batch {
			if share := level * one(j.Weight); j.Work > 0 && !unlimited(j.Slots) {
				x += min(j.Slots, share)
			} else if j.Work > 0 {
				x += share
			}
		}
		if rng.IntN(2) == 0 {
			x *= 0.7 + 0.6*rng.Float64()
		}
		if !(x >= 1e-6) {
			x = g.slots()
		}
		return call{op: "SetCapacity", x: g.round(x)}
	case n < 47:
		return call{op: "Restore"}
	}
	_, in, ok := p.c.NextFinish()
	if !ok || in > 0x1p200 {
		return call{op: "Advance", x: float64(rng.IntN(3))}
	}
	if g.coarse && rng.IntN(3) == 0 {
		return call{op: "Advance", x: in}
	}
	// In long histories just before and just after the next finish, never that very time, which is
	// rounded: both systems would go to the finish by their own clocks, and what these differ in
	// would become a difference in the work of all others, again and again.
	return call{op: "Advance", x: g.round(in * []float64{1 - 0x1p-33, 1 + 0x1p-33, rng.Float64(), rng.Float64(), 1 + rng.Float64()}[rng.IntN(5)])}
}

// mostWeight is the largest weight that the regime draws.
func (r regime) mostWeight() float64 {
	switch {
	case !r.weights:
		return 1
	case r.integers:
		return 5
	}
	return 1e3
}

// busyHistory is what a busy history was like, as means over its checks.
type busyHistory struct{ checks, ages, both float64 }

// playBusy plays events calls of busyCall against the oracle and checks all answers at one in
// every.
func playBusy[E any](t *testing.T, g *generator, f exactaging.Field[E], crowd, events, every int) (h busyHistory, p *player[E]) {
	t.Helper()
	p, err := newPlayer(f, g.capacity)
	var calls []call
	for err == nil && len(calls) < events {
		a := busyCall(g, p, crowd)
		calls = append(calls, a)
		if err = p.do(a); err == nil && (g.rng.IntN(every) == 0 || len(calls) == events) {
			err = p.check()
			h.checks++
			h.ages += float64(p.c.Len() - len(p.c.Late(nil)))
			if open, capped := sides(p.c); open && capped {
				h.both++
			}
		}
	}
	if err != nil {
		t.Fatalf("event %d: %v\n%s", len(calls), err, reproduction(g.capacity, calls[max(0, len(calls)-300):]))
	}
	return h, p
}

// TestClusterBusy compares with the 300-bit oracle while dozens of jobs in many groups age at the
// same time. Sizes of many magnitudes are left to the other tests: what rounding leaves of a huge
// job is more than all of a tiny one.
func TestClusterBusy(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many events")
	}
	for _, k := range []struct {
		regime, crowd, events int
		// least part of the checks at which groups lie on both sides of the level
		both float64
	}{
		{0, 40, 10_000, 0}, {2, 40, 10_000, 0.5}, {3, 40, 20_000, 0.5}, {4, 40, 10_000, 0.5}, {8, 40, 10_000, 0.5}, {3, 300, 1_500, 0.5},
	} {
		r := regimes[k.regime]
		t.Run(fmt.Sprintf("%s, %d jobs", r.name, k.crowd), func(t *testing.T) {
			g := r.generator(rand.New(rand.NewPCG(uint64(k.regime), 1<<34+uint64(k.crowd))), false)
			h, p := playBusy[*big.Float](t, g, exactaging.Float{}, k.crowd, k.events**cases/100, 50)
			t.Logf("%.1f jobs age, groups on both sides at %.2f of the checks; largest error %.2g of a job's size, %d differences within the slack",
				h.ages/h.checks, h.both/h.checks, p.worst, p.excused)
			if !(h.ages/h.checks >= float64(k.crowd)/2) || !(h.both/h.checks >= k.both) {
				t.Errorf("%.1f jobs age and groups lie on both sides at %.2f of the checks, want at least %d and %.2f", h.ages/h.checks, h.both/h.checks, k.crowd/2, k.both)
			}
		})
	}
}

// TestClusterBusyRational does the same in exact arithmetic with a dozen jobs and up to 300 events.
func TestClusterBusyRational(t *testing.T) {
	worst := 0.0
	for _, r := range regimes {
		var all busyHistory
		for n := range 8 {
			g := r.generator(rand.New(rand.NewPCG(17, uint64(n))), true)
			events := 120
			if n == 0 {
				events = 300
			}
			h, p := playBusy[*big.Rat](t, g, exactaging.Rat{}, 12, events, 10)
			all = busyHistory{all.checks + h.checks, all.ages + h.ages, all.both + h.both}
			worst = max(worst, p.worst)
		}
		t.Logf("%s: %.1f jobs age, groups on both sides at %.2f of the checks", r.name, all.ages/all.checks, all.both/all.checks)
		if !(all.ages/all.checks >= 6) {
			t.Errorf("%s: %.1f jobs age, want 6", r.name, all.ages/all.checks)
		}
	}
	t.Logf("largest error %.2g of a job's size", worst)
}

// sides says whether groups lie below their caps and at them.
func sides(c *aging.Cluster[int]) (open, capped bool) {
	for _, g := range c.Snapshot().Groups {
		open, capped = open || !g.Capped, capped || g.Capped
	}
	return open, capped
}
