package aging

import (
	"fmt"
	"hash/maphash"
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/heap"
)

// Cluster is the virtual cluster of HFSP (section III-C), kept up to date event by event: a fluid system of weighted
// max-min shares in which every job drains on its estimated size, whatever is served in reality. Its state gives the
// priorities: jobs that are done in virtual time but not in reality are late and come first, in the order of becoming late;
// the others follow by remaining virtual work or by virtual finish.
//
// A job is on time (in the virtual system, not done in reality), completed (done in reality, but still draining in
// the virtual system, since FSP's guarantee needs it there) or late. Time is passed in by Advance; nothing reads a clock.
//
// Jobs of equal Slots/Weight move together, so there is one virtual clock for each such ratio, and a job's place among
// those of its ratio never changes while it drains: it is fixed by the clock at which it ends. Jobs without a cap form one
// group. With n jobs in g groups:
//
//	Add, Complete, Remove, Reestimate, Set...                O(log n), and O(log g) for each group whose cap begins or ceases to bind
//	SetCapacity                                              O(log g) for each such group
//	Advance                                                  as Remove, for each virtual finish in the time
//	Job, Len, NextFinish, Tag                                O(1)
//	First, All                                               see there
//	Late                                                     O(l log l) for l late jobs
//	Lapsed                                                   O(k log k) for k jobs late since the last call
//
// Without caps there is one group and none is ever crossed. A snapshot restored answers as the original would, to the bit.
//
// Clocks and tags are in double-double and sums of weights are exact, so that a job of 1e-9 s beside a clock of 1e5 s ages
// right and errors do not grow with the length of a run: the work left is exact to about 1e-15 of the job's size.
//
// The zero value is an empty cluster of capacity 0. A nil Cluster holds nothing, and what would change it is an InputError of c.
// A Cluster is not safe for concurrent use.
type Cluster[K comparable] struct {
	capacity float64
	added    uint64 // number of jobs that were ever added

	// Both clocks run from 0 since the epoch began, that is since time last passed in an empty virtual system.
	clock dd.T    // real time
	water dd.T    // the virtual clock of jobs below their caps: d water / d clock = level
	level float64 // the water level: slots for each unit of weight; +Inf when every job is at its cap

	epoch   uint64 // number of times that the clocks were set to 0
	instant uint64 // number of times that time has passed: jobs that become late in one instant tie

	jobs                []job[K]
	pos                 []int32 // of each job in the heap that it waits in
	free                int32   // first unused element of jobs, linked by group; -1: none
	index               table   // of jobs, by key
	seed                maphash.Seed
	groups              []group
	crowds              []crowd
	ratios              table // of groups, by ratio
	spare               spares
	open                side      // groups below their caps, by water
	capped              side      // groups at their caps, by clock
	finishPos, ratioPos []int32   // of each group on its shelf and in side.ratio
	slots               exact.Sum // caps of the jobs in capped groups
	weight              exact.Sum // weights of the jobs in open groups
	late, lateBusy      heap.Heap // late jobs, by instant: those to serve and the others
	lapses              []int32   // late jobs that are fresh, with elements that are not, or twice
	next                finish
	onTime              int
	early               int       // completed, but still in the virtual system
	busy                int       // on time, but not ready
	passed              exact.Sum // weights of both in open groups
	limited             int       // jobs with a cap in the virtual system
	openJobs            int       // jobs in open groups

	// Bounds on the weights in the virtual system, for the search of the least remaining work. They may be loose: jobs that
	// have left count until entered, the number that came since the last count, exceeds len(jobs).
	minWeight float64
	entered   int

	onlySlots, onlyWeight exact.Sum // of a group of one job: see demand

	ahead    int32  // see readPlace
	changes  uint64 // what an iterator compares to see that it is out of date
	ranking  ranking[K]
	forecast forecast[K]
	preview  preview
	walk     walk[K]
}

type state int8

const (
	unused state = iota
	onTime
	completed
	late
)

// job is one element of Cluster.jobs. What it has received of virtual service is size less what is left.
type job[K comparable] struct {
	key    K
	seq    uint64  // place in the order of Add
	tag    dd.T    // its group's clock at its virtual finish
	size   float64 // total virtual work; of a late job, the service received
	slots  float64 // +Inf: no limit
	weight float64
	epoch  uint64 // in which tag was made
	group  int32
	state  state
	busy   bool // not ready, see SetReady
	astray bool // late with a tag of a capped group's clock
	fresh  bool // late, and not told by Lapsed
}

// NewCluster returns an empty virtual cluster with the given capacity in slots, which may be 0.
//
// Errors: a capacity that is NaN, negative, infinite or outside the range stated in the package comment.
func NewCluster[K comparable](capacity float64) (*Cluster[K], error) {
	if err := checkAmount("NewCluster", "capacity", capacity); err != nil {
		return nil, err
	}
	return newCluster[K](capacity), nil
}

// Capacity returns the number of slots.
func (c *Cluster[K]) Capacity() float64 {
	if c == nil {
		return 0
	}
	return c.capacity
}

func newCluster[K comparable](capacity float64) *Cluster[K] {
	c := &Cluster[K]{capacity: capacity, level: math.Inf(1), free: -1, seed: maphash.MakeSeed()}
	c.capped.capped = true
	c.spare = spares{group: -1, crowd: -1}
	c.reset()
	return c
}

