// Package input makes the errors of bad input.
package input

import (
	"fmt"

	"github.com/schedmath/schedmath"
)

// Bad returns a *schedmath.InputError: fn is the function with its package, arg the parameter,
// index the offending element or -1, and format with args what is wrong and what is allowed.
func Bad(fn, arg string, index int, format string, args ...any) error {
	return &schedmath.InputError{Func: fn, Arg: arg, Index: index, Reason: fmt.Sprintf(format, args...)}
}
