package dynprio

import (
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

// Change sets an amount of a user's account at a time.
type Change struct {
	Time   float64 // s, finite, >= 0
	User   int     // >= 0; a user without a job in the run is passed over
	Set    Field
	Amount market.Credits // >= 0
}

// Field is an amount of a market.User.
type Field uint8

const (
	SetRate Field = iota
	SetBudget
	SetIncome
)

// fieldNames are the names of the fields in files.
var fieldNames = []string{"rate", "budget", "income"}

// String returns the name that the field has in files, and "Field(7)" for a value that is none.
func (f Field) String() string { return enum.Name(f, "Field", fieldNames...) }

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
	case int(c.Set) >= len(fieldNames):
		return fmt.Sprintf("Set is %v, want SetRate, SetBudget or SetIncome", c.Set)
	case c.Amount < 0:
		return fmt.Sprintf("Amount is %v, want >= 0", c.Amount)
	}
	return ""
}

// header is the first line of a file of changes.
var header = []string{"time", "user", "set", "credits"}

// ReadChanges reads changes from lines of fields with a tab between them. The first line names the
// fields: time, user, set, credits. Each other line is a change, such as 3600, 0, rate, 1.5: set is
// rate, budget or income, and ledger.ParseCredits reads the credits. Empty lines are passed over.
// The changes may be in any order.
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
	var errs [3]error
	c.Time, errs[0] = strconv.ParseFloat(fields[0], 64)
	c.User, errs[1] = strconv.Atoi(fields[1])
	set := slices.Index(fieldNames, fields[2])
	if set < 0 {
		return c, fmt.Sprintf("set is %q, want one of %q", fields[2], fieldNames)
	}
	c.Set = Field(set)
	c.Amount, errs[2] = ledger.ParseCredits(fields[3])
	for _, err := range errs {
		if err != nil {
			return c, err.Error()
		}
	}
	return c, c.fault()
}
