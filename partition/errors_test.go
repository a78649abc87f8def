package partition_test

import (
	"errors"
	"testing"

	"github.com/schedmath/schedmath"
)

// wantInputError checks the fields of an *InputError.
func wantInputError(t *testing.T, call string, err error, fn, arg string, index int) {
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
