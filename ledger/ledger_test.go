package ledger_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/ledger"
	"pgregory.net/rapid"
)

// failer is what testing and rapid have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// wantInput fails unless err names the function, argument and index.
func wantInput(t *testing.T, err error, fn, arg string, index int) {
	t.Helper()
	expect.InputError(t, fn, err, "ledger."+fn, arg, index)
}

func newLedger(t failer, accounts ...ledger.Account) *ledger.Ledger {
	t.Helper()
	l, err := ledger.New(accounts)
	if err != nil {
		t.Fatalf("New(%+v): %v", accounts, err)
	}
	return l
}

// A team's work has to fit the team's budget, the department's and the organisation's.
func TestLedgerFitsEveryBudget(t *testing.T) {
	l := newLedger(t, ledger.Account{Parent: -1, Free: 100}, ledger.Account{Free: 60}, ledger.Account{Parent: 1, Free: 80}, ledger.Account{Free: 50},
		ledger.Account{Parent: -1, Free: 7})
	short := func(what string, err error, account int, missing ledger.Credits) {
		t.Helper()
		var e *ledger.FundsError
		if !errors.As(err, &e) || e.Account != account || e.Missing != missing || e.Error() == "" {
			t.Errorf("%s: %v, want account %d to miss %d", what, err, account, int64(missing))
		}
	}
	_, err := l.Reserve(2, 70)
	short("70 for the team", err, 1, 10)
	first, err := l.Reserve(2, 60)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Reserve(3, 45)
	short("45 for another team", err, 0, 5)
	second, err := l.Reserve(3, 40)
	if err != nil || second != first+1 {
		t.Fatal(second, err)
	}
	short("a charge above the reservation", l.Settle(second, 41), 0, 1)
	if err := l.Settle(first, 20); err != nil {
		t.Fatal(err)
	}
	if err := l.Settle(second, 41); err != nil {
		t.Fatal(err)
	}
	if err := l.Refund(second, 11); err != nil {
		t.Fatal(err)
	}
	want := []ledger.Account{{Parent: -1, Free: 50, Charged: 50}, {Free: 40, Charged: 20}, {Parent: 1, Free: 60, Charged: 20}, {Free: 20, Charged: 30}, {Parent: -1, Free: 7}}
	if diff := cmp.Diff(want, l.Snapshot().Accounts); diff != "" {
		t.Error(diff)
	}
}

// Of what is left Carry stays, the rest expires; what is reserved for open grants stays, and may
// come back later.
func TestLedgerPeriods(t *testing.T) {
	l := newLedger(t, ledger.Account{Parent: -1, Free: 100, Allowance: 50, Carry: math.MaxInt64}, ledger.Account{Free: 100, Allowance: 30, Carry: 15})
	ids := make([]int64, 3)
	for i := range ids {
		ids[i], _ = l.Reserve(1, 20)
	}
	if err := errors.Join(l.Settle(ids[0], 20), l.Settle(ids[2], 8), l.Refund(ids[2], 8)); err != nil {
		t.Fatal(err)
	}
	lines, err := l.NextPeriod(make([]ledger.Line, 1))
	want := []ledger.Line{{}, {ID: 0, Account: 1, Charged: 20, Settled: true}, {ID: 2, Account: 1, Refunded: 8, Settled: true}}
	if diff := cmp.Diff(want, lines); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if err := l.Settle(ids[1], 5); err != nil {
		t.Fatal(err)
	}
	state := ledger.Snapshot{Version: 1, Period: 1, Issued: 3,
		Accounts: []ledger.Account{{Parent: -1, Allowance: 50, Carry: math.MaxInt64, Free: 125, Charged: 25},
			{Allowance: 30, Carry: 15, Free: 15 + 30 + 15, Charged: 25, Expired: 45}},
		Lines: []ledger.Line{{ID: 1, Account: 1, Charged: 5, Settled: true}}}
	if diff := cmp.Diff(state, l.Snapshot()); diff != "" {
		t.Error(diff)
	}
	wantInput(t, l.Refund(ids[0], 1), "Ledger.Refund", "id", -1)
}

