package market

import (
	"math"

	"github.com/schedmath/schedmath/internal/enum"
)

// Slots is a number of slots of each of two kinds, such as maps and reduces. Both cost the same and
// are charged to one budget. A cluster with one kind uses the first.
type Slots [2]int

// User is an account of the market: what its owner and the operator set, what the scheduler has
// seen, and the state that Grant.Next hands on. As JSON it reads back as it was. Money is never
// negative, except a Budget under Owe; slots are in [0, 10^9].
type User struct {
	Budget  Credits `json:"budget"`  // what is left to spend; below 0 is debt
	Rate    Credits `json:"rate"`    // bid: micro-credits per slot and interval, for Spend per interval; 0: none
	Income  Credits `json:"income"`  // per interval
	Ceiling Credits `json:"ceiling"` // income stops when Budget gets here; 0: no limit
	Debt    Credits `json:"debt"`    // with Owe: how far Budget may fall below 0

	// Min and Max are the least and most slots of a kind, spare ones included. The budget and the
	// demand come before Min, and Step fits minima to the slots.
	Min    Slots `json:"min"`
	Max    Slots `json:"max"`    // 0: no limit
	Lot    Slots `json:"lot"`    // slots come in multiples of it; 0: 1
	Demand Slots `json:"demand"` // tasks that run or could start

	Arrival float64    `json:"arrival"` // when the user's earliest waiting job arrived, for FIFO
	Used    [2]float64 `json:"used"`    // slot-intervals held since the last Step

	// State. The zero value is a user that has never had a grant.
	LastRate    Credits    `json:"lastRate"`    // Rate at the last Step
	Granted     Slots      `json:"granted"`     // the last Grant's Slots
	GrantedFree Slots      `json:"grantedFree"` // its Free
	GrantedRate Credits    `json:"grantedRate"` // what a granted slot costs per interval
	Carry       [2]float64 `json:"carry"`       // slots that rounding owes the user
	IncomeRest  float64    `json:"incomeRest"`  // fraction of a micro-credit, in [-1/2, 1/2], not yet received
	ChargeRest  float64    `json:"chargeRest"`  // fraction of a micro-credit, in [-1/2, 1/2], not yet charged
}

// Grant is what a user gets until the next Step, and what the last interval came to.
type Grant struct {
	Slots   Slots     // paid slots
	Free    Slots     // spare slots beyond them, never charged
	Reclaim Slots     // slots of the last grant, paid or free, beyond those of this one
	Share   float64   // of the capacity, by the user's rate alone; 0 unless active
	Charge  Credits   // for the last interval
	Income  Credits   // of the last interval
	Why     [2]Reason // of Slots, for each kind
	// Next is the user after this Step, with nothing Used: set its Rate, Demand and Used, and pass
	// it to the next Step.
	Next User
}

// Totals are sums over all users.
type Totals struct {
	Price           Credits // sum of the rates of the active users
	Revenue, Income Credits // sums of Charge and Income: budgets + Revenue - Income do not change in a Step
	Unsold, Free    Slots   // slots that nobody pays for; those of them that are given away
	// Unmet is what active users would pay for an interval of the slots that they could use beyond
	// those they have: at GrantedRate, within the budget and, for Spend, within the rate.
	Unmet Credits
	// Jain is Jain's index of the active users' slots over their entitlements, the slots of their
	// shares that they could use and pay: from 1/n when one user of n has everything to 1.
	Jain float64
}

// Basis is what a user is charged for.
type Basis uint8

const (
	// WithinGrant charges the slot-time held within the grant, at the rate of the grant.
	WithinGrant Basis = iota
	// AllHeld charges also what is held beyond the grant and the spare slots given.
	AllHeld
	// Spend takes the rate as what the user spends in an interval. Slots of both kinds cost price /
	// capacity, rounded up to a micro-credit; what is not used is not charged. Two accounts of half
	// the rate have the share of one and pay the same for a slot, but whole slots can favour
	// either; with Carry this evens out.
	Spend
	bases
)

// Exhaust is what happens to a charge that exceeds the budget, which only slot-time beyond the
// grant or an interval longer than one can bring about.
type Exhaust uint8

const (
	Drain Exhaust = iota // the budget goes to 0, the rest is forgiven
	Skip                 // nothing is charged
	Owe                  // the budget goes down to -Debt, the rest is forgiven; slots are granted on credit likewise
	exhausts
)

// Fill is who gets slots that nobody pays for.
type Fill uint8

const (
	// FIFO gives spare slots by Arrival, ties by index, whether users can pay or not. A caller that
	// knows jobs can take NoFill and hand out Totals.Unsold job by job.
	FIFO Fill = iota
	NoFill
	fills
)

