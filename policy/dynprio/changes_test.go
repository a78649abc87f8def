package dynprio_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

const changesHeader = "time\tuser\tset\tcredits\n"

func TestReadChanges(t *testing.T) {
	text := changesHeader + "3600\t0\trate\t1.5\r\n\n0.25\t12\tbudget\t10000\n3600\t0\tincome\t0.000001\n1\t2\topen\t4\n2\t2\tdeposit\t5\n3\t2\tclose\t0\n4\t0\tpreempt\t1\n"
	want := []dynprio.Change{{3600, 0, dynprio.SetRate, 3 * market.Credit / 2}, {.25, 12, dynprio.SetBudget, 10000 * market.Credit}, {3600, 0, dynprio.SetIncome, 1},
		{1, 2, dynprio.Open, 4 * market.Credit}, {2, 2, dynprio.Deposit, 5 * market.Credit}, {3, 2, dynprio.Close, 0}, {4, 0, dynprio.SetPreempt, market.Credit}}
	got, err := dynprio.ReadChanges(strings.NewReader(text))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("ReadChanges = %v, %v, want %v", got, err, want)
	}
	if got, err := dynprio.ReadChanges(strings.NewReader(changesHeader)); len(got) > 0 || err != nil {
		t.Errorf("ReadChanges of a header = %v, %v, want none", got, err)
	}
}

func TestReadChangesErrors(t *testing.T) {
	good := changesHeader + "1\t0\trate\t1\n"
	for _, x := range []struct {
		text string
		line int
	}{
		{"", 0}, {"time\tuser\tset\n", 0}, {"time,user,set,credits\n", 0}, {"1\t0\trate\t1\n", 0},
		{good + "1\t0\trate\n", 2}, {good + "1\t0\trate\t1\t1\n", 2}, {good + "one\t0\trate\t1\n", 2}, {good + "NaN\t0\trate\t1\n", 2}, {good + "Inf\t0\trate\t1\n", 2},
		{good + "-1\t0\trate\t1\n", 2}, {good + "1\t-1\trate\t1\n", 2}, {good + "1\t0.5\trate\t1\n", 2}, {good + "1\t99999999999999999999\trate\t1\n", 2},
		{good + "1\t0\tmaximum\t1\n", 2}, {good + "1\t0\trate\t-1\n", 2}, {good + "1\t0\trate\t1.0000001\n", 2}, {good + "1\t0\trate\t1e30\n", 2}, {good + "1\t0\t\"rate\t1\n", 2},
		{good + "1\t0\tclose\t1\n", 2},
	} {
		got, err := dynprio.ReadChanges(strings.NewReader(x.text))
		if got != nil {
			t.Errorf("ReadChanges(%q) = %v, want nil", x.text, got)
		}
		expect.InputError(t, fmt.Sprintf("ReadChanges(%q)", x.text), err, "dynprio.ReadChanges", "r", x.line)
	}
	_, err := dynprio.ReadChanges(nil)
	expect.InputError(t, "ReadChanges(nil)", err, "dynprio.ReadChanges", "r", -1)
	if _, err := dynprio.ReadChanges(iotest.TimeoutReader(io.MultiReader(strings.NewReader(good), strings.NewReader(good)))); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("ReadChanges of a reader that fails: %v, want its error", err)
	}
}

func TestFieldString(t *testing.T) {
	for f, want := range map[dynprio.Field]string{dynprio.SetRate: "rate", dynprio.SetBudget: "budget", dynprio.SetIncome: "income", dynprio.Deposit: "deposit", dynprio.Open: "open", dynprio.Close: "close", dynprio.SetPreempt: "preempt", 7: "Field(7)", 255: "Field(255)"} {
		if text, err := f.MarshalText(); f.String() != want || string(text) != want || err != nil {
			t.Errorf("Field(%d) is %q and %q, %v, want %q", uint8(f), f.String(), text, err, want)
		}
		again := f + 1
		if err := again.UnmarshalText([]byte(want)); (err == nil) != (f <= dynprio.SetPreempt) || err == nil && again != f {
			t.Errorf("UnmarshalText of %q = %v and %v", want, again, err)
		}
	}
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
}

// Whatever is read is in range, is taken by Check, and reads back from a text written from it;
// whatever is refused is an InputError.
func FuzzReadChanges(f *testing.F) {
	f.Add(changesHeader + "3600\t0\trate\t1.5\n")
	f.Add(changesHeader + "3600\t1\tbudget\t9223372036854.775807\r\n\n1e-3\t0\tincome\t0\n")
	f.Add(changesHeader + "\"1\"\t0\t\"ra\"\"te\"\t1\n")
	f.Add(changesHeader + "1\t0\topen\t7\n2\t0\tdeposit\t1\n3\t0\tpreempt\t1\n4\t0\tclose\t0\n")
	f.Add("time\tuser\n")
	f.Fuzz(func(t *testing.T, text string) {
		changes, err := dynprio.ReadChanges(strings.NewReader(text))
		if err != nil {
			if changes != nil || !errors.Is(err, schedmath.ErrInput) {
				t.Fatalf("ReadChanges = %v, %v", changes, err)
			}
			return
		}
		var b strings.Builder
		b.WriteString(changesHeader)
		for _, c := range changes {
			if !(c.Time >= 0 && c.Time <= math.MaxFloat64) || c.User < 0 || c.Set < dynprio.SetRate || c.Set > dynprio.SetPreempt || c.Set == dynprio.Close && c.Amount > 0 || c.Amount < 0 {
				t.Fatalf("ReadChanges gives %+v", c)
			}
			fmt.Fprintf(&b, "%s\t%d\t%s\t%v\n", strconv.FormatFloat(c.Time, 'g', -1, 64), c.User, c.Set, c.Amount)
		}
		again, err := dynprio.ReadChanges(strings.NewReader(b.String()))
		if err != nil || !slices.Equal(again, changes) {
			t.Fatalf("read back: %v, %v, want %v", again, err, changes)
		}
		if err := (&dynprio.Policy{Changes: changes}).Check(); err != nil {
			t.Fatalf("Check with the changes of ReadChanges: %v", err)
		}
	})
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
