package dynprio_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// failing is a Policy that stops after some decisions; another one with the same settings goes on
// from its snapshot, which has been through JSON.
type failing struct {
	*dynprio.Policy
	after func(decision int) bool
	made  int
	fails int
}

func (f *failing) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	f.Policy.Decide(v, a)
	if f.made++; !f.after(f.made) {
		return
	}
	f.fails++
	text, err := json.Marshal(f.Policy.Snapshot())
	if err != nil {
		panic(err)
	}
	var s dynprio.Snapshot
	if err := json.Unmarshal(text, &s); err != nil {
		panic(err)
	}
	next, err := dynprio.Restore(s, f.Policy)
	if err != nil {
		panic(err)
	}
	for i := range 2 { // before its run begins, and after that
		if i == 1 {
			next.BeginRun(v)
		}
		if again, err := json.Marshal(next.Snapshot()); err != nil || string(again) != string(text) {
			panic(fmt.Sprintf("the snapshot of a Policy that goes on from %s is %s: %v", text, again, err))
		}
	}
	f.Policy = next
}

// A run in which the policy is replaced now and then by one that goes on from a snapshot has the
// log and the reports of a run in which it is not. Money is conserved, to the micro-credit, through
// changes of all kinds.
func TestResume(t *testing.T) {
	fails := 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			jobs[i].Maps.Work, jobs[i].Reduces.Work = 2*jobs[i].Maps.Work, 2*jobs[i].Reduces.Work
		}
		users := 0
		for i := range jobs {
			users = max(users, jobs[i].User+1)
		}
		o := drawPolicy(t)
		for range rapid.IntRange(0, 3).Draw(t, "changes of queues") {
			c := dynprio.Change{Time: policytest.DrawWork(t, "change at"), User: rapid.IntRange(0, 3).Draw(t, "user"), Set: dynprio.Field(rapid.IntRange(3, 6).Draw(t, "set"))}
			if c.Set != dynprio.Close {
				c.Amount = market.Credits(rapid.IntRange(0, 50).Draw(t, "amount")) * market.Credit
			}
			o.Changes = append(o.Changes, c)
		}
		o.Preempt.Period = float64(rapid.IntRange(0, 2).Draw(t, "preempt every")) * o.Period
		o.Preempt.Victims = market.VictimOptions{AsListed: rapid.Bool().Draw(t, "as listed"), Limit: float64(rapid.IntRange(0, 3).Draw(t, "limit"))}
		every := rapid.IntRange(1, 7).Draw(t, "every")
		run := func(after func(int) bool) (log []string) {
			p := *o
			sum := market.Credits(0)
			for _, u := range o.Users[:min(len(o.Users), users)] {
				sum += u.Budget
			}
			p.Report = func(r dynprio.Report) {
				log = append(log, fmt.Sprintf("%+v", r))
				sum += r.Deposited + r.Totals.Income - r.Totals.Revenue
				now := market.Credits(0)
				for _, g := range r.Grants {
					now += g.Next.Budget
				}
				if r.Err != nil || now != sum {
					t.Fatalf("at %v s the budgets are %v, by deposits, income and charges they are %v: %v", r.Time, now, sum, r.Err)
				}
			}
			f := &failing{Policy: &p, after: after}
			_, err := slotmodel.Run(c, jobs, f, slotmodel.Options{Until: 100, Log: func(e slotmodel.Event) { log = append(log, fmt.Sprintf("%+v", e)) }})
			if err != nil {
				t.Fatal(err)
			}
			fails += f.fails
			return log
		}
		whole := run(func(int) bool { return false })
		parts := run(func(n int) bool { return n%every == 0 })
		for i := range min(len(whole), len(parts)) {
			if whole[i] != parts[i] {
				t.Fatalf("line %d of the log:\n got %s\nwant %s", i, parts[i], whole[i])
			}
		}
		if len(whole) != len(parts) {
			t.Fatalf("the log has %d lines, want %d", len(parts), len(whole))
		}
	}
	rapid.Check(t, property)
	fails = 0
	policytest.Counted(t, 100, property)
	if fails < 300 {
		t.Errorf("%d snapshots in 100 runs, want 300: the workloads test nothing", fails)
	}
}

