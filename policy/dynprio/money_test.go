package dynprio_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// drawPolicy draws accounts some of which run dry, and rules.
func drawPolicy(t *rapid.T) *dynprio.Policy {
	o := &dynprio.Policy{
		Period:  float64(rapid.IntRange(1, 24).Draw(t, "interval")) / 4,
		Preempt: dynprio.Preempt{On: rapid.Bool().Draw(t, "preempt")},
		Rules: market.Options{
			Charge:  market.Basis(rapid.IntRange(0, 2).Draw(t, "basis")),
			Exhaust: market.Exhaust(rapid.IntRange(0, 2).Draw(t, "exhaust")),
			Lag:     rapid.IntRange(0, 1).Draw(t, "lag"),
			Carry:   rapid.Bool().Draw(t, "carry"),
			Fill:    market.Fill(rapid.IntRange(0, 3).Draw(t, "fill") / 3),
		},
	}
	credits := func(most int, name string) market.Credits {
		return market.Credits(rapid.IntRange(0, most).Draw(t, name)) * market.Credit / 7
	}
	for range rapid.IntRange(0, 4).Draw(t, "accounts") {
		o.Users = append(o.Users, market.User{Budget: credits(200, "budget"), Rate: credits(20, "rate"), Income: credits(9, "income"), Debt: credits(9, "debt")})
	}
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		o.Changes = append(o.Changes, dynprio.Change{Time: policytest.DrawWork(t, "change at"), User: rapid.IntRange(0, 4).Draw(t, "user"),
			Set: dynprio.Field(rapid.IntRange(0, 2).Draw(t, "set")), Amount: credits(100, "amount")})
	}
	return o
}

// books follows who holds slots by the event log alone, and audits each Step.
type books struct {
	t       *rapid.T
	o       *dynprio.Policy
	jobs    []slotmodel.JobSpec
	held    [8][2]int
	spare   [8][2]int // of held: started when the grant was used up
	isSpare map[slotmodel.Attempt]bool
	gang    int  // attempts still to start together with the last one
	onSpare bool // they do so on spare slots
	granted [8]market.Slots
	seconds [8]float64 // to pay for since the last Step
	now     float64
	last    float64
	next    []market.User // accounts after the last Step
	steps   int
	charged int // Steps with revenue
}

// lapse counts what is to be paid until a time.
func (b *books) lapse(now float64) {
	for u := range b.held {
		for k, n := range b.held[u] {
			paid := min(n, b.granted[u][k])
			if b.o.Rules.Charge == market.AllHeld {
				paid = max(paid, n-b.spare[u][k])
			}
			b.seconds[u] += float64(paid) * (now - b.now)
		}
	}
	b.now = now
}

func (b *books) event(e slotmodel.Event) {
	if e.Attempt == slotmodel.None {
		return
	}
	b.lapse(e.Time)
	u, k := b.jobs[e.Job].User, e.Kind
	switch e.Type {
	case slotmodel.Started:
		if b.gang == 0 { // else an attempt of a rigid job, all of which start as one
			b.gang = policytest.Wide(&b.jobs[e.Job])
			b.onSpare = b.held[u][k]+b.gang > b.granted[u][k]
		}
		b.gang--
		b.isSpare[e.Attempt] = b.onSpare
		b.held[u][k]++
		if b.isSpare[e.Attempt] {
			b.spare[u][k]++
		}
	case slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed:
		b.held[u][k]--
		if b.isSpare[e.Attempt] {
			b.spare[u][k]--
		}
	}
}

// step audits a Step. It is called at the end of the Decide, when slots have been given and taken
// by the new grants.
func (b *books) step(r dynprio.Report) {
	var before, after, revenue, income market.Credits
	elapsed := (r.Time - b.last) / b.o.Period
	for u, g := range r.Grants {
		was := r.Users[u]
		before, after, revenue, income = before+was.Budget, after+g.Next.Budget, revenue+g.Charge, income+g.Income
		least := market.Credits(0)
		if b.o.Rules.Exhaust == market.Owe {
			least = -was.Debt
		}
		if g.Next.Budget < least {
			b.t.Fatalf("at %v s user %d has %v credits", r.Time, u, g.Next.Budget)
		}
		if b.next != nil && was.GrantedRate != b.next[u].GrantedRate {
			b.t.Fatalf("at %v s user %d is charged %v a slot, want the rate of its grant, %v", r.Time, u, was.GrantedRate, b.next[u].GrantedRate)
		}
		// A budget that the charge does not exhaust pays the slot-time held, to a micro-credit.
		want := float64(was.GrantedRate) * was.Used[0]
		want += float64(was.GrantedRate) * was.Used[1]
		if d := math.Abs(float64(g.Charge) - want); d > 1+1e-9*want && g.Next.Budget-g.Income > least && b.o.Rules.Exhaust != market.Skip {
			b.t.Fatalf("at %v s user %d is charged %v, want %v micro-credits", r.Time, u, g.Charge, want)
		}
		if got, want := (was.Used[0]+was.Used[1])*b.o.Period, b.seconds[u]; math.Abs(got-want) > 1e-9*want {
			b.t.Fatalf("at %v s user %d is to pay for %v slot-seconds, by the log it held %v", r.Time, u, got, want)
		}
		if want := float64(was.Income) * elapsed; math.Abs(float64(g.Income)-want) > 1+1e-9*want {
			b.t.Fatalf("at %v s user %d earns %v in %v intervals, want %v micro-credits", r.Time, u, g.Income, elapsed, want)
		}
	}
	if before-revenue+income != after || revenue != r.Totals.Revenue || income != r.Totals.Income {
		b.t.Fatalf("at %v s the budgets are %v, the revenue %v and the income %v, then the budgets %v", r.Time, before, revenue, income, after)
	}
	if b.steps++; revenue > 0 {
		b.charged++
	}
}

