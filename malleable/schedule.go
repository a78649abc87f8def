package malleable

import (
	"iter"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Piece says that Job holds Slots slots from Start until just before End.
type Piece struct {
	Job, Slots int
	Start, End float64
}

// Schedule says how many slots each job holds at each time, as pieces of constant allocation, and
// when each job completes. The zero value has no jobs. The methods only read and may be called from
// several goroutines; PackInto writes.
type Schedule struct {
	plan
	spare plan // what PackInto fills next
	pack  packer
}

// plan is the result within a Schedule.
type plan struct {
	pieces     []Piece // ascending by Start
	completion []float64
	remaining  []float64 // at the horizon
	makespan   float64
	horizon    float64
}

// NewSchedule makes a schedule out of pieces in any order, for Verify to judge. completion[j] is
// when job j completes, +Inf if it does not; Remaining is 0.
//
// Errors: a piece of a job that does not exist or with a NaN or infinite time; a NaN completion.
func NewSchedule(completion []float64, pieces []Piece) (*Schedule, error) {
	const fn = "malleable.NewSchedule"
	s := new(Schedule)
	s.horizon = math.Inf(1)
	for j, c := range completion {
		if !(c >= math.Inf(-1)) {
			return nil, input.Bad(fn, "completion", j, "is %v, want a number", c)
		}
		s.makespan = max(s.makespan, c)
	}
	for i, p := range pieces {
		if p.Job < 0 || p.Job >= len(completion) {
			return nil, input.Bad(fn, "pieces", i, "Job is %d, want 0 to %d", p.Job, len(completion)-1)
		}
		if !(math.Abs(p.Start) <= math.MaxFloat64) || !(math.Abs(p.End) <= math.MaxFloat64) {
			return nil, input.Bad(fn, "pieces", i, "runs from %v to %v, want finite times", p.Start, p.End)
		}
	}
	s.completion = slices.Clone(completion)
	s.remaining = make([]float64, len(completion))
	s.pieces = slices.Clone(pieces)
	slices.SortStableFunc(s.pieces, byStart)
	return s, nil
}

// Completion appends the completion time of each job to dst; +Inf for a job that does not complete
// by the horizon.
func (s *Schedule) Completion(dst []float64) []float64 { return append(dst, s.completion...) }

// Remaining appends what is left of each job's work at the horizon to dst: 0 for a job that has
// completed, and for every job if there was no horizon.
func (s *Schedule) Remaining(dst []float64) []float64 { return append(dst, s.remaining...) }

// Makespan returns the last completion time: 0 without jobs, +Inf if some job does not complete by
// the horizon.
func (s *Schedule) Makespan() float64 { return s.makespan }

// Pieces goes through the pieces by ascending Start; pieces with one Start come in a fixed order
// that is not specified. Two pieces of a job never overlap, and those that meet differ in Slots. A
// job that holds nothing has no piece.
func (s *Schedule) Pieces() iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		for _, p := range s.pieces {
			if !yield(p) {
				return
			}
		}
	}
}

// At appends the slots of each job at time t to dst, those of the piece that begins where two
// pieces meet at t. Before 0, after the end and at NaN all are 0. Cost O(n) and the pieces that
// begin by t.
func (s *Schedule) At(dst []int, t float64) []int {
	from := len(dst)
	dst = slices.Grow(dst, len(s.completion))[:from+len(s.completion)]
	clear(dst[from:])
	for i := range s.pieces {
		p := &s.pieces[i]
		if !(p.Start <= t) {
			break
		}
		if t < p.End {
			dst[from+p.Job] += p.Slots
		}
	}
	return dst
}