// Random histories against a list of all grants, from which every balance is summed anew.
func TestLedgerHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Custom(func(t *rapid.T) ledger.Credits { return ledger.Credits(rapid.IntRange(0, 40).Draw(t, "amount")) })
		accounts := make([]ledger.Account, rapid.IntRange(1, 6).Draw(t, "accounts"))
		for i := range accounts {
			accounts[i] = ledger.Account{Parent: rapid.IntRange(-1, i-1).Draw(t, "parent"), Allowance: amount.Draw(t, "allowance"),
				Carry: amount.Draw(t, "carry"), Free: 2 * amount.Draw(t, "free")}
		}
		l := newLedger(t, accounts...)
		// received and expired of each account; every grant ever, and what it holds of the budgets.
		received, expired := make([]ledger.Credits, len(accounts)), make([]ledger.Credits, len(accounts))
		for i, a := range accounts {
			received[i] = a.Free
		}
		var grants []ledger.Line
		below := func(i, top int) bool { // account i is top or below it
			for i != top && i >= 0 {
				i = accounts[i].Parent
			}
			return i == top
		}
		free := func(i int) ledger.Credits {
			n := received[i] - expired[i]
			for _, g := range grants {
				if below(g.Account, i) {
					n -= g.Reserved + g.Charged
				}
			}
			return n
		}
		// missing is the first account on the path without that much free, with what it misses; -1
		// if all have it.
		missing := func(i int, amount ledger.Credits) (int, ledger.Credits) {
			for ; i >= 0; i = accounts[i].Parent {
				if n := free(i); n < amount {
					return i, amount - n
				}
			}
			return -1, 0
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			account, n := rapid.IntRange(0, len(accounts)-1).Draw(t, "account"), amount.Draw(t, "amount")
			id := int64(rapid.IntRange(-1, len(grants)).Draw(t, "id"))
			known := id >= 0 && int(id) < len(grants)
			at, short, what := -1, ledger.Credits(0), rapid.SampledFrom([]string{"reserve", "reserve", "settle", "settle", "refund", "period", "reload"}).Draw(t, "what")
			var err error
			switch what {
			case "reserve":
				at, short = missing(account, n)
				if id, err = l.Reserve(account, n); err == nil {
					if id != int64(len(grants)) {
						t.Fatalf("ID %d, want %d", id, len(grants))
					}
					grants = append(grants, ledger.Line{ID: id, Account: account, Period: l.Snapshot().Period, Reserved: n})
				}
			case "settle":
				err = l.Settle(id, n)
				if !known || grants[id].Settled {
					if !errors.As(err, new(*ledger.FundsError)) && err != nil {
						continue
					}
					t.Fatalf("Settle(%d): %v", id, err)
				}
				g := &grants[id]
				if at, short = missing(g.Account, n-g.Reserved); at < 0 {
					g.Reserved, g.Charged, g.Settled = 0, n, true
				}
			case "refund":
				err = l.Refund(id, n)
				if !known || !grants[id].Settled || grants[id].Period < 0 || n > grants[id].Charged {
					if err == nil {
						t.Fatalf("Refund(%d, %d) of %+v", id, int64(n), grants)
					}
					continue
				}
				grants[id].Charged -= n
				grants[id].Refunded += n
			case "period":
				var lines, want []ledger.Line
				lines, err = l.NextPeriod(nil)
				for i := range accounts {
					expires := max(0, free(i)-accounts[i].Carry)
					expired[i] += expires
					received[i] += accounts[i].Allowance
				}
				for i := range grants {
					if g := &grants[i]; g.Settled && g.Period >= 0 {
						want = append(want, *g)
						g.Period = -1 // on a statement
					}
				}
				if diff := cmp.Diff(want, lines); diff != "" {
					t.Fatal(diff)
				}
			case "reload":
				var b []byte
				var s ledger.Snapshot
				if b, err = json.Marshal(l.Snapshot()); err == nil {
					if err = json.Unmarshal(b, &s); err == nil {
						l, err = ledger.Restore(s)
					}
				}
			}
			var e *ledger.FundsError
			if errors.As(err, &e) != (at >= 0) || e != nil && (e.Account != at || e.Missing != short) || e == nil && err != nil {
				t.Fatalf("%s: %v, want account %d to miss %d", what, err, at, int64(short))
			}
			for i, a := range l.Snapshot().Accounts {
				if a.Free != free(i) || a.Free < 0 || a.Expired != expired[i] || a.Free+a.Reserved+a.Charged+a.Expired != received[i] {
					t.Fatalf("%s: account %d is %+v, want %d free of %d", what, i, a, int64(free(i)), int64(received[i]))
				}
			}
		}
	})
}

