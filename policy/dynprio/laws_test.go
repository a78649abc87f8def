package dynprio_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// 20 users bid 1 to 20 for 8 slots, in closed loop. With Carry nobody who can pay starves:
// everybody's slot-time comes near its share. Without it rounding gives those who bid least
// nothing, for ever.
func TestCarryFeedsAll(t *testing.T) {
	const users, slots, end = 20, 8, 4000.0
	var rates []market.Credits
	var jobs []slotmodel.JobSpec
	for u := range users {
		rates = append(rates, market.Credits(u+1)*market.Credit)
		j := policytest.Maps(0, 4000, 1)
		j.User = u
		jobs = append(jobs, j)
	}
	for _, carry := range []bool{false, true} {
		o := &dynprio.Policy{Users: rich(rates...), Period: 1, Rules: market.Options{Carry: carry}}
		res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, slots, 0)}, jobs, o, slotmodel.Options{Until: end})
		if err != nil {
			t.Fatal(err)
		}
		starved := 0
		for u, r := range res.Users {
			share := slots * end * float64(u+1) / (users * (users + 1) / 2)
			if r.SlotSeconds[0] == 0 {
				starved++
			}
			if carry && math.Abs(r.SlotSeconds[0]-share) > 3 { // the fractions that rounding owes
				t.Errorf("with Carry user %d holds %v slot-seconds, want %v to within 3", u, r.SlotSeconds[0], share)
			}
		}
		if carry != (starved == 0) {
			t.Errorf("Carry %v: %d of %d users starve", carry, starved, users)
		}
	}
}