// restored goes on from a snapshot with the zero settings.
func restored(t testing.TB, s dynprio.Snapshot) *dynprio.Policy {
	t.Helper()
	p, err := dynprio.Restore(s, new(dynprio.Policy))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What no drawn run comes to is kept, too; a run after the first begins anew.
func TestSnapshotKeeps(t *testing.T) {
	s := new(dynprio.Policy).Snapshot()
	s.Accounts, s.Vain, s.Kills = make([]dynprio.Account, 1), []int{1}, []dynprio.Kills{{Task: 1, Times: 3}}
	p := restored(t, s)
	for i, want := range []dynprio.Snapshot{s, new(dynprio.Policy).Snapshot()} {
		if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, []slotmodel.JobSpec{policytest.Maps(0, 1, 1), policytest.Maps(0, 1, 1)}, p, slotmodel.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := p.Snapshot(); !slices.Equal(got.Vain, want.Vain) || !slices.Equal(got.Kills, want.Kills) {
			t.Errorf("after run %d Vain %v and Kills %v, want %v and %v", i, got.Vain, got.Kills, want.Vain, want.Kills)
		}
	}
}

// Whatever numbers are in a snapshot, a Policy that takes it and starts a task gives it back.
func TestSnapshotTakenIsGivenBack(t *testing.T) {
	number := func(t *rapid.T, name string) int {
		return rapid.SampledFrom([]int{0, 0, 0, 1, 1, 1, 2, 3, -1, -7, math.MaxInt32, math.MaxInt}).Draw(t, name)
	}
	list := func(t *rapid.T, name string) (all []int) {
		for range rapid.IntRange(0, 2).Draw(t, name) {
			all = append(all, number(t, name))
		}
		return all
	}
	taken := 0
	property := func(t *rapid.T) {
		at := func(name string) float64 {
			if rapid.IntRange(0, 9).Draw(t, name) < 9 {
				return 0
			}
			return rapid.SampledFrom([]float64{-2, -1, -.5, 1, 2, math.MaxFloat64, math.Inf(1), math.NaN()}).Draw(t, name)
		}
		s := new(dynprio.Policy).Snapshot()
		s.Last, s.Next, s.Reclaimed = at("last"), at("next"), at("reclaimed")
		s.Accounts = []dynprio.Account{{Share: at("share"), Used: [2]float64{at("used"), 0}, Until: at("until"), Waiting: [2]float64{at("waiting"), -1}}}
		for _, x := range list(t, "kills") {
			s.Kills = append(s.Kills, dynprio.Kills{Task: x, Times: number(t, "times")})
		}
		s.Spare, s.Vain = list(t, "spare"), list(t, "vain")
		p, err := dynprio.Restore(s, new(dynprio.Policy))
		if err != nil {
			return
		}
		// Two decisions after the start the attempts 0 and 1 run, and the snapshot is put in.
		decisions := 0
		var got dynprio.Snapshot
		run := &policytest.After{Policy: &dynprio.Policy{}, Every: true}
		run.Check = func(v *slotmodel.View) {
			if decisions++; decisions == 2 {
				p.BeginRun(v)
				got = p.Snapshot()
			}
		}
		jobs := []slotmodel.JobSpec{policytest.Maps(0, 3, 1), policytest.Maps(.5, 3, 1)}
		if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 2, 0)}, jobs, run, slotmodel.Options{}); err != nil {
			t.Fatal(err)
		}
		if len(got.Accounts) == 0 { // the run does not fit
			return
		}
		taken++
		if !reflect.DeepEqual(got, s) {
			t.Fatalf("a Policy that goes on from %+v gives %+v", s, got)
		}
	}
	policytest.Counted(t, 5000, property)
	if taken < 100 {
		t.Errorf("%d of 5000 snapshots were taken, want 100: the test tests nothing", taken)
	}
}

