package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/input"
)

// Cluster is the virtual cluster of HFSP, kept up to date event by event; time is passed in by
// Advance. Late jobs come first, in the order of becoming late; the others follow by remaining
// virtual work or by virtual finish. Ties go by the order of Add.
//
// Errors do not grow with the length of a run: the work left is exact to about 1e-15 of the job's
// size, or of that of a larger job that ended beside it.
//
// The zero value is an empty cluster of capacity 0. A key that holds a value that is not comparable
// panics, as in a map.
type Cluster[K comparable] struct {
	capacity float64
	added    uint64 // number of jobs that were ever added

	// The clocks run from 0 since time last passed in an empty virtual system.
	clock dd.T // real time
	water dd.T // the virtual clock of jobs below their caps: d water / d clock = level
	// level: the water level: slots for each unit of weight; +Inf when every job is at its cap
	level float64
	// instant: number of times that time has passed: jobs that become late in one instant tie
	instant uint64
	period  uint64 // number of times that time has passed in an empty virtual system

	jobs     []job[K]
	pos      []int32 // of each job in its heap
	freeJobs []int32 // unused elements of jobs
	index    map[K]int32

	groups              []group
	finishPos, ratioPos []int32 // of each group in side.finish and side.ratio
	freeGroups          []int32 // unused elements of groups
	ratios              map[float64]int32

	open, capped side  // groups below their caps, by water; groups at their caps, by clock
	late         queue // late jobs, by instant
	// lapses: late jobs that Lapsed has not reported; before pruneLapses also others and duplicates
	lapses []int32

	onTime   int // jobs on time
	notReady int // jobs on time that are not ready

	// minWeight is a lower bound of the weights in the virtual system, 0 before any job has
	// entered. The weights of jobs that have left count until the next recount, which is due once
	// more jobs have entered than len(jobs).
	minWeight float64
	entered   int // number of jobs that have entered since the last recount

	changes  uint64 // number of changes: tells an iterator that it is out of date
	trying   bool   // play is running
	tried    []step // what play must undo
	frontier frontier[K]
	walk     walk[K]
}

// State is where a job of a Cluster stands.
type State uint8

const (
	OnTime    State = iota // in the virtual system, not done in reality
	Completed              // done in reality, still in the virtual system, where FSP's guarantee needs it
	Late                   // done in the virtual system, not in reality
)

var states = []string{"on time", "completed", "late"}

// String returns "on time", "completed" or "late".
func (s State) String() string { return enum.Name(s, "State", states...) }

// MarshalText returns what String does.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the words of the three states: an InputError for other text.
func (s *State) UnmarshalText(text []byte) error {
	return enum.Parse(s, "aging.State", text, states...)
}

// job is one element of Cluster.jobs. A job in the virtual system has received size less what is
// left of virtual service.
type job[K comparable] struct {
	key      K
	added    uint64  // place in the order of Add
	tag      dd.T    // its group's clock at its virtual finish; of a late job, the water then
	period   uint64  // of a late job, Cluster.period when it became late
	size     float64 // total virtual work; of a late job, the virtual service received
	slots    float64 // +Inf: no limit
	weight   float64
	group    int32
	state    State
	notReady bool // see SetReady; false for a completed job
	fresh    bool // late, and not reported by Lapsed
}

// passed reports whether First passes over the job.
func (j *job[K]) passed() bool { return j.notReady || j.state == Completed }

// New returns an empty virtual cluster with the given capacity in slots, which may be 0.
func New[K comparable](capacity float64) (*Cluster[K], error) {
	if err := checkAmount("aging.New", "capacity", capacity); err != nil {
		return nil, err
	}
	return &Cluster[K]{capacity: capacity}, nil
}

// Add puts a job into the cluster under a key that the cluster does not hold. The job is ready. A
// job of Work 0 is late at once.
//
// Errors: a key that is present, also as a completed job that still ages, or is not equal to
// itself, as NaN is; a field of j out of range; a cluster to which 2^53 jobs were added.
func (c *Cluster[K]) Add(key K, j Job) error {
	if key != key {
		return input.Bad("aging.Cluster.Add", "key", -1, "not equal to itself, as NaN is: no key")
	}
	if r := j.fault(); r != "" {
		return input.Bad("aging.Cluster.Add", "j", -1, "%s", r)
	}
	if _, ok := c.index[key]; ok {
		return input.Bad("aging.Cluster.Add", "key", -1, "%v is in the cluster already", key)
	}
	if c.added == lastInstant {
		return input.Bad("aging.Cluster.Add", "c", -1, "2^53 jobs were added, want a new Cluster")
	}
	c.changes++
	i := c.newJob(job[K]{key: key, size: j.Work, slots: j.slots(), weight: j.weight(), state: OnTime})
	if j.Work == 0 {
		c.becomeLate(i, c.water)
		return nil
	}
	c.enter(i, dd.Of(j.Work))
	c.settle()
	return nil
}

