package malleable

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// Handover says that Slots slots pass from one job to another. From is -1 for slots that were idle,
// To is -1 for slots that become idle.
type Handover struct{ From, To, Slots int }

// Replan makes a new plan from a running state: it packs the work that the jobs have left into s,
// up to the horizon > 0, and appends to dst the slots that change hands now. It is the step of an
// epoch-based scheduler (appendix A.4 of [1]): call it at each arrival, or every T seconds with
// horizon T, with jobs whose Work is what Advance or the cluster itself says is left. Times in s
// count from now. The result depends on the arguments alone. allowed is the counts of slots that a
// job may hold, ascending, nil for all; see PlanOptions.
//
// held[j] is the number of slots that job j holds now. A job that has completed has Work 0; if it
// still holds slots, they are handed over. The handovers move as few slots as possible: a job gives
// up only what it holds beyond its new allocation. Idle slots are handed over first, then those of
// the jobs that give some up, to the jobs that gain, all by ascending index.
//
// Cost that of PackInto, with allowed O(r log k) for each completion beside r ready jobs and k
// counts, and O(n). Errors: those of PackInto, and InputError for a held of another length, a
// negative element or a sum above slots, and for an allowed as in Plan. On an error s and dst are
// as they were.
func Replan(dst []Handover, s *Schedule, slots int, jobs []Job, held []int, g *precedence.Graph, priority, allowed []int, horizon float64) ([]Handover, error) {
	const fn = "malleable.Replan"
	if s == nil {
		return dst, input.Bad(fn, "s", -1, "is nil")
	}
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return dst, err
	}
	if !(horizon > 0) {
		return dst, input.Bad(fn, "horizon", -1, "is %v, want > 0", horizon)
	}
	if len(held) != len(jobs) {
		return dst, input.Bad(fn, "held", -1, "has %d elements, want %d", len(held), len(jobs))
	}
	sum := int64(0)
	for j, h := range held {
		if h < 0 || h > slots {
			return dst, input.Bad(fn, "held", j, "is %d, want 0 to %d", h, slots)
		}
		if sum += int64(h); sum > int64(slots) {
			return dst, input.Bad(fn, "held", j, "the slots held up to here are %d, want at most %d", sum, slots)
		}
	}
	if err := s.run(fn, slots, jobs, g, priority, allowed, horizon); err != nil {
		return dst, err
	}
	return s.handovers(dst, int64(slots)-sum, held), nil
}

// handovers walks the jobs that give slots up and the jobs that gain some side by side, like a
// merge. The pieces that begin at 0 come first in the schedule and say what each job holds then.
func (s *Schedule) handovers(dst []Handover, idle int64, held []int) []Handover {
	s.now = append(s.now[:0], held...)
	for i := range s.now {
		s.now[i] = -s.now[i]
	}
	for i := range s.pieces {
		if s.pieces[i].Start > 0 {
			break
		}
		s.now[s.pieces[i].Job] += s.pieces[i].Slots
	}
	change := s.now // what each job gains
	from, left := -1, int(idle)
	take := func(want int) (int, int) { // from whom, and how many
		for left == 0 {
			from++
			left = max(0, -change[from])
		}
		n := min(want, left)
		left -= n
		return from, n
	}
	for j, gain := range change {
		for gain > 0 {
			i, n := take(gain)
			dst = append(dst, Handover{i, j, n})
			gain -= n
		}
	}
	if from >= 0 && left > 0 {
		dst = append(dst, Handover{from, -1, left})
	}
	for from++; from < len(change); from++ {
		if change[from] < 0 {
			dst = append(dst, Handover{from, -1, -change[from]})
		}
	}
	return dst
}

// Advance appends to dst the jobs as they are when elapsed time has passed under the schedule s of
// them: Work is what is left, 0 once a job has completed. A job that has not completed keeps some
// Work. elapsed may exceed the end. Min and Max stay. dst may be jobs[:0].
//
// Cost O(n) and the pieces that begin by then. Errors: InputError for a nil s, jobs of another
// number than s has, a Work that is not finite and >= 0, and an elapsed that is negative or NaN;
// dst is then returned as it was.
func Advance(dst []Job, s *Schedule, jobs []Job, elapsed float64) ([]Job, error) {
	const fn = "malleable.Advance"
	if s == nil {
		return dst, input.Bad(fn, "s", -1, "is nil")
	}
	if len(jobs) != s.Len() {
		return dst, input.Bad(fn, "jobs", -1, "has %d elements, want %d", len(jobs), s.Len())
	}
	if !(elapsed >= 0) {
		return dst, input.Bad(fn, "elapsed", -1, "is %v, want >= 0", elapsed)
	}
	for j := range jobs {
		if !(jobs[j].Work >= 0 && jobs[j].Work <= math.MaxFloat64) {
			return dst, input.Bad(fn, "jobs", j, "Work is %v, want finite and >= 0", jobs[j].Work)
		}
	}
	from := len(dst)
	dst = slices.Grow(dst, len(jobs))
	dst = append(dst, jobs...)
	left := dst[from:]
	for i := range s.pieces {
		p := &s.pieces[i]
		if !(p.Start < elapsed) {
			break
		}
		work := &left[p.Job].Work
		if done := float64(float64(p.Slots) * (min(p.End, elapsed) - p.Start)); done > 0 && *work > 0 {
			*work = max(*work-done, math.SmallestNonzeroFloat64)
		}
	}
	for j := range left {
		if s.completion[j] <= elapsed {
			left[j].Work = 0
		}
	}
	return dst, nil
}
