package dynprio_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[dynprio.Field]string{
		dynprio.SetRate: "rate", dynprio.SetBudget: "budget", dynprio.SetIncome: "income",
		dynprio.Deposit: "deposit", dynprio.Open: "open", dynprio.Close: "close",
		dynprio.SetPreempt: "preempt",
	})
}

// One user holds two slots all the time. Each change counts at the first Step from its time on,
// those of one time in the order given.
func TestChanges(t *testing.T) {
	change := func(time float64, user int, set dynprio.Field, credits market.Credits) dynprio.Change {
		return dynprio.Change{Time: time, User: user, Set: set, Amount: credits * market.Credit}
	}
	var got []string
	o := &dynprio.Policy{
		Users:  []market.User{{Budget: 100 * market.Credit, Rate: market.Credit}},
		Period: 10,
		Changes: []dynprio.Change{
			change(35, 0, dynprio.SetRate, 2), change(15, 0, dynprio.SetBudget, 99), change(15, 0, dynprio.SetBudget, 10), change(20.5, 0, dynprio.SetIncome, 3),
			change(20, 7, dynprio.SetBudget, 1), // there is no such user
		},
		Report: func(r dynprio.Report) {
			g := r.Grants[0]
			got = append(got, fmt.Sprintf("%v: -%v +%v = %v", r.Time, g.Charge, g.Income, g.Next.Budget))
		},
	}
	want := []string{"0: -0 +0 = 100", "10: -2 +0 = 98", "20: -2 +0 = 8", "30: -2 +3 = 9", "40: -2 +3 = 10", "50: -4 +3 = 9"}
	if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 2, 0)}, []slotmodel.JobSpec{policytest.Maps(0, 20, 10)}, o, slotmodel.Options{Until: 55}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("Steps: charge, income and budget\n got %q\nwant %q", got, want)
	}
}

// Queues come and go. User 1's exists from 20 s until 40 s: before and after none of its tasks
// starts, on spare slots neither, and its budget goes with it. Preemption is on from 20 s to 60 s.
func TestChangesOfQueues(t *testing.T) {
	change := func(time float64, user int, set dynprio.Field, credits market.Credits) dynprio.Change {
		return dynprio.Change{Time: time, User: user, Set: set, Amount: credits * market.Credit}
	}
	var got []string
	o := &dynprio.Policy{
		Users:  rich(market.Credit, market.Credit),
		Period: 10,
		Changes: []dynprio.Change{
			change(20, 1, dynprio.Open, 50), change(20, 0, dynprio.SetPreempt, 1), change(30, 0, dynprio.Deposit, 7),
			change(40, 1, dynprio.Close, 0), change(60, 0, dynprio.SetPreempt, 0), change(60, 0, dynprio.SetBudget, 100),
		},
		Report: func(r dynprio.Report) {
			got = append(got, fmt.Sprintf("%v: %v %v, %v, %d", r.Time, r.Grants[0].Slots[0], r.Grants[1].Slots[0], r.Deposited, r.Kills))
		},
	}
	o.Users[0].Budget, o.Users[1].Budget = 1000*market.Credit, 0
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 20, 25), policytest.Maps(0, 20, 25)}
	jobs[1].User = 1
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 2, 0)}, jobs, o, slotmodel.Options{Until: 75})
	if err != nil {
		t.Fatal(err)
	}
	// At 40 s user 1 has paid 2 slots for the interval until 30 s; the last one is forgiven. User 0
	// has paid 4, 4, 2, 2 and 4 at 60 s, and received 7.
	want := []string{"0: 4 0, 0, 0", "10: 4 0, 0, 0", "20: 2 2, 50, 2", "30: 2 2, 7, 0", "40: 4 0, -48, 2", "50: 4 0, 0, 0", "60: 4 0, -891, 0", "70: 4 0, 0, 0"}
	if !slices.Equal(got, want) {
		t.Errorf("grants, deposits and kills\n got %q\nwant %q", got, want)
	}
	if held := res.Users[1].SlotSeconds[0]; held != 40 {
		t.Errorf("user 1 held %v slot-seconds, want 40, from 20 s to 40 s", held)
	}
	// A user who has money, and a queue only from 20 s on, holds nothing before.
	o = &dynprio.Policy{Users: rich(market.Credit, market.Credit), Period: 10, Changes: []dynprio.Change{change(20, 1, dynprio.Open, 50)}}
	res, err = slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 2, 0)}, jobs[1:], o, slotmodel.Options{Until: 30})
	if err != nil {
		t.Fatal(err)
	}
	if held := res.Users[1].SlotSeconds[0]; held != 40 {
		t.Errorf("user 1 held %v slot-seconds, want 40, from 20 s to 30 s", held)
	}
}

// A deposit that Credits cannot hold is reported and not made.
func TestDepositTooLarge(t *testing.T) {
	var got []string
	o := &dynprio.Policy{
		Users: []market.User{{Budget: 100 * market.Credit, Rate: market.Credit}}, Period: 10,
		Changes: []dynprio.Change{{Time: 10, Set: dynprio.Deposit, Amount: math.MaxInt64}, {Time: 20, Set: dynprio.Deposit, Amount: market.Credit}},
		Report: func(r dynprio.Report) {
			if got = append(got, fmt.Sprint(r.Grants[0].Next.Budget)); r.Time == 10 {
				expect.InputError(t, "a deposit too large", r.Err, "dynprio.Policy", "Changes", 0)
			} else if r.Err != nil {
				t.Errorf("at %v s: %v", r.Time, r.Err)
			}
		},
	}
	if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, []slotmodel.JobSpec{policytest.Maps(0, 20, 10)}, o, slotmodel.Options{Until: 25}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"100", "99", "99"}; !slices.Equal(got, want) {
		t.Errorf("budgets %v, want %v", got, want)
	}
}
