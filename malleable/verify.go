package malleable

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// broken says what is wrong with a schedule, from some time, and with which job; -1: no single one.
func broken(job int, time float64, format string, args ...any) error {
	at := fmt.Sprintf("malleable: broken schedule at time %g: ", time)
	if job >= 0 {
		at += fmt.Sprintf("job %d ", job)
	}
	return fmt.Errorf(at+format, args...)
}

// Verify checks a schedule from its pieces and completion times alone, whoever made it. nil says
// that never more than slots are held, and of each job:
//
//   - Its pieces lie between 0 and the horizon, one at a time, of 1 to Max slots each.
//   - Until its last predecessor completes it holds nothing and does not complete; from then until
//     it completes it holds at least Min.
//   - Its pieces do its Work and it completes with the last of them, or at a horizon they and
//     Remaining add up to the Work.
//
// Times count to 2^-40 of the clock, works to 2^-38 of what the job could do at its Max until then.
// The first fault, with its time and job, does not wrap schedmath.ErrInput.
func Verify(slots int, jobs []Job, g *precedence.Graph, s *Schedule) error {
	const fn = "malleable.Verify"
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return err
	}
	if s == nil {
		return input.Bad(fn, "s", -1, "is nil")
	}
	if len(s.completion) != len(jobs) {
		return broken(-1, 0, "it has %d jobs, want %d", len(s.completion), len(jobs))
	}
	begin := make([]int, len(jobs)+1)
	for _, p := range s.pieces {
		if p.Slots < 1 {
			return broken(p.Job, p.Start, "holds %d slots, want at least 1", p.Slots)
		}
		if !(p.Start >= 0) || !(p.End > p.Start) || !(p.End <= s.horizon) {
			return broken(p.Job, p.Start, "has a piece from %g to %g, want 0 <= start < end <= the horizon %g", p.Start, p.End, s.horizon)
		}
		if most := jobs[p.Job].most(slots); p.Slots > most {
			return broken(p.Job, p.Start, "holds %d slots, more than its most, %d", p.Slots, most)
		}
		begin[p.Job+1]++
	}
	if err := checkCapacity(slots, s.pieces); err != nil {
		return err
	}
	for j := range jobs {
		begin[j+1] += begin[j]
	}
	own := make([]Piece, len(s.pieces)) // by job, each job's by Start
	next := slices.Clone(begin)
	for _, p := range s.pieces {
		own[next[p.Job]] = p
		next[p.Job]++
	}
	for j := range jobs {
		if err := checkJob(slots, &jobs[j], g, s, j, own[begin[j]:begin[j+1]]); err != nil {
			return err
		}
	}
	return nil
}

// checkCapacity counts the slots held at each start.
func checkCapacity(slots int, pieces []Piece) error {
	ends := slices.Clone(pieces)
	slices.SortFunc(ends, byEnd)
	held, ended := int64(0), 0
	for _, p := range pieces {
		for ends[ended].End <= p.Start {
			held -= int64(ends[ended].Slots)
			ended++
		}
		if held += int64(p.Slots); held > int64(slots) {
			return broken(-1, p.Start, "%d slots are held, more than %d", held, slots)
		}
	}
	return nil
}

// before reports whether a lies before b by more than rounding.
func before(a, b float64) bool { return a < float64(b*(1-simultaneous)) }

// checkJob checks job j, whose pieces are own.
func checkJob(slots int, job *Job, g *precedence.Graph, s *Schedule, j int, own []Piece) error {
	done := s.completion[j]
	ready := 0.0
	if g != nil {
		for _, i := range g.Preds(j) {
			if c := s.completion[i]; c > ready {
				ready = c
			}
		}
	}
	if !(done >= 0) || before(done, ready) {
		return broken(j, done, "completes before it is ready, at %g", ready)
	}
	stop := done // when it is done or cut off
	if math.IsInf(done, 1) {
		if math.IsInf(s.horizon, 1) {
			return broken(j, 0, "does not complete")
		}
		stop = s.horizon
	} else if done > s.horizon {
		return broken(j, done, "completes after the horizon, %g", s.horizon)
	}
	served, at := 0.0, min(ready, stop)
	for i, p := range own {
		if i == 0 && before(p.Start, ready) {
			return broken(j, p.Start, "begins before it is ready, at %g", ready)
		}
		if i > 0 && p.Start < at {
			return broken(j, p.Start, "holds two pieces at once")
		}
		if job.Min > 0 && before(at, p.Start) {
			return broken(j, at, "holds no slot until %g, less than its least, %d", p.Start, job.Min)
		}
		if p.Slots < job.Min {
			return broken(j, p.Start, "holds %d slots, less than its least, %d", p.Slots, job.Min)
		}
		served += float64(float64(p.Slots) * (p.End - p.Start))
		at = p.End
	}
	if before(stop, at) {
		return broken(j, at, "holds slots after it completes, at %g", stop)
	}
	if job.Min > 0 && job.Work > 0 && before(at, stop) && before(ready, stop) {
		return broken(j, at, "holds no slot until %g, less than its least, %d", stop, job.Min)
	}
	want, lost := job.Work, 0.0
	if stop != done {
		want -= s.remaining[j]
		// Remaining is rounded as a part of the Work, again with each piece
		lost = float64(len(own)+1) * 0x1p-52 * job.Work
		if s.remaining[j] == 0 && job.Work > 0 {
			return broken(j, stop, "has no work left but does not complete")
		}
	}
	if job.Work > 0 && len(own) > 0 && stop == done && before(at, stop) && !(want-served > job.slack(slots, at)) {
		return broken(j, at, "ends its last piece but completes at %g", done)
	}
	if !(math.Abs(served-want) <= job.slack(slots, stop)+lost) {
		return broken(j, stop, "does %g of its work of %g", served, want)
	}
	return nil
}
