package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
)

// cluster compares each state with what the functions for lists make of the one before.
func cluster(r *rand.Rand) func(loss) {
	type virtual = *aging.Cluster[int]
	p := pair[virtual, aging.Snapshot[int]]{r: r, it: must(aging.New[int](1 + 9*r.Float64())), snapshot: virtual.Snapshot, restore: aging.Restore[int]}
	return func(l loss) {
		c, op, key, x, j := p.it, r.IntN(24), r.IntN(12), .1+100*r.Float64(), aging.Job{Work: .1 + 100*r.Float64(), Weight: .1 + r.Float64()}
		if r.IntN(2) == 0 {
			j.Slots = .1 + 3*r.Float64()
		}
		elapsed := x / 40
		jobs, entries, late := listed(c)
		p.do(l, func(c virtual) any {
			switch op {
			case 0, 1, 2, 3, 4, 5:
				return c.Add(key, j)
			case 6, 7:
				return c.Complete(key)
			case 8:
				return c.Remove(key)
			case 9:
				return c.Reestimate(key, x)
			case 10:
				return c.SetSlots(key, x)
			case 11:
				return c.SetWeight(key, x)
			case 12:
				return c.SetReady(key, x < 60)
			case 13:
				return c.SetCapacity(x / 10)
			case 14:
				return c.Lapsed(nil)
			}
			return c.Advance(elapsed)
		}, func() {
			if op < 15 {
				return
			}
			for _, i := range must(aging.Order(nil, c.Capacity(), jobs, aging.ByFinish)) {
				if ends := must(aging.Finish(nil, c.Capacity(), jobs)); jobs[i].Work > 0 && ends[i] <= elapsed && entries[i].State == aging.OnTime {
					late = append(late, entries[i].Key)
				}
			}
			jobs = must(aging.Age(nil, c.Capacity(), elapsed, jobs))
		})
		if op >= 15 {
			same("Late", c.Late(nil), late)
			for i, e := range entries {
				now, ok := c.Job(e.Key)
				same("Job", ok, jobs[i].Work > 0 || e.State != aging.Completed)
				near("Work", now.Work, jobs[i].Work, e.Size)
			}
		}
		jobs, entries, late = listed(c)
		claims := make([]aging.Claim, len(jobs))
		for i, j := range jobs {
			if claims[i] = (aging.Claim{Demand: j.Slots, Weight: j.Weight}); j.Slots == 0 {
				claims[i].Demand = math.Inf(1)
			}
			if j.Work == 0 {
				claims[i].Demand = 0
			}
		}
		for i, share := range must(aging.Shares(nil, c.Capacity(), claims, nil, aging.Within)) {
			rate, _ := c.Rate(entries[i].Key)
			near("Rate", rate, share, c.Capacity())
		}
		for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
			var got []int
			for key := range c.All(by) {
				got = append(got, key)
			}
			want := slices.Clone(late)
			for _, i := range must(aging.Order(nil, c.Capacity(), jobs, by)) {
				if entries[i].State == aging.OnTime {
					want = append(want, entries[i].Key)
				}
			}
			same("All", got, want)
			ready := slices.DeleteFunc(want, func(key int) bool {
				return slices.ContainsFunc(entries, func(e aging.SnapshotJob[int]) bool { return e.Key == key && e.NotReady })
			})
			first, ok := c.First(by)
			same("First", answer{first, ok}, answer{append(ready, 0)[0], len(ready) > 0})
		}
	}
}

// listed returns the jobs of a cluster in the order of Add, and who is late.
func listed(c *aging.Cluster[int]) (jobs []aging.Job, entries []aging.SnapshotJob[int], late []int) {
	entries = c.Snapshot().Jobs
	for _, e := range entries {
		j, _ := c.Job(e.Key)
		jobs = append(jobs, j)
	}
	return jobs, entries, c.Late(nil)
}

