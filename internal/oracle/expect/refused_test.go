package expect_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// recorder counts the failures of a test.
type recorder struct {
	testing.TB
	failed int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed++ }
func (r *recorder) Failed() bool          { return r.failed > 0 }

func refused(fn, arg string, index int, reason string) error {
	return &schedmath.InputError{Func: fn, Arg: arg, Index: index, Reason: reason}
}

// Each f breaks one promise, but for the first.
func TestRefusedFinds(t *testing.T) {
	bad := func() error { return refused("f", "xs", 1, "is NaN") }
	held := map[string]*[]int{"a": {1}}
	for name, f := range map[string]func(dst, xs []float64) ([]float64, int, error){
		"nothing":          func(dst, xs []float64) ([]float64, int, error) { return dst, -1, bad() },
		"no error":         func(dst, xs []float64) ([]float64, int, error) { return dst, 0, nil },
		"another argument": func(dst, xs []float64) ([]float64, int, error) { return dst, 0, refused("f", "dst", 1, "is bad") },
		"another function": func(dst, xs []float64) ([]float64, int, error) { return dst, 0, refused("g", "xs", 1, "is bad") },
		"another index":    func(dst, xs []float64) ([]float64, int, error) { return dst, 0, refused("f", "xs", 0, "is bad") },
		"a broken reason": func(dst, xs []float64) ([]float64, int, error) {
			return dst, 0, refused("f", "xs", 1, "is %!d(float64=0.5)")
		},
		"a changed input":     func(dst, xs []float64) ([]float64, int, error) { xs[0]++; return dst, 0, bad() },
		"a longer dst":        func(dst, xs []float64) ([]float64, int, error) { return append(dst, 1), 0, bad() },
		"beyond the end":      func(dst, xs []float64) ([]float64, int, error) { _ = append(dst, 1); return dst, 0, bad() },
		"no dst":              func(dst, xs []float64) ([]float64, int, error) { return nil, 0, bad() },
		"a result":            func(dst, xs []float64) ([]float64, int, error) { return dst, 1, bad() },
		"what a map leads to": func(dst, xs []float64) ([]float64, int, error) { (*held["a"])[0]++; return dst, 0, bad() },
	} {
		r := &recorder{TB: t}
		expect.Refused(r, "f", f, func() any { return held }, expect.Bad("xs", 1, make([]float64, 1, 2), []float64{1, math.NaN()}))
		if failed := r.failed > 0; failed != (name != "nothing") {
			t.Errorf("%s: %d failures", name, r.failed)
		}
	}
}
