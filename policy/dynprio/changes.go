package dynprio

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/market"
)

// Change changes a user's account, or the rules, at a time.
type Change struct {
	Time   float64 // s, finite, >= 0
	User   int     // >= 0; a user without a job in the run is passed over
	Set    Field
	Amount market.Credits // >= 0
}

// Field is what a Change changes. What it puts into budgets or takes out of them is in the
// Deposited of the Report.
type Field uint8

const (
	SetRate Field = iota
	SetBudget
	SetIncome
	Deposit // adds Amount to the budget
	// Open makes the queue exist, with Amount added to the budget. If no Close comes before, it did
	// not exist until then.
	Open
	// Close ends the queue; its budget goes with it. What it owes since the last Step is forgiven,
	// none of its tasks starts, and what runs is over its share. Amount is 0.
	Close
	// SetPreempt switches preemption on by an Amount above 0 and off by 0, for all users.
	SetPreempt
)

var fields = []string{"rate", "budget", "income", "deposit", "open", "close", "preempt"}

// String returns the word for the field, such as "rate", and "Field(7)" for a value that is none.
func (f Field) String() string { return enum.Name(f, "Field", fields...) }

// MarshalText returns the word as text.
func (f Field) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// change makes the changes that are due. It returns what they put into the budgets less what they
// took out, modulo 2^64, and an error for a deposit that Credits cannot hold, which is not made.
func (m *Policy) change(now float64) (deposited market.Credits, err error) {
	for ; m.state.Changed < len(m.changes) && m.changes[m.state.Changed].Time <= now; m.state.Changed++ {
		c := &m.changes[m.state.Changed]
		if c.Set == SetPreempt {
			m.state.Preempting = c.Amount > 0
			continue
		}
		if c.User >= len(m.accounts) {
			continue
		}
		x := &m.accounts[c.User]
		budget, fits := x.User.Budget, true
		switch c.Set {
		case SetRate:
			x.User.Rate = c.Amount
		case SetIncome:
			x.User.Income = c.Amount
		case SetBudget:
			budget = c.Amount
		case Close:
			x.Closed, budget = true, 0
		case Open, Deposit:
			x.Closed = x.Closed && c.Set == Deposit
			budget, fits = budget.Add(c.Amount)
		}
		if !fits {
			err = input.Bad("dynprio.Policy", "Changes", m.state.Changed, "a budget that Credits cannot hold")
			continue
		}
		deposited += budget - x.User.Budget
		x.User.Budget = budget
	}
	return deposited, err
}

// closedAtFirst reports whether a user has no queue when a run begins: of its changes that open or
// close the queue the first one opens it.
func (m *Policy) closedAtFirst(user int) bool {
	for _, c := range m.changes {
		if c.User == user && (c.Set == Open || c.Set == Close) {
			return c.Set == Open
		}
	}
	return false
}

// fault says what is out of range, "" if nothing is.
func (c *Change) fault() string {
	switch {
	case !(c.Time >= 0 && c.Time <= math.MaxFloat64):
		return fmt.Sprintf("Time is %v, want finite and >= 0", c.Time)
	case c.User < 0:
		return fmt.Sprintf("User is %d, want >= 0", c.User)
	case int(c.Set) >= len(fields):
		return fmt.Sprintf("Set is %v, want a known one", c.Set)
	case c.Amount < 0 || c.Set == Close && c.Amount > 0:
		return fmt.Sprintf("Amount is %v, want >= 0, and 0 to close", c.Amount)
	}
	return ""
}
