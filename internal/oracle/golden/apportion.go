package golden

import "testing"

// Apportion is one case of apportion.json: seats divided in proportion to weights, with Caps or
// without, by method.
type Apportion struct {
	Seats         int
	Weights, Caps []int
	Expected      map[string][]int
}

// ReadApportion reads apportion.json.
func ReadApportion(t testing.TB) []Apportion {
	t.Helper()
	return readCases[Apportion](t, "apportion.json")
}
