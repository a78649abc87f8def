package market_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/ledger"
	"github.com/schedmath/schedmath/market"
)

// bank returns a Bank over accounts.
func bank(t interface{ Fatal(...any) }, account []int, accounts ...ledger.Account) *market.Bank {
	l, err := ledger.NewLedger(accounts)
	if err != nil {
		t.Fatal(err)
	}
	b, err := market.NewBank(l, account)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Two users of a team that has 100 credits, below an organisation that has 150, and one of another
// team with 80: worked out by hand. All want 20 slots of 60 at a rate of 1.
func TestBank(t *testing.T) {
	b := bank(t, []int{1, 1, 2}, ledger.Account{Free: 150 * credit}, ledger.Account{Parent: 0, Free: 100 * credit}, ledger.Account{Parent: 0, Free: 80 * credit})
	users := make([]market.User, 3)
	for i := range users {
		users[i] = market.User{Rate: credit, Demand: market.Slots{20}}
	}
	for k, want := range []struct {
		slots [3]int
		free  [3]market.Credits // of the accounts, in credits
	}{
		{[3]int{20, 20, 20}, [3]market.Credits{90, 60, 60}},
		{[3]int{20, 20, 20}, [3]market.Credits{30, 20, 40}},
		{[3]int{10, 10, 10}, [3]market.Credits{0, 0, 30}}, // a third of 30 each
		{[3]int{0, 0, 0}, [3]market.Credits{0, 0, 30}},
	} {
		grants, _, err := b.Step(nil, market.Slots{60}, users, market.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range grants {
			users[i] = g.Next
			users[i].Used[0] = float64(g.Slots[0])
			if g.Slots[0] != want.slots[i] {
				t.Errorf("step %d: user %d has %d slots, want %v", k, i, g.Slots[0], want.slots)
			}
		}
		for i, a := range b.Ledger().Accounts(nil) {
			if a.Free != want.free[i]*credit {
				t.Errorf("step %d: account %d has %v free, want %v", k, i, a.Free, want.free)
			}
		}
	}
	if a := b.Ledger().Accounts(nil); a[0].Charged != 150*credit || a[0].Reserved != 0 {
		t.Errorf("in the end %v is charged and %v reserved, want 150 and 0", a[0].Charged, a[0].Reserved)
	}
}

// Whatever is bid and used, through snapshots and periods: no account falls below 0, what comes in
// is free, reserved, charged or expired, all that users pay is charged to their account and each
// one above it, nobody pays more than the accounts above have, and a user alone in an account with
// enough gets what Step gives.
func TestBankLaws(t *testing.T) {
	paid := 0
	rapid.Check(t, func(t *rapid.T) {
		var accounts []ledger.Account
		for i := range rapid.IntRange(1, 5).Draw(t, "accounts") {
			accounts = append(accounts, ledger.Account{Parent: rapid.IntRange(0, i).Draw(t, "parent"), Free: market.Credits(rapid.IntRange(0, 300).Draw(t, "free")) * credit / 7,
				Allowance: market.Credits(rapid.IntRange(0, 50).Draw(t, "allowance")) * credit, Carry: 100 * credit})
		}
		o := market.Options{Charge: market.Basis(rapid.IntRange(0, 2).Draw(t, "charge")), Exhaust: market.Exhaust(rapid.IntRange(0, 1).Draw(t, "exhaust")),
			Lag: rapid.IntRange(0, 1).Draw(t, "lag"), Carry: rapid.Bool().Draw(t, "carry")}
		if rapid.IntRange(0, 9).Draw(t, "contrib") == 0 {
			o = market.HadoopContrib()
		}
		users, account := make([]market.User, rapid.IntRange(0, 5).Draw(t, "users")), []int(nil)
		for range users {
			account = append(account, rapid.IntRange(0, len(accounts)-1).Draw(t, "account"))
		}
		b := bank(t, account, accounts...)
		spent := make([]market.Credits, len(accounts))
		came := make([]market.Credits, len(accounts))
		for i, a := range accounts {
			came[i] = a.Free
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			slots := market.Slots{rapid.IntRange(0, 20).Draw(t, "maps"), rapid.IntRange(0, 5).Draw(t, "reduces")}
			for i := range users {
				u := &users[i]
				u.Rate = market.Credits(rapid.IntRange(0, 20).Draw(t, "rate")) * credit / 3
				u.Demand = market.Slots{rapid.IntRange(0, 20).Draw(t, "demand"), rapid.IntRange(0, 3).Draw(t, "demand")}
				u.Used = [2]float64{rapid.Float64Range(0, 25).Draw(t, "used"), 0}
			}
			grants, totals, err := b.Step(nil, slots, users, o)
			if err != nil {
				t.Fatal(err)
			}
			after := b.Ledger().Accounts(nil)
			for i, g := range grants {
				users[i] = g.Next
				for a := account[i]; ; a = accounts[a].Parent {
					spent[a] += g.Charge
					if accounts[a].Parent == a {
						break
					}
				}
			}
			if totals.Revenue > 0 {
				paid++
			}
			for i, a := range after {
				if a.Free < 0 || a.Charged != spent[i] || a.Free+a.Reserved+a.Charged+a.Expired != came[i] {
					t.Fatalf("account %d is %+v, want %v charged and %v in sum", i, a, spent[i], came[i])
				}
			}
			if rapid.IntRange(0, 3).Draw(t, "period") == 0 {
				if _, err := b.Ledger().NextPeriod(nil); err != nil {
					t.Fatal(err)
				}
				for i, a := range accounts {
					came[i] += a.Allowance
				}
			}
			if rapid.Bool().Draw(t, "restart") {
				text, err := json.Marshal(b.Snapshot())
				var s market.BankSnapshot
				if err == nil {
					err = json.Unmarshal(text, &s)
				}
				if err == nil {
					b, err = market.RestoreBank(s)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if paid == 0 {
		t.Error("nobody ever paid")
	}
}

// With an account for each user, which holds all its money, a Bank gives what Step gives.
func TestBankAgreesWithStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := market.Options{Charge: market.Basis(rapid.IntRange(0, 2).Draw(t, "charge")), Lag: rapid.IntRange(0, 1).Draw(t, "lag"), Carry: rapid.Bool().Draw(t, "carry")}
		var accounts []ledger.Account
		var account []int
		users := make([]market.User, rapid.IntRange(1, 4).Draw(t, "users"))
		for i := range users {
			users[i].Budget = market.Credits(rapid.IntRange(0, 300).Draw(t, "budget")) * credit / 7
			accounts, account = append(accounts, ledger.Account{Parent: i, Free: users[i].Budget}), append(account, i)
		}
		b := bank(t, account, accounts...)
		for range 8 {
			for i := range users {
				users[i].Rate = market.Credits(rapid.IntRange(1, 20).Draw(t, "rate")) * credit / 3
				users[i].Demand[0] = rapid.IntRange(1, 20).Draw(t, "demand")
				users[i].Used[0] = float64(rapid.IntRange(0, 20).Draw(t, "used"))
			}
			want, _, err := market.Step(nil, market.Slots{12}, users, o)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := b.Step(nil, market.Slots{12}, users, o)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("user %d: %+v, want %+v", i, got[i], want[i])
				}
				users[i] = got[i].Next
			}
		}
	})
}

func TestBankErrors(t *testing.T) {
	l, err := ledger.NewLedger([]ledger.Account{{Free: 9 * credit}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = market.NewBank(nil, nil)
	expect.InputError(t, "nil ledger", err, "market.NewBank", "l", -1)
	for i, accounts := range [][]int{{1}, {0, -1}} {
		_, err = market.NewBank(l, accounts)
		expect.InputError(t, "no such account", err, "market.NewBank", "account", i)
	}
	b, err := market.NewBank(l, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	user := market.User{Rate: credit, Demand: market.Slots{4}}
	step := func(name, arg string, index int, b *market.Bank, users []market.User, o market.Options) {
		t.Helper()
		grants, _, err := b.Step(nil, market.Slots{4}, users, o)
		expect.InputError(t, name, err, "market.Bank.Step", arg, index)
		if grants != nil {
			t.Errorf("%s: grants %v", name, grants)
		}
	}
	step("nil", "b", -1, nil, nil, market.Options{})
	step("users", "users", -1, b, nil, market.Options{})
	step("owe", "o", -1, b, []market.User{user}, market.Options{Exhaust: market.Owe})
	user.Income = 1
	step("income", "users", 0, b, []market.User{user}, market.Options{})
	user.Income, user.Rate = 0, -1
	if _, _, err := b.Step(nil, market.Slots{4}, []market.User{user}, market.Options{}); err == nil || l.Accounts(nil)[0].Free != 9*credit {
		t.Errorf("a rate below 0: %v, %v left", err, l.Accounts(nil)[0].Free)
	}
	user.Rate = credit
	if _, _, err := b.Step(nil, market.Slots{4}, []market.User{user}, market.Options{}); err != nil {
		t.Fatal(err)
	}
	var none *market.Bank
	if c, err := market.RestoreBank(none.Snapshot()); err != nil || c.Ledger() == nil || none.Ledger() != nil {
		t.Errorf("RestoreBank of the snapshot of a nil Bank: %v", err)
	}
	for name, c := range map[string]struct {
		arg    string
		index  int
		change func(s *market.BankSnapshot)
	}{
		"version":    {"s", -1, func(s *market.BankSnapshot) { s.Version = 0 }},
		"account":    {"account", 0, func(s *market.BankSnapshot) { s.Account[0] = 7 }},
		"length":     {"s", -1, func(s *market.BankSnapshot) { s.Open = nil }},
		"no grant":   {"s", 0, func(s *market.BankSnapshot) { s.Open[0] = 5 }},
		"used twice": {"s", 1, func(s *market.BankSnapshot) { s.Account, s.Open = []int{0, 0}, []int64{0, 0} }},
		"settled": {"s", 0, func(s *market.BankSnapshot) {
			s.Ledger.Lines[0].Settled, s.Ledger.Lines[0].Reserved, s.Ledger.Accounts[0].Reserved, s.Ledger.Accounts[0].Free = true, 0, 0, 9*credit
		}},
	} {
		s := b.Snapshot()
		c.change(&s)
		_, err := market.RestoreBank(s)
		expect.InputError(t, name, err, "market.RestoreBank", c.arg, c.index)
	}
	s := b.Snapshot()
	s.Ledger.Version = 0
	if _, err := market.RestoreBank(s); err == nil {
		t.Error("RestoreBank of a ledger without a version: no error")
	}
	if free := b.Snapshot().Ledger.Accounts[0].Free; free != 5*credit {
		t.Errorf("%v free after a grant of 4 slots at 1, want 5", free)
	}
}
