package precedence

import (
	"math"
	"slices"
)

// A lagrange is a lower bound of a sum of penalties by Lagrangian relaxation in time. On one
// machine without idle time each moment from 0 to the sum P of the works serves one job. Let a
// price lambda(t), constant within each of given intervals, be asked for each moment that a job
// uses, and let each job on its own take the cheapest completion time C:
//
//	bound = sum over j of min over C of (F_j(C) + integral of lambda from C - p_j to C)
//	        - integral of lambda from 0 to P
//
// is below every order's value, whatever lambda: an order uses each moment once, so that the
// integrals cancel. With unit intervals and integers it is the bound of the time-indexed linear
// programme (Dyer and Wolsey 1990).
//
// Precedence enters through the earliest and latest C of a job, given the works of its ancestors
// and descendants, and through a pull mu >= 0 for each arc (i, j): an order has C_i + p_j - C_j
// <= 0, so that mu times this may be added, which is a slope of mu for i and of -mu for j (van de
// Velde 1995).
//
// Prices here never rise with time. Then the cost is concave in C between the times at which the
// job begins at an edge of an interval, so that the minimum is at such a time, at a deadline, or
// at the earliest or latest C, whatever the slopes. A caller's own penalty is known at points only:
// between two of them its value at the earlier one is a lower bound. The variables are the pulls
// and the drops of the price from one interval to the next; the subgradient of a drop is the use of
// all time before it by the jobs, less that time. In these variables the subgradient method needs
// about a tenth of the steps that it needs in the prices themselves.
type lagrange struct {
	*problem
	edges    []float64 // interval k is from edges[k] to edges[k+1]
	lambda   []float64
	integral []float64  // integral[k]: of lambda up to edges[k]
	x        []float64  // the variables, >= 0: drop and pull
	drop     []float64  // lambda[k] - lambda[k+1]
	pull     []float64  // by arc
	excess   []float64  // the subgradient
	scale    []float64  // by variable, a time: steps are proportional to it
	arcs     [][2]int32 // without the implied ones
	slope    []float64  // by job, of the pulls
	end      []float64  // by job, C
	use      []float64  // of each interval
	whole    []float64  // differences of the number of jobs that use an interval entirely
	jobs     []priced
}

// A priced is what is known of one job before the prices: what it pays at the completion times that
// matter.
type priced struct {
	min, max float64 // completion times allowed
	options  []option
}

// An option is a completion time and the penalty then; begin and end are the times as interval and
// distance from its begin.
type option struct {
	penalty    float64
	time       float64
	end, begin place
}

type place struct {
	part float64
	k    int32
}

const (
	lagrangeEdges = 80    // more intervals make a better bound but fewer steps toward it
	patience      = 12    // evaluations without progress before the steps shorten
	shorten       = 0.6   // by this,
	shortest      = 0.001 // down to this
	deflect       = 1.5   // Camerini, Fratta and Maffioli 1975
)

// lagrange returns the best bound found in about 4 * steps evaluations of an option. order is the
// best known, value its value.
func (p *problem) lagrange(order []int, value float64, steps int) float64 {
	n := len(p.work)
	l := p.newLagrange(order)
	best := l.trivial()
	// Where a job begins or ends is off by a rounding, which the slope of its penalty multiplies;
	// the other sums have at most n + edges terms, each no larger than size.
	slopes := 0.0
	for j := range p.cost {
		slopes += math.Abs(p.cost[j].at(p.total.Hi)) + math.Abs(p.cost[j].at(0))
		if c := &p.cost[j]; c.kind == kindLinear || c.kind == kindTardiness {
			slopes += float64(c.weight * p.total.Hi)
		}
	}
	grain := p.grain()
	claim := func(v, size float64) {
		v -= float64((float64(size*float64(n+2*len(l.edges))) + slopes) * 0x1p-50)
		if grain > 0 && math.Abs(v/grain) < 1<<52 {
			v = math.Ceil(v/grain) * grain
		}
		if v > best {
			best = v
		}
	}
	if p.total.Hi == 0 {
		return best
	}
	each := 4*len(l.edges) + 4*len(l.arcs)
	for j := range l.jobs {
		each += 2 * len(l.jobs[j].options)
	}
	l.priceBy(order)
	direction := make([]float64, len(l.x))
	kept := slices.Clone(l.x)
	pace, since, top := 1.0, 0, negInf
	for left := 4 * min(steps, math.MaxInt/8); left >= 0 && best < value; left -= each {
		v, size := l.relaxed()
		claim(v, size)
		if v > top {
			if v-top > 1e-4*(value-top) {
				since = 0
			}
			top = v
			copy(kept, l.x)
		}
		if since++; since > patience {
			since = 0
			if pace *= shorten; pace < shortest {
				break
			}
			copy(l.x, kept)
			clear(direction)
			continue
		}
		if !l.step(direction, pace*(value-v)) {
			break
		}
	}
	return best
}

