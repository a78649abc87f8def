package shuffle

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Block is a part of a job's input that one map reads.
type Block struct {
	Bytes float64
	// Racks hold a copy, each once, in any order; none: the map reads the block across racks
	Racks []int
}

// Options are what MapRacks knows of the cluster. The zero value is the paper's.
type Options struct {
	// Load is the bytes of maps of other jobs that prefer each rack and have not run. Of racks that
	// hold as much of the job's input, the one with less load comes first. nil: none.
	Load []float64
	// Slots is how many of the job's maps each rack can run: its free slots, or a multiple of them
	// where the job may take as many waves; 0: none. Racks are preferred until there is room for a
	// map of every block, or all racks are. nil: no limit.
	Slots    []int
	MinRacks int // the least number of racks to prefer; 0: 1
}

// MapPlan is where the maps of a job should run, and what that moves. Maps and Reduces have an
// element for each rack of the cluster.
type MapPlan struct {
	Racks   []int     // the preferred racks, in the order of choice
	Maps    []float64 // the bytes of input whose maps are expected there
	Reduces []int     // the tentative number of reduces: ReducesPerRack of Maps
	// RemoteMap is the bytes of the blocks without a copy on a preferred rack. CrossShuffle is the
	// bytes of the shuffle that cross racks: CrossRack of ratio * Maps and Reduces. Their sum is
	// what MapRacks minimises.
	RemoteMap, CrossShuffle float64
	// Spread is the sum to compare with: that of maps and reduces spread evenly over all racks,
	// each map beside a copy if there is one.
	Spread float64
}

// tied is the part of the traffic below which two prefixes count as tied: what rounding leaves
// of sums over many blocks.
const tied = 1e-12

// MapRacks chooses, at a job's submission, the racks that its maps should prefer, for the least sum
// of blocks read across racks and of shuffled bytes that cross racks [SW 3.2, Figure 4]. ratio, in
// [0, 2^200], is shuffled bytes over input bytes (Ratio.Value; 1 if unknown).
//
// Of the racks by the input that they hold, then by less o.Load, then by number, it takes the best
// prefix that o allows, ties to fewer racks; that need not be the best set. A job without input
// gets the shortest prefix and plans no reduces.
//
// Errors: a block with an unknown rack or a rack twice; more MinRacks than racks.
func MapRacks(racks int, blocks []Block, ratio float64, reduces int, o Options) (MapPlan, error) {
	// Within a prefix each block, in the order given, counts for the one of its racks that has the
	// fewest bytes so far, ties to the order of choice; then the blocks without a copy there fill up
	// the racks with the fewest bytes.
	if err := checkMapRacks(racks, blocks, ratio, reduces, o); err != nil {
		return MapPlan{}, err
	}
	s := newSearch(racks, blocks, ratio, reduces, o.Load)
	best := s.best(shortest(s.order, len(blocks), o))
	p := MapPlan{Racks: s.order[:best:best], Maps: make([]float64, racks), Reduces: make([]int, racks)}
	p.RemoteMap, p.CrossShuffle = s.prefix(best)
	for i, q := range s.racks {
		p.Maps[q], p.Reduces[q] = s.maps[i], s.reduces[i]
	}
	if reduces > 0 {
		p.Spread = ratio * s.total * (1 - 1/float64(racks))
	}
	for _, b := range blocks {
		if len(b.Racks) == 0 {
			p.Spread += b.Bytes
		}
	}
	return p, nil
}

// shortest returns the length of the shortest prefix of order that o allows.
func shortest(order []int, maps int, o Options) int {
	k := max(o.MinRacks, 1)
	if o.Slots == nil {
		return k
	}
	for i, q := range order {
		if maps <= 0 {
			return max(k, i)
		}
		maps -= o.Slots[q]
	}
	return len(order)
}

// search evaluates prefixes of the sorted racks. A rank is a rack's place in that order.
type search struct {
	order   []int     // the racks
	rank    []int32   // of each rack
	held    []float64 // by rank: bytes of input with a copy there
	total   float64
	nowhere float64 // bytes of blocks without a copy
	blocks  []rankedBlock
	ranks   []int32   // of the racks of all blocks, those of a block ascending
	loads   []float64 // by rank: bytes of maps in the prefix
	sorted  []float64
	ratio   float64
	tasks   int
	share   proportion

	// Of the last prefix: its racks, ascending, and what they have.
	racks   []int
	maps    []float64
	reduces []int
}

type rankedBlock struct {
	bytes float64
	end   int // of its ranks; those of the block before end where they start
}

// indivisible is a number of bytes below which they are not spread over racks, where a part could
// round to 0.
const indivisible = 0x1p-960

func newSearch(racks int, blocks []Block, ratio float64, reduces int, load []float64) *search {
	s := &search{ratio: ratio, tasks: reduces, order: make([]int, racks), rank: make([]int32, racks), held: make([]float64, racks),
		loads: make([]float64, racks), blocks: make([]rankedBlock, 0, len(blocks))}
	held := make([]float64, racks) // by rack
	for _, b := range blocks {
		s.total += b.Bytes
		if len(b.Racks) == 0 {
			s.nowhere += b.Bytes
		}
		for _, q := range b.Racks {
			held[q] += b.Bytes
		}
	}
	if load == nil {
		load = s.loads // zeros
	}
	for q := range s.order {
		s.order[q] = q
	}
	slices.SortFunc(s.order, func(a, b int) int { // line 1
		return cmp.Or(cmp.Compare(held[b], held[a]), cmp.Compare(load[a], load[b]), cmp.Compare(a, b))
	})
	for k, q := range s.order {
		s.rank[q], s.held[k] = int32(k), held[q]
	}
	for _, b := range blocks {
		start := len(s.ranks)
		for _, q := range b.Racks {
			s.ranks = append(s.ranks, s.rank[q])
		}
		slices.Sort(s.ranks[start:])
		s.blocks = append(s.blocks, rankedBlock{b.Bytes, len(s.ranks)})
	}
	return s
}

