package workload

import (
	"bufio"
	"io"
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

func (g *guard) count(name string, n, least int) {
	if n < least || n > maxDraws {
		g.arg(name, strconv.Itoa(n)+", want "+strconv.Itoa(least)+" to "+strconv.Itoa(maxDraws))
	}
}

func (g *guard) source(src rand.Source) {
	if src == nil {
		g.arg("src", "nil, want a source of random numbers")
	}
}

func (g *guard) writer(w io.Writer) {
	if w == nil {
		g.arg("w", "nil, want a writer")
	}
}

// line writes the line of job i unless that or an argument before it was at fault.
func (g *guard) line(w *bufio.Writer, i int, line []byte) error {
	if len(line) > MaxLineBytes {
		g.elem("jobs", i, "line of "+strconv.Itoa(len(line))+" bytes, want at most "+strconv.Itoa(MaxLineBytes))
	}
	if g.err != nil {
		return g.err
	}
	_, err := w.Write(append(line, '\n'))
	return err
}

// finite faults an argument with which results could reach the given bound if that is not finite.
func (g *guard) finite(name string, value, bound float64) {
	if !(bound <= math.MaxFloat64) {
		g.arg(name, text(value)+" allows values beyond float64")
	}
}
