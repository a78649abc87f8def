package joblog

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

// mostAmount is the greatest time, work or number of bytes that is read, that of slotmodel.Run.
const mostAmount = 0x1p200

// mostTime bounds the times of jobs on either side of 0, so that none is further than mostAmount
// from another.
const mostTime = mostAmount / 2

// text is x as messages print it.
func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Number reads a field that must be a decimal number from least to most and returns "" or what is
// wrong with it. Digits with an optional fraction and exponent are a number; a plus sign, blanks,
// underscores, hexadecimal, NaN and infinities are not, but for infinities within the range. The
// nearest float64 is taken, so a positive number below the smallest one reads as 0. "-0" is 0.
func Number(field []byte, least, most float64) (x float64, reason string) {
	x, err := strconv.ParseFloat(string(field), 64)
	switch {
	case len(field) == 0:
		return 0, "is empty, want a number"
	case math.IsInf(x, 0) && err == nil && least <= x && x <= most:
		return x, ""
	case math.IsNaN(x) || math.IsInf(x, 0) && err == nil: // spelled so
		return 0, "is not finite"
	case bytes.IndexByte(field, ',') >= 0:
		return 0, "is not a decimal number: want a point before the fraction"
	case errors.Is(err, strconv.ErrSyntax) || field[0] == '+' || bytes.ContainsAny(field, "xX_"):
		return 0, "is not a decimal number"
	case x == 0 && least <= 0 && most >= 0:
		return 0, "" // a negative zero too
	case x < least && least == 0:
		return 0, "is negative"
	case err != nil:
		return 0, "is larger than any float64"
	case !(least <= x && x <= most):
		return 0, "is not within [" + text(least) + ", " + text(most) + "]"
	}
	return x, ""
}

// column is a field of a line and the range of its numbers.
type column struct {
	name        string
	least, most float64
	whole       bool // no fractions
}

// read reads a field of the column.
func (c *column) read(field []byte) (x float64, reason string) {
	if x, reason = Number(field, c.least, c.most); reason == "" && c.whole && x != math.Trunc(x) {
		reason = "is no whole number"
	}
	return x, reason
}
