package precedence

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath"
)

// Graph is a precedence relation among the jobs 0 to n-1: an arc (i, j) says that j cannot begin before i has ended. It is
// immutable and safe for concurrent use. The zero value has no jobs. Memory: 8 bytes an arc and 8 a job.
type Graph struct {
	n         int
	succBegin []int32 // successors of i: succ[succBegin[i]:succBegin[i+1]]
	succ      []int32
	predBegin []int32
	pred      []int32
	topo      []int32 // the topological order with the least index first among what is available
	isReduced bool
}

// CycleError says that arcs form a cycle, and which: each job of it precedes the next, and the last the first.
type CycleError struct{ Cycle []int }

func (e *CycleError) Error() string {
	return fmt.Sprintf("precedence: the arcs form a cycle of %d jobs: %v", len(e.Cycle), e.Cycle)
}

// maxJobs is what the int32 of the compact form can number.
const maxJobs = math.MaxInt32 / 2

func badInput(fn, arg string, index int, format string, args ...any) error {
	return &schedmath.InputError{Func: fn, Arg: arg, Index: index, Reason: fmt.Sprintf(format, args...)}
}
