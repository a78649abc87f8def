package aging

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
)

// Late appends to dst the keys of the late jobs in the order of becoming late.
func (c *Cluster[K]) Late(dst []K) []K { return c.appendLate(dst, false) }

// LateReady appends to dst the keys of the late jobs that are ready, in the order of Late.
func (c *Cluster[K]) LateReady(dst []K) []K { return c.appendLate(dst, true) }

func (c *Cluster[K]) appendLate(dst []K, ready bool) []K {
	c.frontier.inOrder(c, &c.late, ready, func(i int32) bool {
		dst = append(dst, c.jobs[i].key)
		return true
	})
	return dst
}

// Lapsed appends to dst the keys of the jobs that have become late since the last call of Lapsed,
// or since the cluster was made, and are late still, in the order of Late. A job that was late,
// aged again and became late again is among them anew.
func (c *Cluster[K]) Lapsed(dst []K) []K {
	if len(c.lapses) == 0 {
		return dst
	}
	c.pruneLapses()
	since := func(i int32) float64 { return c.late.half(c.jobs[i].passed()).Key(c.pos[i]) }
	slices.SortFunc(c.lapses, func(a, b int32) int {
		return cmp.Or(cmp.Compare(since(a), since(b)), cmp.Compare(c.jobs[a].added, c.jobs[b].added))
	})
	for _, i := range c.lapses {
		c.jobs[i].fresh = false
		dst = append(dst, c.jobs[i].key)
	}
	c.lapses = c.lapses[:0]
	return dst
}

// becomeLate queues job i, which is in no heap, as late from this instant on. at is the reading of
// the water at its virtual finish.
func (c *Cluster[K]) becomeLate(i int32, at dd.T) {
	j := &c.jobs[i]
	j.state, j.tag, j.period = Late, at, c.period
	c.push(&c.late, i, float64(c.instant))
	c.noteLapse(i)
}

// noteLapse records that job i is late and that Lapsed has not reported it.
func (c *Cluster[K]) noteLapse(i int32) {
	if n := len(c.lapses); n == cap(c.lapses) {
		if c.pruneLapses(); len(c.lapses) > n/2 {
			c.lapses = slices.Grow(c.lapses, n)
		}
	}
	c.jobs[i].fresh = true
	c.lapses = append(c.lapses, i)
}

// pruneLapses removes from the list the jobs that are no longer late, those that Lapsed has
// reported, and duplicates.
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