func TestLedgerErrors(t *testing.T) {
	good := func() ledger.Snapshot {
		return ledger.Snapshot{Version: 1, Period: 2, Issued: 9,
			Accounts: []ledger.Account{{Parent: -1, Free: 5, Reserved: 7, Charged: 3}, {Free: 5, Reserved: 4, Charged: 2}},
			Lines:    []ledger.Line{{ID: 3, Account: 1, Reserved: 4}, {ID: 5, Account: 0, Reserved: 3}, {ID: 6, Account: 1, Charged: 2, Settled: true}}}
	}
	if _, err := ledger.Restore(good()); err != nil {
		t.Fatal(err)
	}
	for k, c := range []struct {
		change func(*ledger.Snapshot)
		index  int
	}{
		{func(s *ledger.Snapshot) { s.Version = 99 }, -1},
		{func(s *ledger.Snapshot) { s.Period = -1 }, -1},
		{func(s *ledger.Snapshot) { s.Issued = math.MaxInt64 }, -1},
		{func(s *ledger.Snapshot) { s.Accounts[0].Parent = 1 }, 0},
		{func(s *ledger.Snapshot) { s.Accounts[0].Parent = 0 }, 0},
		{func(s *ledger.Snapshot) { s.Accounts[1].Parent = -2 }, 1},
		{func(s *ledger.Snapshot) { s.Accounts[1].Parent = 2 }, 1},
		{func(s *ledger.Snapshot) { s.Accounts[1].Free = -1 }, 1},
		{func(s *ledger.Snapshot) { s.Accounts[1].Allowance = -1 }, 1},
		{func(s *ledger.Snapshot) { s.Accounts[1].Carry = math.MinInt64 }, 1},
		{func(s *ledger.Snapshot) { s.Accounts[1].Charged = math.MaxInt64 }, 1},
		{func(s *ledger.Snapshot) { s.Accounts[1].Charged, s.Accounts[1].Expired = 1<<60, 1 }, 1},
		{func(s *ledger.Snapshot) { s.Accounts[1].Reserved = 5 }, 1},
		{func(s *ledger.Snapshot) { s.Accounts[0].Reserved = 3 }, 0},
		{func(s *ledger.Snapshot) { s.Accounts[1].Charged = 1 }, 1},
		{func(s *ledger.Snapshot) { s.Accounts[0].Charged = 1 }, 0},
		{func(s *ledger.Snapshot) { s.Lines[1].ID = 3 }, 1},
		{func(s *ledger.Snapshot) { s.Lines[2].ID = 9 }, 2},
		{func(s *ledger.Snapshot) { s.Lines[0].ID = -1 }, 0},
		{func(s *ledger.Snapshot) { s.Lines[0].Account = 2 }, 0},
		{func(s *ledger.Snapshot) { s.Lines[0].Account = -1 }, 0},
		{func(s *ledger.Snapshot) { s.Lines[0].Period = 3 }, 0},
		{func(s *ledger.Snapshot) { s.Lines[0].Reserved = -4 }, 0},
		{func(s *ledger.Snapshot) { s.Lines[0].Reserved = math.MaxInt64 }, 0},
		{func(s *ledger.Snapshot) { s.Lines[0].Refunded = 1 }, 0},
		{func(s *ledger.Snapshot) { s.Lines[2].Reserved = 1 }, 2},
		{func(s *ledger.Snapshot) { s.Lines[0].Reserved, s.Lines[1].Reserved = 1<<60, 1<<60 }, 1},
		{func(s *ledger.Snapshot) { // 2^60 + 5 of an account that has 2^60
			s.Accounts = []ledger.Account{{Parent: -1, Reserved: 1 << 60}}
			s.Lines = []ledger.Line{{ID: 1, Reserved: 1 << 60}, {ID: 2, Reserved: 5}}
		}, 0},
		{func(s *ledger.Snapshot) {
			s.Accounts = []ledger.Account{{Parent: -1, Charged: 1 << 60}}
			s.Lines = []ledger.Line{{ID: 1, Charged: 1 << 60, Settled: true}, {ID: 2, Charged: 5, Settled: true}}
		}, 0},
		{func(s *ledger.Snapshot) { // 16 times 2^60 is 0
			s.Accounts, s.Lines, s.Issued = []ledger.Account{{Parent: -1}}, nil, 16
			for i := range int64(16) {
				s.Lines = append(s.Lines, ledger.Line{ID: i, Reserved: 1 << 60})
			}
		}, 0},
		{func(s *ledger.Snapshot) {
			s.Accounts, s.Lines, s.Issued = []ledger.Account{{Parent: -1}}, nil, 16
			for i := range int64(16) {
				s.Accounts = append(s.Accounts, ledger.Account{Reserved: 1 << 60})
				s.Lines = append(s.Lines, ledger.Line{ID: i, Account: int(i) + 1, Reserved: 1 << 60})
			}
		}, 0},
	} {
		s := good()
		c.change(&s)
		l, err := ledger.Restore(s)
		wantInput(t, err, "Restore", "s", c.index)
		if l != nil {
			t.Errorf("case %d: a ledger", k)
		}
	}
	s := good()
	l, err := ledger.Restore(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []ledger.Snapshot{s, l.Snapshot()} { // nothing is shared
		s.Accounts[0].Free, s.Lines[0].Reserved = 99, 99
	}
	reserve := func(l *ledger.Ledger, account int, amount ledger.Credits, arg string) {
		t.Helper()
		id, err := l.Reserve(account, amount)
		wantInput(t, err, "Ledger.Reserve", arg, -1)
		if id != 0 {
			t.Errorf("ID %d with an error", id)
		}
	}
	reserve(l, 2, 1, "account")
	reserve(l, -1, 1, "account")
	reserve(l, 1, -1, "amount")
	reserve(new(ledger.Ledger), 0, 1, "account")
	wantInput(t, l.Settle(6, 1), "Ledger.Settle", "id", -1) // settled already
	wantInput(t, l.Settle(4, 1), "Ledger.Settle", "id", -1)
	wantInput(t, l.Settle(3, -1), "Ledger.Settle", "charge", -1)
	wantInput(t, l.Refund(3, 1), "Ledger.Refund", "id", -1) // open
	wantInput(t, l.Refund(6, 3), "Ledger.Refund", "amount", -1)
	wantInput(t, l.Refund(6, -1), "Ledger.Refund", "amount", -1)
	if err := l.Settle(3, math.MaxInt64); !errors.As(err, new(*ledger.FundsError)) {
		t.Error(err)
	}
	if diff := cmp.Diff(good(), l.Snapshot()); diff != "" {
		t.Error("changed by errors: ", diff)
	}
	rich := newLedger(t, ledger.Account{Parent: -1}, ledger.Account{Free: 1<<60 - 5, Allowance: 3})
	if _, err := rich.NextPeriod(nil); err != nil {
		t.Error(err)
	}
	before := rich.Snapshot()
	lines, err := rich.NextPeriod(nil)
	wantInput(t, err, "Ledger.NextPeriod", "l", 1)
	if diff := cmp.Diff(before, rich.Snapshot()); diff != "" || lines != nil {
		t.Error(diff, lines)
	}
}

// Whatever Restore takes, Snapshot gives back, and after any calls Restore takes the Snapshot.
func TestLedgerSnapshot(t *testing.T) {
	little := rapid.SampledFrom([]ledger.Credits{0, 1, 7, 1 << 40})
	money := rapid.OneOf(little, little, little, little, rapid.SampledFrom([]ledger.Credits{1 << 59, 1<<60 - 1, 1 << 60, 1<<60 + 1, math.MaxInt64}))
	count := rapid.SampledFrom([]int64{3, 9, 1<<62 - 1, 1 << 62})
	rapid.Check(t, func(t *rapid.T) {
		s := ledger.Snapshot{Version: 1, Period: count.Draw(t, "period"), Issued: count.Draw(t, "issued")}
		for i := range rapid.IntRange(1, 3).Draw(t, "accounts") {
			s.Accounts = append(s.Accounts, ledger.Account{Parent: rapid.IntRange(-1, i-1).Draw(t, "parent"), Allowance: money.Draw(t, "allowance"), Carry: money.Draw(t, "carry"),
				Free: money.Draw(t, "free"), Expired: money.Draw(t, "expired")})
		}
		if rapid.Bool().Draw(t, "line") {
			l := ledger.Line{ID: 1, Account: len(s.Accounts) - 1, Charged: money.Draw(t, "charged"), Refunded: money.Draw(t, "refunded"), Settled: true}
			s.Lines = append(s.Lines, l)
			for i := l.Account; i >= 0; i = s.Accounts[i].Parent {
				s.Accounts[i].Charged = l.Charged
			}
		}
		l, err := ledger.Restore(s)
		if err != nil {
			t.Skip("not a State")
		}
		if diff := cmp.Diff(s, l.Snapshot()); diff != "" {
			t.Fatal(diff)
		}
		for range rapid.IntRange(1, 9).Draw(t, "calls") {
			id := rapid.SampledFrom([]int64{1, 3, 9, 1<<62 - 1}).Draw(t, "id")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				_, _ = l.Reserve(rapid.IntRange(0, 2).Draw(t, "account"), money.Draw(t, "amount"))
			case 1:
				_ = l.Settle(id, money.Draw(t, "charge"))
			case 2:
				_ = l.Refund(id, money.Draw(t, "refund"))
			case 3:
				_, _ = l.NextPeriod(nil)
			}
			state := l.Snapshot()
			if l, err = ledger.Restore(state); err != nil {
				t.Fatalf("Restore refuses the Snapshot %+v: %v", state, err)
			}
		}
	})
}

// A snapshot of a version that the reader does not know is refused.
func TestUnknownVersion(t *testing.T) {
	for _, text := range []string{`{"Version": 99}`, `{"version": 99}`, `{}`, `{"Version": -1}`} {
		var s ledger.Snapshot
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		_, err := ledger.Restore(s)
		wantInput(t, err, "Restore", "s", -1)
	}
}

// Accounts tells what a Snapshot tells, and accounts may come before those above them.
func TestAccounts(t *testing.T) {
	l := newLedger(t, ledger.Account{Parent: 1, Free: 5}, ledger.Account{Parent: -1, Free: 10})
	if _, err := l.Reserve(0, 3); err != nil {
		t.Fatal(err)
	}
	want := []ledger.Account{{}, {Parent: 1, Free: 2, Reserved: 3}, {Parent: -1, Free: 7, Reserved: 3}}
	if got := l.Accounts([]ledger.Account{{}}); !slices.Equal(got, want) || !slices.Equal(l.Snapshot().Accounts, want[1:]) {
		t.Errorf("Accounts = %+v, want %+v", got, want)
	}
}
