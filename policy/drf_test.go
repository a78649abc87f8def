package policy_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// watchedDRF is DRF each of whose walks is checked against the definition.
type watchedDRF struct {
	policy.DRF
	t     testing.TB
	c     *slotmodel.Cluster
	walks int
}

func (w *watchedDRF) Begin(v *slotmodel.View, n slotmodel.Node) {
	slots, memory := 0, 0.0
	for i, s := range w.c.Nodes {
		if v.Up(slotmodel.Node(i)) {
			slots += s.Maps + s.Reduces + s.Slots
			memory += s.Memory
		}
	}
	level := make([]float64, v.Users())
	held, bytes := make([]float64, v.Users()), make([]float64, v.Users())
	present := make([]bool, v.Users())
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		s := v.Spec(j)
		present[s.User] = true
		maps, reduces := float64(v.Count(j, slotmodel.Map).Running), float64(v.Count(j, slotmodel.Reduce).Running)
		held[s.User] += maps + reduces
		bytes[s.User] += maps*s.Maps.Memory + reduces*s.Reduces.Memory
	}
	for u := range level {
		level[u] = held[u] / float64(slots) / v.Entitlement(slotmodel.User(u))
		if w.c.Nodes[0].Memory > 0 {
			level[u] = max(level[u], bytes[u]/memory/v.Entitlement(slotmodel.User(u)))
		}
	}
	w.DRF.Begin(v, n)
	last := -1
	for u := w.DRF.Next(v); u != slotmodel.None; u = w.DRF.Next(v) {
		if !present[u] {
			w.t.Fatalf("at %v s user %d of the walk has no job", v.Now(), u)
		}
		present[u] = false
		if last >= 0 {
			if d := level[u] - level[last]; d < -1e-12 || d == 0 && int(u) < last {
				w.t.Fatalf("at %v s user %d of share %v comes after user %d of share %v", v.Now(), u, level[u], last, level[last])
			}
		}
		last = int(u)
		w.walks++
	}
	for u, left := range present {
		if left {
			w.t.Fatalf("at %v s user %d is not in the walk", v.Now(), u)
		}
	}
	w.DRF.Begin(v, n)
}

// Walks are those of the definition, whatever the nodes that are up, and every job ends.
func TestDRF(t *testing.T) {
	walks := 0
	draw := rapid.Custom(func(t *rapid.T) func(testing.TB) {
		c := policytest.DrawCluster(t)
		limited := rapid.Bool().Draw(t, "memory is limited")
		for i := range c.Nodes {
			c.Nodes[i].Slots = rapid.IntRange(0, 2).Draw(t, "shared slots")
			if limited {
				c.Nodes[i].Memory = float64(rapid.IntRange(8, 16).Draw(t, "memory"))
			}
		}
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			jobs[i].Rigid = false
			jobs[i].Maps.Memory = float64(rapid.IntRange(0, 4).Draw(t, "map memory"))
			jobs[i].Reduces.Memory = float64(rapid.IntRange(0, 4).Draw(t, "reduce memory"))
			jobs[i].Slowstart = 1
		}
		weights := []float64{1, 2, 3, 1}
		return func(t testing.TB) {
			users := &watchedDRF{t: t, c: c}
			res, err := slotmodel.Run(c, jobs, &policy.PerUser{Users: users}, slotmodel.Options{Entitlements: weights})
			if err != nil {
				t.Fatalf("Run failed: %v", err)
			}
			for j, r := range res.Jobs {
				if r.Outcome == slotmodel.Unended {
					t.Fatalf("job %d has not ended", j)
				}
			}
			walks += users.walks
		}
	})
	for seed := range 300 {
		draw.Example(seed)(t)
	}
	if walks < 5000 {
		t.Errorf("%d steps of walks, want 5000: the workloads test nothing", walks)
	}
}

// The example of the paper [8, section 4.1]: 9 CPUs and 18 GB, tasks of 1 CPU and 4 GB, and of 3
// CPUs and 1 GB. A slot is one CPU, so the second user's tasks are made of 3 of 1 CPU and 1/3 GB.
// Fair shares of slots would give 4 and 5 slots.
func TestDRFOfThePaper(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Slots: 9, Memory: 18}}}
	jobs := []slotmodel.JobSpec{
		{User: 0, Maps: slotmodel.Phase{Tasks: 20, Work: 1, Memory: 4}},
		{User: 1, Maps: slotmodel.Phase{Tasks: 20, Work: 1, Memory: 1. / 3}},
	}
	for _, x := range []struct {
		users policy.Users
		want  [2]int
	}{{new(policy.DRF), [2]int{3, 6}}, {new(policy.FairUsers), [2]int{4, 5}}} {
		p := &policytest.After{Policy: &policy.PerUser{Users: x.users}, Check: func(v *slotmodel.View) {
			if got := [2]int{v.UserRunning(0, slotmodel.Map), v.UserRunning(1, slotmodel.Map)}; v.Now() == 0 && got != x.want {
				t.Errorf("%T: the users run %v tasks, want %v", x.users, got, x.want)
			}
		}}
		if _, err := slotmodel.Run(c, jobs, p, slotmodel.Options{}); err != nil {
			t.Fatal(err)
		}
	}
}

// Without limits of memory, and with equal entitlements, DRF is FairUsers, to the event.
func TestDRFWithoutMemory(t *testing.T) {
	for seed := range uint64(3) {
		c, jobs := policytest.Blocked(seed, 200)
		a := policytest.Starts(t, c, jobs, &policy.PerUser{Users: new(policy.DRF)})
		if b := policytest.Starts(t, c, jobs, new(policy.PerUser)); a != b {
			t.Errorf("seed %d: DRF and FairUsers start differently", seed)
		}
		for i := range c.Nodes {
			c.Nodes[i].Memory = math.Inf(1)
		}
		if b := policytest.Starts(t, c, jobs, &policy.PerUser{Users: new(policy.DRF)}); a != b {
			t.Errorf("seed %d: DRF with infinite memory starts differently", seed)
		}
	}
}
