package sharedscan

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// Venn is the regions of scans of overlapping sets of blocks: Regions[k] is job k of Graph.
type Venn struct {
	Regions []Subjob
	Graph   *precedence.Graph
	Own     int     // the region that scan 0 alone needs; that of scan i is Own+i
	Of      []int32 // for each block the region that it belongs to, or -1 when no scan needs it
}

// Regions cuts overlapping sets of blocks into the regions of their Venn diagram ([1], Figure 4),
// each a subjob of the blocks that the same scans need. scans[i] lists the blocks that scan i still
// needs, in any order; bytes[b] is the size of block b, or its work. A region goes before every
// region that serves only some of its members, as in some best order on one machine. Regions with
// most members come first, then by members; each scan has one of its own, perhaps without work,
// after all others that it needs.
//
// Errors: a block outside bytes (Index is the scan); a sum of sizes that overflows.
func Regions(scans [][]int, bytes []float64) (Venn, error) {
	const fn = "sharedscan.Regions"
	n := len(bytes)
	if n > maxJobs {
		return Venn{}, input.Bad(fn, "bytes", -1, "%d blocks, want at most %d", n, maxJobs)
	}
	if len(scans) > maxJobs/2 {
		return Venn{}, input.Bad(fn, "scans", -1, "%d scans, want at most %d", len(scans), maxJobs/2)
	}
	total := 0.0
	for b, size := range bytes {
		if !(size >= 0 && size <= math.MaxFloat64) {
			return Venn{}, input.Bad(fn, "bytes", b, "%v, want finite and at least 0", size)
		}
		if total += size; total > math.MaxFloat64 {
			return Venn{}, input.Bad(fn, "bytes", b, "the sum of the sizes is not finite, want at most %v", math.MaxFloat64)
		}
	}
	listed := 0
	for i, s := range scans {
		if listed += len(s); uint64(listed) >= math.MaxInt32 {
			return Venn{}, input.Bad(fn, "scans", i, "%d blocks listed so far, want fewer than %d", listed, math.MaxInt32)
		}
		for _, b := range s {
			if uint(b) >= uint(n) {
				return Venn{}, input.Bad(fn, "scans", i, "block %d, want blocks from 0 to %d", b, n-1)
			}
		}
	}
	of, cells := refine(scans, n)
	v := assemble(len(scans), bytes, of, cells)
	var err error
	if v.Graph, err = precedence.NewGraph(len(v.Regions), hasse(v.Regions, v.Own, len(scans))); err != nil {
		return Venn{}, input.Bad(fn, "scans", -1, "%v", err)
	}
	return v, nil
}

// cell is a set of blocks that the same scans need: those of the cell that it was cut from, and one
// more.
type cell struct {
	from, scan int32
	cut        int32 // the cell cut from this one last
	blocks     int32
}

// refine returns the cell of each block. Cell 0 has the blocks that no scan needs; a cell that
// was cut up is left empty.
func refine(scans [][]int, n int) (of []int32, cells []cell) {
	of = make([]int32, n)
	cells = append(cells, cell{from: -1, scan: -1, cut: -1, blocks: int32(n)})
	for i, s := range scans {
		now := int32(i)
		for _, b := range s {
			c := of[b]
			if cells[c].scan == now { // listed before
				continue
			}
			t := cells[c].cut
			if t < 0 || cells[t].scan != now {
				t = int32(len(cells))
				cells = append(cells, cell{from: c, scan: now, cut: -1})
				cells[c].cut = t
			}
			of[b] = t
			cells[t].blocks++
			cells[c].blocks--
		}
	}
	return of, cells
}

