package precedence_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/precedence"
)

// ratCost is the exact cost of an order.
func ratCost(order []int, work, weight []float64) *big.Rat {
	sum, now := new(big.Rat), new(big.Rat)
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	for _, j := range order {
		now.Add(now, rat(work[j]))
		sum.Add(sum, new(big.Rat).Mul(rat(weight[j]), now))
	}
	return sum
}

// ratBest is the least cost over all orders that keep the arcs, by the table of all initial sets.
func (in sumCase) ratBest(work, weight []float64) *big.Rat {
	before := orders.Ancestors(in.n, in.arcs)
	cost := make([]*big.Rat, 1<<in.n)
	cost[0] = new(big.Rat)
	for set := range uint64(1) << in.n {
		if cost[set] == nil {
			continue
		}
		now := new(big.Rat)
		for j := range in.n {
			if set>>j&1 != 0 {
				now.Add(now, new(big.Rat).SetFloat64(work[j]))
			}
		}
		for j := range in.n {
			if set>>j&1 != 0 || before[j]&^set != 0 {
				continue
			}
			c := new(big.Rat).Add(now, new(big.Rat).SetFloat64(work[j]))
			c.Mul(c, new(big.Rat).SetFloat64(weight[j])).Add(c, cost[set])
			if to := set | 1<<j; cost[to] == nil || c.Cmp(cost[to]) < 0 {
				cost[to] = c
			}
		}
	}
	return cost[1<<in.n-1]
}

// Fractions need more than 63 bits, and wide ranges more than 127. In rational arithmetic the order
// must be a best one whenever Exact is true, Bound must not be above the optimum, and Value must
// be what the order costs.
func TestSmithRational(t *testing.T) {
	const rounding = 4 * 0x1p-53 // of Value: a sum in two float64, read once
	r := rand.New(rand.NewPCG(14, 1))
	exact := [4]int{}
	draws := []func() float64{
		r.Float64,
		func() float64 { return math.Exp(3 * r.NormFloat64()) },
		func() float64 { return math.Ldexp(r.Float64(), r.IntN(400)-200) },
		func() float64 { return math.Ldexp(r.Float64(), r.IntN(55)) }, // nearly all of 127 bits
	}
	for k := range 400 {
		regime := k % len(draws)
		in := newSumCase(r, orders.Kinds[k/4%len(orders.Kinds)], 1+r.IntN(8), 2)
		work, weight := floats(in.work), floats(in.weight)
		for j := range in.n {
			work[j] *= draws[regime]()
			weight[j] *= draws[regime]()
		}
		if r.IntN(3) == 0 { // ties that are none after rounding
			for j := range in.n {
				weight[j] = work[j] * 0.1
			}
		}
		best := in.ratBest(work, weight)
		s, err := precedence.Smith(in.graph(t), work, weight)
		must(t, err)
		cost := ratCost(s.Order, work, weight)
		if s.Exact {
			exact[regime]++
			least := best
			if s.Method == precedence.MethodSidney { // its programme over down-sets rounds
				least = new(big.Rat).Mul(best, new(big.Rat).SetFloat64(1+0x1p-50))
			}
			if cost.Cmp(least) > 0 || s.Bound != s.Value {
				t.Fatalf("Smith(%v, %v, %v) = %+v, costs %v and Exact, want %v", in.arcs, work, weight, s, cost, best)
			}
		} else if bound := new(big.Rat).SetFloat64(s.Bound); bound.Cmp(best) > 0 {
			t.Fatalf("Smith(%v, %v, %v) = %+v, want Bound at most %v", in.arcs, work, weight, s, best)
		}
		want, _ := cost.Float64()
		if math.Abs(s.Value-want) > rounding*want {
			t.Fatalf("Smith(%v, %v, %v): Value %v, want %v", in.arcs, work, weight, s.Value, want)
		}
		if regime == 2 && !s.Exact {
			continue // rounded jobs may lose all their weight
		}
		if two := new(big.Rat).SetFloat64(2 * s.Bound * (1 + 1e-12)); cost.Cmp(two) > 0 {
			t.Fatalf("Smith(%v, %v, %v) = %+v, want Value at most twice Bound", in.arcs, work, weight, s)
		}
	}
	if exact[0] < 50 || exact[1] < 50 || exact[2] > 80 || exact[3] < 50 {
		t.Errorf("exact in %v of 100 cases a regime, want most, but few of the third", exact)
	}
}

// Many independent jobs are sorted by rounded keys first: with sums beyond 53 bits the quotients of
// different ratios may be equal, and those of equal ratios differ. Checked against integers.
func TestSmithManyNearTies(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 1))
	const n = 4000
	for _, c := range []struct {
		name string
		draw func() (work, weight uint64)
	}{
		{"any", func() (uint64, uint64) { return r.Uint64N(100), r.Uint64N(100) }},
		{"one ratio", func() (uint64, uint64) { k := r.Uint64N(1 << 20); return 3 * k, 7 * k }},
		{"near one", func() (uint64, uint64) { k := 1<<49 + r.Uint64N(1<<49); return k, k + r.Uint64N(3) }},
		{"near a third", func() (uint64, uint64) { k := 1<<48 + r.Uint64N(1<<48); return 3 * k, k + r.Uint64N(2) }},
		// Halfway between two keys of 20 bits.
		{"at a border", func() (uint64, uint64) { k := r.Uint64N(1 << 29); return k << 21, k<<21 + k + r.Uint64N(2) }},
	} {
		// what the weights are multiplied by: rounded only by a third
		for _, odd := range []float64{1, 1.0 / 3, 0x1p-40} {
			if odd == 1.0/3 && c.name != "any" {
				continue
			}
			work, weight := make([]float64, n), make([]float64, n)
			for j := range work {
				p, w := c.draw()
				work[j], weight[j] = float64(p), float64(w)*odd
			}
			s, err := precedence.Smith(nil, work, weight)
			if err != nil || !s.Exact {
				t.Fatalf("%s: Smith = %v, Exact %v", c.name, err, s.Exact)
			}
			// weight of a times the work of b, where 0/0 is the ratio 0
			product := func(a, b int) *big.Rat {
				p := work[b]
				if p == 0 && weight[b] == 0 {
					p = 1
				}
				return new(big.Rat).Mul(new(big.Rat).SetFloat64(weight[a]), new(big.Rat).SetFloat64(p))
			}
			for k := 1; k < n; k++ {
				i, j := s.Order[k-1], s.Order[k]
				if d := product(i, j).Cmp(product(j, i)); d < 0 || d == 0 && i > j {
					t.Fatalf("%s: Smith puts job %d (%v/%v) before %d (%v/%v)", c.name, i, weight[i], work[i], j, weight[j], work[j])
				}
			}
		}
	}
}