// settle is called when the Step has been made and nothing has started by it: the grants of the
// log's bookkeeping are the new ones.
func (b *books) settle(r dynprio.Report) {
	b.step(r)
	b.last = r.Time
	b.next = b.next[:0]
	for u, g := range r.Grants {
		b.next = append(b.next, g.Next)
		b.granted[u] = g.Slots
		b.seconds[u] = 0
	}
}

// In whole runs, nodes lost and jobs cancelled: money is conserved to the micro-credit, nobody
// falls below zero, everybody pays for the slot-time held within the grant at its rate and for no
// other, and after the last job all is paid for.
func TestMoney(t *testing.T) {
	steps, charged := 0, 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		o := drawPolicy(t)
		b := &books{t: t, o: o, jobs: policytest.DrawJobs(t, len(c.Nodes)), isSpare: map[slotmodel.Attempt]bool{}}
		for i := range b.jobs {
			b.jobs[i].Priority = float64(rapid.IntRange(0, 3).Draw(t, "priority"))
		}
		// The Step comes before the starts of its Decide, and the report after them: what has
		// happened in between is put off.
		var pending []slotmodel.Event
		deciding := false
		o.Report = func(r dynprio.Report) {
			if r.Err != nil {
				t.Fatalf("Step: %v", r.Err)
			}
			b.lapse(r.Time)
			b.settle(r)
		}
		p := &policytest.After{Policy: o, Every: true, Before: func(*slotmodel.View, *slotmodel.Actions) { deciding = true }}
		p.Check = func(*slotmodel.View) {
			deciding = false
			for _, e := range pending {
				b.event(e)
			}
			pending = pending[:0]
		}
		until := 0.0
		if o.Rules.Fill == market.NoFill {
			until = 100 // perhaps nobody can ever pay
		}
		res, err := slotmodel.Run(c, b.jobs, p, slotmodel.Options{Until: until, Log: func(e slotmodel.Event) {
			if deciding {
				pending = append(pending, e)
			} else {
				b.event(e)
			}
		}})
		if err != nil {
			t.Fatalf("Run failed: %v", err)
		}
		present := slices.ContainsFunc(res.Jobs, func(r slotmodel.JobResult) bool {
			return r.Outcome == slotmodel.Stuck || r.Outcome == slotmodel.Unended
		})
		for u, s := range b.seconds {
			if s > 0 && !present {
				t.Fatalf("at the end user %d owes for %v slot-seconds", u, s)
			}
		}
		steps, charged = steps+b.steps, charged+b.charged
	}
	rapid.Check(t, property)
	steps, charged = 0, 0
	policytest.Counted(t, 200, property)
	if steps < 1000 || charged < 300 {
		t.Errorf("%d Steps, %d of them with charges, want 1000 and 300: the workloads test nothing", steps, charged)
	}
}

// A job costs its rate times its slot-time, however many of its tasks run at once, and whoever else
// bids.
func TestChargesSlotTime(t *testing.T) {
	for _, slots := range []int{1, 2, 5, 16, 60} {
		for _, rival := range []market.Credits{0, 1, 20} {
			charge := market.Credits(0)
			o := &dynprio.Policy{Users: rich(3*market.Credit, rival*market.Credit), Period: 20, Report: func(r dynprio.Report) { charge += r.Grants[0].Charge }}
			jobs := []slotmodel.JobSpec{policytest.Maps(0, 48, 30), policytest.Maps(0, 48, 30)}
			jobs[1].User = 1
			if rival == 0 { // no spare slots for user 0
				o.Rules.Fill = market.NoFill
				jobs = jobs[:1]
			} else if slots == 60 {
				continue // some slots are spare
			}
			if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, slots, 0)}, jobs, o, slotmodel.Options{}); err != nil {
				t.Fatal(err)
			}
			// 48 tasks of 1.5 intervals. Spare slots, left over when the rival has nothing to run,
			// are free.
			if want := 48 * 3 * market.Credit * 3 / 2; charge > want || rival == 0 && charge != want {
				t.Errorf("%d slots, a rival bids %v: the job costs %v, want %v", slots, rival, charge, want)
			}
		}
	}
}
