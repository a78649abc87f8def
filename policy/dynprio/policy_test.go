package dynprio_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// rich returns accounts that hold a million credits and bid these rates.
func rich(rates ...market.Credits) []market.User {
	users := make([]market.User, len(rates))
	for i, r := range rates {
		users[i] = market.User{Budget: 1e6 * market.Credit, Rate: r}
	}
	return users
}

// Runs worked out by hand. Six slots, two users whose jobs want all of them, rates 2 : 1.
func TestSequences(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 6, 0)}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 12, 10), policytest.Maps(0, 12, 10)}
	jobs[1].User = 1
	for _, x := range []struct {
		name string
		o    *dynprio.Policy
		want string
	}{
		// Four and two slots until job 0 has ended at 30 s; then job 1 takes the spare ones. Users
		// lack 4 and 2, 3 and 2, 2 and 2, 1 and 2, 1 and 1, 0 and 1.
		{"shares", &dynprio.Policy{Users: rich(2, 1), Period: 1000}, "0:0 0:0 0:0 0:1 0:0 0:1 10:0 10:0 10:0 10:1 10:0 10:1 20:0 20:0 20:0 20:1 20:0 20:1 30:1 30:1 30:1 30:1 30:1 30:1 | 30 40"},
		{"nobody pays", &dynprio.Policy{}, "0:0 0:0 0:0 0:0 0:0 0:0 10:0 10:0 10:0 10:0 10:0 10:0 20:1 20:1 20:1 20:1 20:1 20:1 30:1 30:1 30:1 30:1 30:1 30:1 | 20 40"},
		// From 12 s on user 1 bids as much as user 0: three slots each from 20 s on, when slots
		// become free. At 30 s user 0 has a task left, and is granted one slot.
		{"rates change", &dynprio.Policy{Users: rich(2, 1), Period: 5, Changes: []dynprio.Change{{Time: 12, User: 1, Set: dynprio.SetRate, Amount: 2}}},
			"0:0 0:0 0:0 0:1 0:0 0:1 10:0 10:0 10:0 10:1 10:0 10:1 20:0 20:1 20:0 20:1 20:0 20:1 30:1 30:1 30:1 30:1 30:0 30:1 | 40 40"},
	} {
		got := ""
		res, err := slotmodel.Run(c, jobs, x.o, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.Started {
				got += num(e.Time) + ":" + num(float64(e.Job)) + " "
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if got += "| " + num(res.Jobs[0].Finish) + " " + num(res.Jobs[1].Finish); got != x.want {
			t.Errorf("%s:\n got %s\nwant %s", x.name, got, x.want)
		}
	}
}

// While nobody can pay, starts and ends are FIFO's.
func TestWithoutMoney(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		o := &dynprio.Policy{Period: 1 + policytest.DrawWork(t, "interval"), Preempt: dynprio.Preempt{On: rapid.Bool().Draw(t, "preempt")}}
		for range rapid.IntRange(0, 4).Draw(t, "accounts") { // each lacks something to pay with
			u := market.User{Budget: market.Credits(rapid.IntRange(0, 9).Draw(t, "budget"))}
			if u.Rate = u.Budget + 1; u.Budget > 0 && rapid.Bool().Draw(t, "no bid") {
				u.Rate = 0
			}
			o.Users = append(o.Users, u)
		}
		res, err := slotmodel.Run(c, jobs, o, slotmodel.Options{Hash: true})
		want, fifo := slotmodel.Run(c, jobs, policy.FIFO{}, slotmodel.Options{Hash: true})
		if err != nil || fifo != nil {
			t.Fatalf("Run failed: %v, %v", err, fifo)
		}
		if res.Hash != want.Hash {
			t.Fatalf("Policy without money has other events than FIFO")
		}
	})
}

// With equal rates, all users there from the start, no preemption and one Step, everybody holds
// what they hold under Fair by user, within one task.
func TestIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		users := rapid.IntRange(2, 6).Draw(t, "users")
		c := &slotmodel.Cluster{Nodes: policytest.Nodes(rapid.IntRange(1, 5).Draw(t, "nodes"), 5, rapid.IntRange(1, 5).Draw(t, "slots"), 0)}
		var jobs []slotmodel.JobSpec
		for u := range users {
			for range rapid.IntRange(1, 3).Draw(t, "jobs") {
				j := policytest.Maps(0, policytest.Endless, .125+policytest.DrawWork(t, "work"))
				j.User = u
				jobs = append(jobs, j)
			}
		}
		held := func(p slotmodel.Policy) map[float64][]int { // by instant, after its last decision
			all := map[float64][]int{}
			check := func(v *slotmodel.View) {
				row := make([]int, users)
				for u := range row {
					row[u] = v.UserRunning(slotmodel.User(u), slotmodel.Map)
				}
				all[v.Now()] = row
			}
			if _, err := slotmodel.Run(c, jobs, &policytest.After{Policy: p, Check: check}, slotmodel.Options{Until: 4}); err != nil {
				t.Fatalf("Run failed: %v", err)
			}
			return all
		}
		rates := slices.Repeat([]market.Credits{market.Credit}, users)
		got, want := held(&dynprio.Policy{Users: rich(rates...), Period: 1000}), held(&policy.Fair{PoolOf: policy.ByUser})
		// Neither has a decision at an instant at which nothing happens under it.
		instants := slices.AppendSeq(slices.Collect(maps.Keys(got)), maps.Keys(want))
		slices.Sort(instants)
		now, then := got[0], want[0]
		for _, at := range slices.Compact(instants) {
			if row, ok := got[at]; ok {
				now = row
			}
			if row, ok := want[at]; ok {
				then = row
			}
			for u := range users {
				if d := now[u] - then[u]; d < -1 || d > 1 {
					t.Fatalf("at %v s user %d holds %d slots, under Fair %d", at, u, now[u], then[u])
				}
			}
		}
	})
}

// num prints a number that is whole.
func num(x float64) string { return market.Credits(math.Round(x) * 1e6).String() }

// A run leaves the settings as they were set: no default filled in, no change moved.
func TestSettingsStay(t *testing.T) {
	changes := func() []dynprio.Change {
		return []dynprio.Change{{Time: 20, Set: dynprio.SetRate, Amount: 1}, {Time: 10, Set: dynprio.SetBudget, Amount: 2}}
	}
	m := &dynprio.Policy{Users: rich(2, 1), Changes: changes()}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 4, 10), policytest.Maps(0, 4, 10)}
	jobs[1].User = 1
	first := policytest.Starts(t, &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, jobs, m)
	if !slices.Equal(m.Users, rich(2, 1)) || !slices.Equal(m.Changes, changes()) || m.Period != 0 {
		t.Errorf("after a run: Users %+v, Changes %+v, Interval %v, want what was set", m.Users, m.Changes, m.Period)
	}
	if again := policytest.Starts(t, &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, jobs, m); again != first {
		t.Errorf("a second run of one value starts %s, want %s", again, first)
	}
}
