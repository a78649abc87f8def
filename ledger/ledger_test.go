package ledger_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/ledger"
)

var must = expect.Must

func newLedger(t rapid.TB, accounts ...ledger.Account) *ledger.Ledger {
	t.Helper()
	l, err := ledger.New(accounts)
	if err != nil {
		t.Fatalf("New(%+v): %v", accounts, err)
	}
	return l
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
		period := int64(0)
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
					grants = append(grants, ledger.Line{ID: id, Account: account, Period: period, Reserved: n})
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
				period++
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
	for _, c := range []struct {
		change func(*ledger.Snapshot)
		index  int
	}{
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
		{func(s *ledger.Snapshot) { s.Lines[0].Period = -1 }, 0},
		{func(s *ledger.Snapshot) { s.Lines[2].Refunded = 1<<60 - 1 }, 2}, // 2^60 + 1 in all
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
		expect.Refused(t, "ledger.Restore", ledger.Restore, nil, expect.Bad("s", c.index, s))
	}
	s := good()
	l, err := ledger.Restore(s)
	must(t, err)
	for _, s := range []ledger.Snapshot{s, l.Snapshot()} { // nothing is shared
		s.Accounts[0].Free, s.Lines[0].Reserved = 99, 99
	}
	refused := func(l *ledger.Ledger, method string, f any, calls ...expect.Call) {
		t.Helper()
		expect.Refused(t, "ledger.Ledger."+method, f, func() any { return l.Snapshot() }, calls...)
	}
	refused(l, "Reserve", l.Reserve, expect.Bad("account", -1, 2, 1), expect.Bad("account", -1, -1, 1), expect.Bad("amount", -1, 1, -1))
	none := new(ledger.Ledger)
	refused(none, "Reserve", none.Reserve, expect.Bad("account", -1, 0, 1))
	refused(l, "Settle", l.Settle, expect.Bad("id", -1, 6, 1), expect.Bad("id", -1, 4, 1), expect.Bad("charge", -1, 3, -1))     // 6 is settled
	refused(l, "Refund", l.Refund, expect.Bad("id", -1, 3, 1), expect.Bad("amount", -1, 6, 3), expect.Bad("amount", -1, 6, -1)) // 3 is open
	if err := l.Settle(3, math.MaxInt64); !errors.As(err, new(*ledger.FundsError)) || err.Error() == "" {
		t.Error(err)
	}
	if diff := cmp.Diff(good(), l.Snapshot()); diff != "" {
		t.Error("changed by errors: ", diff)
	}
	must(t, l.Refund(6, 2)) // all of it
	must(t, l.Refund(6, 0))
	rich := newLedger(t, ledger.Account{Parent: -1}, ledger.Account{Free: 1<<60 - 5, Allowance: 5})
	_, err = rich.NextPeriod(nil)
	must(t, err)
	refused(rich, "NextPeriod", rich.NextPeriod, expect.Bad("l", 1, nil))
	old, err := ledger.Restore(ledger.Snapshot{Version: 1, Period: 1 << 62, Issued: 1 << 62, Accounts: []ledger.Account{{Parent: -1, Free: 1}}})
	must(t, err)
	refused(old, "Reserve", old.Reserve, expect.Bad("l", -1, 0, 1))
	refused(old, "NextPeriod", old.NextPeriod, expect.Bad("l", -1, nil))
}

var ledgers = expect.RoundTrip[ledger.Snapshot, *ledger.Ledger]{
	Func: "ledger.Restore", Restore: ledger.Restore, Snapshot: (*ledger.Ledger).Snapshot,
	GoOn: func(t testing.TB, l *ledger.Ledger, seed uint64) { act(l, rand.New(rand.NewPCG(seed, 1)), 9) },
}

// act makes random calls; errors are part of the game.
func act(l *ledger.Ledger, rng *rand.Rand, calls int) {
	amounts := []ledger.Credits{0, 1, 7, 40, 1 << 40, 1 << 59, 1<<60 - 1, 1 << 60}
	for range calls {
		id, amount := rng.Int64N(9), amounts[rng.IntN(len(amounts))]
		switch rng.IntN(5) {
		case 0, 1:
			_, _ = l.Reserve(rng.IntN(3), amount)
		case 2:
			_ = l.Settle(id, amount)
		case 3:
			_ = l.Refund(id, amount)
		case 4:
			_, _ = l.NextPeriod(nil)
		}
	}
}

func TestLedgersComeBack(t *testing.T) {
	ledgers.Drawn(t, 900, func(rng *rand.Rand) *ledger.Ledger {
		some := []ledger.Credits{0, 1, 7, 100, 1 << 40, 1 << 59}
		money := func() ledger.Credits { return some[rng.IntN(len(some))] }
		accounts := make([]ledger.Account, 1+rng.IntN(3))
		for i := range accounts {
			accounts[i] = ledger.Account{Parent: rng.IntN(i+1) - 1, Allowance: money(), Carry: money(), Free: money()}
		}
		l := newLedger(t, accounts...)
		act(l, rng, rng.IntN(12))
		return l
	})
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
