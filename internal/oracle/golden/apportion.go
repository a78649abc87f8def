package golden

import "testing"

// Apportion is one case of apportion.json: seats divided in proportion to weights, with Caps or
// without, by method.
type Apportion struct {
	Seats         int
	Weights, Caps []int
	Expected      map[string][]int
}

// ReadApportion reads apportion.json. It skips the test where there is no such file.
func ReadApportion(t testing.TB) []Apportion {
	t.Helper()
	return readCases[Apportion](t, "apportion.json")
}
