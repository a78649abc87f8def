package report_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// A published number is all that its print may stand for.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		print     string
		got       report.Number
		low, high float64
	}{
		{"0.84", report.Printed("0.84"), .835, .845},
		{"2.26", report.Printed("2.26"), 2.255, 2.265},
		{"0.0976", report.Printed("0.0976"), .09755, .09765},
		{"63", report.Printed("63"), 62.5, 63.5},
		{"100 exactly", report.Printed("100"), 99.5, 100.5},
		{"about 2800", report.About("2800"), 2750, 2850},
		{"about 300", report.About("300"), 250, 350},
		{"about 90", report.About("90"), 85, 95},
		{"about 2", report.About("2"), 1.5, 2.5},
		{"about 1.8", report.About("1.8"), 1.75, 1.85},
		{"about 2.0", report.About("2.0"), 1.95, 2.05},
		{"26 to 27", report.Range("26", "27"), 25.5, 27.5},
		{"10 to 15", report.Range("10", "15"), 9.5, 15.5},
		{"4.8 to 5.0", report.Range("4.8", "5.0"), 4.75, 5.05},
		{"-27%", report.Change("-27"), .725, .735},
		{"+39%", report.Change("39"), 1.385, 1.395},
		{"2800 ms in s", report.About("2800").Times(.001), 2.75, 2.85},
	} {
		if !(math.Abs(c.got.Low-c.low) <= 1e-12 && math.Abs(c.got.High-c.high) <= 1e-12) {
			t.Errorf("%s is %v to %v, want %v to %v", c.print, c.got.Low, c.got.High, c.low, c.high)
		}
	}
	if n := report.Printed("3x"); !math.IsNaN(n.Low) || !math.IsNaN(n.High) {
		t.Errorf("3x is %v, want NaN", n)
	}
	if n, m := report.Change("-27"), report.Printed("3").Times(.01); n.None != 1 || m.None != 0 {
		t.Errorf("a change is %+v and a number %+v, want an effect beside 1 and none", n, m)
	}
}
