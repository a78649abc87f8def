package schedmath_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
)

// What a caller can tell from an error: that its own input is at fault, and where.
func ExampleInputError() {
	_, err := aging.MaxMin(nil, 10, []aging.Job{{Work: 1}, {Work: 2, Weight: -3}})
	fmt.Println(errors.Is(err, schedmath.ErrInput))
	var bad *schedmath.InputError
	if errors.As(err, &bad) {
		fmt.Println(bad.Func, bad.Arg, bad.Index)
		fmt.Println(bad)
	}
	// Output:
	// true
	// aging.MaxMin jobs 1
	// aging.MaxMin: jobs[1]: Weight is -3, want 0 or a value in [2^-200, 2^200]
}

func TestInputError(t *testing.T) {
	for _, c := range []struct {
		err  *schedmath.InputError
		want string
	}{
		{&schedmath.InputError{Func: "aging.MaxMin", Arg: "jobs", Index: 0, Reason: "Weight is NaN, want > 0"},
			"aging.MaxMin: jobs[0]: Weight is NaN, want > 0"},
		{&schedmath.InputError{Func: "aging.Age", Arg: "elapsed", Index: -1, Reason: "-1 is negative"},
			"aging.Age: elapsed: -1 is negative"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%#v.Error() = %q, want %q", c.err, got, c.want)
		}
		wrapped := fmt.Errorf("planning: %w", c.err)
		if !errors.Is(wrapped, schedmath.ErrInput) {
			t.Errorf("errors.Is(%v, ErrInput) = false, want true", wrapped)
		}
		var got *schedmath.InputError
		if !errors.As(wrapped, &got) || got != c.err {
			t.Errorf("errors.As(%v) = %v, want %v", wrapped, got, c.err)
		}
	}
}
