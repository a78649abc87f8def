package shuffle

import (
	"cmp"
	"math"
	"slices"
)

// Block is a part of a job's input that one map reads.
type Block struct {
	Bytes float64
	Racks []int // the racks that hold a copy, each once, in any order; none: the map reads the block across racks, wherever it runs
}

// Options are what MapRacks knows of the cluster. The zero value is the paper's.
type Options struct {
	// Load is the bytes of maps of other jobs that prefer each rack and have not run. Of racks that hold as much of the job's
	// input, the one with less load comes first. nil: none.
	Load []float64
	// Slots is how many of the job's maps each rack can run: its free slots, or a multiple of them where the job may take as
	// many waves. Racks are preferred until there is room for a map of every block, or all racks are. nil: no limit.
	Slots    []int
	MinRacks int // the least number of racks to prefer; 0: 1
}

// MapPlan is where the maps of a job should run, and what that moves.
type MapPlan struct {
	Racks   []int     // the preferred racks, in the order of choice
	Maps    []float64 // for each rack of the cluster, the bytes of input whose maps are expected there
	Reduces []int     // for each rack of the cluster, the tentative number of reduces: ReducesPerRack of Maps
	// RemoteMap is the bytes of the blocks without a copy on a preferred rack. CrossShuffle is the bytes of the shuffle that cross racks: CrossRack of
	// ratio * Maps and Reduces. Their sum is what MapRacks minimises.
	RemoteMap, CrossShuffle float64
	// Spread is the sum to compare with: that of maps and reduces spread evenly over all racks, each map beside a copy if there is one.
	Spread float64
}

// tied is the part of the traffic below which two prefixes count as tied: what rounding leaves of sums over many blocks.
const tied = 1e-12

// MapRacks chooses the racks that a job's maps should prefer, for the least sum of blocks read across racks and of shuffled
// bytes that cross racks. It is called once a job, at submission.
//
// ratio in [0, 2^200] is shuffled bytes over input bytes (Ratio.Value; 1 if unknown), reduces in [0, 10^9] the job's number of
// reduces; without reduces there is no shuffle.
//
// Racks are sorted by the input that they hold, most first, ties to less o.Load, then to the lower rack. Every prefix of that
// order that o allows is tried, since traffic may rise and fall again with the number of racks. The best is taken, ties to fewer
// racks; traffic that differs by less than 10^-12 of itself is tied. Within a prefix each block, in the order given, counts for the one of its racks that
// has the fewest bytes so far, ties to the order of choice; then the blocks without a copy there fill up the racks with the
// fewest bytes. A job without input takes the shortest prefix and plans no reduces.
//
// The best prefix need not be the best set of racks. The plan is a preference: where other racks run maps as well (Next, lines 5
// and 6), fewer maps are remote and more of the shuffle crosses racks.
//
// Errors: an *schedmath.InputError for an argument out of range, a block with an unknown rack or a rack twice, lists of another
// length than racks, or more MinRacks than racks. Source: [SW 3.2, Figure 4].
func MapRacks(blocks []Block, racks int, ratio float64, reduces int, o Options) (MapPlan, error) {
	if err := checkMapRacks(blocks, racks, ratio, reduces, o); err != nil {
		return MapPlan{}, err
	}
	s := newSearch(blocks, racks, reduces, o.Load)
	best, least := 0, 0.0
	for k := shortest(s.order, len(blocks), o); k <= racks; k++ { // line 4
		remote := s.prefix(k)
		total := remote + ratio*cross(s.maps, s.reduces) // line 6
		if best == 0 || total < least-tied*least {       // line 7
			best, least = k, total
		}
	}
	p := MapPlan{RemoteMap: s.prefix(best)}
	p.Racks, p.Maps, p.Reduces = s.order[:best:best], s.maps, s.reduces
	p.CrossShuffle = ratio * cross(p.Maps, p.Reduces)
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
	order  []int // the racks
	total  float64
	blocks []rankedBlock
	ranks  []int32   // of the racks of all blocks, those of a block ascending
	loads  []float64 // by rank: bytes of maps in the prefix
	sorted []float64
	tasks  int
	share  proportion

	// Of the last prefix, by rack.
	maps    []float64
	reduces []int
}

