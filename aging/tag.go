package aging

import (
	"cmp"

	"github.com/schedmath/schedmath/internal/dd"
)

// Tag is the place of a job in the order by virtual finish, as plain data for a caller that keeps
// jobs in a heap or a database of its own. Tags compare for the life of a cluster: with those of
// jobs that have gone, across times without jobs, and across Snapshot and Restore.
type Tag struct {
	// Period: number of times that time has passed while the virtual system was empty
	Period uint64 `json:"period"`
	// At: virtual clock at its virtual finish: a sum, larger part first
	At    [2]float64 `json:"at"`
	Added uint64     `json:"added"` // place in the order of Add
}

// Compare returns -1 if t comes before u, 1 if it comes after, 0 if they are equal.
func (t Tag) Compare(u Tag) int {
	return cmp.Or(cmp.Compare(t.Period, u.Period), unpair(t.At).Cmp(unpair(u.At)), cmp.Compare(t.Added, u.Added))
}

// Tag returns the place of a job in the order by virtual finish. ok is false for an unknown key.
//
// While no job in the cluster has a cap, a tag is fixed at Add, to the bit, and stays when the job
// becomes late; SetWeight and Reestimate change that of their job alone. Tags then give the order
// of All by ByFinish, except that jobs which become late while the virtual clock stands, at
// capacity 0, go by Added. The tag of a job at its cap changes with events and time: keep no tags
// then.
func (c *Cluster[K]) Tag(key K) (tag Tag, ok bool) {
	i, ok := c.index[key]
	if !ok {
		return Tag{}, false
	}
	j := &c.jobs[i]
	if j.state == Late {
		return Tag{j.period, pair(j.tag), j.added}, true
	}
	return Tag{c.period, pair(c.end(j)), j.added}, true
}

// end returns the reading of the water at which a job in the virtual system ends, at the present
// rates if it is at its cap. If all jobs are, real time stands for the water.
func (c *Cluster[K]) end(j *job[K]) dd.T {
	g := &c.groups[j.group]
	at := g.when(j.tag)
	if !g.capped {
		return at
	}
	rise := at.Sub(c.clock)
	if c.open.finish.Len() > 0 {
		rise = rise.Mul(c.level)
	}
	return c.water.Add(rise)
}
