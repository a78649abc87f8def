// Package schedtest checks somebody else's scheduler against the laws that its users count on, as
// testing/fstest does for file systems. Each function takes one piece of a scheduler as a small
// interface or function, runs it on random cases and fails the test with the smallest case that it
// could find, told in words: what there was, what happened, and which law that breaks.
//
//	[Policy]            a policy of package slotmodel: it acts legally, every job ends, no slot idles, ...
//	[Queue]             a fair queue: service by weight within a bound, whoever comes and goes
//	[Order]             a less function: a strict weak order, as sorts and heaps need
//	[Sort]              a sort by a less function: sorted, nothing lost; [SortStable]: and stable
//	[Shares]            a function that divides a capacity: max-min fair
//	[SharesWithFloors]  one that promises floors: these first, and not more than there is
//	[Assignment]        a function that puts work on machines: each piece once, near the optimum
//	[Packing]           a packer of malleable jobs: within the slots, all work done, no idle slot
//
// What an answer is held against is the definition: exhaustive search, rational arithmetic, or a
// count of what happened. None of it shares code with this library's algorithms.
//
// Cases have few jobs, flows, users or pieces of work, at most seven but for divisions by rounds:
// faults of schedulers show in few. Each call draws 1,000 cases, and 200 under -short; the flags of
// pgregory.net/rapid change that: -rapid.checks=1000 makes it ten times as many. A failure says how
// to run its case again. On a test that has failed already nothing is checked.
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
