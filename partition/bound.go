package partition

import (
	"math"
	"slices"
)

// exact is the relative difference up to which a makespan counts as the bound, which is bisected.
const exact = 0x1p-30

// capacity returns the largest total that machine i can process by a time if its cost is
// non-decreasing, or a little more: what the tolerance allows, and up to 2^-40 of all sizes.
func (p *problem) capacity(i int, by float64) float64 {
	ready := p.ready[i]
	if less(by, ready) {
		return 0
	}
	if !less(by, ready+p.time(i, p.total)) {
		return p.total
	}
	_, over := bisect(0, p.total, 40, func(x float64) bool { return less(by, ready+p.time(i, x)) })
	return over
}

// bisect halves the interval from low to high, at whose lower end ok is taken for false and at
// whose upper end for true.
func bisect(low, high float64, times int, ok func(x float64) bool) (float64, float64) {
	for range times {
		if x := low + (high-low)/2; ok(x) {
			high = x
		} else {
			low = x
		}
	}
	return low, high
}

// unitOf returns the greatest unit, of at least 2^-24 of all sizes, of which all are multiples
// within the tolerance, or 0, which is always safe. Euclid's algorithm multiplies the rounding of
// decimals by up to their ratio to the unit, so a rest below 2^-30 is none, and the unit is made a
// part of the largest size again.
func (p *problem) unitOf() (unit float64) {
	for _, k := range p.order {
		if p.sizes[k] == 0 {
			break // and all that follow
		}
		rest := unit
		for unit = p.sizes[k]; rest > p.total*0x1p-30; {
			unit, rest = rest, math.Abs(math.Remainder(unit, rest))
		}
		if unit < p.total*0x1p-24 {
			return 0
		}
		largest := p.sizes[p.order[0]]
		unit = largest / math.Round(largest/unit)
	}
	for _, k := range p.order {
		if x := p.sizes[k]; math.Abs(x-float64(math.Round(x/unit)*unit)) > x*tolerance {
			return 0
		}
	}
	return unit
}

// whole returns the largest multiple of a unit within a size, with what the tolerance allows; the
// size if the unit is 0.
func whole(size, unit float64) float64 {
	if unit == 0 {
		return size
	}
	return math.Floor(size/unit*(1+2*tolerance)) * unit * (1 + tolerance)
}

// fits reports whether the machines have room for the partitions by a time, as far as capacities
// tell if loads are multiples of a unit: the j largest partitions are on j machines at most, so the
// j largest capacities hold them, for every j; and all capacities hold all. The case j = 1 is left
// out: it is known better. Two more arguments count machines as if each had the largest capacity.
// The answer errs on the side of yes: capacities are rounded up, and slack covers the
// rounding of sums.
func (p *problem) fits(by, unit float64) bool {
	capacities := make([]float64, 0, len(p.up))
	for _, i := range p.up {
		capacities = append(capacities, whole(p.capacity(i, by), unit))
	}
	slices.Sort(capacities)
	slices.Reverse(capacities)
	slack := 1 - float64(len(p.sizes)+len(p.up))*0x1p-50
	room, size := 0.0, 0.0
	for j, c := range capacities {
		room += c
		if j < len(p.order) {
			size += p.size(j)
		}
		if j > 0 && room < size*slack {
			return false
		}
	}
	if room < p.total*slack {
		return false
	}
	// Of km + 1 partitions, m being the machines, some machine has k + 1.
	m := len(p.up)
	for k := 1; k*m < len(p.order); k++ {
		least := 0.0
		for _, r := range p.order[k*(m-1) : k*m+1] {
			least += p.sizes[r]
		}
		if capacities[0] < least*slack {
			return false
		}
	}
	return p.fewest(capacities[0]) <= m
}

// alone returns the latest time at which a partition with nothing beside it can end, and the one
// partition that can end no earlier or -1. That is the largest, but where times of fetching differ.
// There is one of size > 0.
func (p *problem) alone() (latest float64, only int) {
	list := p.order
	if p.o.Extra == nil {
		list = list[:1]
	}
	for _, k := range list {
		if p.sizes[k] == 0 {
			break // and all that follow
		}
		at := math.Inf(1)
		for _, i := range p.up {
			at = min(at, p.ready[i]+p.time(i, p.sizes[k])+p.extra(k, i))
		}
		switch {
		case less(latest, at):
			only = k
		case !less(at, latest):
			only = -1
		}
		latest = max(latest, at)
	}
	return latest, only
}

// bound returns a lower bound of all makespans, given one of them, and the partition that alone is
// the bound or -1. A cost that is seen to decrease proves nothing: the bound is then 0. Each
// machine's cost is looked at from all sizes down to 2^-16 of them, besides what else is asked.
func (p *problem) bound(makespan float64) (bound float64, critical int) {
	if !(p.total > 0) {
		return 0, -1
	}
	for _, i := range p.up {
		x := p.total
		for range 64 {
			p.time(i, x)
			x *= 0.84 // never 0
		}
	}
	bound, critical = p.alone()
	if !p.fits(bound*(1-exact), 0) {
		critical = -1
	}
	fits := func(by float64) bool { return p.fits(by, p.unit) }
	if !fits(bound) {
		if by := makespan * (1 - exact); bound < by && !fits(by) {
			bound = by
		}
		bound, _ = bisect(bound, makespan, 34, fits)
		critical = -1
	}
	if p.leastLoad > 0 {
		at := math.Inf(1)
		for _, i := range p.up {
			at = min(at, p.ready[i]+p.time(i, p.leastLoad*(1-tolerance)))
		}
		if less(bound, at) {
			bound, critical = at, -1
		}
	}
	if p.decreases || less(makespan, bound) {
		return 0, -1
	}
	return min(bound, makespan), critical
}