// Users given other numbers get what they got. No two rates are equal, so that rounding has no
// ties, which go by number.
func TestPermuted(t *testing.T) {
	for range 3 {
		rapid.Check(t, func(t *rapid.T) {
			c := policytest.DrawCluster(t)
			jobs := policytest.DrawJobs(t, len(c.Nodes))
			o := &dynprio.Policy{Period: 1 + policytest.DrawWork(t, "interval"), Preempt: dynprio.Preempt{On: rapid.Bool().Draw(t, "preempt")}}
			for i := range jobs {
				jobs[i].Arrival += float64(i) / 1024
			}
			for u := range int64(4) {
				o.Users = append(o.Users, market.User{Rate: market.Credits(4*rapid.Int64Range(1<<38, 1<<39).Draw(t, "rate") + u), Budget: market.Credits(rapid.Int64Range(0, 1<<46).Draw(t, "budget"))})
			}
			want, err := slotmodel.Run(c, jobs, o, slotmodel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			to := rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "numbers")
			users := make([]market.User, 4)
			for u := range users {
				users[to[u]] = o.Users[u]
			}
			o.Users = users
			for i := range jobs {
				jobs[i].User = to[jobs[i].User]
			}
			got, err := slotmodel.Run(c, jobs, o, slotmodel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for j := range jobs {
				if got.Jobs[j] != want.Jobs[j] {
					t.Fatalf("job %d: %+v, before the users had other numbers %+v", j, got.Jobs[j], want.Jobs[j])
				}
			}
		})
	}
}

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
	jobs[2].Priority = 2
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
	// Three slots each, ten waves a job, from 200 s on four and two: 30 tasks take 8 waves.
	for j, want := range []float64{100, 200, 280} {
		if got := res.Jobs[j].Finish; got != want {
			t.Errorf("job %d ends at %v s, want %v", j, got, want)
		}
	}
	if rates[2*market.Credit] != 8 {
		t.Errorf("Steps by user 0's rate: %v, want 8 at twice its own", rates)
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

// silent is a policy that hands on no Check.
type silent struct{ *dynprio.Policy }

func (silent) Check() error { return nil }

// A setting out of its range is named by Check and by Run. Where nobody calls Check nothing starts.
// Nothing panics without a run.
func TestErrors(t *testing.T) {
	nan := math.NaN()
	cluster, job := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, []slotmodel.JobSpec{policytest.Maps(0, 1, 1)}
	for _, x := range []struct {
		m     dynprio.Policy
		arg   string
		index int
	}{
		{dynprio.Policy{Period: -1}, "Period", -1}, {dynprio.Policy{Period: nan}, "Period", -1},
		{dynprio.Policy{Period: math.Inf(1)}, "Period", -1}, {dynprio.Policy{Period: 1e-7}, "Period", -1},
		{dynprio.Policy{Users: []market.User{{}, {Rate: -1}}}, "Users", 1},
		{dynprio.Policy{Users: []market.User{{Min: market.Slots{3, 0}, Max: market.Slots{2, 0}}}}, "Users", 0},
		{dynprio.Policy{Rules: market.Options{Lag: 2}}, "Rules", -1}, {dynprio.Policy{Rules: market.Options{Elapsed: 1}}, "Rules", -1},
		{dynprio.Policy{Rules: market.Options{Carry: true, Rounding: market.Webster}}, "Rules", -1},
		{dynprio.Policy{Preempt: dynprio.Preempt{Victims: market.VictimOptions{MinRun: -1}}}, "Preempt", -1}, {dynprio.Policy{Preempt: dynprio.Preempt{Victims: market.VictimOptions{Limit: nan}}}, "Preempt", -1},
		{dynprio.Policy{Changes: []dynprio.Change{{Time: -1}}}, "Changes", 0}, {dynprio.Policy{Changes: []dynprio.Change{{}, {Time: nan}}}, "Changes", 1},
		{dynprio.Policy{Changes: []dynprio.Change{{User: -1}}}, "Changes", 0}, {dynprio.Policy{Changes: []dynprio.Change{{Set: 7}}}, "Changes", 0},
		{dynprio.Policy{Changes: []dynprio.Change{{Set: dynprio.Close, Amount: 1}}}, "Changes", 0},
		{dynprio.Policy{Preempt: dynprio.Preempt{Period: -1}}, "Preempt", -1}, {dynprio.Policy{Preempt: dynprio.Preempt{Period: nan}}, "Preempt", -1},
		{dynprio.Policy{Changes: []dynprio.Change{{}, {}, {Amount: -1}}}, "Changes", 2},
	} {
		expect.InputError(t, "Check", x.m.Check(), "dynprio.Policy.Check", x.arg, x.index)
		res, err := slotmodel.Run(cluster, job, &x.m, slotmodel.Options{})
		expect.InputError(t, "Run", err, "dynprio.Policy.Check", x.arg, x.index)
		if res != nil {
			t.Errorf("Run with a wrong %s returns a result", x.arg)
		}
		res, err = slotmodel.Run(cluster, job, silent{&x.m}, slotmodel.Options{})
		if !errors.Is(err, slotmodel.ErrPolicy) || res == nil || res.Totals.Work != 0 {
			t.Errorf("Run with a wrong %s under a policy without Check: %v, want an ErrPolicy and no start", x.arg, err)
		}
	}
	for _, p := range []interface {
		slotmodel.Policy
		slotmodel.Beginner
		slotmodel.Observer
	}{new(dynprio.Policy), new(policy.Capacity)} {
		v := new(slotmodel.View)
		p.Decide(v, new(slotmodel.Actions))
		p.Observe(v, slotmodel.Event{})
		p.BeginRun(v)
		p.Observe(v, slotmodel.Event{Attempt: 1 << 30})
		p.Decide(v, new(slotmodel.Actions))
	}
	// Who does not hand BeginRun on has a policy that starts nothing.
	_, err := slotmodel.Run(cluster, job, struct{ slotmodel.Policy }{new(dynprio.Policy)}, slotmodel.Options{})
	if !errors.Is(err, slotmodel.ErrPolicy) || errors.Is(err, schedmath.ErrInput) {
		t.Errorf("Run without BeginRun: %v, want an ErrPolicy", err)
	}
	// A Priority beyond all rates, and rates that together exceed Credits: the Steps are refused,
	// and starts are FIFO's.
	refused := 0
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 4, 10), policytest.Maps(0, 4, 10), policytest.Maps(0, 4, 10)}
	for u := range jobs {
		jobs[u].User, jobs[u].Priority = u, math.Inf(1)
	}
	o := &dynprio.Policy{Users: rich(1, 1, 1), Report: func(r dynprio.Report) {
		if r.Err != nil {
			refused++
		}
	}}
	for u := range o.Users {
		o.Users[u].Budget = math.MaxInt64
	}
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 3, 0)}
	if got, want := policytest.Starts(t, c, jobs, o), policytest.Starts(t, c, jobs, policy.FIFO{}); got != want || refused == 0 {
		t.Errorf("%d Steps refused; got %s, want %s", refused, got, want)
	}
}

// Policy with a Delay: every job ends, and while nobody can pay it is Delay by arrival.
func TestDelay(t *testing.T) {
	for range 3 {
		rapid.Check(t, func(t *rapid.T) {
			c := policytest.DrawCluster(t)
			jobs := policytest.DrawJobs(t, len(c.Nodes))
			d := policy.Delay{Node: policytest.DrawWork(t, "node"), Rack: policytest.DrawWork(t, "rack")}
			o := drawPolicy(t)
			o.Rules.Fill = market.FIFO
			filter := d
			o.Filter = &filter
			got, err := slotmodel.Run(c, jobs, o, slotmodel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for j, r := range got.Jobs {
				if r.Outcome == slotmodel.Unended {
					t.Fatalf("job %d has not ended", j)
				}
			}
			first, second := d, d
			got, err = slotmodel.Run(c, jobs, &dynprio.Policy{Filter: &first, Period: o.Period}, slotmodel.Options{Hash: true})
			want, greedy := slotmodel.Run(c, jobs, &policy.Greedy{Filter: &second}, slotmodel.Options{Hash: true})
			if err != nil || greedy != nil || got.Hash != want.Hash {
				t.Fatalf("without money: errors %v and %v, want none, and the events of Delay by arrival", err, greedy)
			}
		})
	}
}
