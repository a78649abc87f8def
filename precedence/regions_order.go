package precedence

import (
	"cmp"
	"slices"
)

// assemble makes a region of each cell that has blocks, with its members and work, and adds the regions of single scans that have none.
// The cell of a block in of becomes its region.
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
func hasse(regions []Subjob, scans int) (*Graph, error) {
	n := len(regions)
	sign := make([]uint64, n) // the members modulo 64; exact for up to 64 scans
	begin := make([]int32, scans+1)
	for k := range regions {
		for _, i := range regions[k].Members {
			sign[k] |= 1 << (i & 63)
			begin[i+1]++
		}
	}
	exact := scans <= 64
	for i := range scans {
		begin[i+1] += begin[i]
	}
	at := make([]int32, begin[scans]) // the regions of scan i ascend from at[begin[i]]
	next := slices.Clone(begin[:scans])
	for k := range regions {
		for _, i := range regions[k].Members {
			at[next[i]] = int32(k)
			next[i]++
		}
	}
	within := func(a, b int32) bool {
		return sign[a]&^sign[b] == 0 && (exact || subset(regions[a].Members, regions[b].Members))
	}
	var arcs [][2]int
	var above []int32 // the least regions above a, those with fewest members first
	for a := range int32(n) {
		members := regions[a].Members
		rare := members[0]
		for _, i := range members {
			if begin[i+1]-begin[i] < begin[rare+1]-begin[rare] {
				rare = i
			}
		}
		list := at[begin[rare]:begin[rare+1]]
		end, _ := slices.BinarySearch(list, a)
		above = above[:0]
	next:
		for k := end - 1; k >= 0; k-- {
			b := list[k]
			if sign[a]&^sign[b] != 0 || len(regions[b].Members) == len(members) || !within(a, b) {
				continue
			}
			for _, c := range above {
				if within(c, b) {
					continue next
				}
			}
			above = append(above, b)
			arcs = append(arcs, [2]int{int(b), int(a)})
		}
	}
	g, err := NewGraph(n, arcs)
	if err != nil {
		return nil, err
	}
	g.isReduced = true
	return g, nil
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
