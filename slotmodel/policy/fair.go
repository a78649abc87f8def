package policy

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// Pool is a group of jobs that shares in the cluster as one under Fair.
type Pool struct {
	Weight     float64 // its share in proportion to the other pools; 0 means 1
	MinMaps    int     // map slots that it is guaranteed, 0: none
	MinReduces int     // reduce slots
}

// Fair is Hadoop's fair scheduler as HFSP describes it [1, section III-A]: pools with guaranteed minimum shares, and whatever is
// beyond them goes to who has least. A slot that becomes free goes to a task of
//
//	the pool that is below its minimum share, of several the one that has the smallest fraction of its own;
//	when there is none, the pool with the fewest running tasks per weight;
//	within the pool, the job with the fewest running tasks per weight,
//
// among the pools and jobs that have a task to start. Ties: the pool whose first job arrived first, the job that arrived first.
// Maps and reduces are shared separately. So a pool's guarantee is split evenly over its jobs, and jobs that want more than others
// leave are all within one task of each other, per weight. Nothing is remembered: what a job lacked before is not made up for. That is
// how Hadoop has shared since 0.21. With fewer slots than jobs those that arrived first therefore keep them, and on one slot it is FIFO; Deficits take
// turns there.
//
// # Deficits
//
// With Deficits Fair remembers, as Hadoop 0.20 did [4]. A job's fair share of the slots of a kind is that of weighted max-min fairness: the
// pools share the slots, each by its weight, at least its minimum share and at most what its jobs can use, and each pool's part is
// shared by its jobs alike. A job can use a slot for each of its tasks that has not ended, from when tasks of the kind may start. Its
// deficit is the integral of its fair share less the slots it holds, in slot-seconds: what it lacks of what it was entitled to. A
// slot that becomes free goes to
//
//	the job with the greatest deficit, of those whose pool is below its minimum share;
//	when there is none, the job with the greatest deficit.
//
// Ties: the job with the fewest running tasks per weight, then the one that arrived first. In the long run a job thereby gets its share,
// whatever its tasks take, where sharing without memory favours long tasks: of n jobs that are there from the start, without minimum
// shares, and want more than the S slots, none is ever ahead of its entitlement by more than S times the longest task, nor behind by more
// than (n-1) S times that. The price is that slots that become free in one instant may all go to one job, and that those who have been
// passed over go before all who come later. Hadoop gave deficits up since sharing was unsteady with them, and unfair where some jobs have
// long tasks.
//
// Where guarantees exceed the slots each pool is entitled to the same fraction of its own. Unlike Hadoop, which splits a guarantee
// over a pool's jobs in whole slots and lets a job's fair share exceed what it can use, Fair compares the pool with its guarantee, and
// nobody is owed what they could not have used.
//
// # Both forms
//
// A share is reached as slots become free, unless there is a MinTimeout: a pool that has been below its minimum share for so long, with a
// task to start, then takes the slots that it lacks, as in Hadoop since 0.21 [4]: it kills the newest attempt of the pool with the most
// running tasks per weight, of those that have more than their minimum shares, rigid jobs apart; within a combinator Fair is an order alone. The zero value has one pool, in which all jobs weigh
// the same; that is what HFSP is compared with. Weights that are not finite and positive count as 1. Rigid jobs are treated as under
// Greedy, and count all of their tasks.
//
// As a Ranker Fair walks the jobs in this order. An event costs O(log jobs + log pools), the first job of a walk O(1) and the first m
// O(m log m), whatever the backlog. With Deficits the first walk of an instant costs O(n + pools) more for n jobs that have tasks to do,
// and when what a job can use has changed its share some passes over all n besides, those of aging.MaxMin; with Update both come only
// after so many seconds, or when a job has come. So a slot that becomes free costs O(log n) without memory and O(n) with it, and with a long
// Update O(n) for each job that comes instead. Nothing is allocated in the steady state.
type Fair struct {
	Pools    []Pool                           // of the pools that PoolOf numbers; others weigh 1 and have no minimum share
	PoolOf   func(*slotmodel.JobSpec) int     // number of a job's pool, any number; nil: all in pool 0
	WeightOf func(*slotmodel.JobSpec) float64 // weight of a job within its pool; nil: all 1
	Overtake bool                             // as for Greedy
	Deficits bool                             // shares by what jobs have lacked, not by what they hold
	// MinTimeout is for how many seconds a pool may be below its minimum share, with a task to start, before it takes slots away; 0: for
	// ever.
	MinTimeout float64
	Update     float64 // s for which fair shares and the order by deficits stand; 0: an instant. Hadoop's was 0.5

	filler
	turns turns
	jobs  []fairJob     // by turn
	index map[int]int32 // place in pools of each number that PoolOf gave
	pools []fairPool    // in the order in which their first jobs arrived
	ready [2]order      // pools with a job that can start a task of the kind
	at    [2][]int32    // for the orders of the jobs of all pools
	kind  slotmodel.Kind
	walk  int32        // the pool whose jobs the walk passes, absent: none
	debts [2]fairDebts // with Deficits
	waits []fairWait   // of pools, with MinTimeout
}

// fairJob is what Fair knows of one job.
type fairJob struct {
	pool    int32
	running [2]int32
	weight  float64
}

// fairPool is what Fair knows of one pool.
type fairPool struct {
	weight  float64
	minimum [2]float64
	running [2]int32
	jobs    [2]order // those that can start a task of the kind, by turn
}

