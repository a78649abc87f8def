package policy

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/market"
)

// MarketChange sets an amount of a user's account at a time.
type MarketChange struct {
	Time   float64 // s, finite, >= 0
	User   int     // >= 0; a user without a job in the run is passed over
	Set    MarketField
	Amount market.Credits // >= 0
}

// MarketField is an amount of a market.User.
type MarketField int

const (
	SetRate MarketField = iota
	SetBudget
	SetIncome
)

// marketFields are their names in files.
var marketFields = []string{"rate", "budget", "income"}

// of returns the field of an account.
func (f MarketField) of(u *market.User) *market.Credits {
	return [...]*market.Credits{&u.Rate, &u.Budget, &u.Income}[f]
}

// fault says what is out of range, "" if nothing is.
func (c *MarketChange) fault() string {
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
const marketHeader = "time\tuser\tset\tcredits"

// ReadMarketChanges reads changes from lines of fields with a tab between them. The first line names the fields, time, user, set and credits. Each other line
// is a change, as 3600, 0, rate, 1.5: set is rate, budget or income, and market.ParseCredits reads the credits. Lines may end in CRLF. The
// changes may be in any order.
//
// Errors: an *schedmath.InputError for a nil reader, and for a line that is no such line with its index, from 0; what r returns as it is.
func ReadMarketChanges(r io.Reader) (changes []MarketChange, err error) {
	fail := func(line int, reason string) ([]MarketChange, error) {
		return nil, &schedmath.InputError{Func: "policy.ReadMarketChanges", Arg: "r", Index: line, Reason: reason}
	}
	if r == nil {
		return fail(-1, "is nil")
	}
	lines, n := bufio.NewScanner(r), 0
	for ; lines.Scan(); n++ {
		c, fault := parseMarketChange(lines.Text())
		switch {
		case n == 0 && lines.Text() != marketHeader:
			return fail(0, fmt.Sprintf("want the header %q", marketHeader))
		case n > 0 && fault != "":
			return fail(n, fault)
		case n > 0:
			changes = append(changes, c)
		}
	}
	switch err := lines.Err(); {
	case err == bufio.ErrTooLong:
		return fail(n, "the line is longer than 64 KiB")
	case err != nil:
		return nil, err
	case n == 0:
		return fail(0, fmt.Sprintf("want the header %q", marketHeader))
	}
	return changes, nil
}

// parseMarketChange reads a line, and says what is wrong with it, "" if nothing is.
func parseMarketChange(line string) (c MarketChange, fault string) {
	fields := strings.Split(line, "\t")
	if len(fields) != 4 {
		return c, fmt.Sprintf("%d fields, want 4", len(fields))
	}
	var errs [3]error
	c.Time, errs[0] = strconv.ParseFloat(fields[0], 64)
	c.User, errs[1] = strconv.Atoi(fields[1])
	c.Set = MarketField(slices.Index(marketFields, fields[2]))
	c.Amount, errs[2] = market.ParseCredits(fields[3])
	for _, err := range errs {
		if err != nil {
			return c, err.Error()
		}
	}
	return c, c.fault()
}
