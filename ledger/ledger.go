package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/internal/tree"
)

// Account is one account of a Ledger: an organisation, a department, a team. Amounts are never
// negative.
type Account struct {
	Parent    int     `json:"parent"`    // index of the account above; -1: none
	Allowance Credits `json:"allowance"` // comes in with each period
	Carry     Credits `json:"carry"`     // most of Free that stays at the end of a period, 0: nothing; the rest expires

	// State. Free + Reserved + Charged + Expired is all that has come in.
	Free     Credits `json:"free"`     // neither reserved nor spent
	Reserved Credits `json:"reserved"` // for open grants
	Charged  Credits `json:"charged"`  // less refunds
	Expired  Credits `json:"expired"`
}

// Line is one grant of a Ledger, a line of the statement.
type Line struct {
	ID       int64   `json:"id"`
	Account  int     `json:"account"`
	Period   int64   `json:"period"`   // in which it was reserved
	Reserved Credits `json:"reserved"` // 0 once settled
	Charged  Credits `json:"charged"`  // less refunds
	Refunded Credits `json:"refunded"`
	Settled  bool    `json:"settled"`
}

// Snapshot is the state of a Ledger as plain data.
type Snapshot struct {
	Version  int       `json:"version"`
	Period   int64     `json:"period"` // number of periods that have ended
	Issued   int64     `json:"issued"` // number of grants ever reserved
	Accounts []Account `json:"accounts,omitempty"`
	Lines    []Line    `json:"lines,omitempty"` // by ascending ID
}

// Ledger charges work back to budgets. Money is reserved when work is admitted, and charged when
// the work ends. On an error nothing has changed. The zero value has no accounts.
type Ledger struct{ state Snapshot }

// FundsError says why a reservation or a charge does not fit: Account has Missing credits too few.
type FundsError struct {
	Account int
	Missing Credits
}

// Error names the account and what is missing, in credits.
func (e *FundsError) Error() string {
	return fmt.Sprintf("ledger: account %d has %v credits too few", e.Account, e.Missing)
}

const (
	maxMoney  Credits = 1 << 60 // the most that may ever come in to one account
	maxIssued         = 1 << 62 // grants, and periods
)

const snapshotVersion = 1

// New returns a ledger with these accounts, their money as Free. It shares nothing with them.
//
// Errors: those of Restore about Accounts.
func New(accounts []Account) (*Ledger, error) {
	return restore("ledger.New", "accounts", Snapshot{Accounts: accounts})
}

// Restore returns a ledger in the state of s. It shares nothing with s.
//
// Errors: an unknown Version, and what no ledger could have produced: amounts that are negative or,
// Carry apart, above 2^60, alone or in total; Reserved that is not the sum of the lines of an
// account and those below it, Charged that is less. Index is that of an element of Accounts or
// Lines, as Reason says.
func Restore(s Snapshot) (*Ledger, error) {
	const fn = "ledger.Restore"
	if s.Version != snapshotVersion {
		return nil, input.Bad(fn, "s", -1, "Version is %d, want %d", s.Version, snapshotVersion)
	}
	return restore(fn, "s", s)
}