// Decide fills the free slots, maps first.
func (f *Fair) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if f == nil {
		return
	}
	f.fillAll(v, a, f, f.Overtake)
	if f.turns.run == v && f.preempts() {
		f.preempt(v, a, slotmodel.Map)
		f.preempt(v, a, slotmodel.Reduce)
		f.fill(v, a, slotmodel.Map, f, f.Overtake) // maps run again when a reduce is killed whose data is gone
		f.preempt(v, a, slotmodel.Map)
	}
}

// Observe keeps the order.
func (f *Fair) Observe(v *slotmodel.View, e slotmodel.Event) {
	if f == nil {
		return
	}
	if f.turns.run != v {
		f.begin(v)
	}
	if f.Deficits {
		f.settle(v, e)
		return
	}
	if v.Spec(e.Job) == nil { // no job's
		return
	}
	if f.turns.unknown(e.Job) {
		f.arrive(v, e.Job)
	}
	switch e.Type {
	case slotmodel.JobEnded:
		f.update(v, e.Job, slotmodel.Map)
		f.update(v, e.Job, slotmodel.Reduce)
	case slotmodel.Arrived, slotmodel.Computes, slotmodel.MapsEnded, slotmodel.NodeDown, slotmodel.NodeUp:
	default:
		f.update(v, e.Job, e.Kind&1)
	}
}

// begin lays out a run.
func (f *Fair) begin(v *slotmodel.View) {
	f.turns, f.pools, f.ready, f.walk, f.waits = newTurns(v), nil, [2]order{}, absent, nil
	f.index = make(map[int]int32)
	f.jobs = make([]fairJob, 0, v.Jobs())
	for k := range f.at {
		f.at[k] = places(v.Jobs())
		f.debts[k].begin(f, v, slotmodel.Kind(k))
	}
}

// arrive puts a job into its pool, and makes that when the job is its first.
func (f *Fair) arrive(v *slotmodel.View, j slotmodel.Job) {
	s := v.Spec(j)
	number, weight := 0, 1.0
	if f.PoolOf != nil {
		number = f.PoolOf(s)
	}
	if f.WeightOf != nil {
		weight = positive(f.WeightOf(s))
	}
	p, known := f.index[number]
	if !known {
		p = int32(len(f.pools))
		f.index[number] = p
		x := fairPool{weight: 1}
		if number >= 0 && number < len(f.Pools) {
			o := &f.Pools[number]
			x.weight = positive(o.Weight)
			x.minimum = [2]float64{float64(o.MinMaps), float64(o.MinReduces)}
		}
		for k := range x.jobs {
			x.jobs[k].at = f.at[k]
			f.ready[k].at = append(f.ready[k].at, absent)
		}
		f.pools = append(f.pools, x)
	}
	f.turns.take(j)
	f.jobs = append(f.jobs, fairJob{pool: p, weight: weight})
}

// update puts a job, and its pool, to the places that their running tasks give them.
func (f *Fair) update(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) {
	t := f.turns.of[j]
	x := &f.jobs[t]
	p := &f.pools[x.pool]
	running := v.Count(j, k).Running
	p.running[k] += running - x.running[k]
	x.running[k] = running
	if v.Runnable(j, k) {
		p.jobs[k].set(t, float64(running)/x.weight)
	} else {
		p.jobs[k].remove(t)
	}
	if p.jobs[k].heap.Len() > 0 {
		f.ready[k].set(x.pool, p.key(k))
	} else {
		f.ready[k].remove(x.pool)
	}
}

// key orders pools: below its minimum share a pool has a key in [-1, 0).
func (p *fairPool) key(k slotmodel.Kind) float64 {
	n := float64(p.running[k])
	if n < p.minimum[k] {
		return n/p.minimum[k] - 1
	}
	return n / p.weight
}

// Begin starts a walk.
func (f *Fair) Begin(v *slotmodel.View, k slotmodel.Kind) {
	switch {
	case f == nil || f.turns.run != v:
		return
	case f.Deficits:
		f.beginDebts(v, k&1)
		return
	}
	f.kind = k & 1
	f.ready[k&1].begin()
	f.nextPool()
}

func (f *Fair) nextPool() {
	if f.walk = f.ready[f.kind].next(); f.walk != absent {
		f.pools[f.walk].jobs[f.kind].begin()
	}
}

// Next returns the next job of the walk.
func (f *Fair) Next(v *slotmodel.View) slotmodel.Job {
	switch {
	case f == nil || f.turns.run != v:
		return slotmodel.None
	case f.Deficits:
		return f.nextDebt()
	}
	for f.walk != absent {
		if t := f.pools[f.walk].jobs[f.kind].next(); t != absent {
			return f.turns.job[t]
		}
		f.nextPool()
	}
	return slotmodel.None
}

// precedes reports whether the walk gives job a before job b.
func (f *Fair) precedes(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) bool {
	if f.turns.run != v {
		return a < b
	}
	t, u := f.turns.of[a], f.turns.of[b]
	if t == absent || u == absent {
		return t != absent
	}
	if f.Deficits {
		return f.debts[k].precedes(f, t, u, k)
	}
	if p, q := f.jobs[t].pool, f.jobs[u].pool; p != q {
		return f.ready[k].precedes(p, q)
	}
	return f.pools[f.jobs[t].pool].jobs[k].precedes(t, u)
}

// positive returns a weight, 1 for what is none.
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
