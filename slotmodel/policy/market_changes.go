package policy

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/market"
)

// MarketChange sets an amount of a user's account from a time on.
type MarketChange struct {
	Time   float64 // s, finite, >= 0
	User   int     // >= 0; one who has no job in the run is passed over
	Set    MarketField
	Amount market.Credits // >= 0
}

// MarketField names an amount of a market.User.
type MarketField int

const (
	SetRate MarketField = iota
	SetBudget
	SetIncome
)

// marketFields are the names in files.
var marketFields = [...]string{"rate", "budget", "income"}

// fault says what is out of range, "" if nothing is.
func (c *MarketChange) fault() string {
	switch {
	case !(c.Time >= 0 && c.Time <= math.MaxFloat64):
		return fmt.Sprintf("Time is %v, want finite and >= 0", c.Time)
	case c.User < 0:
		return fmt.Sprintf("User is %d, want >= 0", c.User)
	case c.Set < 0 || int(c.Set) >= len(marketFields):
		return fmt.Sprintf("Set is %d, want SetRate, SetBudget or SetIncome", c.Set)
	case c.Amount < 0:
		return fmt.Sprintf("Amount is %v, want >= 0", c.Amount)
	}
	return ""
}

// apply makes the change.
func (c *MarketChange) apply(u *market.User) {
	*[...]*market.Credits{&u.Rate, &u.Budget, &u.Income}[c.Set] = c.Amount
}

// marketHeader is the first line of a file of changes.
const marketHeader = "time\tuser\tset\tcredits"

// ReadMarketChanges reads changes from a text of lines with tabs between their fields: a header, "time", "user", "set", "credits", then a line for each
// change, such as 3600, 0, "rate", "1.5". set is rate, budget or income; credits are as market.ParseCredits reads them. Lines may end in CRLF.
//
// Errors: an *schedmath.InputError with the index of the line, from 0, that is no such line; one for a nil reader; those of the reader as they are.
func ReadMarketChanges(r io.Reader) ([]MarketChange, error) {
	fail := func(i int, reason string) ([]MarketChange, error) {
		return nil, &schedmath.InputError{Func: "policy.ReadMarketChanges", Arg: "r", Index: i, Reason: reason}
	}
	if r == nil {
		return fail(-1, "is nil")
	}
	var changes []MarketChange
	lines := bufio.NewScanner(r)
	n := 0
	for ; lines.Scan(); n++ {
		line := lines.Text()
		if n == 0 {
			if line != marketHeader {
				return fail(0, fmt.Sprintf("want the header %q", marketHeader))
			}
			continue
		}
		c, reason := parseMarketChange(line)
		if reason != "" {
			return fail(n, reason)
		}
		changes = append(changes, c)
	}
	switch err := lines.Err(); {
	case err == bufio.ErrTooLong:
		return fail(n, "the line is too long")
	case err != nil:
		return nil, err
	case n == 0:
		return fail(0, fmt.Sprintf("want the header %q", marketHeader))
	}
	return changes, nil
}

// parseMarketChange reads a line, and says what is wrong with it, "" if nothing is.
func parseMarketChange(line string) (c MarketChange, reason string) {
	fields := strings.Split(line, "\t")
	if len(fields) != 4 {
		return c, fmt.Sprintf("%d fields, want 4", len(fields))
	}
	var errs [3]error
	c.Time, errs[0] = strconv.ParseFloat(fields[0], 64)
	c.User, errs[1] = strconv.Atoi(fields[1])
	c.Set = -1
	for i, name := range marketFields {
		if fields[2] == name {
			c.Set = MarketField(i)
		}
	}
	c.Amount, errs[2] = market.ParseCredits(fields[3])
	for i, name := range [...]string{"time", "user", "credits"} {
		if errs[i] != nil {
			return c, fmt.Sprintf("%s: %v", name, errs[i])
		}
	}
	return c, c.fault()
}
