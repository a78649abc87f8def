package market

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/ledger"
)

// Bank is a market whose users have no money of their own: it lies in the accounts of a
// ledger.Ledger, where a team's account, its department's and its organisation's limit what the
// users of the team spend together. There is one purse: Bank.Step takes the Budget of a User from
// the ledger and puts the charge there.
//
// Each Step reserves in the ledger what the slots that it grants cost for an interval, so that the
// next Step can charge it, whatever else is paid from the accounts in between. Money comes in by
// the ledger's NextPeriod, which the operator calls, and which also drops the lines of what is
// settled: a Step leaves one for each user that pays.
//
// A Bank is not safe for concurrent use.
type Bank struct {
	ledger  *ledger.Ledger
	account []int   // of each user
	open    []int64 // ID of the reservation for each user's last grant; -1: none
}

// BankSnapshot is the state of a Bank and its ledger as plain data: as JSON it reads back as it
// was. Store it together with the users that the last Step gave back, or a restart charges twice
// or never.
type BankSnapshot struct {
	Version int
	Ledger  ledger.Snapshot
	Account []int
	Open    []int64
}

const bankVersion = 1 // grows with every change of what a BankSnapshot means

// NewBank returns a Bank in which user i pays from account[i] of the ledger. account is not
// retained.
//
// Errors: a nil ledger; an account that the ledger does not have, with the index of the user.
func NewBank(l *ledger.Ledger, account []int) (*Bank, error) {
	return newBank("market.NewBank", l, account)
}

func newBank(fn string, l *ledger.Ledger, account []int) (*Bank, error) {
	if l == nil {
		return nil, input.Bad(fn, "l", -1, "nil")
	}
	n := len(l.Accounts(nil))
	b := &Bank{ledger: l, account: slices.Clone(account)}
	for i, a := range account {
		if a < 0 || a >= n {
			return nil, input.Bad(fn, "account", i, "%d, want an account of the ledger, in [0, %d)", a, n)
		}
		b.open = append(b.open, -1)
	}
	return b, nil
}

// Ledger returns the ledger that the Bank pays from.
func (b *Bank) Ledger() *ledger.Ledger {
	if b == nil {
		return nil
	}
	return b.ledger
}

// Snapshot returns the state as data that shares nothing with the Bank.
func (b *Bank) Snapshot() BankSnapshot {
	if b == nil {
		return BankSnapshot{Version: bankVersion, Ledger: (*ledger.Ledger)(nil).Snapshot()}
	}
	return BankSnapshot{bankVersion, b.ledger.Snapshot(), slices.Clone(b.account), slices.Clone(b.open)}
}

// RestoreBank returns a Bank in the state of s, with a ledger of its own. It shares nothing with s.
//
// Errors: an unknown Version; those of ledger.Restore; an Account that the ledger does not have, or
// an Open that is not -1 and not of an open grant of the user's account, with the index of the
// user; not as many Open as Account.
func RestoreBank(s BankSnapshot) (*Bank, error) {
	const fn = "market.RestoreBank"
	if s.Version != bankVersion {
		return nil, input.Bad(fn, "s", -1, "Version is %d, want %d", s.Version, bankVersion)
	}
	l, err := ledger.Restore(s.Ledger)
	if err != nil {
		return nil, err
	}
	b, err := newBank(fn, l, s.Account)
	if err != nil {
		return nil, err
	}
	if len(s.Open) != len(s.Account) {
		return nil, input.Bad(fn, "s", -1, "%d Open for %d Account", len(s.Open), len(s.Account))
	}
	seen := map[int64]bool{}
	for i, id := range s.Open {
		line, ok := l.Line(id)
		if id != -1 && (!ok || line.Settled || line.Account != s.Account[i] || seen[id]) {
			return nil, input.Bad(fn, "s", i, "Open is %d, want an open grant of the user's account, or -1", id)
		}
		seen[id] = id != -1
		b.open[i] = id
	}
	return b, nil
}

