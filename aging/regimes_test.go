package aging_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

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

// generator draws the numbers of one history.
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

// add draws an Add of a key that is new.
func (m *machine) add() call {
	key := m.rng.IntN(4000) - 2000
	for slices.Contains(m.known, key) {
		key++
	}
	return call{op: "Add", key: key, job: aging.Job{Work: m.size(), Slots: m.limit(), Weight: m.weight()}}
}

// next draws a call that suits the state. If most jobs age and do not wait late, the late ones are
// soon completed.
func (m *machine) next() call {
	rng := m.rng
	n := rng.IntN(100)
	if len(m.known) == 0 && n < 79 {
		n = 0
	}
	if len(m.known) >= m.jobs && n < 30 {
		n = 30 + rng.IntN(70)
	}
	if m.capacity == 0 && rng.IntN(3) == 0 {
		return call{op: "SetCapacity", x: m.slots()}
	}
	if late := m.c.Late(nil); len(late) > 3 && rng.IntN(2) == 0 {
		return call{op: "Complete", key: late[rng.IntN(len(late))]}
	}
	i, key := 0, 0
	if len(m.known) > 0 {
		i = rng.IntN(len(m.known))
		key = m.known[i]
	}
	switch {
	case n < 30:
		return m.add()
	case n < 38:
		if first, ok := m.c.First(aging.By(rng.IntN(2))); ok && rng.IntN(2) == 0 {
			key = first
		}
		return call{op: "Complete", key: key}
	case n < 41:
		return call{op: "Remove", key: key}
	case n < 49:
		return call{op: "Reestimate", key: key, x: m.estimate(m.largest[key])}
	case n < 54:
		return call{op: "SetSlots", key: key, x: cmp.Or(m.limit(), inf)}
	case n < 59:
		return call{op: "SetWeight", key: key, x: one(m.weight())}
	case n < 60:
		return call{op: "SetCapacity"}
	case n < 67:
		return call{op: "SetCapacity", x: m.level(i)}
	case n < 69:
		return call{op: "Restore"}
	case n < 71:
		return call{op: "Lapsed"}
	case n < 79:
		a := call{op: "SetReady", key: key, x: float64(rng.IntN(3) / 2)}
		if first, ok := m.c.First(aging.ByFinish); ok && rng.IntN(2) == 0 {
			a.key, a.x = first, 0
		}
		return a
	}
	return call{op: "Advance", x: m.until(m.c)}
}

// level draws a capacity that puts the water level at the ratio of job i or near it, so that groups
// lie on both sides of it and cross it again and again.
func (m *machine) level(i int) float64 {
	level := m.batch[i].Slots / one(m.batch[i].Weight)
	if unlimited(m.batch[i].Slots) {
		return m.slots()
	}
	x := 0.0
	for _, j := range m.batch {
		if share := level * one(j.Weight); j.Work > 0 && !unlimited(j.Slots) {
			x += min(j.Slots, share)
		} else if j.Work > 0 {
			x += share
		}
	}
	if m.rng.IntN(2) == 0 {
		x *= 0.7 + 0.6*m.rng.Float64()
	}
	if !(x >= 1e-6) {
		return m.slots()
	}
	return m.round(x)
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

// until draws a time to let pass.
func (g *generator) until(c *aging.Cluster[int]) float64 {
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

// anything draws a call that need not apply.
func (g *generator) anything(c *aging.Cluster[int]) call {
	a := call{key: g.rng.IntN(12)}
	switch a.op = []string{"Add", "Add", "Add", "Complete", "Remove", "Reestimate", "SetSlots", "SetWeight", "SetReady", "SetCapacity", "Advance", "Advance"}[g.rng.IntN(12)]; a.op {
	case "Add":
		a.job = aging.Job{Work: g.size(), Slots: g.limit(), Weight: g.weight()}
	case "Reestimate":
		a.x = g.size()
	case "SetSlots":
		a.x = cmp.Or(g.limit(), inf)
	case "SetWeight":
		a.x = one(g.weight())
	case "SetReady":
		a.x = float64(g.rng.IntN(2))
	case "SetCapacity":
		a.x = g.slots()
	case "Advance":
		a.x = g.until(c)
	}
	return a
}
