package workload

import (
	"bytes"
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
	digits := bytes.TrimPrefix(field, []byte("-"))
	switch {
	case len(field) == 0:
		return 0, "is empty, want a number"
	case decimal(digits):
	case notFinite(digits):
		return 0, "is not finite"
	default:
		return 0, "is not a decimal number"
	}
	x, err := strconv.ParseFloat(string(field), 64)
	switch {
	case x == 0:
		return 0, "" // a negative zero too
	case x < 0:
		return 0, "is negative"
	case err != nil:
		return 0, "is larger than any float64"
	}
	return x, ""
}

// decimal reports whether s is digits, at most one point among them, and an optional exponent.
func decimal(s []byte) bool {
	mantissa, exponent, scientific := s, []byte(nil), false
	if i := bytes.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent, scientific = s[:i], s[i+1:], true
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	if len(whole)+len(fraction) == 0 || !allDigits(whole) || !allDigits(fraction) {
		return false
	}
	if !scientific {
		return true
	}
	if len(exponent) > 0 && (exponent[0] == '+' || exponent[0] == '-') {
		exponent = exponent[1:]
	}
	return len(exponent) > 0 && allDigits(exponent)
}

func allDigits(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// notFinite reports whether s spells a NaN or an infinity, which deserve a better word than "not a number".
func notFinite(s []byte) bool {
	for _, name := range []string{"nan", "inf", "+inf", "infinity", "+infinity"} {
		if bytes.EqualFold(s, []byte(name)) {
			return true
		}
	}
	return false
}
