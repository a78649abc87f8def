package precedence

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
)

// onlyTardy says whether every penalty is Tardy or none.
func (p *problem) onlyTardy() bool {
	for j := range p.cost {
		if k := p.cost[j].kind; k != kindTardy && k != kindNone {
			return false
		}
	}
	return true
}

// lawlerMoore returns an order with the least weight of tardy jobs, without precedence (Lawler and Moore 1969). The jobs that are
// on time can run by deadline, so each in turn is taken or left. The table is by the work taken, if works are whole multiples of one
// unit with a sum below 2^53 units, or by the weight taken, if weights are; by the smaller of the two. lawlerMoore returns false if the
// table has more than limit words of 64 bits. Of equal sums it keeps on time jobs of the least work, and then leaves later deadlines
// rather than earlier ones.
func (p *problem) lawlerMoore(limit int) ([]int, bool) {
	n := len(p.work)
	due := make([]float64, n)
	for j := range due {
		due[j] = p.cost[j].deadline
	}
	var jobs []int // those that matter, by deadline
	for _, j := range sortStable(identity(n), due) {
		if p.cost[j].weight > 0 && p.work[j] <= due[j] {
			jobs = append(jobs, j)
		}
	}
	work, weight := make([]float64, len(jobs)), make([]float64, len(jobs))
	for i, j := range jobs {
		work[i], weight[i] = p.work[j], p.cost[j].weight
	}
	limit = min(limit, 1<<24) // so that an int of 32 bits numbers the bits
	// One bit a job and entry for the way back, and the entries themselves, each in 64 bits.
	words := func(entries, each int64) int64 {
		if entries > math.MaxInt32 {
			return math.MaxInt64
		}
		return entries*each + (entries*int64(len(jobs))+63)/64
	}
	size := func(x []float64) (units []int64, unit float64, sum int64) {
		units, unit, ok := wholeUnits(x)
		if !ok {
			return nil, 0, math.MaxInt64
		}
		for _, u := range units {
			sum += u
		}
		return units, unit, sum
	}
	workUnits, unit, most := size(work)
	if workUnits != nil && len(jobs) > 0 {
		most = wholeBelow(p.cost[jobs[len(jobs)-1]].deadline, unit, most)
	}
	weightUnits, _, heaviest := size(weight)
	var kept []bool
	switch byWork, byWeight := words(most, 1), words(heaviest, 2); {
	case byWork <= byWeight && byWork <= int64(limit):
		kept = p.keepByWork(jobs, workUnits, unit, int(most))
	case byWeight <= int64(limit):
		kept = p.keepByWeight(jobs, weightUnits, int(heaviest))
	default:
		return nil, false
	}
	dropped := make([]bool, n)
	for j := range dropped {
		dropped[j] = true
	}
	for i, j := range jobs {
		dropped[j] = !kept[i]
	}
	return keptFirst(sortStable(identity(n), due), dropped), true
}

// keepByWork keeps the greatest weight: best[t] is that of jobs with t units of work, all on time.
func (p *problem) keepByWork(jobs []int, work []int64, unit float64, most int) []bool {
	best := make([]float64, most+1)
	for t := range best[1:] {
		best[t+1] = negInf
	}
	taken := newBitSet((most + 1) * len(jobs))
	for i, j := range jobs {
		w, x := int(work[i]), p.cost[j].weight
		for t := int(wholeBelow(p.cost[j].deadline, unit, int64(most))); t >= w; t-- {
			if v := best[t-w] + x; v > best[t] {
				best[t] = v
				taken.add(i*(most+1) + t)
			}
		}
	}
	t := 0
	for u := range best {
		if best[u] > best[t] {
			t = u
		}
	}
	kept := make([]bool, len(jobs))
	for i := len(jobs) - 1; i >= 0; i-- {
		if taken.has(i*(most+1) + t) {
			kept[i] = true
			t -= int(work[i])
		}
	}
	return kept
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

// keepByWeight does so with least[v], the least work of jobs that weigh v units, all on time.
func (p *problem) keepByWeight(jobs []int, weight []int64, heaviest int) []bool {
	least := make([]dd.T, heaviest+1)
	for v := range least[1:] {
		least[v+1] = dd.Of(posInf)
	}
	taken := newBitSet((heaviest + 1) * len(jobs))
	reached := 0
	for i, j := range jobs {
		x := int(weight[i])
		reached += x
		for v := reached; v >= x; v-- {
			if math.IsInf(least[v-x].Hi, 1) {
				continue
			}
			if t := least[v-x].AddFloat(p.work[j]); t.Hi <= p.cost[j].deadline && t.Cmp(least[v]) < 0 {
				least[v] = t
				taken.add(i*(heaviest+1) + v)
			}
		}
	}
	v := heaviest
	for math.IsInf(least[v].Hi, 1) {
		v--
	}
	kept := make([]bool, len(jobs))
	for i := len(jobs) - 1; i >= 0; i-- {
		if taken.has(i*(heaviest+1) + v) {
			kept[i] = true
			v -= int(weight[i])
		}
	}
	return kept
}

// wholeUnits writes x as integer multiples of the greatest unit that all share, if their sum is below 2^53 units. Elements are finite
// and may be negative. All zeros have unit 1.
func wholeUnits(x []float64) (units []int64, unit float64, ok bool) {
	units = make([]int64, len(x))
	lowest, ok := unitExponent(x)
	if !ok {
		return units, 1, true
	}
	sum, g := 0.0, uint64(0)
	for i, v := range x {
		u := math.Ldexp(v, -lowest)
		if sum += math.Abs(u); !(sum < 1<<53) {
			return nil, 0, false
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
	return units, math.Ldexp(float64(g), lowest), true
}