// restore returns a ledger in the state of s, whatever its version.
func restore(fn, arg string, s Snapshot) (*Ledger, error) {
	fail := func(i int, reason string) (*Ledger, error) {
		return nil, input.Bad(fn, arg, i, "%s", reason)
	}
	if min(s.Period, s.Issued) < 0 || max(s.Period, s.Issued) > maxIssued {
		return fail(-1, "Period or Issued: want numbers in [0, 2^62]")
	}
	parents := make([]int, len(s.Accounts))
	for i, a := range s.Accounts {
		parents[i] = a.Parent
	}
	t, bad, reason := tree.New(len(parents), parents)
	if reason != "" {
		return fail(bad, "Accounts: Parent: "+reason)
	}
	below := make([]Account, len(s.Accounts)) // Reserved and Charged: the sums of the lines below each account
	for i, l := range s.Lines {
		switch {
		case l.ID < 0 || l.ID >= s.Issued || i > 0 && l.ID <= s.Lines[i-1].ID:
			return fail(i, "Lines: want ascending IDs below Issued")
		case l.Account < 0 || l.Account >= len(s.Accounts) || l.Period < 0 || l.Period > s.Period:
			return fail(i, "Lines: no such Account or Period")
		case min(l.Reserved, l.Charged, l.Refunded) < 0 || max(l.Reserved, l.Charged, l.Refunded, l.Charged+l.Refunded) > maxMoney:
			return fail(i, "Lines: want amounts in [0, 2^60], also in sum")
		case l.Settled && l.Reserved > 0 || !l.Settled && max(l.Charged, l.Refunded) > 0:
			return fail(i, "Lines: want Reserved of an open line, Charged and Refunded of a settled one")
		}
		below[l.Account].include(l.Reserved, l.Charged)
	}
	for _, i := range slices.Backward(t.Order) {
		a, sum := &s.Accounts[i], &below[i]
		switch {
		case min(a.Allowance, a.Carry, a.Free, a.Reserved, a.Charged, a.Expired) < 0,
			max(a.Allowance, a.Free, a.Reserved, a.Charged, a.Expired) > maxMoney || a.received() > maxMoney:
			return fail(i, "Accounts: want amounts in [0, 2^60], also in sum")
		case a.Reserved != sum.Reserved:
			return fail(i, fmt.Sprintf("Accounts: Reserved is %v, the lines' sum is %v", a.Reserved, sum.Reserved))
		case a.Charged < sum.Charged: // refunds would make it negative
			return fail(i, fmt.Sprintf("Accounts: Charged is %v, the lines' sum is %v", a.Charged, sum.Charged))
		case a.Parent >= 0:
			below[a.Parent].include(sum.Reserved, sum.Charged)
		}
	}
	return &Ledger{s.clone()}, nil
}

// include adds to Reserved and Charged, up to one more than an account can have.
func (a *Account) include(reserved, charged Credits) {
	a.Reserved, a.Charged = min(a.Reserved+reserved, maxMoney+1), min(a.Charged+charged, maxMoney+1)
}

// received is all that has come in.
func (a *Account) received() Credits { return a.Free + a.Reserved + a.Charged + a.Expired }

func (s Snapshot) clone() Snapshot {
	s.Accounts, s.Lines = slices.Clone(s.Accounts), slices.Clone(s.Lines)
	return s
}

// Snapshot returns the state. It shares nothing with the ledger.
func (l *Ledger) Snapshot() Snapshot {
	s := l.state.clone()
	s.Version = snapshotVersion
	return s
}

// Accounts appends the accounts as they are now to dst.
func (l *Ledger) Accounts(dst []Account) []Account { return append(dst, l.state.Accounts...) }

// post adds to the account and every one above it, or returns a FundsError of the first that would
// have less than nothing free.
func (l *Ledger) post(account int, free, reserved, charged Credits) error {
	accounts := l.state.Accounts
	for i := account; i >= 0; i = accounts[i].Parent {
		if left := accounts[i].Free + free; left < 0 {
			return &FundsError{i, -left}
		}
	}
	for i := account; i >= 0; i = accounts[i].Parent {
		a := &accounts[i]
		a.Free, a.Reserved, a.Charged = a.Free+free, a.Reserved+reserved, a.Charged+charged
	}
	return nil
}

