package workload

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

// exactDigits is the most decimal digits for which every integer is a float64: 10^15 < 2^53.
const exactDigits = 15

// number reads a field that must be a finite decimal number >= 0 and returns "" or what is wrong with it. Digits with an
// optional fraction and exponent are a number; a plus sign, blanks, underscores, hexadecimal, NaN and infinities are not.
// The nearest float64 is taken, so a positive number below the smallest one reads as 0. "-0" is 0.
func number(field []byte) (x float64, reason string) {
	if 0 < len(field) && len(field) <= exactDigits {
		v := int64(0)
		for _, c := range field {
			if c -= '0'; c > 9 {
				v = -1
				break
			}
			v = 10*v + int64(c)
		}
		if v >= 0 {
			return float64(v), ""
		}
	}
	x, err := strconv.ParseFloat(string(field), 64)
	switch {
	case len(field) == 0:
		return 0, "is empty, want a number"
	case math.IsNaN(x) || math.IsInf(x, 0) && err == nil: // spelled so
		return 0, "is not finite"
	case errors.Is(err, strconv.ErrSyntax) || field[0] == '+' || bytes.ContainsAny(field, "xX_"):
		return 0, "is not a decimal number"
	case x == 0:
		return 0, "" // a negative zero too
	case x < 0:
		return 0, "is negative"
	case err != nil:
		return 0, "is larger than any float64"
	}
	return x, ""
}
