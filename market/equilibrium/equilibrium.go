package equilibrium

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/internal/input"
)

// Options are how long to look for an equilibrium. The zero value is recommended.
type Options struct {
	Rounds    int     // most rounds in which each user responds once; 0: 1000
	Tolerance float64 // of a user's bid on a machine, relative to its budget; 0: 1e-9
	Damping   float64 // part of the old bid that is kept, below 1; for markets that swing
	// Reserve is the owner's bid on each machine, without which a machine that only one user wants
	// has no best bid. 0: 1e-9 of the budgets for each machine.
	Reserve float64
}

// Market is a state of a market of machines, and how good it is.
type Market struct {
	Bids     *mat.Dense // of each user on each machine
	Price    []float64  // of each machine: the sum of the bids and the reserve
	Utility  []float64  // of each user: sum of worth times share
	Rounds   int
	Settled  bool    // the bids changed by no more than the Tolerance in the last round
	Residual float64 // the most that any user could gain by its best response, relative to what it would have then

	Efficiency float64 // sum of Utility over the most that any division could give, each machine to whom it is worth most
	Uniformity float64 // least Utility over the largest
	// EnvyFreeness is the least, over the users, of Utility over what the best of all users'
	// bundles would be worth to it.
	EnvyFreeness float64
}

// Equilibrium lets users with budgets respond to each other in turn, starting with bids in
// proportion to worth, until their bids settle. worth has a row for each user and a column for each
// machine. An equilibrium exists if two users want each machine [FLZ]; the reserve makes up for the
// second. Where the bids do not settle, Settled is false and Residual tells how far from an
// equilibrium they are. Measures without meaning, such as of a market in which nothing is worth
// anything, are 1.
//
// Errors: budgets or worth, or Reserve, that are neither 0 nor in [2^-200, 2^200]; another number
// of budgets than rows; a nil worth; Rounds, Tolerance or Damping out of range.
func Equilibrium(budgets []float64, worth mat.Matrix, o Options) (Market, error) {
	m, err := newMachines("equilibrium.Equilibrium", budgets, worth, &o)
	if err != nil {
		return Market{}, err
	}
	var result Market
	for result.Rounds < o.Rounds && !result.Settled {
		result.Settled = m.round(o) <= o.Tolerance
		result.Rounds++
	}
	m.measure(&result)
	return result, nil
}

// machines is a market in the making.
type machines struct {
	budgets        []float64
	reserve        float64
	worth, bids    *mat.Dense // a row for each user
	after          *mat.Dense // row i: the bids of the users from i on, as at the start of the round
	others, answer []float64
	orders         [][]int // machines that each user wants; from round to round nearly sorted
}

func newMachines(fn string, budgets []float64, worth mat.Matrix, o *Options) (*machines, error) {
	if d, ok := worth.(*mat.Dense); worth == nil || ok && d == nil {
		return nil, input.Bad(fn, "worth", -1, "nil matrix")
	}
	rows, columns := worth.Dims()
	switch {
	case rows != len(budgets):
		return nil, input.Bad(fn, "budgets", -1, "another number than worth has rows")
	case rows == 0 || columns == 0:
		return nil, input.Bad(fn, "worth", -1, "empty matrix")
	case o.Rounds < 0 || !(o.Tolerance >= 0 && o.Tolerance <= 1) || !(o.Damping >= 0 && o.Damping < 1):
		return nil, input.Bad(fn, "o", -1, "want Rounds >= 0, Tolerance in [0, 1] and Damping in [0, 1)")
	case !validWeight(o.Reserve):
		return nil, input.Bad(fn, "o", -1, "Reserve: want 0 or a number in [2^-200, 2^200]")
	}
	total := 0.0
	for i, b := range budgets {
		if !validWeight(b) {
			return nil, input.Bad(fn, "budgets", i, "want 0 or a number in [2^-200, 2^200]")
		}
		total += b
	}
	o.Rounds, o.Tolerance = cmp.Or(o.Rounds, 1000), cmp.Or(o.Tolerance, 1e-9)
	m := &machines{
		budgets: budgets,
		reserve: cmp.Or(o.Reserve, max(1e-9*total/float64(columns), 0x1p-260)),
		worth:   mat.NewDense(rows, columns, nil), bids: mat.NewDense(rows, columns, nil), after: mat.NewDense(rows+1, columns, nil),
		others: make([]float64, columns), answer: make([]float64, columns),
	}
	for i, b := range budgets {
		row, bids, sum := m.worth.RawRowView(i), m.bids.RawRowView(i), 0.0
		for j := range row {
			if row[j] = worth.At(i, j); !validWeight(row[j]) {
				return nil, input.Bad(fn, "worth", i, "want 0 or numbers in [2^-200, 2^200]")
			}
			sum += row[j]
		}
		m.orders = append(m.orders, wanted(row))
		for _, j := range m.orders[i] {
			bids[j] = b * (row[j] / sum)
		}
	}
	return m, nil
}

