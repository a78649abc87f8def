package dynprio_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// A run worked out by hand: four slots; user 0 takes all for free, user 1 comes a second later with
// as high a bid, at the Step at 5 s both are granted two.
func TestPreemptsSequence(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 6, 8), policytest.Maps(1, 3, 8)}
	jobs[1].User = 1
	o := &dynprio.Policy{Users: rich(market.Credit, market.Credit), Period: 5, Preempt: dynprio.Preempt{On: true}}
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 4, 0)}
	// User 0 is granted 4 at 0 s. At 5 s two of the attempts are killed, for the other's two; at
	// 8 s the two left end and user 0 starts two more. At 13 s user 1's end: it has one task left,
	// and user 0 two that were killed.
	want := "0 started 0@0, 0 started 0@0, 0 started 0@0, 0 started 0@0, 5 killed 0@0, 5 started 1@0, 5 killed 0@0, 5 started 1@0, " +
		"8 started 0@0, 8 started 0@0, 13 started 1@0, 13 started 0@0, 16 started 0@0, | 24 21"
	if got := policytest.SlotEvents(t, c, jobs, o); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	o.Preempt.On = false
	want = "0 started 0@0, 0 started 0@0, 0 started 0@0, 0 started 0@0, 8 started 0@0, 8 started 1@0, 8 started 0@0, 8 started 1@0, 16 started 1@0, | 16 24"
	if got := policytest.SlotEvents(t, c, jobs, o); got != want {
		t.Errorf("without preemption:\n got %s\nwant %s", got, want)
	}
}

// With PreemptEvery Steps between do not kill: user 1 comes after the first Step and waits for the
// one at 30 s.
func TestPreemptEvery(t *testing.T) {
	for _, c := range []struct{ every, want float64 }{{0, 10}, {10, 10}, {15, 20}, {30, 30}} {
		jobs := []slotmodel.JobSpec{policytest.Maps(0, 6, 100), policytest.Maps(1, 3, 100)}
		jobs[1].User = 1
		at := 0.0
		o := &dynprio.Policy{Users: rich(market.Credit, market.Credit), Period: 10, Preempt: dynprio.Preempt{On: true, Period: c.every}, Report: func(r dynprio.Report) {
			if r.Kills > 0 && at == 0 {
				at = r.Time
			}
		}}
		if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 4, 0)}, jobs, o, slotmodel.Options{Until: 50}); err != nil || at != c.want {
			t.Errorf("PreemptEvery %v: the first kills are at %v s, want %v: %v", c.every, at, c.want, err)
		}
	}
}

// With Victims.AsListed the user whose latest job came last loses first, and of its jobs the first;
// otherwise who has run for the least time.
func TestPublishedOrderOfKills(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 2, 100), policytest.Maps(1, 1, 100), policytest.Maps(2, 1, 100), policytest.Maps(3, 2, 100)}
	jobs[1].User, jobs[2].User, jobs[3].User = 1, 1, 2
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 4, 0)}
	// At 5 s users 0 and 1 are granted a slot each and user 2, who has come last, two.
	for listed, first := range map[bool]string{true: "1", false: "2"} {
		o := &dynprio.Policy{Users: rich(1, 1, 2*market.Credit), Period: 5, Preempt: dynprio.Preempt{On: true, Victims: market.VictimOptions{AsListed: listed}}}
		want := "0 started 0@0, 0 started 0@0, 1 started 1@0, 2 started 2@0, 5 killed " + first + "@0, 5 started 3@0, 5 killed 0@0, 5 started 3@0,"
		if got := policytest.SlotEvents(t, c, jobs, o); !strings.HasPrefix(got, want) {
			t.Errorf("as listed %t:\n got %s\nwant %s", listed, got, want)
		}
	}
}