// newJob stores a job of a new key, in no heap, and returns its index.
func (c *Cluster[K]) newJob(j job[K]) (i int32) {
	if c.index == nil {
		c.index, c.ratios = make(map[K]int32), make(map[float64]int32)
	}
	c.added++
	j.added = c.added
	if n := len(c.freeJobs); n > 0 {
		i = c.freeJobs[n-1]
		c.freeJobs = c.freeJobs[:n-1]
		c.jobs[i] = j
	} else {
		i = int32(len(c.jobs))
		c.jobs, c.pos = append(c.jobs, j), append(c.pos, 0)
	}
	c.index[j.key] = i
	return i
}

// drop forgets a job that is in no heap.
func (c *Cluster[K]) drop(i int32) {
	delete(c.index, c.jobs[i].key)
	c.jobs[i] = job[K]{}
	c.freeJobs = append(c.freeJobs, i)
}

// Complete tells that a job is done in reality. It leaves First, All and Late; if it is not late,
// it goes on aging until its virtual finish, when it is forgotten. It returns false, and changes
// nothing, when the key is unknown or the job has completed before.
func (c *Cluster[K]) Complete(key K) bool {
	i, ok := c.index[key]
	if !ok || c.jobs[i].state == Completed {
		return false
	}
	c.changes++
	if c.jobs[i].state == Late {
		c.pull(&c.late, i)
		c.drop(i)
	} else {
		c.restate(i, Completed, false)
	}
	return true
}

// Remove forgets a job at once: it was cancelled. It returns false, and changes nothing, when the
// key is unknown.
func (c *Cluster[K]) Remove(key K) bool {
	i, ok := c.index[key]
	if !ok {
		return false
	}
	c.changes++
	if c.jobs[i].state == Late {
		c.pull(&c.late, i)
	} else {
		c.leave(i)
		c.settle()
	}
	c.drop(i)
	return true
}

// Job returns a job as it stands now: Work is the virtual work that it has left, 0 for a late job
// and at least 2^-200 for any other, Slots 0 if it has no limit, and Weight 1 where it was given as
// 0. Add takes the result. ok is false when the key is unknown.
func (c *Cluster[K]) Job(key K) (j Job, ok bool) {
	i, ok := c.index[key]
	if !ok {
		return Job{}, false
	}
	return c.public(i), true
}

// public returns element i of jobs as callers see it, with Slots 0 for no limit.
func (c *Cluster[K]) public(i int32) Job {
	j := &c.jobs[i]
	p := Job{Slots: finite(j.slots), Weight: j.weight}
	if j.state != Late {
		p.Work = max(least, c.left(j).Float())
	}
	return p
}

// Rate returns how many slots a job gets now in the virtual cluster: its Slots, or what its Weight
// gives it if that is less. It falls only when a job comes, or a weight, a cap or the capacity
// changes. A late job gets none. ok is false when the key is unknown.
func (c *Cluster[K]) Rate(key K) (slots float64, ok bool) {
	i, ok := c.index[key]
	if !ok || c.jobs[i].state == Late {
		return 0, ok
	}
	return min(c.jobs[i].slots, c.level*c.jobs[i].weight), true
}

// Len returns the number of jobs that the cluster holds: on time, late, and completed but still
// aging.
func (c *Cluster[K]) Len() int { return len(c.index) }

// Capacity returns the number of slots.
func (c *Cluster[K]) Capacity() float64 { return c.capacity }

// levelOf returns the level at which open jobs of a total weight use up what capped jobs leave of
// the capacity. It is negative if they leave less than nothing.
func levelOf(capacity float64, slots, weight *exact.Sum) float64 {
	return dd.Of(capacity).Sub(slots.Value()).Float() / weight.Value().Float()
}

// finite returns x, or 0 for the infinity that stands for "no limit".
func finite(x float64) float64 {
	if math.IsInf(x, 1) {
		return 0
	}
	return x
}

// unlimited is the inverse of finite.
func unlimited(x float64) float64 {
	if x == 0 {
		return math.Inf(1)
	}
	return x
}
