package precedence

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
)

// lawlerMoore returns an order with the least weight of tardy jobs, without precedence (Lawler and
// Moore 1969). The jobs that are on time can run by deadline, so each in turn is taken or left. The
// table is by the work taken, if works are whole multiples of one unit with a sum below 2^53 units,
// or by the weight taken, if weights are; by the smaller of the two. lawlerMoore returns false if
// the table has more than limit words of 64 bits. Of equal weights of tardy jobs it prefers the
// least work on time, and then drops jobs of later deadlines rather than of earlier ones.
func (p *problem) lawlerMoore(limit int) ([]int, bool) {
	order := p.dueDates()
	var jobs []int // those that matter, by deadline
	for _, j := range order {
		if p.cost[j].weight > 0 && p.work[j] <= p.cost[j].deadline {
			jobs = append(jobs, j)
		}
	}
	k := knapsack{cost: make([]float64, len(jobs)), due: make([]float64, len(jobs)), top: make([]int64, len(jobs))}
	work, weight := make([]float64, len(jobs)), make([]float64, len(jobs))
	for i, j := range jobs {
		work[i], weight[i] = p.work[j], p.cost[j].weight
	}
	works, unit, workSum := wholeUnits(work)
	weights, _, weightSum := wholeUnits(weight)
	if works != nil && len(jobs) > 0 {
		workSum = wholeBelow(p.cost[jobs[len(jobs)-1]].deadline, unit, workSum)
	}
	byWork := workSum <= weightSum
	if most := min(workSum, weightSum); most > math.MaxInt32 || 2*most+most*int64(len(jobs))/64 >= int64(min(limit, 1<<24)) {
		return nil, false // 1<<24 words: an int of 32 bits numbers the bits
	}
	for i, j := range jobs {
		if due := p.cost[j].deadline; byWork { // the greatest weight for each work
			k.cost[i], k.due[i], k.top[i] = -weight[i], posInf, wholeBelow(due, unit, workSum)
		} else { // the least work for each weight
			k.cost[i], k.due[i], k.top[i] = work[i], due, weightSum
		}
	}
	best := 0
	if byWork {
		k.size = works
		k.fill(workSum)
		for v := range k.least {
			if k.least[v].Cmp(k.least[best]) < 0 {
				best = v
			}
		}
	} else {
		k.size = weights
		k.fill(weightSum)
		for best = int(weightSum); k.least[best].Hi == posInf; best-- {
		}
	}
	dropped := slices.Repeat([]bool{true}, len(order))
	for i, size := range slices.Backward(k.size) {
		if k.taken.has(i*len(k.least) + best) {
			dropped[jobs[i]] = false
			best -= int(size)
		}
	}
	return keptFirst(order, dropped), true
}

// A knapsack takes or leaves each of some jobs in turn. After fill, least[v] is the least cost of
// jobs whose sizes add up to v, +Inf if there are none: job i can be taken only if the sizes then
// add up to at most top[i] and the costs to at most due[i].
type knapsack struct {
	size      []int64
	cost, due []float64
	top       []int64
	least     []dd.T
	taken     bitSet // bit i*len(least) + v: taking job i lowered least[v]
}

func (k *knapsack) fill(most int64) {
	k.least = make([]dd.T, most+1)
	for v := range most {
		k.least[v+1] = dd.Of(posInf)
	}
	k.taken = newBitSet(len(k.least) * len(k.size))
	for i, size := range k.size {
		for v := k.top[i]; v >= size; v-- {
			before := k.least[v-size]
			if before.Hi == posInf {
				continue
			}
			if c := before.AddFloat(k.cost[i]); c.Hi <= k.due[i] && c.Cmp(k.least[v]) < 0 {
				k.least[v] = c
				k.taken.add(i*len(k.least) + int(v))
			}
		}
	}
}

// wholeBelow returns the most units, up to most, that take no longer than t >= 0.
func wholeBelow(t, unit float64, most int64) int64 {
	q := t / unit
	if !(q < float64(most)) {
		q = float64(most)
	}
	u := int64(q)
	if float64(float64(u)*unit) > t { // the quotient was rounded up
		u--
	}
	return u
}

// wholeUnits writes x as integer multiples of the greatest unit that all share, and adds up their
// magnitudes. Elements are finite and may be negative. All zeros have unit 1. If the sum needs more
// than 53 bits, there is no unit: it is 0, and the sum MaxInt64.
func wholeUnits(x []float64) (units []int64, unit float64, sum int64) {
	units = make([]int64, len(x))
	lowest, ok := unitExponent(x)
	if !ok {
		return units, 1, 0
	}
	all, g := 0.0, uint64(0)
	for i, v := range x {
		u := math.Ldexp(v, -lowest)
		if all += math.Abs(u); !(all < 1<<53) {
			return nil, 0, math.MaxInt64
		}
		units[i] = int64(u)
		a, b := g, uint64(math.Abs(u))
		for b > 0 {
			a, b = b, a%b
		}
		g = a
	}
	for i := range units {
		units[i] /= int64(g)
	}
	return units, math.Ldexp(float64(g), lowest), int64(all) / int64(g)
}
