package policy

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Pool is a group of jobs that shares in the cluster as one under Fair.
type Pool struct {
	Weight     float64 // its share in proportion to the other pools, > 0 and finite; 0 means 1
	MinMaps    int     // map slots that it is guaranteed, >= 0
	MinReduces int     // reduce slots, likewise
}

// Fair is Hadoop's fair scheduler as HFSP describes it [1, section III-A], in the form of Hadoop
// since 0.21 [4]. A free slot goes to a task of
//
//	the pool below its minimum share with the smallest fraction of that share;
//	when there is none, the pool with the fewest running tasks per weight;
//	within the pool, the job with the fewest running tasks per weight,
//
// among the pools and jobs that have a task to start, maps and reduces apart. Ties: the pool whose
// first job arrived first, the job that arrived first. Nothing is remembered: where jobs outnumber
// slots, the jobs that arrived first keep them, and on one slot Fair is FIFO.
//
// With MinTimeout a pool that has been below its minimum share for so long takes the slots that it
// lacks [4]: it kills the newest attempt, ties that of the job that arrived last, of the pool with
// the most running tasks per weight among those above their minimum shares. Attempts of rigid jobs
// are spared. As a Ranker Fair kills nothing. Each decision then costs O(pools) besides, and each
// kill O(jobs).
//
// The zero value has one pool, in which all jobs weigh the same. Rigid jobs are treated as under
// Greedy, and all of their tasks count.
type Fair struct {
	// Pools has the settings of pools by number; other pools weigh 1 and have no minimum share.
	Pools []Pool
	// PoolOf returns the number of a job's pool, any number; nil: all in pool 0.
	PoolOf func(*slotmodel.JobSpec) int
	// WeightOf returns the weight of a job within its pool. A weight that is not > 0 and finite
	// counts as 1. nil: all 1.
	WeightOf func(*slotmodel.JobSpec) float64
	// MinTimeout is for how many seconds a pool may be below its minimum share, with a task to
	// start, before it takes slots away, > 0; 0 or +Inf: it never does.
	MinTimeout float64

	fairOrder
}

// fairOrder is the order that Fair and Capacity keep, and the policy by it. Its settings are those
// of Fair when a run begins.
type fairOrder struct {
	given      []Pool
	poolOf     func(*slotmodel.JobSpec) int
	weightOf   func(*slotmodel.JobSpec) float64
	minTimeout float64
	byArrival  bool // within a pool jobs come by arrival
	broken     bool // a setting is out of range: nothing starts

	steps   internal.Steps
	wake    internal.Wake
	taker   internal.Taker
	jobs    []fairJob         // by rank
	places  [2][]int32        // by kind: the table that the orders of all pools share
	pools   []fairPool        // in the order in which their first jobs arrive
	numbers map[int]int32     // index of the pool of each number
	ready   [2]internal.Order // pools with a job that can start a task of the kind
	kind    slotmodel.Kind    // of the walk
	walk    int32             // the pool whose jobs come next in the walk; Absent: none
}

// fairJob is what Fair knows of one job.
type fairJob struct {
	pool    int32
	running [2]int32
	weight  float64 // 0: it has not arrived
}

// fairPool is what Fair knows of one pool.
type fairPool struct {
	weight  float64
	minimum [2]float64
	running [2]int32
	jobs    [2]internal.Order // jobs that can start a task of the kind, by rank
	// since is when it fell below its minimum share with a task to start, +Inf if it is not below;
	// only with MinTimeout.
	since [2]float64
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming MinTimeout, or Pools and the pool.
func (f *Fair) Check() error {
	if !(f.MinTimeout >= 0) {
		return input.Bad("policy.Fair.Check", "MinTimeout", -1, "%v, want >= 0", f.MinTimeout)
	}
	for i, p := range f.Pools {
		switch {
		case !(p.Weight >= 0 && p.Weight <= math.MaxFloat64):
			return input.Bad("policy.Fair.Check", "Pools", i, "Weight is %v, want finite and >= 0", p.Weight)
		case p.MinMaps < 0 || p.MinReduces < 0:
			return input.Bad("policy.Fair.Check", "Pools", i, "MinMaps is %d and MinReduces is %d, want >= 0", p.MinMaps, p.MinReduces)
		}
	}
	return nil
}

// BeginRun forgets the previous run.
func (f *Fair) BeginRun(v *slotmodel.View) {
	f.fairOrder = fairOrder{given: slices.Clone(f.Pools), poolOf: f.PoolOf, weightOf: f.WeightOf, minTimeout: f.MinTimeout, broken: f.Check() != nil}
	f.beginRun(v)
}

// beginRun makes the order ready for a run.
func (f *fairOrder) beginRun(v *slotmodel.View) {
	f.walk = internal.Absent
	f.taker.Begin(v)
	f.jobs = make([]fairJob, v.Jobs())
	// A job is in one pool alone, so all pools share a table of places for each kind.
	f.places = [2][]int32{internal.Places(v.Jobs()), internal.Places(v.Jobs())}
	f.numbers = map[int]int32{}
}

// enter puts a job that has arrived into its pool.
func (f *fairOrder) enter(v *slotmodel.View, j slotmodel.Job) {
	s := v.Spec(j)
	number, weight := 0, 1.0
	if f.poolOf != nil {
		number = f.poolOf(s)
	}
	if f.weightOf != nil {
		weight = positive(f.weightOf(s))
	}
	p, known := f.numbers[number]
	if !known {
		p = int32(len(f.pools))
		f.numbers[number] = p
		f.pools = append(f.pools, f.newPool(number))
		for k := range f.ready {
			f.ready[k].At = append(f.ready[k].At, internal.Absent)
		}
	}
	f.jobs[internal.Rank(v, j)] = fairJob{pool: p, weight: weight}
}

// newPool returns the pool of a number, without jobs.
func (f *fairOrder) newPool(number int) fairPool {
	p := fairPool{weight: 1, since: [2]float64{math.Inf(1), math.Inf(1)}}
	if number >= 0 && number < len(f.given) {
		o := &f.given[number]
		p.weight = positive(o.Weight)
		p.minimum = [2]float64{float64(o.MinMaps), float64(o.MinReduces)}
	}
	for k := range p.jobs {
		p.jobs[k].At = f.places[k]
	}
	return p
}

// Decide fills the free slots, maps first, and then takes slots for pools that have been below
// their minimum shares for too long.
func (f *fairOrder) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if f.broken {
		return
	}
	f.steps.Inner = f
	f.steps.Fill(v, a, slotmodel.Map)
	f.steps.Fill(v, a, slotmodel.Reduce)
	if f.minTimeout > 0 {
		next := min(f.preempt(v, a, slotmodel.Map), f.preempt(v, a, slotmodel.Reduce))
		f.wake.Ask(v, a, next)
	}
}

