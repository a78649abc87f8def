package joblog_test

import (
	"testing"

	"github.com/schedmath/schedmath/joblog"
)

// TestNumberWithin: a zero is a number like others, within the range or not.
func TestNumberWithin(t *testing.T) {
	for _, c := range []struct {
		field       string
		least, most float64
		want        bool
	}{{"0", 0, 1, true}, {"-0", 0, 1, true}, {"1e-400", 0, 1, true}, {"0", -1, 1, true}, {"0", 1, 2, false}, {"0", -2, -1, false}, {"1", 1, 2, true}} {
		if x, reason := joblog.Number([]byte(c.field), c.least, c.most); (reason == "") != c.want {
			t.Errorf("Number(%q, %v, %v) = %v, %q, want a number: %t", c.field, c.least, c.most, x, reason, c.want)
		}
	}
}
