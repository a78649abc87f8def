package sharedscan

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/precedence"
)

// assemble makes a region of each cell that has blocks, with its members and work, and adds the regions of single scans that
// have none. The cell of a block in of becomes its region.
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

// hasse returns the graph in which a region goes before each region whose members are a part of its own, without implied arcs. The
// regions come with the most members first.
func hasse(regions []Subjob, scans int) (*precedence.Graph, error) {
	sign := make([]uint64, len(regions)) // the members modulo 64
	for k := range regions {
		for _, i := range regions[k].Members {
			sign[k] |= 1 << (i & 63)
		}
	}
	var arcs [][2]int
	if scans <= 64 {
		arcs = arcsOfFew(regions, sign, scans)
	} else {
		arcs = arcsOfMany(regions, sign, scans)
	}
	return precedence.NewGraph(len(regions), arcs)
}

// arcsOfFew is for up to 64 scans, where a sign says all. The regions above a are those in the columns of all its members.
func arcsOfFew(regions []Subjob, sign []uint64, scans int) (arcs [][2]int) {
	column := make([][]uint64, scans) // a bit for each region that serves the scan
	for i := range column {
		column[i] = make([]uint64, (len(regions)+63)/64)
	}
	var above []uint64 // the signs of the least regions above a
	for a := range regions {
		// Regions with as many members as a are not yet in the columns, or differ from a in a member.
		members := regions[a].Members
		above = above[:0]
		for w := a >> 6; w >= 0; w-- {
			found := ^uint64(0)
			for _, i := range members {
				if found &= column[i][w]; found == 0 {
					break
				}
			}
		next:
			for found != 0 { // those with fewest members first
				bit := 63 - bits.LeadingZeros64(found)
				found &^= 1 << bit
				b := w<<6 | bit
				for _, c := range above {
					if c&^sign[b] == 0 {
						continue next
					}
				}
				above = append(above, sign[b])
				arcs = append(arcs, [2]int{b, a})
			}
		}
		for _, i := range members {
			column[i][a>>6] |= 1 << (a & 63)
		}
	}
	return arcs
}

// arcsOfMany looks for the regions above a in the list of those that serve its rarest member: columns of many scans would be mostly
// empty. Signs come first, and where they allow it the members themselves.
func arcsOfMany(regions []Subjob, sign []uint64, scans int) (arcs [][2]int) {
	lists := make([][]int32, scans) // the regions of each scan, ascending
	total := make([]int32, scans)
	for k := range regions {
		for _, i := range regions[k].Members {
			total[i]++
		}
	}
	var above []int32 // the least regions above a
	for a := range int32(len(regions)) {
		members := regions[a].Members
		rare := members[0]
		for _, i := range members {
			if total[i] < total[rare] {
				rare = i
			}
		}
		above = above[:0]
	next:
		for _, b := range slices.Backward(lists[rare]) {
			larger := regions[b].Members
			if sign[a]&^sign[b] != 0 || !subset(members, larger) {
				continue
			}
			for _, c := range above {
				if sign[c]&^sign[b] == 0 && subset(regions[c].Members, larger) {
					continue next
				}
			}
			above = append(above, b)
			arcs = append(arcs, [2]int{int(b), int(a)})
		}
		for _, i := range members {
			lists[i] = append(lists[i], a)
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
