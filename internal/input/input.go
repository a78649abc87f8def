// Package input makes the errors of bad input.
package input

import (
	"errors"
	"fmt"

	"github.com/schedmath/schedmath"
)

// Bad returns a *schedmath.InputError: fn is the function with its package, arg the parameter,
// index the offending element or -1, and format with args what is wrong and what is allowed.
func Bad(fn, arg string, index int, format string, args ...any) error {
	return &schedmath.InputError{Func: fn, Arg: arg, Index: index, Reason: fmt.Sprintf(format, args...)}
}

// As returns err as an error of fn: if it is the InputError of a function that fn has called, it
// names fn. An arg that is not "" names what fn was given, of which that function got a part; the
// name of the part then stands before the reason.
func As(fn, arg string, err error) error {
	var part *schedmath.InputError
	if !errors.As(err, &part) {
		return err
	}
	whole := *part
	whole.Func = fn
	if arg != "" {
		whole.Arg, whole.Reason = arg, part.Arg+": "+part.Reason
	}
	return &whole
}