// ObservesGangs reports whether self is f: one call for all maps that start or end together is enough.
func (f *Fair) ObservesGangs(self any) bool { return self == any(f) }

// Observe keeps the order.
func (f *fairOrder) Observe(v *slotmodel.View, e slotmodel.Event) {
	r := internal.Rank(v, e.Job)
	if r == internal.Absent || int(r) >= len(f.jobs) {
		return
	}
	if f.jobs[r].weight == 0 {
		f.enter(v, e.Job)
	}
	f.update(v, e.Job, slotmodel.Map)
	f.update(v, e.Job, slotmodel.Reduce)
}

// update brings the places of a job and of its pool in the orders of a kind up to date.
func (f *fairOrder) update(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) {
	r := internal.Rank(v, j)
	x := &f.jobs[r]
	p := &f.pools[x.pool]
	running := v.Count(j, k).Running
	p.running[k] += running - x.running[k]
	x.running[k] = running
	switch {
	case !v.Runnable(j, k):
		p.jobs[k].Remove(r)
	case f.byArrival:
		p.jobs[k].Set(r, 0)
	default:
		p.jobs[k].Set(r, float64(running)/x.weight)
	}
	if p.jobs[k].Len() > 0 {
		f.ready[k].Set(x.pool, p.key(k))
	} else {
		f.ready[k].Remove(x.pool)
	}
}

// key is what orders a pool: in [-1, 0) below its minimum share, otherwise its level.
func (p *fairPool) key(k slotmodel.Kind) float64 {
	if n := float64(p.running[k]); n < p.minimum[k] {
		return n/p.minimum[k] - 1
	}
	return p.level(k)
}

// level returns the running tasks of a pool per weight.
func (p *fairPool) level(k slotmodel.Kind) float64 { return float64(p.running[k]) / p.weight }

// Begin starts a walk.
func (f *fairOrder) Begin(_ *slotmodel.View, k slotmodel.Kind) {
	f.kind = k & 1
	f.ready[f.kind].Begin()
	f.nextPool()
}

// nextPool goes on to the jobs of the next pool.
func (f *fairOrder) nextPool() {
	if f.walk = f.ready[f.kind].Next(); f.walk != internal.Absent {
		f.pools[f.walk].jobs[f.kind].Begin()
	}
}

// Next returns the next job of the walk.
func (f *fairOrder) Next(v *slotmodel.View) slotmodel.Job {
	if f.jobs == nil || f.broken {
		return slotmodel.None
	}
	for f.walk != internal.Absent {
		if r := f.pools[f.walk].jobs[f.kind].Next(); r != internal.Absent {
			return v.Arrived(int(r))
		}
		f.nextPool()
	}
	return slotmodel.None
}

// Ahead reports whether a walk gives job a before job b. Both must have a task to start.
func (f *fairOrder) Ahead(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	r, s := internal.Rank(v, a), internal.Rank(v, b)
	if !f.entered(r) || !f.entered(s) {
		return false, false
	}
	p, q := f.jobs[r].pool, f.jobs[s].pool
	if p != q {
		return f.ready[k&1].Precedes(p, q), true
	}
	return f.pools[p].jobs[k&1].Precedes(r, s), true
}

// entered reports whether a job of some rank is in a pool.
func (f *fairOrder) entered(rank int32) bool {
	return rank >= 0 && int(rank) < len(f.jobs) && f.jobs[rank].weight > 0
}

// positive returns a weight, 1 for one that is not positive and finite.
func positive(w float64) float64 {
	if !(w > 0 && w <= math.MaxFloat64) {
		return 1
	}
	return w
}

// ByUser is a PoolOf for Fair: each user has a pool of their own. No job is user 0's.
func ByUser(s *slotmodel.JobSpec) int {
	if s == nil {
		return 0
	}
	return s.User
}