type rankedBlock struct {
	bytes float64
	end   int // of its ranks; those of the block before end where they start
}

func newSearch(blocks []Block, racks, reduces int, load []float64) *search {
	s := &search{tasks: reduces, order: make([]int, racks), blocks: make([]rankedBlock, 0, len(blocks)),
		loads: make([]float64, racks), maps: make([]float64, racks), reduces: make([]int, racks)}
	held := make([]float64, racks)
	for _, b := range blocks {
		s.total += b.Bytes
		for _, q := range b.Racks {
			held[q] += b.Bytes
		}
	}
	if load == nil {
		load = s.maps // zeros
	}
	for q := range s.order {
		s.order[q] = q
	}
	slices.SortFunc(s.order, func(a, b int) int { // line 1
		return cmp.Or(cmp.Compare(held[b], held[a]), cmp.Compare(load[a], load[b]), cmp.Compare(a, b))
	})
	rank := make([]int32, racks)
	for k, q := range s.order {
		rank[q] = int32(k)
	}
	for _, b := range blocks {
		start := len(s.ranks)
		for _, q := range b.Racks {
			s.ranks = append(s.ranks, rank[q])
		}
		slices.Sort(s.ranks[start:])
		s.blocks = append(s.blocks, rankedBlock{b.Bytes, len(s.ranks)})
	}
	return s
}

// prefix sets maps and reduces to those of the first k racks, and returns the bytes of blocks without a copy there.
func (s *search) prefix(k int) float64 {
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
	level := s.level(loads, remote)
	clear(s.maps)
	for r, x := range loads {
		s.maps[s.order[r]] = max(x, level)
	}
	if s.tasks > 0 {
		s.share.divide(s.reduces, s.tasks, s.maps)
	}
	return remote
}

// level returns the height to which remote bytes fill up the least loaded racks.
func (s *search) level(loads []float64, remote float64) float64 {
	if remote == 0 {
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

func checkMapRacks(blocks []Block, racks int, ratio float64, reduces int, o Options) error {
	const fn = "MapRacks"
	switch {
	case racks < 1 || racks > mostRacks:
		return bad(fn, "racks", -1, "%d, want 1 to 2^20", racks)
	case !isSize(ratio):
		return bad(fn, "ratio", -1, "%v, want a value in [0, 2^200]", ratio)
	case !isCount(reduces):
		return bad(fn, "reduces", -1, "%d, want a number in [0, 10^9]", reduces)
	case o.Load != nil && len(o.Load) != racks:
		return bad(fn, "o", -1, "Load has %d elements, want %d, one for each rack", len(o.Load), racks)
	case o.Slots != nil && len(o.Slots) != racks:
		return bad(fn, "o", -1, "Slots has %d elements, want %d, one for each rack", len(o.Slots), racks)
	case o.MinRacks < 0 || o.MinRacks > racks:
		return bad(fn, "o", -1, "MinRacks is %d, want 0 to %d, the number of racks", o.MinRacks, racks)
	}
	for q, x := range o.Load {
		if !isSize(x) {
			return bad(fn, "o", q, "Load is %v, want bytes in [0, 2^200]", x)
		}
	}
	for q, k := range o.Slots {
		if !isCount(k) {
			return bad(fn, "o", q, "Slots is %d, want a number in [0, 10^9]", k)
		}
	}
	seen := make([]int, racks) // the last block with a copy there, from 1
	for i, b := range blocks {
		if !isSize(b.Bytes) {
			return bad(fn, "blocks", i, "Bytes is %v, want a value in [0, 2^200]", b.Bytes)
		}
		for _, q := range b.Racks {
			switch {
			case q < 0 || q >= racks:
				return bad(fn, "blocks", i, "Racks has %d, want a rack in [0, %d)", q, racks)
			case seen[q] == i+1:
				return bad(fn, "blocks", i, "Racks has %d twice", q)
			}
			seen[q] = i + 1
		}
	}
	return nil
}
