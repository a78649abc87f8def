package dynprio

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/ledger"
	"github.com/schedmath/schedmath/market"
)

// MarketChange sets an amount of a user's account at a time.
type Change struct {
	Time   float64 // s, finite, >= 0
	User   int     // >= 0; a user without a job in the run is passed over
	Set    Field
	Amount market.Credits // >= 0
}

// MarketField is an amount of a market.User.
type Field int

const (
	SetRate Field = iota
	SetBudget
	SetIncome
)

// marketFields are their names in files.
var marketFields = []string{"rate", "budget", "income"}

// of returns the field of an account.
func (f Field) of(u *market.User) *market.Credits {
	return [...]*market.Credits{&u.Rate, &u.Budget, &u.Income}[f]
}

// fault says what is out of range, "" if nothing is.
func (c *Change) fault() string {
	switch {
	case !(c.Time >= 0 && c.Time <= math.MaxFloat64):
		return fmt.Sprintf("Time is %v, want finite and >= 0", c.Time)
	case c.User < 0:
		return fmt.Sprintf("User is %d, want >= 0", c.User)
	case c.Set < 0 || int(c.Set) >= len(marketFields):
		return "Set: want a rate, budget or income"
	case c.Amount < 0:
		return fmt.Sprintf("Amount is %v, want >= 0", c.Amount)
	}
	return ""
}

// marketHeader is the first line of a file of changes.
var marketHeader = []string{"time", "user", "set", "credits"}

// ReadMarketChanges reads changes from lines of fields with a tab between them. The first line names the fields: time, user, set, credits. Each other
// line is a change, such as 3600, 0, rate, 1.5: set is rate, budget or income, and ledger.ParseCredits reads the credits. Empty lines are
// passed over. The changes may be in any order.
//
// Errors: an *schedmath.InputError for a nil reader, and for a line that is not as described; its index counts the lines that are not empty, from 0.
// An error of r is returned as it is.
func ReadChanges(r io.Reader) ([]Change, error) {
	fail := func(line int, reason string) ([]Change, error) {
		return nil, &schedmath.InputError{Func: "policy.ReadMarketChanges", Arg: "r", Index: line, Reason: reason}
	}
	if r == nil {
		return fail(-1, "is nil")
	}
	lines := csv.NewReader(r)
	lines.Comma, lines.FieldsPerRecord = '\t', len(marketHeader)
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
		case n == 0 && !slices.Equal(fields, marketHeader):
			fault = fmt.Sprintf("want the header %q", marketHeader)
		case err == io.EOF:
			return changes, nil
		case n > 0:
			c, fault = parseMarketChange(fields)
			changes = append(changes, c)
		}
		if fault != "" {
			return fail(n, fault)
		}
	}
}

// parseMarketChange reads the fields of a line, and says what is wrong with them, "" if nothing is.
func parseMarketChange(fields []string) (c Change, fault string) {
	var errs [3]error
	c.Time, errs[0] = strconv.ParseFloat(fields[0], 64)
	c.User, errs[1] = strconv.Atoi(fields[1])
	c.Set = Field(slices.Index(marketFields, fields[2]))
	c.Amount, errs[2] = ledger.ParseCredits(fields[3])
	for _, err := range errs {
		if err != nil {
			return c, err.Error()
		}
	}
	return c, c.fault()
}