// each calls f for each user in turn, with its best response in answer to the bids and the reserve
// in others. f may change the user's bids.
func (m *machines) each(f func(i int, bids []float64)) {
	// Sums of positive bids alone: taking a user's bid off the price would cancel.
	for i := len(m.budgets) - 1; i >= 0; i-- {
		sums, next := m.after.RawRowView(i), m.after.RawRowView(i+1)
		for j, b := range m.bids.RawRowView(i) {
			sums[j] = next[j] + b
		}
	}
	before := make([]float64, len(m.others))
	for i, budget := range m.budgets {
		for j, after := range m.after.RawRowView(i + 1) {
			m.others[j] = m.reserve + before[j] + after
		}
		respond(m.answer, m.orders[i], budget, m.worth.RawRowView(i), m.others)
		bids := m.bids.RawRowView(i)
		f(i, bids)
		for j, b := range bids {
			before[j] += b
		}
	}
}

// round lets each user respond once, and returns the largest change of a bid relative to its user's
// budget.
func (m *machines) round(o Options) (change float64) {
	m.each(func(i int, bids []float64) {
		for j, a := range m.answer {
			a = o.Damping*bids[j] + (1-o.Damping)*a
			if m.budgets[i] > 0 {
				change = max(change, math.Abs(a-bids[j])/m.budgets[i])
			}
			bids[j] = a
		}
	})
	return change
}

// measure sets all of result but the rounds.
func (m *machines) measure(result *Market) {
	result.Bids, result.Price = m.bids, make([]float64, len(m.others))
	most := 0.0
	for j := range result.Price {
		best := 0.0
		result.Price[j] = m.reserve
		for i := range m.budgets {
			result.Price[j] += m.bids.At(i, j)
			best = max(best, m.worth.At(i, j))
		}
		most += best
	}
	// value is what user i would have with the bids of user k.
	value := func(i, k int) float64 {
		v := 0.0
		for j, b := range m.bids.RawRowView(k) {
			v += m.worth.At(i, j) * (b / result.Price[j])
		}
		return v
	}
	result.Efficiency, result.Uniformity, result.EnvyFreeness = 1, 1, 1
	sum := 0.0
	m.each(func(i int, _ []float64) {
		u := value(i, i)
		sum += u
		result.Utility = append(result.Utility, u)
		envied := u
		for k := range m.budgets {
			envied = max(envied, value(i, k))
		}
		if envied > 0 {
			result.EnvyFreeness = min(result.EnvyFreeness, u/envied)
		}
		best := 0.0
		for j, a := range m.answer {
			best += m.worth.At(i, j) * (a / (a + m.others[j]))
		}
		if best > 0 {
			result.Residual = max(result.Residual, (best-u)/best)
		}
	})
	if most > 0 {
		result.Efficiency = sum / most
	}
	if largest := slices.Max(result.Utility); largest > 0 {
		result.Uniformity = slices.Min(result.Utility) / largest
	}
}