// Reserve sets amount aside for work that is admitted, and returns the grant's ID: 0 for the first,
// and one more for each that follows. A call that fails takes none, and returns 0.
//
// Errors: no such account; a negative amount; more than 2^62 grants; *FundsError if it does not fit
// an account.
func (l *Ledger) Reserve(account int, amount Credits) (id int64, err error) {
	const fn = "ledger.Ledger.Reserve"
	switch {
	case account < 0 || account >= len(l.state.Accounts):
		return 0, input.Bad(fn, "account", -1, "no such account")
	case amount < 0:
		return 0, input.Bad(fn, "amount", -1, "negative")
	case l.state.Issued == maxIssued:
		return 0, input.Bad(fn, "l", -1, "2^62 grants have been reserved")
	}
	if err := l.post(account, -amount, amount, 0); err != nil {
		return 0, err
	}
	s := &l.state
	id = s.Issued
	s.Issued++
	s.Lines = append(s.Lines, Line{ID: id, Account: account, Period: s.Period, Reserved: amount})
	return id, nil
}

// line returns the line of a grant that is settled, or open.
func (l *Ledger) line(fn string, id int64, settled bool) (*Line, error) {
	lines := l.state.Lines
	i, ok := slices.BinarySearchFunc(lines, id, func(l Line, id int64) int { return cmp.Compare(l.ID, id) })
	if ok && lines[i].Settled == settled {
		return &lines[i], nil
	}
	return nil, input.Bad(fn, "id", -1, "%d: want the ID of a line with Settled %t", id, settled)
}

// Settle ends an open grant: it charges what the work cost, 0 if nothing, and frees the rest of the
// reservation. The part of a charge above the reservation has to fit what is free.
//
// Errors: an ID that is not of an open grant; a negative charge; *FundsError if it does not fit an
// account.
func (l *Ledger) Settle(id int64, charge Credits) error {
	const fn = "ledger.Ledger.Settle"
	line, err := l.line(fn, id, false)
	if err != nil {
		return err
	}
	if charge < 0 {
		return input.Bad(fn, "charge", -1, "negative")
	}
	if err := l.post(line.Account, line.Reserved-charge, -line.Reserved, charge); err != nil {
		return err
	}
	line.Reserved, line.Charged, line.Settled = 0, charge, true
	return nil
}

// Refund gives back part or all of the charge of a settled grant whose work was preempted or has
// failed.
//
// Errors: an ID that is not of a grant settled since the last NextPeriod; an amount that is
// negative or more than is Charged.
func (l *Ledger) Refund(id int64, amount Credits) error {
	const fn = "ledger.Ledger.Refund"
	line, err := l.line(fn, id, true)
	if err != nil {
		return err
	}
	if amount < 0 || amount > line.Charged {
		return input.Bad(fn, "amount", -1, "want an amount in [0, Charged]")
	}
	line.Charged, line.Refunded = line.Charged-amount, line.Refunded+amount
	return l.post(line.Account, amount, 0, -amount)
}

// NextPeriod ends the period. It appends the statement to dst, a line for each settled grant, and
// drops those from the ledger. In each account what is free beyond its Carry expires, and its
// Allowance comes in. Open grants keep what is reserved for them.
//
// Errors: an account into which more than 2^60 micro-credits would have come, with its index; more
// than 2^62 periods.
func (l *Ledger) NextPeriod(dst []Line) ([]Line, error) {
	s := &l.state
	if s.Period == maxIssued {
		return dst, input.Bad("ledger.Ledger.NextPeriod", "l", -1, "2^62 periods have ended")
	}
	for i := range s.Accounts {
		if a := &s.Accounts[i]; a.received()+a.Allowance > maxMoney {
			return dst, input.Bad("ledger.Ledger.NextPeriod", "l", i, "an account with more money than 2^60")
		}
	}
	for i := range s.Accounts {
		a := &s.Accounts[i]
		kept := min(a.Free, a.Carry)
		a.Free, a.Expired = kept+a.Allowance, a.Expired+a.Free-kept
	}
	for _, line := range s.Lines {
		if line.Settled {
			dst = append(dst, line)
		}
	}
	s.Lines = slices.DeleteFunc(s.Lines, func(line Line) bool { return line.Settled })
	s.Period++
	return dst, nil
}
