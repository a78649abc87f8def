package precedence

import "github.com/schedmath/schedmath/internal/enum"

// Method is the algorithm that found an order.
type Method uint8

const (
	MethodSmith          Method = iota // Smith's rule, without arcs
	MethodChains                       // Smith's rule on the blocks of chains
	MethodHorn                         // on out-forests
	MethodHornReversed                 // on in-forests
	MethodSeriesParallel               // Lawler, on series-parallel orders
	MethodSidney                       // Sidney's decomposition
	MethodDueDates                     // modified due dates, for a maximum
	MethodThresholds                   // passes from thresholds, for a maximum
	MethodBackward                     // Lawler's backward dynamic programme, for a maximum
	MethodMooreHodgson                 // for a number of tardy jobs
	MethodLawlerMoore                  // for a weight of tardy jobs
	MethodDownSets                     // the exact programme over down-sets
	MethodSearch                       // local search
)

// String returns the algorithm's name, as "Moore-Hodgson", and "Method(77)" for what is none.
func (m Method) String() string {
	return enum.Name(m, "Method", "Smith", "Smith on chains", "Horn", "Horn reversed", "Lawler series-parallel", "Sidney",
		"modified due dates", "thresholds", "backward dynamic programme", "Moore-Hodgson", "Lawler-Moore", "down-sets", "local search")
}

// MarshalText returns the name of String.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }
