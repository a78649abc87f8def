package dynprio

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/ledger"
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

// fieldNames are the names of the fields in files.
var fieldNames = []string{"rate", "budget", "income", "deposit", "open", "close", "preempt"}

// String returns the name that the field has in files, and "Field(7)" for a value that is none.
func (f Field) String() string { return enum.Name(f, "Field", fieldNames...) }

// MarshalText returns the name as text.
func (f Field) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads the name.
//
// Errors: an *schedmath.InputError for text that is the name of no field.
func (f *Field) UnmarshalText(text []byte) error {
	return enum.Parse(f, "dynprio.Field", text, fieldNames...)
}

// change makes the changes that are due. It returns what they put into the budgets less what they
// took out, modulo 2^64, and an error for a deposit that Credits cannot hold, which is not made.
func (m *Policy) change(now float64) (deposited market.Credits, err error) {
	for ; m.changed < len(m.changes) && m.changes[m.changed].Time <= now; m.changed++ {
		c := &m.changes[m.changed]
		if c.Set == SetPreempt {
			m.preempting = c.Amount > 0
			continue
		}
		if c.User >= len(m.accounts) {
			continue
		}
		x := &m.accounts[c.User]
		budget, fits := x.Budget, true
		switch c.Set {
		case SetRate:
			x.Rate = c.Amount
		case SetIncome:
			x.Income = c.Amount
		case SetBudget:
			budget = c.Amount
		case Close:
			x.closed, budget = true, 0
		case Open, Deposit:
			x.closed = x.closed && c.Set == Deposit
			budget, fits = budget.Add(c.Amount)
		}
		if !fits {
			err = input.Bad("dynprio.Policy", "Changes", m.changed, "a budget that Credits cannot hold")
			continue
		}
		deposited += budget - x.Budget
		x.Budget = budget
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
	case int(c.Set) >= len(fieldNames):
		return fmt.Sprintf("Set is %v, want a known one", c.Set)
	case c.Amount < 0 || c.Set == Close && c.Amount > 0:
		return fmt.Sprintf("Amount is %v, want >= 0, and 0 to close", c.Amount)
	}
	return ""
}

// header is the first line of a file of changes.
var header = []string{"time", "user", "set", "credits"}

// ReadChanges reads changes from lines of fields with a tab between them. The first line names the
// fields: time, user, set, credits. Each other line is a change, such as 3600, 0, rate, 1.5: set is
// rate, budget, income, deposit, open, close or preempt, and ledger.ParseCredits reads the credits.
// Empty lines are passed over. The changes may be in any order.
//
// Errors: an *schedmath.InputError for a nil reader, and for a line that is not as described; its
// index counts the lines that are not empty, from 0. An error of r is returned as it is.
func ReadChanges(r io.Reader) ([]Change, error) {
	const fn = "dynprio.ReadChanges"
	if r == nil {
		return nil, input.Bad(fn, "r", -1, "nil")
	}
	lines := csv.NewReader(r)
	lines.Comma, lines.FieldsPerRecord = '\t', len(header)
	var changes []Change
	for n := 0; ; n++ {
		fields, err := lines.Read()
		var broken *csv.ParseError
		var c Change
		fault := ""
		switch {
		case errors.As(err, &broken):
			fault = broken.Err.Error()
		case err != nil && err != io.EOF:
			return nil, err
		case n == 0 && !slices.Equal(fields, header):
			fault = fmt.Sprintf("want the header %q", header)
		case err == io.EOF:
			return changes, nil
		case n > 0:
			c, fault = parseChange(fields)
			changes = append(changes, c)
		}
		if fault != "" {
			return nil, input.Bad(fn, "r", n, "%s", fault)
		}
	}
}

// parseChange reads the fields of a line, and says what is wrong with them, "" if nothing is.
func parseChange(fields []string) (c Change, fault string) {
	var errs [4]error
	c.Time, errs[0] = strconv.ParseFloat(fields[0], 64)
	c.User, errs[1] = strconv.Atoi(fields[1])
	errs[2] = c.Set.UnmarshalText([]byte(fields[2]))
	c.Amount, errs[3] = ledger.ParseCredits(fields[3])
	if err := cmp.Or(errs[:]...); err != nil {
		return c, err.Error()
	}
	return c, c.fault()
}