// After a Step with preemption nobody holds more than its grant in attempts that may be killed
// while another with a task to start holds less. No task is killed more often than there are nodes.
// Each kill is for a user below its grant or at the Limit, and takes spare slots first, then from
// who has run for longer than the Limit, the longest first; AsListed takes from the user whose latest
// job came last, of its jobs the first. A rigid job is killed whole. Between Steps nobody is killed.
func TestPreempts(t *testing.T) {
	kills, spare, gangs, listed, beyond := 0, 0, 0, 0, 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		for i := range c.Nodes {
			c.Nodes[i].Down = nil
		}
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs { // longer than Steps, and nobody else kills
			s := &jobs[i]
			s.Maps.Work, s.Reduces.Work = 8*s.Maps.Work, 8*s.Reduces.Work
			s.Walltime, s.Cancel, s.Crash = 0, 0, 0
		}
		o := drawPolicy(t)
		o.Preempt.On, o.Rules.Fill = true, market.FIFO
		o.Period *= 4
		victims := &o.Preempt.Victims
		victims.MinRun = float64(rapid.IntRange(0, 2).Draw(t, "min run"))
		switch rapid.IntRange(0, 3).Draw(t, "order") {
		case 0:
			victims.AsListed = true
		case 1:
			victims.Limit = float64(rapid.IntRange(1, 8).Draw(t, "limit"))
		}
		for i := range o.Users {
			o.Users[i].Budget += 1000 * market.Credit
		}
		granted := make([]market.Slots, 4)
		stepAt, reported, killed := -1.0, 0, 0
		o.Report = func(r dynprio.Report) {
			stepAt = r.Time
			reported += r.Kills
			for u, g := range r.Grants {
				granted[u] = g.Slots
			}
		}
		attempts := map[slotmodel.Attempt]slotmodel.Event{} // running, by their starts
		isSpare := map[slotmodel.Attempt]bool{}
		times := map[slotmodel.Task]int{} // kills of each task
		rank := map[slotmodel.Job]int{}   // place in the order of arrival
		var late []slotmodel.Event        // of the Decide under way: the report comes after them
		// May an attempt be killed?
		fair := func(e slotmodel.Event, now float64) bool {
			return policytest.Wide(&jobs[e.Job]) == 1 && now-e.Time >= victims.MinRun && times[e.Task] < len(c.Nodes)
		}
		check := func(v *slotmodel.View) {
			var held [4][2]int
			latest := [4]int{-1, -1, -1, -1}
			for _, e := range attempts { // before the Decide
				u := jobs[e.Job].User
				held[u][e.Kind]++
				if times[e.Task] < len(c.Nodes) {
					latest[u] = max(latest[u], rank[e.Job])
				}
			}
			last := [2]int{math.MinInt}        // of the kill before: the user's latest job, and the job
			broken := map[slotmodel.Job]bool{} // rigid jobs that are killed
			for _, e := range late {
				u, k := jobs[e.Job].User, e.Kind
				switch e.Type {
				case slotmodel.Killed:
					killed++
					times[e.Task]++
					if e.Time != stepAt {
						t.Fatalf("at %v s attempt %d is killed, the last Step was at %v s", e.Time, e.Attempt, stepAt)
					}
					if held[u][k] <= granted[u][k] && victims.Limit == 0 {
						t.Fatalf("at %v s user %d loses one of %d %v slots, granted %d", e.Time, u, held[u][k], k, granted[u][k])
					}
					if policytest.Wide(&jobs[e.Job]) > 1 {
						broken[e.Job] = true
					} else if isSpare[e.Attempt] {
						spare++
					}
					place := [2]int{-latest[u], rank[e.Job]}
					if victims.AsListed && slices.Compare(place[:], last[:]) < 0 {
						t.Fatalf("at %v s attempt %d of job %d, of user %d, is killed after one that is listed behind it", e.Time, e.Attempt, e.Job, u)
					}
					last = place
					if victims.AsListed {
						listed++
					} else if !isSpare[e.Attempt] && victims.Limit > 0 && e.Time-attempts[e.Attempt].Time > victims.Limit {
						beyond++
					}
					for x, y := range attempts {
						w := jobs[y.Job].User
						switch {
						case victims.AsListed || isSpare[e.Attempt] || y.Kind != k || held[w][k] <= granted[w][k] || !fair(y, e.Time):
						case victims.Limit == 0 && isSpare[x]: // who is at the limit may be given a slot that is not spare
							t.Fatalf("at %v s attempt %d is killed before %d, which holds a spare slot", e.Time, e.Attempt, x)
						case victims.Limit > 0 && e.Time-y.Time > victims.Limit && y.Time < attempts[e.Attempt].Time:
							t.Fatalf("at %v s attempt %d is killed before %d, which has run since %v s, beyond the limit of %v s", e.Time, e.Attempt, x, y.Time, victims.Limit)
						}
					}
					held[u][k]--
					delete(attempts, e.Attempt)
				case slotmodel.Started:
					isSpare[e.Attempt] = held[u][k] >= granted[u][k] || jobs[e.Job].Rigid && policytest.Wide(&jobs[e.Job]) > 1
					held[u][k]++
					attempts[e.Attempt] = e
				}
			}
			late = late[:0]
			gangs += len(broken)
			for x, e := range attempts {
				if broken[e.Job] {
					t.Fatalf("at %v s attempt %d of job %d goes on, and others of this rigid job are killed", v.Now(), x, e.Job)
				}
			}
			if stepAt != v.Now() || victims.Limit > 0 { // who is at the limit goes before who is below its grant
				return
			}
			for k := range slotmodel.Kind(2) {
				poor, rich := -1, -1
				for _, j := range policytest.Runnable(v, k) {
					if u := v.Spec(j).User; held[u][k] < granted[u][k] && policytest.Wide(v.Spec(j)) == 1 {
						poor = u
					}
				}
				for _, e := range attempts {
					if u := jobs[e.Job].User; e.Kind == k && held[u][k] > granted[u][k] && fair(e, v.Now()) {
						rich = u
					}
				}
				if poor >= 0 && (rich >= 0 || v.FreeSlots(k) > 0) {
					t.Fatalf("at %v s user %d holds %d %v slots, granted %d, and user %d %v, granted %v; %d are free", v.Now(), poor, held[poor][k], k, granted[poor][k], rich, held, granted, v.FreeSlots(k))
				}
			}
		}
		deciding := false
		p := &policytest.After{Policy: o, Every: true, Before: func(*slotmodel.View, *slotmodel.Actions) { deciding = true }}
		p.Check = func(v *slotmodel.View) { deciding = false; check(v) }
		got, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Log: func(e slotmodel.Event) {
			switch {
			case e.Type == slotmodel.Arrived:
				rank[e.Job] = len(rank)
			case deciding && (e.Type == slotmodel.Started || e.Type == slotmodel.Killed):
				late = append(late, e)
			case e.Type == slotmodel.Ended:
				delete(attempts, e.Attempt)
			}
		}})
		if err != nil {
			t.Fatalf("Run failed: %v", err)
		}
		if killed != reported || killed != got.Totals.Kills {
			t.Fatalf("%d kills, reported %d, in the totals %d", killed, reported, got.Totals.Kills)
		}
		for task, n := range times {
			if n > len(c.Nodes) {
				t.Fatalf("task %d is killed %d times on %d nodes", task, n, len(c.Nodes))
			}
		}
		kills += killed
	}
	rapid.Check(t, property)
	kills, spare, gangs, listed, beyond = 0, 0, 0, 0, 0
	policytest.Counted(t, 1500, property)
	if kills < 100 || spare < 10 || gangs < 5 || listed < 50 || beyond < 10 {
		t.Errorf("%d kills, %d of single tasks on spare slots, %d of rigid jobs, %d as listed and %d beyond the limit, want 100, 10, 5, 50 and 10: the workloads test nothing",
			kills, spare, gangs, listed, beyond)
	}
}

