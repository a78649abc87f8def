package report

import (
	"math"
	"strconv"
	"strings"
)

// A Number is a published number: all that its print may stand for, from Low to High.
type Number struct {
	Low, High float64
	None      float64 // of an effect, which is a gain or a ratio: the number that says there is none; 0 of all other numbers
}

// Printed is a decimal or an exact integer, which ends at its last digit: "0.84" is .835 to .845.
// Text that is no such number gives NaN, which nothing is near to.
func Printed(text string) Number {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		x = math.NaN()
	}
	unit := 1.
	if _, decimals, ok := strings.Cut(text, "."); ok {
		unit = math.Pow10(-len(decimals))
	}
	return Number{Low: x - unit/2, High: x + unit/2}
}

// About is a number given as approximately, or read off a graph. An integer ends at its last digit
// that is not 0: "2800" is 2750 to 2850.
func About(text string) Number {
	n := Printed(text)
	if zeros := len(text) - len(strings.TrimRight(text, "0")); zeros > 0 && zeros < len(text) && !strings.Contains(text, ".") {
		wider := math.Pow10(zeros)/2 - .5
		n.Low, n.High = n.Low-wider, n.High+wider
	}
	return n
}

// Range is a printed range: "26" to "27" is 25.5 to 27.5.
func Range(low, high string) Number {
	return Number{Low: Printed(low).Low, High: Printed(high).High}
}

// Change is the ratio of a change by so many percent: "-27" is .725 to .735. No change is no effect.
func Change(percent string) Number {
	n := Printed(percent).Times(.01)
	return Number{Low: 1 + n.Low, High: 1 + n.High}.Ratio()
}

// Ratio is the number as a ratio, of which 1 is no effect.
func (n Number) Ratio() Number {
	n.None = 1
	return n
}

// Over is the quotient of two positive printed numbers, with its extremes, as a ratio.
func (n Number) Over(m Number) Number {
	return Number{Low: n.Low / m.High, High: n.High / m.Low}.Ratio()
}

// Times is the number in another unit.
func (n Number) Times(x float64) Number {
	return Number{Low: n.Low * x, High: n.High * x, None: n.None * x}
}

// Middle is halfway between the ends: the number that is printed, but for a quotient.
func (n Number) Middle() float64 { return (n.Low + n.High) / 2 }

// Holds says whether the print may stand for x.
func (n Number) Holds(x float64) bool { return n.off(x) == 0 }

// off is how far x lies outside the number, from the nearest end.
func (n Number) off(x float64) float64 { return math.Max(0, math.Max(n.Low-x, x-n.High)) }

// most is how far off a model may be at most: half of an effect, a third of another number.
func (n Number) most() float64 {
	if n.None != 0 {
		return math.Abs(n.Middle()-n.None) / 2
	}
	return math.Abs(n.Middle()) * Third
}
