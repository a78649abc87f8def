package precedence

import (
	"math"

	"github.com/schedmath/schedmath/internal/heap"
)

// thresholds returns an optimal order for penalties that have Latest, or false if a Latest
// disagrees with its At.
//
// A pass that ends after raising its threshold has reached a lower bound, and is optimal. A pass
// that ends without raising it has found an order whose value is at most the threshold. A pass that
// raises its threshold too often to be worth its time is given up, but has raised the lower bound.
func (p *problem) thresholds() ([]int, bool) {
	n := len(p.work)
	s := &thresholdPass{problem: p, order: make([]int, n), waiting: make([]int32, n)}
	// no order has less than lower; some order has no more than upper
	lower, upper := negInf, negInf
	for j := range p.cost {
		upper = max(upper, p.cost[j].at(p.total.Hi))
	}
	var best []int
	next := lower
	for round := 0; ; round++ {
		complete, ok := s.run(next)
		switch {
		case !ok:
			return nil, false
		case complete && (s.threshold > next || next == lower):
			return s.order, true
		case complete:
			best = append(best[:0], s.order...)
			upper = s.most
		default:
			lower = s.threshold
		}
		if best != nil && lower >= upper {
			return best, true
		}
		next = lower
		if lower < upper {
			next = middle(lower, upper, round%2 == 1)
		}
	}
}

// A thresholdPass is the last backward pass, and the scratch of all.
type thresholdPass struct {
	*problem
	threshold float64 // where it stood in the end: a lower bound of the optimum if it rose
	most      float64 // the largest penalty, if the pass is complete

	order   []int
	waiting []int32
	// The jobs that may end last of those that are left, the one that may end latest first, ties
	// to the higher index. The key of a job is the latest time at which it costs no more than
	// the threshold, negated.
	free heap.Heap
	jobs []int32 // scratch
}

// offer adds a job to those that may end last.
func (s *thresholdPass) offer(j int32) {
	s.free.Push(heap.Entry{Key: -s.cost[j].latest(s.threshold), ID: j}, nil, heap.HighID{})
}

// run makes one pass from threshold z, which rises where no job fits below it. It is not complete if
// it is given up, and not ok if a Latest disagrees with its At.
func (s *thresholdPass) run(z float64) (complete, ok bool) {
	s.threshold, s.most = z, negInf
	for j := range s.waiting {
		s.waiting[j] = int32(len(s.g.Succs(j)))
	}
	s.free.Clear()
	for j, w := range s.waiting {
		if w == 0 {
			s.offer(int32(j))
		}
	}
	t := s.total
	budget := 4*len(s.work) + 64 // values of Latest after raises
	for place := len(s.order) - 1; place >= 0; place-- {
		if !(-s.free.Key(0) >= t.Hi) {
			least := posInf
			s.jobs = s.jobs[:0]
			for i := range int32(s.free.Len()) {
				s.jobs = append(s.jobs, s.free.ID(i))
				least = min(least, s.cost[s.free.ID(i)].at(t.Hi))
			}
			if !(least > s.threshold) {
				return false, false
			}
			s.threshold = least
			if budget -= len(s.jobs); budget < 0 {
				return false, true
			}
			s.free.Clear()
			for _, j := range s.jobs {
				s.offer(j)
			}
			if !(-s.free.Key(0) >= t.Hi) {
				return false, false
			}
		}
		j := s.free.Pop(nil, heap.HighID{}).ID
		v := s.cost[j].at(t.Hi)
		if !(v <= s.threshold) {
			return false, false
		}
		s.most = math.Max(s.most, v)
		s.order[place] = int(j)
		t = t.AddFloat(-s.work[j])
		for _, i := range s.g.Preds(int(j)) {
			if s.waiting[i]--; s.waiting[i] == 0 {
				s.offer(i)
			}
		}
	}
	return true, true
}

// latestLinear returns the greatest float64 t with times(weight, t-deadline) <= z. The quotient is
// a guess: as a rule rounding puts it at most a step too early or too late, but many steps where
// the product is subnormal or the deadline absorbs t. So t is found by bisection over the float64
// in order, within two steps of the guess if t is there and over all of them otherwise.
func latestLinear(weight, deadline, z float64) float64 {
	switch {
	case weight == 0 && z >= 0, z > math.MaxFloat64:
		return math.Inf(1)
	case !(weight > 0) || !(z >= -math.MaxFloat64):
		return math.Inf(-1)
	}
	early := func(r int64) bool { return times(weight, unrank(r)-deadline) <= z }
	first, last := rank(-math.MaxFloat64), rank(math.MaxFloat64)
	guess := rank(min(max(deadline+z/weight, -math.MaxFloat64), math.MaxFloat64))
	lo, hi := guess-2, guess+2
	if lo < first || !early(lo) {
		lo = rank(math.Inf(-1)) // earlier than any t
	}
	if hi > last || early(hi) {
		hi = rank(math.Inf(1)) // later than any t
	}
	// early(lo) and not early(hi); the distance needs 64 bits, so it is unsigned
	for uint64(hi-lo) > 1 {
		if m := lo + int64(uint64(hi-lo)/2); early(m) {
			lo = m
		} else {
			hi = m
		}
	}
	if lo == last {
		return math.Inf(1)
	}
	return unrank(lo)
}

// rank numbers the float64 in ascending order, -0 and 0 alike; unrank is its inverse.
func rank(x float64) int64 {
	b := int64(math.Float64bits(x))
	if b < 0 {
		return math.MinInt64 - b
	}
	return b
}

func unrank(r int64) float64 {
	if r < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - r))
	}
	return math.Float64frombits(uint64(r))
}

// middle returns a float64 in [lo, hi) for lo < hi, halfway by value or by rank. Halving by value
// is quick in the usual case, by rank it ends after 64 steps wherever the two are.
func middle(lo, hi float64, byRank bool) float64 {
	m := float64(lo/2) + float64(hi/2)
	if byRank || !(math.Abs(m) <= math.MaxFloat64) {
		a, b := rank(max(lo, -math.MaxFloat64)), rank(min(hi, math.MaxFloat64))
		m = unrank(a + int64(uint64(b-a)/2))
	}
	if !(m >= lo && m < hi) {
		return lo
	}
	return m
}
