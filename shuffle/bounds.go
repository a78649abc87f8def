package shuffle

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// bounds returns lower bounds of the traffic of the prefixes of first racks, of one more and so on,
// as far as more racks can change anything. Of the shuffled bytes I_q the sum of I_q R_q / R stays
// in its rack. That is at most the largest I_q, which is at most what the first rack holds, or the
// even share where all racks are level. Few prefixes are then worth evaluating, unless a few racks
// hold copies of many more blocks than they are to run.
func (s *search) bounds(first int) []float64 {
	holding := sort.Search(len(s.held), func(r int) bool { return s.held[r] == 0 })
	last := len(s.order)
	if s.nowhere < indivisible {
		last = min(last, max(first, holding+1))
	}
	traffic := make([]float64, last+1) // by length
	start := 0
	for _, b := range s.blocks {
		if start < b.end {
			// It is remote where the prefix ends before its first rack.
			traffic[min(int(s.ranks[start]), last)] += b.bytes
		}
		start = b.end
	}
	remote := s.nowhere
	for k := last; k >= 0; k-- {
		remote += traffic[k]
		traffic[k] = remote
		if s.tasks > 0 {
			traffic[k] += s.ratio * max(0, s.total-max(s.held[0], s.total/float64(k)))
		}
	}
	if s.nowhere >= indivisible && s.tasks > 0 {
		s.boundLong(traffic, max(first, holding), holding)
	}
	return traffic[first:]
}

// boundLong sets the bounds of the prefixes of from racks and more, which hold all racks with
// input. The loads of these holding racks are then the same for every prefix; a longer one only
// lowers the level to which bytes without a copy fill up the racks. Racks above the level have
// fixed quotas of the reduces. Their seats are these quotas rounded down, and one more for as many
// as there are seats left, in the order of the remainders. The bound is what the prefix moves
// unless remainders are equal: then it takes the seats to go to the racks with the larger loads.
func (s *search) boundLong(traffic []float64, from, holding int) {
	s.local(holding)
	order := make([]int, holding) // ranks, the largest load first
	for r := range order {
		order[r] = r
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.loads[b], s.loads[a]) })
	rest := make([]float64, holding+1) // bytes without the first racks of order
	rest[holding] = s.nowhere
	for i := holding - 1; i >= 0; i-- {
		rest[i] = rest[i+1] + s.loads[order[i]]
	}
	type seated struct{ remainder, load float64 }
	var above []seated    // by remainder, ties to the larger load
	extra := []float64{0} // sums of their loads
	// The sum of their quotas rounded down, and the bytes that stay by these seats, times the
	// tasks.
	whole, stays := 0.0, 0.0
	tasks := float64(s.tasks)        // of all
	same := 0x1p-40 * (tasks + 1024) // remainders that differ by rounding count as equal
	quota := func(bytes float64) (seats, remainder float64) {
		seats, remainder = math.Modf(tasks * (bytes / s.total))
		return seats, math.Round(remainder / same)
	}
	for k := from; k < len(traffic); k++ {
		g := len(above)
		for ; g < holding && s.loads[order[g]]*float64(k-g) > rest[g]; g++ {
			load := s.loads[order[g]]
			seats, remainder := quota(load)
			whole += seats
			stays += seats * load
			above = append(above, seated{remainder, load})
		}
		if g+1 > len(extra) {
			slices.SortFunc(above, func(a, b seated) int {
				return cmp.Or(cmp.Compare(b.remainder, a.remainder), cmp.Compare(b.load, a.load))
			})
			extra = extra[:1]
			for i, x := range above {
				extra = append(extra, extra[i]+x.load)
			}
		}
		level := rest[g] / float64(k-g)
		seats, remainder := quota(level)
		// The first whose remainder is less than that of the level.
		first := sort.Search(g, func(i int) bool { return above[i].remainder < remainder-1 })
		left := tasks - whole - seats*float64(k-g)
		more := max(0, min(float64(g), max(min(float64(first), left), left-float64(k-g))))
		stay := (stays + extra[int(more)] + level*(tasks-whole-more)) / tasks
		traffic[k] = s.nowhere + s.ratio*max(0, s.total-stay)
	}
}
