package workload

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/schedmath/schedmath"
)

// text is x as the messages of this package print it.
func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// notAmount returns "" if x is a finite number >= 0 and otherwise what to say of it; so do
// notPositive and notFiniteNumber.
func notAmount(x float64) string { return unless(x >= 0, x, "a finite number >= 0") }

func notPositive(x float64) string { return unless(x > 0, x, "a finite number > 0") }

func notFiniteNumber(x float64) string { return unless(true, x, "a finite number") }

func unless(ok bool, x float64, want string) string {
	if ok && math.Abs(x) <= math.MaxFloat64 {
		return ""
	}
	return text(x) + ", want " + want
}

// maxDraws bounds n, the number of values asked of a generator, to a GiB of them: a wild n is an
// error, not a crash.
const maxDraws = 1 << 27

// guard collects the first fault among the arguments of the function named fn.
type guard struct {
	fn  string
	err error
}

func (g *guard) arg(name, reason string) { g.elem(name, -1, reason) }

func (g *guard) elem(name string, index int, reason string) {
	if g.err == nil && reason != "" {
		g.err = &schedmath.InputError{Func: "workload." + g.fn, Arg: name, Index: index, Reason: reason}
	}
}

func (g *guard) source(src rand.Source) {
	if src == nil {
		g.arg("src", "nil, want a source of random numbers")
	}
}