// step changes the variables along the subgradient, deflected: the last direction is kept in part
// where the new one turns against it. gain is by how much the bound should grow. It returns false
// at a maximum.
func (l *lagrange) step(direction []float64, gain float64) bool {
	norm, dot := 0.0, 0.0
	for k, e := range l.excess {
		if l.x[k] == 0 && e < 0 {
			e = 0
			l.excess[k] = 0
		}
		dot += float64(e * direction[k])
		norm += float64(direction[k]*direction[k]) / l.scale[k]
	}
	keep := 0.0
	if dot < 0 && norm > 0 {
		keep = -deflect * dot / norm
	}
	norm = 0
	for k, e := range l.excess {
		direction[k] = float64(e*l.scale[k]) + float64(keep*direction[k])
		norm += float64(direction[k]*direction[k]) / l.scale[k]
	}
	if step := gain / norm; step > 0 && step <= math.MaxFloat64 {
		for k, d := range direction {
			l.x[k] = max(0, l.x[k]+float64(step*d))
		}
		return true
	}
	return false
}

// trivial is the bound of each job at its earliest.
func (l *lagrange) trivial() float64 {
	v, size := 0.0, 0.0
	for j := range l.jobs {
		x := l.cost[j].at(l.jobs[j].min)
		v += x
		size += math.Abs(x)
	}
	return v - float64(size*float64(len(l.jobs))*0x1p-52)
}

// priceBy sets the prices that would be right for order if jobs could be cut: where a job pays for
// time, the price falls at its weight over its work.
func (l *lagrange) priceBy(order []int) {
	price := 0.0
	t := l.edges[len(l.edges)-1]
	k := len(l.lambda) - 1
	for _, j := range slices.Backward(order) {
		begin, slope := max(0, t-l.work[j]), 0.0
		switch c := &l.cost[j]; c.kind {
		case kindLinear:
			slope = c.weight
		case kindTardiness:
			if t > c.deadline {
				slope = c.weight
			}
		case kindUser:
			slope = float64(c.at(t)/2) - float64(c.at(begin)/2)
			slope = 2 * (slope / max(l.work[j], t/float64(len(order))))
		}
		for ; k >= 0; k-- {
			middle := l.edges[k] + float64((l.edges[k+1]-l.edges[k])/2)
			if middle < begin {
				break
			}
			l.lambda[k] = price
			if l.work[j] > 0 {
				l.lambda[k] += float64(slope * min(1, max(0, (t-middle)/l.work[j])))
			}
		}
		price += slope
		t = begin
	}
	for ; k >= 0; k-- {
		l.lambda[k] = price
	}
	for k := range l.drop {
		l.drop[k] = max(0, l.lambda[k]-l.lambda[k+1])
	}
}

// relaxed returns the bound for the present variables and the size of its terms, and sets excess.
func (l *lagrange) relaxed() (bound, size float64) {
	last := len(l.lambda) - 1
	for k := last; k > 0; k-- {
		l.lambda[k-1] = l.lambda[k] + l.drop[k-1]
	}
	for k, x := range l.lambda {
		l.integral[k+1] = l.integral[k] + float64(x*(l.edges[k+1]-l.edges[k]))
	}
	bound = -l.integral[last+1]
	clear(l.slope)
	pulls := 0.0
	for k, a := range l.arcs {
		mu := l.pull[k]
		l.slope[a[0]] += mu
		l.slope[a[1]] -= mu
		bound += float64(mu * l.work[a[1]])
		pulls += mu
	}
	clear(l.use)
	clear(l.whole)
	most := 0.0
	for j := range l.jobs {
		v, begin, end := l.cheapest(&l.jobs[j], l.slope[j])
		bound += v
		most = max(most, math.Abs(v))
		l.end[j] = l.edges[end.k] + end.part
		if begin.k == end.k {
			l.use[begin.k] += end.part - begin.part
			continue
		}
		l.use[begin.k] += l.edges[begin.k+1] - l.edges[begin.k] - begin.part
		l.use[end.k] += end.part
		l.whole[begin.k+1]++
		l.whole[end.k]--
	}
	times, excess := 0.0, 0.0
	for k := range l.drop {
		times += l.whole[k]
		length := l.edges[k+1] - l.edges[k]
		excess += l.use[k] + float64((times-1)*length)
		l.excess[k] = excess
	}
	for k, a := range l.arcs {
		l.excess[len(l.drop)+k] = l.end[a[0]] + l.work[a[1]] - l.end[a[1]]
	}
	return bound, float64(8*(math.Abs(l.integral[last+1])+float64(pulls*l.total.Hi))) + float64(2*most)
}

// cheapest returns the least cost of a job and when it runs then.
func (l *lagrange) cheapest(q *priced, slope float64) (least float64, begin, end place) {
	upTo := func(p place) float64 { return l.integral[p.k] + float64(l.lambda[p.k]*p.part) }
	least = posInf
	for i := range q.options {
		o := &q.options[i]
		if v := o.penalty + float64(slope*o.time) + upTo(o.end) - upTo(o.begin); v < least {
			least, begin, end = v, o.begin, o.end
		}
	}
	return least, begin, end
}
