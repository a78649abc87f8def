package dynprio_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// A closed loop of two users whose jobs follow one another at once: the grant stays in use, and the
// boost of a job's Priority lasts as long as the job.
func TestBoost(t *testing.T) {
	var jobs []slotmodel.JobSpec
	for u := range 2 {
		for i := range 4 {
			j := policytest.Maps(0, 30, 10)
			if j.User = u; i > 0 {
				j.After = len(jobs)
			}
			jobs = append(jobs, j)
		}
	}
	jobs[2].Priority, jobs[3].Priority = 2, .5
	rates := map[market.Credits]int{}
	var spent market.Credits
	o := &dynprio.Policy{Users: rich(market.Credit, market.Credit), Period: 10, Report: func(r dynprio.Report) {
		rates[r.Users[0].Rate]++
		spent += r.Grants[0].Charge
		if r.Users[1].Rate != market.Credit || r.Grants[1].Next.Rate != market.Credit {
			t.Errorf("at %v s user 1 bids %v", r.Time, r.Users[1].Rate)
		}
	}}
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 6, 0)}, jobs, o, slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Three slots each, ten waves a job; from 200 s on four and two: 30 tasks take 8 waves, in the last of
	// which user 1 has two slots more; from 280 s on two and four, until user 1 has done its last 42 in 11
	// waves, of which the last leaves two slots: 24 tasks, and one wave on all six slots.
	for j, want := range []float64{100, 200, 280, 400} {
		if got := res.Jobs[j].Finish; got != want {
			t.Errorf("job %d ends at %v s, want %v", j, got, want)
		}
	}
	if rates[2*market.Credit] != 8 || rates[market.Credit/2] != 12 {
		t.Errorf("Steps by user 0's rate: %v, want 8 at twice its own and 12 at half of it", rates)
	}
}

// Nothing runs for free without Fill: income of 1 an interval and a rate of 3 pay one task of an
// interval in three.
func TestNoFill(t *testing.T) {
	o := &dynprio.Policy{Users: []market.User{{Rate: 3 * market.Credit, Income: market.Credit}}, Period: 10, Rules: market.Options{Fill: market.NoFill}}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 3, 10)}
	want := "30:0m@0 60:0m@0 90:0m@0 | 100"
	if got := policytest.Starts(t, &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 4, 0)}, jobs, o); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// When nodes are lost and the minima exceed the slots left, Steps go on, and halve them.
func TestMinima(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 2, 0)}
	c.Nodes[1].Down = []slotmodel.Outage{{From: 5, Until: 25}}
	o := &dynprio.Policy{Users: rich(market.Credit, market.Credit), Period: 10}
	for u := range o.Users {
		o.Users[u].Min = market.Slots{2, 0}
	}
	granted := map[float64][2]int{}
	o.Report = func(r dynprio.Report) {
		if r.Err != nil {
			t.Error(r.Err)
		}
		granted[r.Time] = [2]int{r.Grants[0].Slots[0], r.Grants[1].Slots[0]}
	}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 8, 10), policytest.Maps(0, 8, 10)}
	jobs[1].User = 1
	if _, err := slotmodel.Run(c, jobs, o, slotmodel.Options{}); err != nil {
		t.Fatal(err)
	}
	for time, want := range map[float64][2]int{0: {2, 2}, 10: {1, 1}, 20: {1, 1}, 30: {2, 2}} {
		if granted[time] != want {
			t.Errorf("at %v s %v slots are granted, want %v", time, granted[time], want)
		}
	}
}