// Options are the rules of the market. The zero value is recommended.
type Options struct {
	Charge  Basis
	Exhaust Exhaust
	// Lag 0 takes the rates of this Step for price and shares, Lag 1 those of the Step before, as
	// the paper has it: a published price then holds for an interval.
	Lag      int
	Reserve  Credits // least rate; who bids less is not active. 0: none
	Rounding Method
	Carry    bool // hand fractions of slots on, as ApportionCarry does; only with Hamilton
	Fill     Fill
	Elapsed  float64 // length of the last interval, in intervals; 0: 1

	contrib bool
}

// Reason is why a user has the paid slots that it has.
type Reason uint8

const (
	byShare      Reason = iota // the share of its rate and of what others left over, rounded
	byMinimum                  // raised to Min
	byDemand                   // nothing more to run, in whole lots
	byMaximum                  // at Max
	byBudget                   // the budget pays for no more
	noDemand                   // not active: nothing to run, not even one lot that the cluster could hold
	noBid                      // not active: the rate is 0
	belowReserve               // not active: the rate is below Options.Reserve
	noCredit                   // not active: the budget does not pay for one lot at the rate
)

// String returns the reason in lower case, and "Reason(200)" for a value that is none.
func (r Reason) String() string {
	return enum.Name(r, "Reason", "share", "minimum", "demand", "maximum", "budget", "no demand", "no bid", "below reserve", "no credit")
}

// MarshalText returns String.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// String returns the name of the constant, and "Basis(7)" for a value that is none.
func (b Basis) String() string { return enum.Name(b, "Basis", "WithinGrant", "AllHeld", "Spend") }

// MarshalText returns String.
func (b Basis) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String returns the name of the constant, and "Exhaust(7)" for a value that is none.
func (e Exhaust) String() string { return enum.Name(e, "Exhaust", "Drain", "Skip", "Owe") }

// MarshalText returns String.
func (e Exhaust) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// String returns the name of the constant, and "Fill(7)" for a value that is none.
func (f Fill) String() string { return enum.Name(f, "Fill", "FIFO", "NoFill") }

// MarshalText returns String.
func (f Fill) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// invalid says which field of u is out of range, or "".
func (u *User) invalid(o *Options) string {
	switch {
	case u.Budget < 0 && o.Exhaust != Owe:
		return "Budget: negative, which only Owe allows"
	case min(u.Rate, u.LastRate, u.GrantedRate) < 0:
		return "Rate, LastRate or GrantedRate: negative"
	case min(u.Income, u.Ceiling, u.Debt) < 0:
		return "Income, Ceiling or Debt: negative"
	case !(math.Abs(u.IncomeRest) <= .5 && math.Abs(u.ChargeRest) <= .5):
		return "IncomeRest or ChargeRest: want a fraction in [-1/2, 1/2]"
	case !(math.Abs(u.Arrival) <= math.MaxFloat64):
		return "Arrival: want a finite number"
	}
	for k := range 2 {
		switch {
		case min(u.Min[k], u.Max[k], u.Lot[k], u.Demand[k], u.Granted[k], u.GrantedFree[k]) < 0,
			max(u.Min[k], u.Max[k], u.Lot[k], u.Demand[k], u.Granted[k], u.GrantedFree[k]) > maxSeats:
			return "Min, Max, Lot, Demand, Granted or GrantedFree: want numbers in [0, 10^9]"
		case u.Max[k] > 0 && u.Min[k] > u.Max[k]:
			return "Min: above Max"
		case !(u.Used[k] >= 0 && u.Used[k] <= 1<<52):
			return "Used: want a number in [0, 2^52]"
		case !validCarry(u.Carry[k]):
			return "Carry: want a number in [-10^9, 10^9]"
		}
	}
	return ""
}

// lots rounds n down to whole lots; lot 0 is 1.
func lots(n, lot int) int {
	if lot > 1 {
		n -= n % lot
	}
	return n
}

// bid is the rate that counts.
func (u *User) bid(o *Options) Credits {
	if o.Lag == 1 {
		return u.LastRate
	}
	return u.Rate
}

// usable is how many of n slots of kind k the user could run on.
func (u *User) usable(k, n int) int {
	n = min(n, u.Demand[k])
	if u.Max[k] > 0 {
		n = min(n, u.Max[k])
	}
	return lots(n, u.Lot[k])
}

// worth is what the user can spend now.
func (u *User) worth(o *Options) Credits {
	if o.Exhaust != Owe {
		return u.Budget
	}
	return max(plus(u.Budget, u.Debt), 0)
}