// keepsOff refuses to start tasks of job 2 on a node.
type keepsOff struct{ node slotmodel.Node }

func (f keepsOff) Accept(_ *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind, n slotmodel.Node) bool {
	return j != 2 || n != f.node
}

// User 0 holds 16 slots with a rigid job and with a job of single tasks. At 5 s user 1 comes, with
// as high a bid, and is granted 8 of them. Of tasks that have run for equally long those of the
// rigid job go first.
func TestPreemptsRigid(t *testing.T) {
	for _, x := range []struct {
		name    string
		wide    int     // slots of the rigid job
		since   float64 // s, arrival of the single tasks
		tasks   int     // of user 1
		filter  policy.Filter
		memory  float64 // of a task of user 1; each other task has 1
		rigid   int     // kills at 5 s
		singles int
	}{
		{"all its slots are of use", 8, 0, 8, nil, 1, 8, 0},
		{"user 1 lacks no more than its grant", 8, 0, 9, nil, 1, 8, 0},
		{"only seven tasks wait", 8, 0, 7, nil, 1, 0, 7},
		{"wider than what user 0 holds above its grant", 9, 0, 8, nil, 1, 0, 7},
		{"single tasks have less to lose", 8, 1, 8, nil, 1, 0, 8},
		{"rigid first, then a single task", 7, 0, 8, nil, 1, 7, 1},
		{"refused on one of its nodes", 8, 0, 8, keepsOff{3}, 1, 0, 0},
		{"more memory than it frees", 8, 0, 8, nil, 2, 0, 0},
	} {
		jobs := []slotmodel.JobSpec{policytest.Maps(0, x.wide, 20), policytest.Maps(x.since, 16-x.wide, 20), policytest.Maps(5, x.tasks, 20)}
		jobs[0].Rigid, jobs[2].User = true, 1
		jobs[0].Maps.Memory, jobs[1].Maps.Memory, jobs[2].Maps.Memory = 1, 1, x.memory
		c := &slotmodel.Cluster{Nodes: policytest.Nodes(8, 8, 2, 0)}
		for i := range c.Nodes {
			c.Nodes[i].Memory = 2
		}
		o := &dynprio.Policy{Users: rich(market.Credit, market.Credit), Period: 5, Preempt: dynprio.Preempt{On: true}, Filter: x.filter}
		kills, starts := [3]int{}, 0
		res, err := slotmodel.Run(c, jobs, o, slotmodel.Options{Log: func(e slotmodel.Event) {
			switch {
			case e.Time != 5:
			case e.Type == slotmodel.Killed:
				kills[e.Job]++
			case e.Type == slotmodel.Started && e.Job == 2:
				starts++
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if kills != [3]int{x.rigid, x.singles, 0} || starts != x.rigid+x.singles {
			t.Errorf("%s: kills by job %v and %d starts, want %d kills of the rigid job, %d others, and as many starts", x.name, kills, starts, x.rigid, x.singles)
		}
		for j, r := range res.Jobs {
			if r.Outcome != slotmodel.Finished && x.filter == nil {
				t.Errorf("%s: job %d is %v, want finished", x.name, j, r.Outcome)
			}
		}
	}
}

// On one node a rigid job is killed once. Two slots are granted to user 1 while it has tasks.
func TestPreemptsRigidOnce(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 2, 100), policytest.Maps(5, 2, 100), policytest.Maps(115, 2, 100)}
	jobs[0].Rigid, jobs[1].User, jobs[2].User = true, 1, 1
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 2, 0)}
	o := &dynprio.Policy{Users: rich(market.Credit, 10*market.Credit), Period: 10, Preempt: dynprio.Preempt{On: true}}
	want := "0 started 0@0, 0 started 0@0, 10 killed 0@0, 10 killed 0@0, 10 started 1@0, 10 started 1@0, " +
		"110 started 0@0, 110 started 0@0, 210 started 2@0, 210 started 2@0, | 210 110 310"
	if got := policytest.SlotEvents(t, c, jobs, o); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// One slot and bids of 3 and 1, so that user 1 is granted none. Both tasks are young, but who has
// waited for 30 s takes the slot. A task is killed once, since there is one node.
func TestLimit(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 1, 100), policytest.Maps(1, 1, 100)}
	jobs[1].User = 1
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}
	for _, x := range []struct {
		limit float64
		want  string
	}{
		{0, "0 started 0@0, 100 started 1@0, | 100 200"},
		{30, "0 started 0@0, 40 killed 0@0, 40 started 1@0, 80 killed 1@0, 80 started 0@0, 180 started 1@0, | 180 280"},
		{1000, "0 started 0@0, 100 started 1@0, | 100 200"},
	} {
		o := &dynprio.Policy{Users: rich(3*market.Credit, market.Credit), Period: 10, Preempt: dynprio.Preempt{On: true, Victims: market.VictimOptions{MinRun: 1000, Limit: x.limit}}}
		if got := policytest.SlotEvents(t, c, jobs, o); got != x.want {
			t.Errorf("limit %v:\n got %s\nwant %s", x.limit, got, x.want)
		}
	}
	// Who cannot pay waits for ever.
	o := &dynprio.Policy{Users: rich(3 * market.Credit), Period: 10, Preempt: dynprio.Preempt{On: true, Victims: market.VictimOptions{Limit: 30}}}
	if got, want := policytest.SlotEvents(t, c, jobs, o), "0 started 0@0, 100 started 1@0, | 100 200"; got != want {
		t.Errorf("without a bid:\n got %s\nwant %s", got, want)
	}
}
