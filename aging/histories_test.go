package aging_test

import (
	"cmp"
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/aging"
)

// regime is a kind of history.
type regime struct {
	name     string
	jobs     int  // most jobs present
	integers bool // small whole numbers everywhere: many exact ties
	caps     int  // how many different limits: 0 none, 1 one, -1 a new one each time
	weights  bool // 1e-3 to 1e3, else all 1
	low      float64
	high     float64 // range of sizes
}

var regimes = []regime{
	{name: "no caps", jobs: 14, low: 0.01, high: 100},
	{name: "equal caps", jobs: 14, caps: 1, low: 0.01, high: 100},
	{name: "few ratios", jobs: 14, caps: 3, low: 0.01, high: 100},
	{name: "all ratios distinct", jobs: 14, caps: -1, weights: true, low: 0.01, high: 100},
	{name: "integers", jobs: 14, caps: 3, integers: true, low: 1, high: 12},
	{name: "wild magnitudes", jobs: 10, caps: -1, weights: true, low: 1e-9, high: 1e9},
	{name: "wild magnitudes, no caps", jobs: 10, weights: true, low: 1e-9, high: 1e9},
	{name: "integers, no caps", jobs: 14, integers: true, low: 1, high: 12},
	{name: "integers, weights", jobs: 14, caps: 3, weights: true, integers: true, low: 1, high: 12},
}

// generator draws the calls of one history.
type generator struct {
	regime
	rng      *rand.Rand
	coarse   bool // few significant bits, for the sake of the exact oracle
	capacity float64
	limits   []float64
}

func (r regime) generator(rng *rand.Rand, coarse bool) *generator {
	g := &generator{regime: r, rng: rng, coarse: coarse}
	g.capacity = g.slots()
	for range max(r.caps, 0) {
		g.limits = append(g.limits, g.limit())
	}
	return g
}

// round keeps the leading bits.
func (g *generator) round(x float64) float64 {
	if !g.coarse || x == 0 {
		return x
	}
	m, e := math.Frexp(x)
	return math.Ldexp(math.Ceil(math.Ldexp(m, 10)), e-10)
}

func (g *generator) between(low, high float64) float64 {
	return g.round(low * math.Pow(high/low, g.rng.Float64()))
}

func (g *generator) size() float64 {
	switch {
	case g.rng.IntN(30) == 0:
		return 0
	case g.integers:
		return float64(g.rng.IntN(int(g.high)) + 1)
	}
	return g.between(g.low, g.high)
}

func (g *generator) slots() float64 {
	if g.integers {
		return float64(1 + g.rng.IntN(8))
	}
	return g.between(0.5, 50)
}

func (g *generator) limit() float64 {
	switch {
	case g.caps == 0:
		return []float64{0, math.Inf(1)}[g.rng.IntN(2)]
	case len(g.limits) == g.caps:
		if g.rng.IntN(6) == 0 {
			return 0
		}
		return g.limits[g.rng.IntN(len(g.limits))]
	case g.integers:
		return float64(1 + g.rng.IntN(4))
	}
	return g.between(0.05, 20)
}

func (g *generator) weight() float64 {
	switch {
	case !g.weights:
		return float64(g.rng.IntN(2)) // 0 means 1
	case g.integers:
		return float64(1 + g.rng.IntN(5))
	}
	return g.between(1e-3, 1e3)
}

// next draws a call that suits the state of p.
func next[E any](g *generator, p *player[E]) call {
	rng := g.rng
	known := p.known
	n := rng.IntN(100)
	if len(known) == 0 && n < 60 {
		n = 0
	}
	if len(known) >= g.jobs && n < 30 {
		n = 30 + rng.IntN(70)
	}
	if p.capacity == 0 && rng.IntN(3) == 0 {
		return call{op: "SetCapacity", x: g.slots()}
	}
	key := 0
	if len(known) > 0 {
		key = known[rng.IntN(len(known))]
	}
	switch {
	case n < 30:
		for key = rng.IntN(4000) - 2000; ; key++ {
			if _, there := p.o.Left(key); there {
				continue
			}
			if _, here := p.c.Job(key); !here {
				break
			}
		}
		return call{op: "Add", key: key, job: aging.Job{Work: g.size(), Slots: g.limit(), Weight: g.weight()}}
	case len(known) > 0 && n < 42:
		if first, ok := p.c.First(aging.By(rng.IntN(2))); ok && rng.IntN(2) == 0 {
			key = first
		}
		return call{op: "Complete", key: key}
	case len(known) > 0 && n < 46:
		return call{op: "Remove", key: key}
	case len(known) > 0 && n < 56:
		return call{op: "Reestimate", key: key, x: g.estimate(p.largest[key])}
	case len(known) > 0 && n < 61:
		return call{op: "SetSlots", key: key, x: cmp.Or(g.limit(), inf)}
	case len(known) > 0 && n < 65:
		return call{op: "SetWeight", key: key, x: one(g.weight())}
	case n < 69:
		if rng.IntN(4) == 0 {
			return call{op: "SetCapacity"}
		}
		return call{op: "SetCapacity", x: g.slots()}
	case n < 71:
		return call{op: "Restore"}
	case len(known) > 0 && n < 79:
		a := call{op: "SetReady", key: key, x: float64(rng.IntN(3) / 2)}
		if first, ok := p.c.First(aging.ByFinish); ok && rng.IntN(2) == 0 {
			a.key, a.x = first, 0
		}
		return a
	}
	return call{op: "Advance", x: g.elapsed(p.c)}
}

func (g *generator) estimate(size float64) float64 {
	if g.integers || size == 0 {
		return g.size()
	}
	switch g.rng.IntN(6) {
	case 0:
		return g.size()
	case 1:
		return 0
	case 2:
		return size
	}
	return g.round(size * (0.2 + 1.3*g.rng.Float64()))
}

func (g *generator) elapsed(c *aging.Cluster[int]) float64 {
	_, in, ok := c.NextFinish()
	if !ok {
		return float64(g.rng.IntN(3))
	}
	switch k := g.rng.IntN(12); {
	case k < 3:
		return in
	case k == 3:
		return 0
	case k == 4 && g.integers, k == 5 && g.integers:
		return float64(1 + g.rng.IntN(4))
	case k < 7:
		return g.round(in * g.rng.Float64())
	case k < 11:
		return g.round(in * (1 + 2*g.rng.Float64()))
	}
	return g.round(in * math.Pow(10, 4*g.rng.Float64()))
}
