// Package expect has what the tests of several packages ask of errors, words and snapshots.
package expect

import (
	"errors"
	"testing"

	"github.com/schedmath/schedmath"
)

// InputError fails the test unless err is an *schedmath.InputError with these fields and a reason.
// call says what returned it.
func InputError(t testing.TB, call string, err error, fn, arg string, index int) {
	t.Helper()
	var e *schedmath.InputError
	if !errors.As(err, &e) || !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("%s: error %v, want an InputError", call, err)
		return
	}
	if e.Func != fn || e.Arg != arg || e.Index != index || e.Reason == "" {
		t.Errorf("%s: error %#v, want Func %q, Arg %q, Index %d and a reason", call, e, fn, arg, index)
	}
}

// Must ends the test if err is not nil. t is a testing.TB or a *rapid.T.
func Must(t interface {
	Helper()
	Fatal(args ...any)
}, err error) {
	if err != nil { // before Helper, which is slow
		t.Helper()
		t.Fatal(err)
	}
}