// trainer counts samples: of each job those that run and the times of those that have ended.
func trainer(r *rand.Rand) func(loss) {
	type school = *estimate.Trainer[int]
	p := pair[school, estimate.TrainerSnapshot[int]]{r: r, it: must(estimate.NewTrainer[int](8, estimate.TrainerOptions{Samples: 3, Limit: .5})),
		snapshot: school.Snapshot, restore: estimate.RestoreTrainer[int]}
	type pupil struct {
		key, tasks     int
		running, times []float64
	}
	var jobs []*pupil // in the order of Add
	return func(l loss) {
		op, key, x, running := r.IntN(8), r.IntN(8), float64(r.IntN(50)), 0
		var job, next *pupil
		for _, j := range jobs {
			running += len(j.running)
			if j.key == key {
				job = j
			}
			if len(j.running)+len(j.times) < min(3, j.tasks) && (next == nil || j.tasks < next.tasks) {
				next = j
			}
		}
		got, want := answer{}, answer{}
		if next != nil && running < 4 {
			want = answer{next.key, true}
		}
		got.key, got.ok = p.it.Next()
		same("Next", got, want)
		same("Room", p.it.Room(), 4-running)
		switch {
		case job == nil:
			tasks := 1 + r.IntN(9)
			p.do(l, func(t school) any { return t.Add(key, tasks) }, func() { jobs = append(jobs, &pupil{key: key, tasks: tasks}) })
		case op == 0:
			p.do(l, func(t school) any { return t.Remove(key) }, func() {
				jobs = slices.DeleteFunc(jobs, func(j *pupil) bool { return j == job })
			})
		case op < 4 && want.ok:
			number := p.do(l, func(t school) any { return must(t.Started(next.key)) }, func() {}).(int)
			if l != plainLoses {
				next.running = append(next.running, float64(number))
			}
		case len(job.running) > 0:
			number := int(job.running[0])
			p.do(l, func(t school) any {
				if op == 7 {
					return t.Failed(key, number)
				}
				return t.Finished(key, number, x)
			}, func() {
				if job.running = job.running[1:]; op != 7 {
					job.times = append(job.times, x)
				}
			})
		}
		if job != nil && len(job.times) == min(3, job.tasks) && op > 0 {
			size, done := p.it.Size(key)
			same("Size", []any{size, done}, []any{must(estimate.PhaseSize(job.times, job.tasks)), true})
		}
	}
}

// requirements keeps the times of all runs and sorts the last ones.
func requirements(r *rand.Rand) func(loss) {
	type history = *estimate.Requirements[int]
	o := estimate.RequirementOptions[int]{Window: 1 + r.IntN(20)}
	p := pair[history, estimate.RequirementsSnapshot[int]]{r: r, it: must(estimate.NewRequirements(o)), snapshot: history.Snapshot,
		restore: func(s estimate.RequirementsSnapshot[int]) (history, error) { return estimate.RestoreRequirements(s, o) }}
	runs := map[estimate.Task[int]][]float64{}
	return func(l loss) {
		t := estimate.Task[int]{Class: r.IntN(3), Kind: schedmath.Kind(r.IntN(2)), Worker: r.IntN(3)}
		all, x := estimate.Task[int]{Class: t.Class, Kind: t.Kind, Worker: estimate.AllWorkers}, float64(r.IntN(30))
		p.do(l, func(q history) any { return q.Add(t, estimate.Run{Time: x}) }, func() {
			runs[t], runs[all] = append(runs[t], x), append(runs[all], x)
		})
		for _, t := range []estimate.Task[int]{t, all} {
			last := slices.Clone(runs[t][max(0, len(runs[t])-o.Window):])
			n := len(last)
			got := must(p.it.Estimate(t, nil))
			if same("Runs", got.Runs, n); n > 0 {
				slices.Sort(last)
				same("P50 and P95", []float64{got.P50, got.P95}, []float64{last[(n-1)/2], last[(95*n+99)/100-1]})
			}
		}
	}
}
