package aging

import (
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/heap"
)

// SetReady says whether a job has anything to serve. One all of whose tasks run has not, until it ends or a task is to run
// again: it ages on and may become late, and All and Late hold it, but First passes over it, at no cost where all jobs before the
// first ready one have been told so. A job that is added is ready, and what was said of it stays whatever else changes. Of a
// completed job, which First never returns, nothing is kept.
//
// Cost O(log n). Errors: an unknown key.
func (c *Cluster[K]) SetReady(key K, ready bool) error {
	i, err := c.find("SetReady", key)
	if err != nil {
		return err
	}
	j := &c.jobs[i]
	if j.state == completed || j.busy == !ready {
		return nil
	}
	c.changes++
	if j.state == late {
		h := c.lateHeap(j)
		e := h.At(c.pos[i])
		h.Remove(c.pos[i], c.pos, (*jobTies[K])(c))
		j.busy = !ready
		c.lateHeap(j).Push(e, c.pos, (*jobTies[K])(c))
		return nil
	}
	j.busy = !ready
	if j.busy {
		c.busy++
	} else {
		c.busy--
	}
	c.shift(i, j.busy)
	return nil
}

// lateHeap returns the heap for a late job.
func (c *Cluster[K]) lateHeap(j *job[K]) *heap.Heap {
	if j.busy {
		return &c.lateBusy
	}
	return &c.late
}

// shift takes job i of the virtual system over to the jobs that are none to serve, or back.
func (c *Cluster[K]) shift(i int32, passed bool) {
	j := &c.jobs[i]
	g := &c.groups[j.group]
	move := (*exact.Sum).Add
	if !passed {
		move = (*exact.Sum).Sub
	}
	if !g.capped {
		move(&c.passed, j.weight)
	}
	if m := c.crowdOf(g); m != nil {
		move(&m.passedWeight, j.weight)
		from, to := m.heap(!passed), m.heap(passed)
		e := from.At(c.pos[i])
		from.Remove(c.pos[i], c.pos, (*jobTies[K])(c))
		to.Push(e, c.pos, (*jobTies[K])(c))
	}
}
