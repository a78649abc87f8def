package dynprio_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// A run worked out by hand: four slots; user 0 takes all for free, user 1 comes a second later with
// as high a bid, at the Step at 5 s both are granted two.
func TestMarketPreemptsSequence(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 6, 8), policytest.Maps(1, 3, 8)}
	jobs[1].User = 1
	o := &dynprio.Policy{Users: rich(market.Credit, market.Credit), Interval: 5, Preempt: true}
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 4, 0)}
	// User 0 is granted 4 at 0 s. At 5 s two of the attempts are killed, for the other's two; at
	// 8 s the two left end and user 0 starts two more. At 13 s user 1's end: it has one task left,
	// and user 0 two that were killed.
	want := "0 started 0@0, 0 started 0@0, 0 started 0@0, 0 started 0@0, 5 killed 0@0, 5 started 1@0, 5 killed 0@0, 5 started 1@0, " +
		"8 started 0@0, 8 started 0@0, 13 started 1@0, 13 started 0@0, 16 started 0@0, | 24 21"
	if got := policytest.SlotEvents(t, c, jobs, o); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	o.Preempt = false
	want = "0 started 0@0, 0 started 0@0, 0 started 0@0, 0 started 0@0, 8 started 0@0, 8 started 1@0, 8 started 0@0, 8 started 1@0, 16 started 1@0, | 16 24"
	if got := policytest.SlotEvents(t, c, jobs, o); got != want {
		t.Errorf("without preemption:\n got %s\nwant %s", got, want)
	}
}

// After a Step with preemption nobody holds more than its grant in attempts that may be killed
// while another with a task to start holds less. No task is killed more often than there are nodes.
// Each kill is for a user below its grant, takes from one above, and takes spare slots first.
// Between Steps nobody is killed.
func TestMarketPreempts(t *testing.T) {
	kills, spare := 0, 0
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
		o := drawMarket(t)
		o.Preempt, o.Rules.Fill = true, market.FIFO
		o.Interval *= 4
		o.Victims.MinRun = float64(rapid.IntRange(0, 2).Draw(t, "min run"))
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
		var late []slotmodel.Event        // of the Decide under way: the report comes after them
		// May an attempt be killed?
		fair := func(e slotmodel.Event, now float64) bool {
			return policytest.Wide(&jobs[e.Job]) == 1 && now-e.Time >= o.Victims.MinRun && times[e.Task] < len(c.Nodes)
		}
		check := func(v *slotmodel.View) {
			var held [4][2]int
			for _, e := range attempts { // before the Decide
				held[jobs[e.Job].User][e.Kind]++
			}
			for _, e := range late {
				u, k := jobs[e.Job].User, e.Kind
				switch e.Type {
				case slotmodel.Killed:
					killed++
					times[e.Task]++
					if e.Time != stepAt {
						t.Fatalf("at %v s attempt %d is killed, the last Step was at %v s", e.Time, e.Attempt, stepAt)
					}
					if held[u][k] <= granted[u][k] {
						t.Fatalf("at %v s user %d loses one of %d %v slots, granted %d", e.Time, u, held[u][k], k, granted[u][k])
					}
					if isSpare[e.Attempt] {
						spare++
					}
					for x, y := range attempts {
						if w := jobs[y.Job].User; !isSpare[e.Attempt] && isSpare[x] && y.Kind == k && held[w][k] > granted[w][k] && fair(y, e.Time) {
							t.Fatalf("at %v s attempt %d is killed before %d, which holds a spare slot", e.Time, e.Attempt, x)
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
			if stepAt != v.Now() {
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
		p := &around{Policy: o, before: func() { deciding = true }}
		var view *slotmodel.View
		p.after = func() { deciding = false; check(view) }
		got, err := slotmodel.Run(c, jobs, &seen{p, &view}, slotmodel.Options{Log: func(e slotmodel.Event) {
			switch {
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
	for range 3 {
		rapid.Check(t, property)
	}
	kills, spare = 0, 0
	policytest.Counted(300, property)
	if kills < 100 || spare < 10 {
		t.Errorf("%d kills, %d of them on spare slots, want 100 and 10: the workloads test nothing", kills, spare)
	}
}

// seen tells what the View is.
type seen struct {
	*around
	view **slotmodel.View
}

func (p *seen) BeginRun(v *slotmodel.View) {
	*p.view = v
	p.around.BeginRun(v)
}

// One slot and bids of 3 and 1, so that user 1 is granted none. Both tasks are young, but who has
// waited for 30 s takes the slot. A task is killed once, since there is one node.
func TestMarketLimit(t *testing.T) {
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
		o := &dynprio.Policy{Users: rich(3*market.Credit, market.Credit), Interval: 10, Preempt: true, Victims: market.VictimOptions{MinRun: 1000, Limit: x.limit}}
		if got := policytest.SlotEvents(t, c, jobs, o); got != x.want {
			t.Errorf("limit %v:\n got %s\nwant %s", x.limit, got, x.want)
		}
	}
	// Who cannot pay waits for ever.
	o := &dynprio.Policy{Users: rich(3 * market.Credit), Interval: 10, Preempt: true, Victims: market.VictimOptions{Limit: 30}}
	if got, want := policytest.SlotEvents(t, c, jobs, o), "0 started 0@0, 100 started 1@0, | 100 200"; got != want {
		t.Errorf("without a bid:\n got %s\nwant %s", got, want)
	}
}
