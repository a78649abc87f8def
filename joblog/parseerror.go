package joblog

import (
	"strconv"

	"github.com/schedmath/schedmath"
)

// ParseError reports the place in a trace where it stops making sense. errors.Is(err,
// schedmath.ErrInput) holds.
//
// Column is that of the field at fault, of the byte at fault where a field holds one that may not
// be there, or the column after the last byte where the line ends too early.
type ParseError struct {
	Line   int    // of the uncompressed text; 1 is the first
	Column int    // in bytes; 1 is the first of the line, 0: the compressed stream broke in or before this line
	Field  string // the field's name as the format's description has it: "map input"; "" if the whole line is meant
	Value  string // the field's text, cut after 40 bytes
	Reason string // what is wrong with it: "is negative"
	Err    error  // the cause where there is one (gzip.ErrChecksum, io.ErrUnexpectedEOF, ...), else nil

	whole bool   // the file is at fault, not the line alone
	kind  string // what lines of the same fault have in common; "": Field and Reason
}

// maxShown is how many bytes of a broken field a message repeats: enough to recognise it, whatever
// the input holds.
const maxShown = 40

// Error says line, column, field, text and reason in one line: joblog: line 12, column 4:
// map input "-5" is negative.
func (e *ParseError) Error() string {
	s := "joblog: line " + strconv.Itoa(e.Line)
	if e.Column > 0 {
		s += ", column " + strconv.Itoa(e.Column)
	}
	s += ": "
	if e.Field != "" {
		s += e.Field + " " + strconv.Quote(e.Value) + " "
	}
	return s + e.Reason
}

// Unwrap returns schedmath.ErrInput and, where there is one, the cause.
func (e *ParseError) Unwrap() []error {
	if e.Err == nil {
		return []error{schedmath.ErrInput}
	}
	return []error{schedmath.ErrInput, e.Err}
}

// ofFile makes an error one of the file, not of the line alone.
func ofFile(err error) error {
	if e, ok := err.(*ParseError); ok {
		e.whole = true
	}
	return err
}

// shown is the part of a field that an error repeats.
func shown(field []byte) string {
	if len(field) > maxShown {
		return string(field[:maxShown]) + "..."
	}
	return string(field)
}