// assemble makes a region of each cell that has blocks, with its members and work, and adds the
// regions of single scans that have none. The cell of a block in of becomes its region.
func assemble(scans int, bytes []float64, of []int32, cells []cell) Venn {
	size := make([]int32, len(cells)) // members
	total := scans
	for c := 1; c < len(cells); c++ {
		size[c] = size[cells[c].from] + 1
		if cells[c].blocks > 0 && size[c] > 1 {
			total += int(size[c])
		}
	}
	pool := make([]int, 0, total)
	take := func(c int32) []int { // scans ascend along the cuts
		first := len(pool)
		pool = pool[:first+int(size[c])]
		for k := len(pool) - 1; k >= first; k-- {
			pool[k] = int(cells[c].scan)
			c = cells[c].from
		}
		return pool[first:len(pool):len(pool)]
	}
	type shared struct {
		members []int
		cell    int32
	}
	var several []shared
	for c := int32(1); int(c) < len(cells); c++ {
		if cells[c].blocks > 0 && size[c] > 1 {
			several = append(several, shared{take(c), c})
		}
	}
	slices.SortFunc(several, func(a, b shared) int {
		return cmp.Or(cmp.Compare(len(b.members), len(a.members)), slices.Compare(a.members, b.members))
	})

	own := len(several)
	v := Venn{Regions: make([]Subjob, own+scans), Own: own, Of: of}
	region := make([]int32, len(cells)) // of a cell
	region[0] = -1
	for k, s := range several {
		v.Regions[k] = Subjob{Members: s.members, Completes: -1}
		region[s.cell] = int32(k)
	}
	for i := range scans {
		pool = append(pool, i)
		v.Regions[own+i] = Subjob{Members: pool[len(pool)-1:], Completes: i}
		v.Regions[own+i].Members = slices.Clip(v.Regions[own+i].Members)
	}
	for c := 1; c < len(cells); c++ {
		if size[c] == 1 {
			region[c] = int32(own) + cells[c].scan
		}
	}
	for b := range of {
		k := region[of[b]]
		of[b] = k
		if k >= 0 {
			v.Regions[k].Work += bytes[b]
		}
	}
	return v
}

// hasse returns the arcs from each region to the regions whose members are a part of its own,
// without implied arcs. Regions with more members come first; several is the number of regions
// with more than one member.
func hasse(regions []Subjob, several, scans int) (arcs [][2]int) {
	sign := make([]uint64, len(regions)) // the members modulo 64
	for k := range regions {
		for _, i := range regions[k].Members {
			sign[k] |= 1 << (i & 63)
		}
	}
	within := func(a, b int) bool { // every member of a is one of b
		return sign[a]&^sign[b] == 0 && (scans <= 64 || subset(regions[a].Members, regions[b].Members))
	}
	column := make([][]uint64, scans) // for each scan the regions that serve it, as bits
	for k, r := range regions[:several] {
		for _, i := range r.Members {
			if column[i] == nil {
				column[i] = make([]uint64, (several+63)/64)
			}
			column[i][k>>6] |= 1 << (k & 63)
		}
	}
	var above []int // the least regions found above a
	for a := range regions {
		above = above[:0]
		// The regions above a are in the columns of all its members, and before a. The least of
		// them come last.
		for w := min(a, several-1) >> 6; w >= 0; w-- {
			found := ^uint64(0)
			for _, i := range regions[a].Members {
				if column[i] == nil {
					found = 0
				}
				if found == 0 {
					break
				}
				found &= column[i][w]
			}
		next:
			for found != 0 {
				bit := 63 - bits.LeadingZeros64(found)
				found &^= 1 << bit
				b := w<<6 | bit
				if b >= a {
					continue
				}
				for _, c := range above {
					if within(c, b) {
						continue next
					}
				}
				above = append(above, b)
				arcs = append(arcs, [2]int{b, a})
			}
		}
	}
	return arcs
}

// subset reports whether every element of a is in b; both ascend.
func subset(a, b []int) bool {
	if len(a) > len(b) {
		return false
	}
	k := 0
	for _, x := range a {
		for k < len(b) && b[k] < x {
			k++
		}
		if k == len(b) || b[k] != x {
			return false
		}
		k++
	}
	return true
}

// maxJobs is the most jobs of a precedence.Graph.
const maxJobs = math.MaxInt32 / 2