// A Step that is refused, since Credits cannot hold the sum of the rates, is reported; grants stay,
// and the next Step settles.
func TestRefused(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 2, 0)}
	o := &dynprio.Policy{Users: rich(market.Credit, market.Credit), Period: 10}
	for u := range o.Users {
		o.Changes = append(o.Changes, dynprio.Change{Time: 10, User: u, Set: dynprio.SetBudget, Amount: 3 << 61},
			dynprio.Change{Time: 10, User: u, Set: dynprio.SetRate, Amount: 1 << 62},
			dynprio.Change{Time: 30, User: u, Set: dynprio.SetRate, Amount: market.Credit})
	}
	var refused []float64
	charge := market.Credits(0)
	o.Report = func(r dynprio.Report) {
		if r.Err != nil {
			refused = append(refused, r.Time)
			expect.InputError(t, "Step", r.Err, "market.Step", "users", 1)
		}
		for _, g := range r.Grants {
			charge += g.Charge
		}
	}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 8, 10), policytest.Maps(0, 8, 10)}
	jobs[1].User = 1
	res, err := slotmodel.Run(c, jobs, o, slotmodel.Options{})
	if err != nil || res.Jobs[0].Outcome != slotmodel.Finished || res.Jobs[1].Outcome != slotmodel.Finished {
		t.Fatalf("Run: %v, %+v", err, res)
	}
	if len(refused) != 2 || refused[0] != 10 || refused[1] != 20 {
		t.Errorf("Steps are refused at %v s, want 10 and 20", refused)
	}
	held := res.Users[0].SlotSeconds[0] + res.Users[1].SlotSeconds[0]
	// One user's last wave is spare.
	if want := market.Credits(held / 10 * float64(market.Credit)); charge > want || charge < want*3/4 {
		t.Errorf("%v is charged for %v slot-seconds", charge, held)
	}
}

// Jobs that arrive more than 10^9 intervals after the last Step are served like the first.
func TestLongPause(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 6, 0)}
	o := &dynprio.Policy{Users: rich(2, 1), Period: 1, Report: func(r dynprio.Report) {
		if r.Err != nil {
			t.Errorf("the Step at %v s is refused: %v", r.Time, r.Err)
		}
	}}
	for _, arrival := range []float64{0, 2e9} {
		jobs := []slotmodel.JobSpec{policytest.Maps(arrival, 12, 10), policytest.Maps(arrival, 12, 10)}
		jobs[1].User = 1
		res, err := slotmodel.Run(c, jobs, o, slotmodel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := res.Jobs[0].Finish-arrival, res.Jobs[1].Finish-arrival; a != 30 || b != 40 { // four and two slots
			t.Errorf("jobs that arrive at %v s end after %v and %v s, want 30 and 40", arrival, a, b)
		}
	}
}

// A setting out of its range is named by Check and by Run. Where nobody calls Check nothing starts.
func TestErrors(t *testing.T) {
	nan := math.NaN()
	wrong := func(arg string, index int, m dynprio.Policy) {
		t.Helper()
		policytest.Refused(t, "dynprio.Policy.Check", policytest.Wrong{Arg: arg, Index: index, Policy: &m})
	}
	for _, x := range []float64{-1, nan, math.Inf(1), 1e-7} {
		wrong("Period", -1, dynprio.Policy{Period: x})
	}
	wrong("Users", 1, dynprio.Policy{Users: []market.User{{}, {Rate: -1}}})
	wrong("Users", 0, dynprio.Policy{Users: []market.User{{Min: market.Slots{3, 0}, Max: market.Slots{2, 0}}}})
	for _, x := range []market.Options{{Lag: 2}, {Elapsed: 1}, {Carry: true, Rounding: market.Webster}} {
		wrong("Rules", -1, dynprio.Policy{Rules: x})
	}
	for _, x := range []dynprio.Preempt{{Victims: market.VictimOptions{MinRun: -1}}, {Victims: market.VictimOptions{Limit: nan}}, {Period: -1}, {Period: nan}} {
		wrong("Preempt", -1, dynprio.Policy{Preempt: x})
	}
	for _, x := range []dynprio.Change{{Time: -1}, {Time: nan}, {User: -1}, {Set: 7}, {Set: dynprio.Close, Amount: 1}, {Amount: -1}} {
		wrong("Changes", 1, dynprio.Policy{Changes: []dynprio.Change{{}, x}})
	}
}

// Nothing panics without a run, and who does not hand BeginRun on has a policy that starts nothing.
func TestWithoutBeginRun(t *testing.T) {
	p, v := new(dynprio.Policy), new(slotmodel.View)
	p.Decide(v, new(slotmodel.Actions))
	p.Observe(v, slotmodel.Event{})
	p.BeginRun(v)
	p.Observe(v, slotmodel.Event{Attempt: 1 << 30})
	p.Decide(v, new(slotmodel.Actions))
	_, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, []slotmodel.JobSpec{policytest.Maps(0, 1, 1)}, struct{ slotmodel.Policy }{new(dynprio.Policy)}, slotmodel.Options{})
	if !errors.Is(err, slotmodel.ErrPolicy) || errors.Is(err, schedmath.ErrInput) {
		t.Errorf("Run without BeginRun: %v, want an ErrPolicy", err)
	}
}
