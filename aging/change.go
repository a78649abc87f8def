package aging

import (
	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
)

// find returns the element of a key that must be present.
func (c *Cluster[K]) find(method string, key K) (int32, error) {
	if i, ok := c.index[key]; ok {
		return i, nil
	}
	return 0, input.Bad("aging.Cluster."+method, "key", -1, "%v is not in the cluster", key)
}

// Reestimate gives a job a new total size. The virtual service that it has received is kept: what
// is left becomes max(0, work - received). At 0 a job on time is late now and a completed one is
// forgotten; a late job whose new size exceeds its service ages again. Before both virtual
// finishes, and with constant caps, the state is as if the job had been added with the new size.
// Errors: an unknown key; work out of range.
func (c *Cluster[K]) Reestimate(key K, work float64) error {
	i, err := c.find("Reestimate", key)
	if err != nil {
		return err
	}
	if err := checkAmount("aging.Cluster.Reestimate", "work", work); err != nil {
		return err
	}
	c.changes++
	j := &c.jobs[i]
	if j.state == Late {
		if work > j.size {
			c.pull(&c.late, i)
			left := dd.Of(work).AddFloat(-j.size)
			j.size, j.state, j.fresh = work, OnTime, false
			c.enter(i, left)
			c.settle()
		}
		return nil
	}
	was := c.left(j)
	left := was.Add(dd.Of(work).AddFloat(-j.size))
	c.leave(i)
	switch {
	case left.Hi > 0:
		j.size = work
		c.enter(i, left)
	case j.state == Completed:
		c.drop(i)
	default:
		j.size = dd.Of(j.size).Sub(was).Float()
		c.becomeLate(i, c.water)
	}
	c.settle()
	return nil
}

// SetSlots changes the most slots that a job can use at once; +Inf is no limit. The work left
// stays. A job that has nothing to start because all its tasks run keeps its slots: SetReady tells
// that. Errors: an unknown key; slots below 2^-200 or NaN.
func (c *Cluster[K]) SetSlots(key K, slots float64) error {
	i, err := c.find("SetSlots", key)
	if err != nil {
		return err
	}
	if !(slots >= least) {
		return input.Bad("aging.Cluster.SetSlots", "slots", -1, "%v, want at least 2^-200, +Inf for no limit", slots)
	}
	c.regroup(i, Job{Slots: slots}.slots(), c.jobs[i].weight)
	return nil
}

// SetWeight changes a job's weight. The work left stays. Errors: an unknown key; a weight that is 0
// or out of range.
func (c *Cluster[K]) SetWeight(key K, weight float64) error {
	i, err := c.find("SetWeight", key)
	if err != nil {
		return err
	}
	if !(weight >= least && weight <= most) {
		return input.Bad("aging.Cluster.SetWeight", "weight", -1, "%v, want a value in [2^-200, 2^200]", weight)
	}
	c.regroup(i, c.jobs[i].slots, weight)
	return nil
}

// regroup moves job i, with the work that it has left, to where its new cap and weight belong.
func (c *Cluster[K]) regroup(i int32, slots, weight float64) {
	c.changes++
	j := &c.jobs[i]
	if j.state == Late {
		j.slots, j.weight = slots, weight
		return
	}
	left := c.left(j)
	c.leave(i)
	j.slots, j.weight = slots, weight
	c.enter(i, left)
	c.settle()
}

// SetCapacity changes the number of slots; at 0 no job ages. Errors: a capacity out of range.
func (c *Cluster[K]) SetCapacity(capacity float64) error {
	if err := checkAmount("aging.Cluster.SetCapacity", "capacity", capacity); err != nil {
		return err
	}
	c.changes++
	c.capacity = capacity
	c.settle()
	return nil
}

// SetReady says whether a job has anything to serve. A job all of whose tasks run has nothing,
// until it ends or a task is to run again: it ages on and may become late, and All and Late hold
// it, but First and LateReady pass over it. A job is ready when it is added. A completed job is not
// affected. Errors: an unknown key.
func (c *Cluster[K]) SetReady(key K, ready bool) error {
	i, err := c.find("SetReady", key)
	if err != nil {
		return err
	}
	j := &c.jobs[i]
	if j.state == Completed || j.notReady == !ready {
		return nil
	}
	c.changes++
	c.restate(i, j.state, !ready)
	return nil
}
