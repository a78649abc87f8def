package sharedscan

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/precedence"
)

// Venn is what scans of overlapping sets of blocks become: Regions[k] is job k of Graph.
type Venn struct {
	Regions []Subjob
	Graph   *precedence.Graph
	Own     int     // the first region of one scan: that of scan i is Own+i
	Of      []int32 // for each block the region that it belongs to, or -1 when no scan needs it
}

// Regions cuts the union of sets of blocks into the regions of their Venn diagram ([1], Figure 4): all blocks that the same
// scans need are one subjob, done once for all of them. scans[i] lists the blocks that scan i still needs, in any order, and may
// repeat them; bytes[b] is the size of block b, or its work: finite, >= 0.
//
// A region goes before every region that serves only some of its members: the three-way intersection before the two-way ones, and
// these before what one scan alone needs. All who need the later region need the earlier, so that an interchange shows that no order
// without this precedence is better. Graph has the arcs of the Hasse diagram only, none implied by others.
//
// Every scan has a region of its own, with no work if others share all its blocks, or if it needs none. It follows every
// region that the scan needs: scan i completes exactly when region Own+i does, and this alone has Completes i. Weights and
// OverSubjobs put what a scan counts there. [1] keeps maxima only for overlapping scans; with this the sums too are plain
// problems of one machine under precedence.
//
// The regions come with the most members first, then by members lexicographically, so that arcs ascend. Members ascend. Min
// and Max are 0: see Limits. Work is the sum over the blocks by index. Nested sets give the chain of CyclicChain, with
// regions without work beside it.
//
// The cut is by refinement, one scan after the other, and exact: O(n + L) for n blocks and L listed ones. The arcs of R
// regions take O(R^2 K / 64) operations on words for up to 64 scans (K; fewer when the first members rule most out), and
// otherwise a comparison of each region with the larger ones that serve the rarest of its scans; and in both cases each pair
// of a region within another is compared with the arcs found so far. R is at most K plus the smaller of n and 2^K, and below
// 3K when each scan is an interval of blocks.
//
// Errors: a scan that lists a block outside 0 to len(bytes)-1 (Index is the scan); a bad size; sizes whose sum overflows.
func Regions(scans [][]int, bytes []float64) (Venn, error) {
	const fn = "sharedscan.Regions"
	n := len(bytes)
	if n > maxJobs {
		return Venn{}, badInput(fn, "bytes", -1, "%d blocks, want at most %d", n, maxJobs)
	}
	if len(scans) > maxJobs/2 {
		return Venn{}, badInput(fn, "scans", -1, "%d scans, want at most %d", len(scans), maxJobs/2)
	}
	total := 0.0
	for b, size := range bytes {
		if !(size >= 0 && size <= math.MaxFloat64) {
			return Venn{}, badInput(fn, "bytes", b, "%v, want finite and at least 0", size)
		}
		if total += size; total > math.MaxFloat64 {
			return Venn{}, badInput(fn, "bytes", b, "the sum of the sizes is not finite, want at most %v", math.MaxFloat64)
		}
	}
	listed := 0
	for i, s := range scans {
		if listed += len(s); uint64(listed) >= math.MaxInt32 {
			return Venn{}, badInput(fn, "scans", i, "%d blocks listed so far, want fewer than %d", listed, math.MaxInt32)
		}
		for _, b := range s {
			if uint(b) >= uint(n) {
				return Venn{}, badInput(fn, "scans", i, "block %d, want blocks from 0 to %d", b, n-1)
			}
		}
	}
	of, cells := refine(scans, n)
	v := assemble(len(scans), bytes, of, cells)
	g, err := hasse(v.Regions, len(scans))
	if err != nil {
		return Venn{}, err
	}
	v.Graph = g
	return v, nil
}

// cell is a set of blocks that the same scans need: those of the cell that it was cut from, and one more.
type cell struct {
	from, scan int32
	cut        int32 // the cell cut from this one last
	blocks     int32
}

// refine returns the cell of each block. Cell 0 has the blocks that no scan needs; a cell that was cut up is left empty.
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

// maxJobs is the most jobs of a precedence.Graph.
const maxJobs = math.MaxInt32 / 2

func badInput(fn, arg string, index int, format string, args ...any) error {
	return &schedmath.InputError{Func: fn, Arg: arg, Index: index, Reason: fmt.Sprintf(format, args...)}
}
