package aging

import "github.com/schedmath/schedmath/internal/heap"

// In a cluster of many groups time goes to waiting for memory, one access after another where each hangs on a comparison with
// what the last has brought. What is surely or likely needed soon is therefore read before such a chain begins. What was read
// goes to Cluster.ahead, or the compiler would leave the reading out; nothing depends on it.

// manyGroups is how many groups no longer fit into a core's own cache with all that belongs to them.
const manyGroups = 1 << 12

// readPlace reads where the search for the group of a ratio slots/weight begins.
func (c *Cluster[K]) readPlace(slots, weight float64) {
	if t := &c.ratios; t.used >= manyGroups {
		c.ahead = t.places[t.home(hashRatio(slots/weight))].id
	}
}

// readNext reads the groups, and their only jobs, of which one will be the first of h when the first has left.
func (c *Cluster[K]) readNext(h *heap.Heap) {
	if c.ratios.used < manyGroups {
		return
	}
	for p, to := children(h, 0); p < to; p++ {
		if i := c.groups[h.ID(p)].jobs; i >= 0 {
			c.ahead = c.jobs[i].group
		}
	}
}