// Step is the function Step for users whose money is in the ledger. Their Budget is set before, to
// what is reserved for the last grant and a part of what is free: each account's Free is divided
// among the users below it in proportion to what they could spend in an interval, and a user has
// the least of its parts. Afterwards the charge is settled and the next grant reserved, so that no
// account falls below 0; Next.Budget is the user's part until then.
//
// Cost O(n * depth of the accounts) more than Step.
//
// Errors: a nil Bank; not as many users as accounts; a user with an Income; Owe, since a ledger has
// no debts; those of Step, after which nothing has changed; 2^62 grants in the ledger.
func (b *Bank) Step(dst []Grant, slots Slots, users []User, o Options) ([]Grant, Totals, error) {
	const fn = "market.Bank.Step"
	switch {
	case b == nil:
		return dst, Totals{}, input.Bad(fn, "b", -1, "nil")
	case len(users) != len(b.account):
		return dst, Totals{}, input.Bad(fn, "users", -1, "%d users, want %d", len(users), len(b.account))
	case o.Exhaust == Owe:
		return dst, Totals{}, input.Bad(fn, "o", -1, "Exhaust is Owe: a ledger has no debts")
	}
	for i := range users {
		if users[i].Income != 0 {
			return dst, Totals{}, input.Bad(fn, "users", i, "Income is %v, want 0: money comes by the ledger", users[i].Income)
		}
	}
	users = slices.Clone(users)
	b.setBudgets(slots, users, o)
	n := len(dst)
	dst, totals, err := Step(dst, slots, users, o)
	if err != nil {
		return dst, totals, err
	}
	for i := range dst[n:] {
		if err := b.settle(i, dst[n+i].Charge); err != nil {
			return dst[:n], Totals{}, err
		}
	}
	for i := range dst[n:] {
		if err := b.reserve(i, &dst[n+i].Next); err != nil {
			return dst[:n], Totals{}, err
		}
	}
	return dst, totals, nil
}

// setBudgets gives each user its part of the accounts.
func (b *Bank) setBudgets(slots Slots, users []User, o Options) {
	accounts := b.ledger.Accounts(nil) // Free is what is not yet given away
	need, total := make([]float64, len(users)), make([]float64, len(accounts))
	for i := range users {
		u := &users[i]
		need[i] = float64(max(u.Rate, u.LastRate))
		if o.Charge != Spend {
			need[i] *= float64(u.usable(0, slots[0])) + float64(u.usable(1, slots[1]))
		}
		b.above(accounts, i, func(a int) { total[a] += need[i] })
	}
	for i := range users {
		least := Credits(math.MaxInt64)
		b.above(accounts, i, func(a int) {
			part, free := Credits(0), accounts[a].Free
			if need[i] > 0 {
				part = min(free, Credits(float64(free)*min(1, need[i]/total[a])))
			}
			accounts[a].Free, total[a] = free-part, total[a]-need[i]
			least = min(least, part)
		})
		line, _ := b.ledger.Line(b.open[i])
		users[i].Budget = least + line.Reserved
	}
}

// above calls visit for the account of a user and each above it.
func (b *Bank) above(accounts []ledger.Account, user int, visit func(account int)) {
	for a := b.account[user]; ; a = accounts[a].Parent {
		if visit(a); accounts[a].Parent == a {
			return
		}
	}
}

// settle charges a user.
func (b *Bank) settle(user int, charge Credits) (err error) {
	id := b.open[user]
	if id < 0 {
		if charge == 0 {
			return nil
		}
		if id, err = b.ledger.Reserve(b.account[user], charge); err != nil {
			return err
		}
	}
	b.open[user] = -1
	return b.ledger.Settle(id, charge)
}

// reserve sets aside what a user's grant costs for an interval.
func (b *Bank) reserve(user int, next *User) (err error) {
	cost, _, fits := times(next.GrantedRate, float64(next.Granted[0])+float64(next.Granted[1]), 0)
	if !fits || cost > next.Budget { // of slots that the published implementation gives beyond the budget
		cost = next.Budget
	}
	if cost > 0 {
		b.open[user], err = b.ledger.Reserve(b.account[user], cost)
	}
	return err
}
