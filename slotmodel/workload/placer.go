package workload

import (
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"

	"github.com/schedmath/schedmath/slotmodel"
)

// maxCopies bounds the copies of a block: finding a free node takes time in proportion to those
// placed.
const maxCopies = 64

// Placer puts the copies of blocks on the nodes of a cluster as HDFS does with data that comes
// from outside. Create it with NewPlacer. It is immutable and may be shared between goroutines,
// each with its own source.
type Placer struct {
	nodes []int32 // rack by rack, in each in ascending order
	rack  []int32 // rack[p] is the rack, among those that have nodes, of nodes[p]
	begin []int32 // begin[r] to begin[r+1] are the places of rack r
}

// NewPlacer prepares for nodes, which are those of a slotmodel.Cluster: only their racks matter, so
// nodes without map slots hold blocks too. No nodes and more than 2^27 are an error.
func NewPlacer(nodes []slotmodel.NodeSpec) (*Placer, error) {
	g := guard{fn: "NewPlacer"}
	if len(nodes) == 0 || len(nodes) > maxDraws {
		g.arg("nodes", "has "+strconv.Itoa(len(nodes))+" elements, want 1 to "+strconv.Itoa(maxDraws))
	}
	for i := range nodes {
		if nodes[i].Rack < 0 {
			g.elem("nodes", i, "Rack is "+strconv.Itoa(nodes[i].Rack)+", want >= 0")
		}
	}
	if g.err != nil {
		return nil, g.err
	}
	p := &Placer{nodes: make([]int32, len(nodes)), rack: make([]int32, len(nodes))}
	for i := range p.nodes {
		p.nodes[i] = int32(i)
	}
	sort.SliceStable(p.nodes, func(a, b int) bool { return nodes[p.nodes[a]].Rack < nodes[p.nodes[b]].Rack })
	for at, node := range p.nodes {
		if at == 0 || nodes[node].Rack != nodes[p.nodes[at-1]].Rack {
			p.begin = append(p.begin, int32(at))
		}
		p.rack[at] = int32(len(p.begin) - 1)
	}
	p.begin = append(p.begin, int32(len(nodes)))
	return p, nil
}

// Place appends the nodes of the copies of so many blocks, 1 to 64 each and 2^27 in all, to dst:
// the Replicas of a slotmodel.JobSpec. The first copy of a block is on any node, the second on any
// in another rack, the third on another node of the second's rack, further ones on any other node,
// each uniformly among those that are left. Where a rule finds no node any other node will do, and
// where all nodes have a copy the rest is -1. Every copy takes one Uint64 of src, -1 too.
func (p *Placer) Place(dst []int32, blocks, copies int, src rand.Source) ([]int32, error) {
	g := guard{fn: "Placer.Place"}
	if len(p.nodes) == 0 {
		g.arg("p", "holds no nodes, want one that NewPlacer made")
	}
	if copies < 1 || copies > maxCopies {
		g.arg("copies", strconv.Itoa(copies)+", want 1 to "+strconv.Itoa(maxCopies))
	} else if blocks < 0 || blocks > maxDraws/copies {
		g.arg("blocks", strconv.Itoa(blocks)+", want 0 to "+strconv.Itoa(maxDraws/copies))
	}
	g.source(src)
	if g.err != nil {
		return dst, g.err
	}
	out := slices.Grow(dst, blocks*copies)
	var sorted [maxCopies]int // the places taken by the block's copies, ascending
	for range blocks {
		second := 0
		for c := range copies {
			at := -1
			switch {
			case c == 1:
				at = p.outside(sorted[0], src)
				second = at
			case c == 2:
				at = p.beside(second, sorted[:2], src)
			}
			if at < 0 && c < len(p.nodes) {
				at = anyOther(len(p.nodes), sorted[:c], src)
			}
			if at < 0 {
				src.Uint64()
				out = append(out, -1)
				continue
			}
			k, _ := slices.BinarySearch(sorted[:c], at)
			copy(sorted[k+1:c+1], sorted[k:c])
			sorted[k] = at
			out = append(out, p.nodes[at])
		}
	}
	return out, nil
}

// outside draws a place in another rack than that of the place at, or is -1 and draws nothing.
func (p *Placer) outside(at int, src rand.Source) int {
	lo, hi := int(p.begin[p.rack[at]]), int(p.begin[p.rack[at]+1])
	if hi-lo == len(p.nodes) {
		return -1
	}
	k := below(src, len(p.nodes)-(hi-lo))
	if k >= lo {
		k += hi - lo
	}
	return k
}

// beside draws a place in the rack of the place at, other than that, or is -1 and draws nothing. No
// other place of that rack may be taken, which holds as taken are a place in another rack and at.
func (p *Placer) beside(at int, taken []int, src rand.Source) int {
	if at < 0 || p.rack[taken[0]] == p.rack[taken[1]] {
		return -1
	}
	lo, hi := int(p.begin[p.rack[at]]), int(p.begin[p.rack[at]+1])
	if hi-lo == 1 {
		return -1
	}
	k := lo + below(src, hi-lo-1)
	if k >= at {
		k++
	}
	return k
}

// anyOther draws one of the places 0..n-1 but those taken, which are ascending and fewer than n.
func anyOther(n int, taken []int, src rand.Source) int {
	k := below(src, n-len(taken))
	for _, t := range taken {
		if k >= t {
			k++
		}
	}
	return k
}
