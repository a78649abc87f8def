package dynprio_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
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
		if got := strings.ReplaceAll(policytest.Starts(t, c, jobs, x.o), "m@0", ""); got != x.want {
			t.Errorf("%s:\n got %s\nwant %s", x.name, got, x.want)
		}
	}
}

// While nobody can pay, starts and ends are those of FIFO, or of Delay by arrival with a Delay as
// the filter.
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
		if rapid.Bool().Draw(t, "queues may go") { // one does after the last job
			o.Changes = []dynprio.Change{{Time: 1e6, Set: dynprio.Close}}
		}
		var plain slotmodel.Policy = policy.FIFO{}
		if rapid.Bool().Draw(t, "delay") {
			d := policy.Delay{Node: policytest.DrawWork(t, "node"), Rack: policytest.DrawWork(t, "rack")}
			first, second := d, d
			o.Filter, plain = &first, &policy.Greedy{Filter: &second}
		}
		res, err := slotmodel.Run(c, jobs, o, slotmodel.Options{Hash: true, Until: 500})
		expect.Must(t, err)
		want, err := slotmodel.Run(c, jobs, plain, slotmodel.Options{Hash: true, Until: 500})
		expect.Must(t, err)
		if res.Hash != want.Hash {
			t.Fatalf("Policy without money has other events than %T", plain)
		}
	})
}

// With equal rates, all users there from the start with more than enough to run, no preemption and
// one Step, users hold as many slots as each other, to one.
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
		check := func(v *slotmodel.View) {
			least, most := math.MaxInt, 0
			for u := range slotmodel.User(users) {
				least, most = min(least, v.UserRunning(u, slotmodel.Map)), max(most, v.UserRunning(u, slotmodel.Map))
			}
			if most > least+1 {
				t.Fatalf("at %v s a user holds %d slots and another %d", v.Now(), most, least)
			}
		}
		p := &dynprio.Policy{Users: rich(slices.Repeat([]market.Credits{market.Credit}, users)...), Period: 1000}
		_, err := slotmodel.Run(c, jobs, &policytest.After{Policy: p, Check: check}, slotmodel.Options{Until: 4})
		expect.Must(t, err)
	})
}
