package policy_test

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// sameEvents reports whether two policies lead to the same events.
func sameEvents(cluster *slotmodel.Cluster, jobs []slotmodel.JobSpec, a, b slotmodel.Policy) bool {
	x, err := slotmodel.Run(cluster, jobs, a, slotmodel.Options{Hash: true})
	y, other := slotmodel.Run(cluster, jobs, b, slotmodel.Options{Hash: true})
	return err == nil && other == nil && x.Hash == y.Hash
}

// mixed are jobs of three users with maps of different work, and reduces.
func mixed() (*slotmodel.Cluster, []slotmodel.JobSpec) {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 1}, {Maps: 2, Reduces: 1}}}
	var jobs []slotmodel.JobSpec
	for i := range 30 {
		j := slotmodel.JobSpec{User: i % 3, Arrival: float64(5 * i), Deadline: float64(5*i + 7*(i%5)), Slowstart: 1}
		for t := range 1 + i*i%7 {
			j.Maps.Works = append(j.Maps.Works, float64(1+(i+t*t)%11))
		}
		j.Maps.Tasks = len(j.Maps.Works)
		j.Reduces = slotmodel.Phase{Tasks: i % 3, Work: float64(2 + i%4)}
		jobs = append(jobs, j)
	}
	return cluster, jobs
}

// workOfTasks returns the work of the tasks of a job that have not ended, maps and reduces.
func workOfTasks(v *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 {
	s, sum := v.Spec(j), 0.0
	for k, phase := range []*slotmodel.Phase{&s.Maps, &s.Reduces} {
		kind := slotmodel.Kind(k)
		for t := v.NextPending(j, kind, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, kind, t) {
			_, _, i := v.Index(t)
			sum += phase.Of(i)
		}
		for a := v.Newest(j, kind); a != slotmodel.None; a = v.Older(a) {
			_, _, i := v.Index(v.Attempt(a).Task)
			sum += phase.Of(i)
		}
	}
	return sum
}

// Shortest remaining processing time is one key.
func ExampleBy() {
	cluster, jobs := mixed()
	srpt := &policy.Greedy{Inner: policy.By(workOfTasks)}
	fmt.Println("as SRPT:", sameEvents(cluster, jobs, srpt, new(policy.SRPT)))
	// Output: as SRPT: true
}

// Earliest deadline first is another. Jobs without a deadline come last.
func ExampleBy_deadline() {
	cluster, jobs := mixed()
	edf := policy.By(func(v *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 {
		if d := v.Spec(j).Deadline; d > 0 {
			return d
		}
		return math.Inf(1)
	})
	for _, p := range []slotmodel.Policy{policy.FIFO{}, &policy.Greedy{Inner: edf}} {
		res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		worst := 0.0
		for i, j := range res.Jobs {
			worst = max(worst, j.Finish-jobs[i].Deadline)
		}
		fmt.Printf("greatest lateness %v s\n", worst)
	}
	// Output:
	// greatest lateness 23 s
	// greatest lateness 20 s
}

// quota gives each user a number of map slots and shares the rest. A user below the quota takes
// slots back after a time, from the newest attempt of the user with the most slots, of those above
// theirs.
type quota struct {
	policy.Greedy // the order: Fair with the quotas as minimum shares
	slots         []int
	after         float64
	since         map[slotmodel.User]float64 // since when each user lacks slots
}

func (q *quota) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	q.Greedy.Decide(v, a)
	for u := range slotmodel.User(v.Users()) {
		if v.NextRunnableOf(u, slotmodel.None, slotmodel.Map) == slotmodel.None || v.UserRunning(u, slotmodel.Map) >= q.slots[u] {
			delete(q.since, u)
			continue
		}
		if _, lacks := q.since[u]; !lacks {
			q.since[u] = v.Now()
			a.Wake(v.Now() + q.after)
		}
		if x := q.victim(v); x != slotmodel.None && v.Now() >= q.since[u]+q.after {
			a.Kill(x) // another decision follows in this instant, and fills the slot
		}
	}
}

func (q *quota) victim(v *slotmodel.View) slotmodel.Attempt {
	best, most, start := slotmodel.Attempt(slotmodel.None), 0, 0.0
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		u, x := slotmodel.User(v.Spec(j).User), v.Newest(j, slotmodel.Map)
		if n := v.UserRunning(u, slotmodel.Map); x != slotmodel.None && n > q.slots[u] && (n > most || n == most && v.Attempt(x).Start >= start) {
			best, most, start = x, n, v.Attempt(x).Start
		}
	}
	return best
}

func ExampleGreedy_quota() {
	cluster, jobs := mixed()
	for i := range jobs { // users come one after the other, with long tasks
		jobs[i].User, jobs[i].Arrival, jobs[i].Reduces = i/10, float64(8*i), slotmodel.Phase{}
		for t := range jobs[i].Maps.Works {
			jobs[i].Maps.Works[t] *= 4
		}
	}
	pools := []policy.Pool{{MinMaps: 2}, {MinMaps: 1}, {MinMaps: 1}}
	fair := func(timeout float64) *policy.Fair {
		return &policy.Fair{PoolOf: policy.ByUser, Pools: pools, MinTimeout: timeout}
	}
	p := &quota{Greedy: policy.Greedy{Inner: fair(0)}, slots: []int{2, 1, 1}, after: 3, since: map[slotmodel.User]float64{}}
	res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Totals.Kills > 0, "as Fair:", sameEvents(cluster, jobs, p, fair(3)))
	// Output: true as Fair: true
}

// Users first: the user with the fewest slots, and of that user the earliest job, near its data
// if that is free in time.
func ExamplePerUser() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Slots: 2}, {Slots: 2}}}
	jobs := []slotmodel.JobSpec{
		{User: 0, Maps: slotmodel.Phase{Tasks: 8, Work: 10}},
		{User: 1, Maps: slotmodel.Phase{Tasks: 2, Work: 10}, Reduces: slotmodel.Phase{Tasks: 2, Work: 5}, Slowstart: 1, Arrival: 1},
		{User: 1, Maps: slotmodel.Phase{Tasks: 2, Work: 10}, Arrival: 2},
	}
	for _, p := range []slotmodel.Policy{policy.FIFO{}, &policy.PerUser{Users: new(policy.FairUsers), Chooser: &policy.Earliest{Filter: &policy.Delay{Node: 5}}}} {
		res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish, res.Jobs[2].Finish)
	}
	// Output:
	// 20 35 30
	// 30 25 35
}