// best returns the length of the best prefix of at least first racks. A prefix is evaluated unless
// its bound is above what the prefix of the least bound moves, or a shorter prefix moves no more
// than the bound.
func (s *search) best(first int) int {
	bounds := s.bounds(first)
	at := slices.Index(bounds, slices.Min(bounds))
	remote, crossing := s.prefix(first + at)
	enough := remote + crossing
	enough += tied * (enough + s.ratio*s.total) // bounds are rounded
	bounds[at] = 0
	best, least := 0, math.Inf(1)
	for i, bound := range bounds { // line 4
		if bound > enough || bound >= least-tied*least {
			continue
		}
		remote, crossing := s.prefix(first + i)
		if total := remote + crossing; best == 0 || total < least-tied*least { // lines 6 and 7
			best, least = first+i, total
		}
	}
	return best
}

// prefix sets racks, maps and reduces to those of the first k racks, and returns the bytes of
// blocks without a copy there and the bytes of the shuffle that cross racks.
func (s *search) prefix(k int) (remote, crossing float64) {
	remote = s.local(k)
	level := s.fill(s.loads[:k], remote)
	if k < len(s.racks) {
		s.racks = s.racks[:0]
	}
	s.racks = append(s.racks, s.order[len(s.racks):k]...)
	slices.Sort(s.racks)
	s.maps = s.maps[:0]
	for _, q := range s.racks {
		s.maps = append(s.maps, max(s.loads[s.rank[q]], level))
	}
	s.reduces = slices.Grow(s.reduces[:0], k)[:k]
	clear(s.reduces)
	if s.tasks > 0 {
		s.share.divide(s.reduces, s.tasks, s.maps)
	}
	return remote, s.ratio * cross(s.maps, s.reduces)
}

// local sets the loads of the first k racks to the blocks with a copy there, and returns the bytes
// of the other blocks.
func (s *search) local(k int) float64 {
	loads := s.loads[:k]
	clear(loads)
	remote := 0.0
	start := 0
	for _, b := range s.blocks {
		at, least := -1, math.Inf(1)
		for _, r := range s.ranks[start:b.end] {
			if int(r) >= k {
				break
			}
			if x := loads[r]; x < least {
				at, least = int(r), x
			}
		}
		start = b.end
		if at < 0 {
			remote += b.bytes
		} else {
			loads[at] = least + b.bytes
		}
	}
	return remote
}

// fill returns the level to which remote bytes fill up the least loaded racks. If they are
// indivisible it adds them to one load.
func (s *search) fill(loads []float64, remote float64) float64 {
	if remote < indivisible {
		loads[slices.Index(loads, slices.Min(loads))] += remote
		return 0
	}
	s.sorted = append(s.sorted[:0], loads...)
	slices.Sort(s.sorted)
	sum, n := remote+s.sorted[0], 1
	for n < len(s.sorted) && sum > s.sorted[n]*float64(n) {
		sum += s.sorted[n]
		n++
	}
	return sum / float64(n)
}

func checkMapRacks(racks int, blocks []Block, ratio float64, reduces int, o Options) error {
	const fn = "shuffle.MapRacks"
	switch {
	case racks < 1 || racks > mostRacks:
		return input.Bad(fn, "racks", -1, "%d, want 1 to 2^20", racks)
	case !isSize(ratio):
		return input.Bad(fn, "ratio", -1, "%v, want a value in [0, 2^200]", ratio)
	case !isCount(reduces):
		return input.Bad(fn, "reduces", -1, "%d, want a number in [0, 10^9]", reduces)
	case o.Load != nil && len(o.Load) != racks:
		return input.Bad(fn, "o", -1, "Load has %d elements, want %d, one for each rack", len(o.Load), racks)
	case o.Slots != nil && len(o.Slots) != racks:
		return input.Bad(fn, "o", -1, "Slots has %d elements, want %d, one for each rack", len(o.Slots), racks)
	case o.MinRacks < 0 || o.MinRacks > racks:
		return input.Bad(fn, "o", -1, "MinRacks is %d, want 0 to %d, the number of racks", o.MinRacks, racks)
	}
	for q, x := range o.Load {
		if !isSize(x) {
			return input.Bad(fn, "o", q, "Load is %v, want bytes in [0, 2^200]", x)
		}
	}
	for q, k := range o.Slots {
		if !isCount(k) {
			return input.Bad(fn, "o", q, "Slots is %d, want a number in [0, 10^9]", k)
		}
	}
	seen := make([]int, racks) // the last block with a copy there, from 1
	for i, b := range blocks {
		if !isSize(b.Bytes) {
			return input.Bad(fn, "blocks", i, "Bytes is %v, want a value in [0, 2^200]", b.Bytes)
		}
		for _, q := range b.Racks {
			switch {
			case q < 0 || q >= racks:
				return input.Bad(fn, "blocks", i, "Racks has %d, want a rack in [0, %d)", q, racks)
			case seen[q] == i+1:
				return input.Bad(fn, "blocks", i, "Racks has %d twice", q)
			}
			seen[q] = i + 1
		}
	}
	return nil
}