// If a snapshot has more or fewer users than the run, or an attempt that the run does not have,
// nothing starts.
func TestSnapshotOfOthers(t *testing.T) {
	for i, x := range []struct {
		change func(s *dynprio.Snapshot)
		want   slotmodel.Outcome
	}{
		{func(s *dynprio.Snapshot) {}, slotmodel.Finished},
		{func(s *dynprio.Snapshot) { s.Accounts = nil }, slotmodel.Unended},
		{func(s *dynprio.Snapshot) { s.Accounts = make([]dynprio.Account, 2) }, slotmodel.Unended},
		{func(s *dynprio.Snapshot) { s.Spare = []int{0} }, slotmodel.Unended},
		{func(s *dynprio.Snapshot) { s.Kills = []dynprio.Kills{{Task: 1, Times: 1}} }, slotmodel.Unended},
		{func(s *dynprio.Snapshot) { s.Vain = []int{1} }, slotmodel.Unended},
	} {
		s := new(dynprio.Policy).Snapshot()
		s.Accounts = make([]dynprio.Account, 1)
		x.change(&s)
		res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, []slotmodel.JobSpec{policytest.Maps(0, 1, 1)}, restored(t, s), slotmodel.Options{Until: 100})
		if res == nil || res.Jobs[0].Outcome != x.want || (err == nil) != (x.want == slotmodel.Finished) {
			t.Errorf("case %d: a run from %+v: %+v, %v, want the job %v", i, s, res, err, x.want)
		}
	}
}

// A snapshot that no Policy gives is refused, and so are no settings and wrong ones.
func TestSnapshotErrors(t *testing.T) {
	good := new(dynprio.Policy).Snapshot()
	_, err := dynprio.Restore(good, nil)
	expect.InputError(t, "no settings", err, "dynprio.Restore", "p", -1)
	_, err = dynprio.Restore(good, &dynprio.Policy{Period: -1})
	expect.InputError(t, "bad settings", err, "dynprio.Policy.Check", "Period", -1)
	restore := expect.RoundTrip[dynprio.Snapshot, *dynprio.Policy]{Func: "dynprio.Restore", Restore: func(s dynprio.Snapshot) (*dynprio.Policy, error) {
		return dynprio.Restore(s, new(dynprio.Policy))
	}}
	for name, change := range map[string]func(s *dynprio.Snapshot){
		"version": func(s *dynprio.Snapshot) { s.Version++ },
		"last":    func(s *dynprio.Snapshot) { s.Last = -1 },
		"next":    func(s *dynprio.Snapshot) { s.Last = 5 },
		"changed": func(s *dynprio.Snapshot) { s.Changed = 1 },
		"none":    func(s *dynprio.Snapshot) { s.Reclaimed = -.5 },
		"user":    func(s *dynprio.Snapshot) { s.Accounts = []dynprio.Account{{User: market.User{Rate: -1}}} },
		"used":    func(s *dynprio.Snapshot) { s.Accounts = []dynprio.Account{{Used: [2]float64{0, -1}}} },
		"waiting": func(s *dynprio.Snapshot) { s.Accounts = []dynprio.Account{{Waiting: [2]float64{-.5, 0}}} },
		"spare":   func(s *dynprio.Snapshot) { s.Spare = []int{-1} },
		"twice":   func(s *dynprio.Snapshot) { s.Spare = []int{3, 3} },
		"vain":    func(s *dynprio.Snapshot) { s.Vain = []int{2, 1} },
		"task":    func(s *dynprio.Snapshot) { s.Kills = []dynprio.Kills{{Task: -7, Times: 1}} },
		"number":  func(s *dynprio.Snapshot) { s.Kills = []dynprio.Kills{{Task: math.MaxInt, Times: 1}} },
		"times":   func(s *dynprio.Snapshot) { s.Kills = []dynprio.Kills{{Task: 1, Times: -3}} },
		"same":    func(s *dynprio.Snapshot) { s.Kills = []dynprio.Kills{{Task: 1, Times: 1}, {Task: 1, Times: 2}} },
	} {
		if name != "number" || math.MaxInt > math.MaxInt32 { // else no int is too large
			restore.Refuses(t, new(dynprio.Policy).Snapshot, expect.Spoilt(name, -1, change))
		}
	}
}
