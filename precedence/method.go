package precedence

import "github.com/schedmath/schedmath/internal/enum"

// Method is the algorithm that found an order.
type Method uint8

const (
	methodSmith        Method = iota // Smith's rule and its forms for chains, forests, series-parallel
	methodSidney                     // Sidney's decomposition
	methodDueDates                   // of a maximum: modified due dates
	methodThresholds                 // of a maximum: passes from thresholds
	methodBackward                   // of a maximum: the backward dynamic programme
	methodMooreHodgson               // of a number of tardy jobs
	methodLawlerMoore                // of a weight of tardy jobs
	methodDownSets                   // the exact programme over down-sets
	methodSearch                     // local search
)

// String returns the algorithm's name, as "Moore-Hodgson", and "Method(77)" for what is none.
func (m Method) String() string {
	return enum.Name(m, "Method", "Smith", "Sidney", "modified due dates", "thresholds", "backward dynamic programme",
		"Moore-Hodgson", "Lawler-Moore", "down-sets", "local search")
}

// MarshalText returns the name of String.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }
