package aging

import (
	"cmp"
	"slices"
)

// Lapsed appends to dst the keys of the jobs that have become late since it was last called, or since there is the cluster, and are late
// still, in the order of Late. A job that was late, aged again and became late again is among them anew. So who keeps
// late jobs in a queue of its own need not go through all of them each time. Cost O(k log k) for k jobs that have become late since.
func (c *Cluster[K]) Lapsed(dst []K) []K {
	if c == nil || len(c.lapses) == 0 {
		return dst
	}
	c.pruneLapses()
	slices.SortFunc(c.lapses, func(a, b int32) int {
		i, j := &c.jobs[a], &c.jobs[b]
		return cmp.Or(cmp.Compare(c.lateHeap(i).Key(c.pos[a]), c.lateHeap(j).Key(c.pos[b])), cmp.Compare(i.seq, j.seq))
	})
	for _, i := range c.lapses {
		c.jobs[i].fresh = false
		dst = append(dst, c.jobs[i].key)
	}
	c.lapses = c.lapses[:0]
	return dst
}

// noteLapse keeps that job i has become late.
func (c *Cluster[K]) noteLapse(i int32) {
	if n := len(c.lapses); n == cap(c.lapses) {
		if c.pruneLapses(); len(c.lapses) > n/2 {
			c.lapses = slices.Grow(c.lapses, n)
		}
	}
	c.jobs[i].fresh = true
	c.lapses = append(c.lapses, i)
}

// pruneLapses leaves those in the list that are late still, each once.
func (c *Cluster[K]) pruneLapses() {
	kept := c.lapses[:0]
	for _, i := range c.lapses {
		if j := &c.jobs[i]; j.fresh {
			j.fresh = false
			kept = append(kept, i)
		}
	}
	for _, i := range kept {
		c.jobs[i].fresh = true
	}
	c.lapses = kept
}
