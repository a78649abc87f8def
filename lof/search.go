package lof

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/kdtree"
)

// search finds the k-distances and neighbourhoods of a cloud in space.
func (c *cloud) search(k int, ties Ties) {
	k = c.clip(k, ties)
	c.lists = make([][]near, len(c.sites))
	others := len(c.sites) - 1
	var tree *kdtree.Tree
	if others > 0 {
		var rows []float64
		for _, s := range c.sites {
			rows = append(rows, c.row(c.places[s.from].index)...)
		}
		tree = kdtree.New(rows, c.dim)
	}
	var (
		found []kdtree.Neighbour
		list  []near
	)
	for u := range c.sites {
		s := &c.sites[u]
		list = list[:0]
		if s.count > 1 {
			list = append(list, near{site: u, count: float64(s.count - 1)})
		}
		if reached := c.weight(u, ties) - 1; reached < k { // of the k nearest, those found
			query := c.row(c.places[s.from].index)
			// One more than k, to see whether there are ties at the k-distance.
			found = tree.Nearest(found[:0], query, k+1, u)
			slices.SortFunc(found, func(a, b kdtree.Neighbour) int { return cmp.Compare(a.Key, b.Key) })
			i := 0
			for ; reached < k; i++ {
				reached += c.weight(found[i].Index, ties)
			}
			kdist2 := found[i-1].Key
			tied2 := kdist2 * (1 + 2*tie) // keys are squares
			if found[len(found)-1].Key <= tied2 && len(found) < others {
				found = tree.Within(found[:0], query, tied2, u)
			}
			s.kdist = math.Sqrt(kdist2)
			copies := len(list)
			for _, o := range found {
				if o.Key <= tied2 {
					list = append(list, near{o.Index, float64(c.sites[o.Index].count), math.Sqrt(o.Key)})
				}
			}
			if ties == ExactK {
				list = append(list[:copies], c.exact(list[copies:], s.kdist, k-(s.count-1))...)
			}
		}
		c.lists[u] = slices.Clone(list)
	}
}

// exact returns k points of a list of neighbours, which it changes: of those at the k-distance the
// ones with the lowest indices.
func (c *cloud) exact(list []near, kdist float64, k int) []near {
	type point struct {
		index int
		near
	}
	var tied []point
	kept := list[:0]
	for _, o := range list {
		if o.dist < kdist*(1-tie) {
			kept = append(kept, o)
			k -= int(o.count)
			continue
		}
		members := c.members(o.site)
		for _, p := range members[:min(len(members), k)] {
			tied = append(tied, point{p.index, near{o.site, 1, o.dist}})
		}
	}
	slices.SortFunc(tied, func(a, b point) int { return a.index - b.index })
	for _, t := range tied[:k] {
		kept = append(kept, t.near)
	}
	return kept
}
