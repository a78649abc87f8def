package policy_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

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

// A Filter written outside the package, and Users, give the same events as the part of the package
// that they copy, under Greedy, Earliest and the market. As a Filter a Delay does not ask its
// Ranker.
func TestOwnParts(t *testing.T) {
	delay := func(r policy.Ranker) *policy.Delay { return &policy.Delay{Inner: r, Node: 4.5, Rack: 2.5} }
	all := [][]func(f policy.Filter) slotmodel.Policy{ // those of a list start alike
		{func(f policy.Filter) slotmodel.Policy { return &policy.Greedy{Filter: f} }},
		{
			func(f policy.Filter) slotmodel.Policy { return &policy.PerUser{Chooser: &policy.Earliest{Filter: f}} },
			func(f policy.Filter) slotmodel.Policy {
				return &policy.PerUser{Users: new(ownUsers), Chooser: &policy.Earliest{Filter: f}}
			},
		},
		{func(f policy.Filter) slotmodel.Policy { return &dynprio.Policy{Users: accounts, Period: 7, Filter: f} }},
	}
	for seed := range uint64(2) {
		c, jobs := policytest.Blocked(seed, 100)
		for i := range jobs {
			jobs[i].User, jobs[i].Arrival = i%4, jobs[i].Arrival*[]float64{.3, 1}[seed%2] // backlogs, and none
		}
		run := func(p slotmodel.Policy) uint64 {
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
			expect.Must(t, err)
			return res.Hash
		}
		seen := map[uint64]bool{}
		for i, alike := range all {
			want := run(alike[0](delay(nil)))
			seen[want] = true
			for at, make := range alike {
				for name, f := range map[string]policy.Filter{"own": &ownFilter{delay(nil)}, "Fair": delay(new(policy.Fair)), "own, Fair": &ownFilter{delay(plain{new(policy.Fair)})}} {
					if got := run(make(f)); got != want {
						t.Errorf("seed %d, policy %d of list %d: with the filter %s the hash is %x, want %x", seed, at, i, name, got, want)
					}
				}
			}
		}
		if len(seen) != len(all) {
			t.Errorf("seed %d: %d different runs, want %d: the workloads test nothing", seed, len(seen), len(all))
		}
	}
}
