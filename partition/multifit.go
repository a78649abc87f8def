package partition

import (
	"cmp"
	"math"
	"slices"
)

// multifit bisects for the least makespan into which the partitions fit, between the time in which
// the largest can end and the makespan of start. A late start, of dynamicShare, means that every
// machine has a deadline: the last of them is tried first, and is the end of the bisection. It
// returns the best packing, or start if no packing is better.
func (p *problem) multifit(start *state) *state {
	if !(p.total > 0) {
		return start
	}
	best, high := start, start.makespan()
	packs := func(by float64) bool {
		s := p.pack(by)
		if s != nil && s.worst().before(best.worst()) {
			best = s
		}
		return s != nil
	}
	if start.worst().late {
		for _, i := range p.up {
			high = max(high, p.o.Deadlines[i])
		}
		if !packs(high) {
			return start
		}
	}
	alone, _ := p.alone()
	bisect(alone, high, 20, packs)
	return best
}

// pack gives the partitions, from the largest down, to the first machine that has room for them by
// a time and by its deadline, machines being in the order of their room. It returns nil if one does
// not fit.
func (p *problem) pack(by float64) *state {
	type bin struct {
		machine int
		room    float64
		// the room in units of 2^-32 of all sizes: how far capacities exceed equal rooms varies
		rank float64
	}
	bins := make([]bin, 0, len(p.up))
	for _, i := range p.up {
		limit := by
		if p.o.Deadlines != nil {
			limit = min(by, p.o.Deadlines[i])
		}
		room := p.capacity(i, limit) * (1 + tolerance) // more than subtractions round off
		bins = append(bins, bin{i, room, math.Floor(room / p.total * 0x1p32)})
	}
	slices.SortStableFunc(bins, func(a, b bin) int { return cmp.Compare(a.rank, b.rank) })

	// tree[1] is the most room of all bins, and tree[k] that of the bins below 2k and 2k+1; bin j
	// is at leaves+j. Leaves without a bin have no room, and what needs none goes to bin 0.
	leaves := 1
	for leaves < len(bins) {
		leaves *= 2
	}
	tree := make([]float64, 2*leaves)
	for j, b := range bins {
		tree[leaves+j] = b.room
	}
	for k := leaves - 1; k > 0; k-- {
		tree[k] = max(tree[2*k], tree[2*k+1])
	}
	s := p.newState()
	for _, k := range p.order {
		if tree[1] < p.sizes[k] {
			return nil
		}
		j := 1
		for j < leaves {
			if j *= 2; tree[j] < p.sizes[k] {
				j++
			}
		}
		s.put(k, bins[j-leaves].machine, fitted)
		tree[j] -= p.sizes[k]
		for j /= 2; j > 0; j /= 2 {
			tree[j] = max(tree[2*j], tree[2*j+1])
		}
	}
	return s.settle()
}
