package policy_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// ownFair is Fair with one pool as a user may write it, from what the View says: the job with the
// fewest running tasks first, ties by arrival.
type ownFair struct {
	jobs []slotmodel.Job
	next int
}

func (r *ownFair) Begin(v *slotmodel.View, k slotmodel.Kind) {
	r.jobs, r.next = policytest.Runnable(v, k), 0
	slices.SortStableFunc(r.jobs, func(a, b slotmodel.Job) int {
		return cmp.Compare(v.Count(a, k).Running, v.Count(b, k).Running)
	})
}

func (r *ownFair) Next(*slotmodel.View) slotmodel.Job {
	if r.next == len(r.jobs) {
		return slotmodel.None
	}
	r.next++
	return r.jobs[r.next-1]
}

// ownFairAhead is ownFair with a Comparer.
type ownFairAhead struct {
	ownFair
	asked *int
}

func (r *ownFairAhead) Ahead(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	*r.asked++
	x, y := v.Count(a, k).Running, v.Count(b, k).Running
	_, i := v.Arrival(a)
	_, j := v.Arrival(b)
	return x < y || x == y && i < j, true
}

// ownFilter is a Filter of a user, with the answers of a Delay that it holds.
type ownFilter struct{ delay *policy.Delay }

func (f *ownFilter) Check() error                                 { return f.delay.Check() }
func (f *ownFilter) BeginRun(v *slotmodel.View)                   { f.delay.BeginRun(v) }
func (f *ownFilter) Observe(v *slotmodel.View, e slotmodel.Event) { f.delay.Observe(v, e) }
func (f *ownFilter) Alarm(v *slotmodel.View) float64              { return f.delay.Alarm(v) }

func (f *ownFilter) Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	return f.delay.Accept(v, j, k, n)
}

// ownUsers is FairUsers as a user may write it.
type ownUsers struct {
	users []slotmodel.User
	next  int
}

func (u *ownUsers) Begin(v *slotmodel.View, _ slotmodel.Node) {
	u.users, u.next = u.users[:0], 0
	for x := range slotmodel.User(v.Users()) {
		u.users = append(u.users, x)
	}
	held := func(x slotmodel.User) int {
		return int(v.UserRunning(x, slotmodel.Map)) + int(v.UserRunning(x, slotmodel.Reduce))
	}
	slices.SortStableFunc(u.users, func(a, b slotmodel.User) int { return cmp.Compare(held(a), held(b)) })
}

func (u *ownUsers) Next(*slotmodel.View) slotmodel.User {
	if u.next == len(u.users) {
		return slotmodel.None
	}
	u.next++
	return u.users[u.next-1]
}

// A part written outside the package, with its optional interface and without it, gives the same
// events as the part of the package that it copies: Rankers under Greedy and Delay, Filters under
// Greedy, Earliest and the market, Users under PerUser.
func TestOwnParts(t *testing.T) {
	asked := 0
	type rankers map[string]func() policy.Ranker
	byArrival := rankers{
		"ByArrival": func() policy.Ranker { return new(policy.ByArrival) },
		"nil":       func() policy.Ranker { return nil },
		"own":       func() policy.Ranker { return new(ownOrder) },
		"own, bare": func() policy.Ranker { return struct{ policy.Ranker }{new(ownOrder)} }, // no Comparer
		"By":        func() policy.Ranker { return policy.By(arrivalOf) },
	}
	fair := rankers{
		"Fair":      func() policy.Ranker { return new(policy.Fair) },
		"own":       func() policy.Ranker { return &ownFairAhead{asked: &asked} },
		"own, bare": func() policy.Ranker { return new(ownFair) },
		"By":        func() policy.Ranker { return policy.By(runningOf) },
	}
	delay := func(r policy.Ranker) *policy.Delay { return &policy.Delay{Inner: r, Node: 4.5, Rack: 2.5} }
	around := map[string]func(r policy.Ranker) slotmodel.Policy{
		"Greedy":           func(r policy.Ranker) slotmodel.Policy { return &policy.Greedy{Inner: r} },
		"Delay":            func(r policy.Ranker) slotmodel.Policy { return delay(r) },
		"Greedy and Delay": func(r policy.Ranker) slotmodel.Policy { return &policy.Greedy{Inner: r, Filter: delay(nil)} },
		"Greedy, own filter": func(r policy.Ranker) slotmodel.Policy {
			return &policy.Greedy{Inner: r, Filter: &ownFilter{delay(nil)}}
		},
	}
	filters := map[string]func(f policy.Filter) slotmodel.Policy{
		"PerUser": func(f policy.Filter) slotmodel.Policy {
			return &policy.PerUser{Chooser: &policy.Earliest{Filter: f}}
		},
		"PerUser, own users": func(f policy.Filter) slotmodel.Policy {
			return &policy.PerUser{Users: new(ownUsers), Chooser: &policy.Earliest{Filter: f}}
		},
		"market": func(f policy.Filter) slotmodel.Policy {
			return &dynprio.Policy{Users: accounts, Period: 7, Filter: f}
		},
	}
	var differ int
	for seed := range uint64(4) {
		c, jobs := policytest.Blocked(seed, 100)
		for i := range jobs {
			jobs[i].User, jobs[i].Arrival = i%4, jobs[i].Arrival*[]float64{.3, 1}[seed%2] // backlogs, and none
		}
		run := func(p slotmodel.Policy) uint64 {
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
			if err != nil {
				t.Fatalf("seed %d: Run(%T) failed: %v", seed, p, err)
			}
			return res.Hash
		}
		seen := map[uint64]bool{}
		for _, g := range []struct {
			ours string
			all  rankers
		}{{"ByArrival", byArrival}, {"Fair", fair}} {
			delayed := run(delay(g.all[g.ours]()))
			for where, make := range around {
				want := run(make(g.all[g.ours]()))
				if where != "Greedy" && want != delayed {
					t.Errorf("seed %d: %s with %s has hash %x, Delay around it %x", seed, where, g.ours, want, delayed)
				}
				for name, r := range g.all {
					if got := run(make(r())); got != want {
						t.Errorf("seed %d: %s with %s has hash %x, with %s %x", seed, where, name, got, g.ours, want)
					}
				}
				seen[want] = true
			}
		}
		for where, make := range filters {
			want := run(make(delay(nil)))
			for name, f := range map[string]policy.Filter{
				"own":                 &ownFilter{delay(nil)},
				"Delay, Fair":         delay(new(policy.Fair)), // as a Filter it does not ask the Ranker
				"Delay, own":          delay(&ownFairAhead{asked: new(int)}),
				"Delay, own and bare": delay(new(ownFair)),
				"own, Delay, own":     &ownFilter{delay(new(ownFair))},
			} {
				if got := run(make(f)); got != want {
					t.Errorf("seed %d: %s with the filter %s has hash %x, with Delay %x", seed, where, name, got, want)
				}
			}
			seen[want] = true
		}
		if got, want := run(filters["PerUser, own users"](delay(nil))), run(filters["PerUser"](delay(nil))); got != want {
			t.Errorf("seed %d: with own Users the hash is %x, with FairUsers %x", seed, got, want)
		}
		differ += len(seen)
	}
	if differ != 4*6 { // Greedy and Delay by arrival and by Fair, PerUser, the market
		t.Errorf("%d different runs, want 24: the workloads test nothing", differ)
	}
	if asked < 20 {
		t.Errorf("the Comparer is asked %d times, want at least 20", asked)
	}
}

func arrivalOf(v *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 {
	at, _ := v.Arrival(j)
	return at
}

func runningOf(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
	return float64(v.Count(j, k).Running)
}
