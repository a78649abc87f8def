// Package schedtest checks somebody else's scheduler against the laws that its users count on, as
// testing/fstest does for file systems. Each function takes one piece of a scheduler as a small
// interface or function, runs it on random cases and fails the test with the smallest case that it
// could find, told in words: what there was, what happened, and which law that breaks.
//
//   - [Policy]: a policy of package slotmodel acts legally, ends every job, lets no slot idle
//   - [Queue]: a fair queue serves by weight within a bound, whoever comes and goes
//   - [Order]: a less function is a strict weak order, as sorts and heaps need
//   - [Sort], [SortStable]: a sort by a less function sorts, and loses nothing
//   - [Shares], [SharesWithFloors]: a function divides a capacity max-min fairly
//   - [Assignment]: a function puts work on machines, each piece once, near the optimum
//   - [Packing]: a packer of malleable jobs stays within the slots, does all work, idles no slot
//
// What an answer is held against is the definition: exhaustive search, rational arithmetic, or a
// count of what happened. None of it shares code with this library's algorithms.
//
// Cases have few jobs, flows, users or pieces of work, at most ten but for divisions by rounds:
// faults of schedulers show in few. Each call draws 1,000 cases, and 200 under -short; the flags of
// pgregory.net/rapid change that: -rapid.checks=1000 makes it ten times as many. A failure says how
// to run its case again; rapid leaves the case in testdata/rapid of the tested package, unless
// -rapid.nofailfile is set. On a test that has failed already nothing is checked.
package schedtest

import (
	"testing"

	"pgregory.net/rapid"
)

// check checks a property in ten rounds of the 100 cases that rapid draws, 20 under -short.
func check(t testing.TB, property func(r *rapid.T)) {
	t.Helper()
	for range 10 {
		if t.Failed() {
			return
		}
		rapid.Check(t, property)
	}
}

// number draws small whole numbers and decimals, of which sums are not exact, from low up.
func number(low int) *rapid.Generator[float64] {
	decimals := []float64{0, .1, .3, .5, 1, 2, 3, 5, 7.1, 10, 100}
	for decimals[0] < float64(low) {
		decimals = decimals[1:]
	}
	return rapid.SampledFrom(decimals)
}
