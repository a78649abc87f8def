package malleable

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// Job is work that any whole number of slots between Min and Max can share, at linear speed-up:
// with a slots it advances by a per unit of time.
type Job struct {
	// Work: slot-seconds, finite and >= 0; a job of work 0 completes when it becomes ready and
	// needs no slot
	Work float64
	// Min: from the moment it is ready until it completes it holds at least Min slots; 0: it may
	// wait and pause
	Min int
	Max int // it never holds more than Max slots; 0: no limit but the slots that there are
}

// MaxSlots is the largest number of slots that the functions of this package accept.
const MaxSlots = 1 << 30

// simultaneous is the tie rule: events less than this fraction of the clock apart are one event. A
// completion time is the end of a chain of roundings, each of 2^-53 of the clock; 2^-40 leaves room
// for some thousands of them and is far below any duration that matters beside the clock.
const simultaneous = 0x1p-40

// rounding is how exact the work of a job is, as a fraction of what it could do at its Max by the
// time that counts: its pieces begin and end within simultaneous of where they should. Verify
// allows so much, WaterFill loses a sixteenth less, which leaves room for the rounding of its sums.
const rounding = 4 * simultaneous

// slack returns how much of the work of a job on some slots may be missing at a time.
func (j *Job) slack(slots int, at float64) float64 {
	return float64(j.most(slots)) * (float64(at*rounding) + math.SmallestNonzeroFloat64)
}

// MinimaError says that jobs which must run at the same time need more slots, at their minima, than
// there are. No two of Jobs precede one another. It is an outcome of valid arguments, so it does
// not wrap schedmath.ErrInput.
type MinimaError struct {
	Jobs []int // ascending; each has Min > 0
	// Minima: the sum of their Min, rounded up where counts are restricted; math.MaxInt if it is
	// larger
	Minima int
	Slots  int     // what there is
	Time   float64 // when it came to that in a packing; 0 where no packing was made
}

// Error says when, what the minima add up to, the slots, and the first ten of the jobs.
func (e *MinimaError) Error() string {
	return fmt.Sprintf("malleable: at time %g the minima of %d jobs add up to %d, more than %d slots: jobs %s",
		e.Time, len(e.Jobs), e.Minima, e.Slots, some(e.Jobs))
}

// some prints the first elements of a list that may be long.
func some(jobs []int) string {
	const shown = 10
	if len(jobs) <= shown {
		return fmt.Sprint(jobs)
	}
	return fmt.Sprintf("%v and %d more", jobs[:shown], len(jobs)-shown)
}

// checkJobs checks slots, jobs and the size of g. Beside each field it checks the sum of all works,
// which no completion time exceeds.
func checkJobs(fn string, slots int, jobs []Job, g *precedence.Graph) error {
	if slots < 1 || slots > MaxSlots {
		return input.Bad(fn, "slots", -1, "is %d, want 1 to %d", slots, MaxSlots)
	}
	if len(jobs) > math.MaxInt32/2 {
		return input.Bad(fn, "jobs", -1, "has %d elements, want at most %d", len(jobs), math.MaxInt32/2)
	}
	if g != nil && g.Len() != len(jobs) {
		return input.Bad(fn, "g", -1, "has %d jobs, want %d", g.Len(), len(jobs))
	}
	total := 0.0
	for i := range jobs {
		j := &jobs[i]
		if !(j.Work >= 0 && j.Work <= math.MaxFloat64) {
			return input.Bad(fn, "jobs", i, "Work is %v, want finite and >= 0", j.Work)
		}
		if j.Min < 0 {
			return input.Bad(fn, "jobs", i, "Min is %d, want >= 0", j.Min)
		}
		if j.Max < 0 {
			return input.Bad(fn, "jobs", i, "Max is %d, want >= 0 (0 for no limit)", j.Max)
		}
		if j.Max > 0 && j.Min > j.Max {
			return input.Bad(fn, "jobs", i, "Min is %d, want <= Max %d", j.Min, j.Max)
		}
		total += j.Work
		if !(total <= math.MaxFloat64/4) {
			return input.Bad(fn, "jobs", i, "the works up to here add up to %v, want at most %v", total, math.MaxFloat64/4)
		}
	}
	return nil
}

// most returns the slots that j can hold at one time: its Max, or all slots.
func (j *Job) most(slots int) int {
	if j.Max == 0 || j.Max > slots {
		return slots
	}
	return j.Max
}

// checkPriority checks that priority is a permutation of the jobs and fills rank, its inverse.
func checkPriority(fn string, rank []int32, priority []int) error {
	if len(priority) != len(rank) {
		return input.Bad(fn, "priority", -1, "has %d elements, want %d", len(priority), len(rank))
	}
	for i := range rank {
		rank[i] = -1
	}
	for r, j := range priority {
		if j < 0 || j >= len(rank) {
			return input.Bad(fn, "priority", r, "is %d, want 0 to %d", j, len(rank)-1)
		}
		if rank[j] >= 0 {
			return input.Bad(fn, "priority", r, "is %d, which stands at %d already", j, rank[j])
		}
		rank[j] = int32(r)
	}
	return nil
}

// addClamped returns a + b for a, b >= 0, or math.MaxInt if that is larger.
func addClamped(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}