// made says whether c is neither nil nor the zero value, of which a capacity and time may be known but no job.
func (c *Cluster[K]) made() bool { return c != nil && c.capped.capped }

func nilCluster(method string) error {
	return inputError("Cluster."+method, "c", -1, "nil, want a Cluster")
}

// reset starts a new epoch, so that tags stay small. It is called when time passes in an empty virtual system, not when that
// becomes empty: jobs that become late in one instant must find one clock.
func (c *Cluster[K]) reset() {
	c.clock, c.water = dd.T{}, dd.T{}
	c.epoch++
	c.clearBounds()
}

// Add puts a job into the cluster under a key that the cluster does not hold. A job of Work 0 is late at once.
//
// Errors: a key that is present, also as a completed job that still ages; one that is not equal to itself, as NaN is; a field of j out of
// range. A key of an interface type must hold a comparable value, or Add panics as a map does.
func (c *Cluster[K]) Add(key K, j Job) error {
	if key != key {
		return inputError("Cluster.Add", "key", -1, "not equal to itself, as NaN is: no key")
	}
	if r := j.fault(); r != "" {
		return inputError("Cluster.Add", "j", -1, r)
	}
	if c == nil {
		return nilCluster("Add")
	}
	if !c.made() {
		*c = *newCluster[K](c.capacity)
	}
	c.readPlace(j.slots(), j.weight())
	_, spot, ok := c.jobOf(key)
	if ok {
		return inputError("Cluster.Add", "key", -1, fmt.Sprintf("%v is in the cluster already", key))
	}
	c.changes++
	i := c.newJob()
	c.added++
	c.jobs[i] = job[K]{key: key, seq: c.added, size: j.Work, slots: j.slots(), weight: j.weight(), state: onTime}
	c.index.insert(i, spot)
	if j.Work == 0 {
		c.jobs[i].epoch, c.jobs[i].tag = c.epoch, c.water
		c.becomeLate(i)
		return nil
	}
	c.enter(i, dd.Of(j.Work))
	c.settle()
	return nil
}

// newJob returns the index of an unused element of jobs.
func (c *Cluster[K]) newJob() int32 {
	if i := c.free; i >= 0 {
		c.free = c.jobs[i].group
		return i
	}
	c.jobs = grow(c.jobs)
	c.pos = grow(c.pos)
	return int32(len(c.jobs) - 1)
}

// drop forgets a job that is in no heap any more.
func (c *Cluster[K]) drop(i int32) {
	_, spot, _ := c.jobOf(c.jobs[i].key)
	c.dropAt(i, spot)
}

func (c *Cluster[K]) dropAt(i int32, s spot) {
	c.index.remove(s.at)
	c.jobs[i] = job[K]{group: c.free}
	c.free = i
}

// becomeLate queues job i, which is in no heap, as late from this instant on.
func (c *Cluster[K]) becomeLate(i int32) {
	j := &c.jobs[i]
	j.state = late
	c.lateHeap(j).Push(heap.Entry{Key: float64(c.instant), ID: i}, c.pos, (*jobTies[K])(c))
	c.noteLapse(i)
}

// Complete tells that a job is done in reality. It leaves First, All and Late; if it is not late, it goes on ageing
// until its virtual finish, when it is forgotten. Only then does FSP dominate processor sharing: a job that left the
// virtual system early would speed the others up there.
//
// It returns false, and changes nothing, when the key is unknown or the job has completed before.
func (c *Cluster[K]) Complete(key K) bool {
	i, spot, ok := c.jobOf(key)
	if !ok || c.jobs[i].state == completed {
		return false
	}
	c.changes++
	j := &c.jobs[i]
	if j.state == late {
		c.lateHeap(j).Remove(c.pos[i], c.pos, (*jobTies[K])(c))
		c.dropAt(i, spot)
		return true
	}
	c.onTime--
	c.early++
	if j.busy {
		c.busy--
		j.busy = false
	} else {
		c.shift(i, true)
	}
	j.state = completed
	return true
}

// Remove forgets a job at once, as if it had never been there but for the service that it took: it was cancelled. It returns
// false, and changes nothing, when the key is unknown, so that it may be called again.
func (c *Cluster[K]) Remove(key K) bool {
	i, spot, ok := c.jobOf(key)
	if !ok {
		return false
	}
	c.changes++
	if j := &c.jobs[i]; j.state == late {
		c.lateHeap(j).Remove(c.pos[i], c.pos, (*jobTies[K])(c))
	} else {
		c.leave(i)
		c.settle()
	}
	c.dropAt(i, spot)
	return true
}

// Job returns a job as it stands now: Work is the virtual work that it has left, 0 for a late job. It finds completed jobs
// too while they age. ok is false when the key is unknown.
func (c *Cluster[K]) Job(key K) (j Job, ok bool) {
	i, _, ok := c.jobOf(key)
	if !ok {
		return Job{}, false
	}
	return c.public(i), true
}

// public returns element i of jobs as callers see it. A cap that does not exist reads 0.
func (c *Cluster[K]) public(i int32) Job {
	j := &c.jobs[i]
	p := Job{Slots: j.slots, Weight: j.weight}
	if math.IsInf(p.Slots, 1) {
		p.Slots = 0
	}
	if j.state != late {
		p.Work = c.left(j).Float()
	}
	return p
}

// Len returns the number of jobs that the cluster holds: on time, late, and completed but still ageing.
func (c *Cluster[K]) Len() int {
	if c == nil {
		return 0
	}
	return c.index.used
}
