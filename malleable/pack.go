package malleable

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// Pack is Ready List Malleable Packing ([1], section 3.3 and appendix B.3): at each completion the
// ready jobs share the slots anew, each its Min, then by priority, a permutation of the jobs, up to
// its Max.
//
// Errors: MinimaError when the Min of ready jobs exceed slots in total (see NormalizeMinima).
func Pack(slots int, jobs []Job, g *precedence.Graph, priority []int) (*Schedule, error) {
	s := new(Schedule)
	if err := s.run("malleable.Pack", slots, jobs, g, priority, nil, math.Inf(1)); err != nil {
		return nil, err
	}
	return s, nil
}

// PackInto is Pack into an existing schedule, whose memory it uses: about as much again allocates
// nothing. It stops at horizon, +Inf for none: completions at the horizon count, what still runs is
// cut off, and Remaining says what is left. On an error s keeps what it held.
//
// Errors: those of Pack; a nil s; a horizon negative or NaN.
func PackInto(s *Schedule, slots int, jobs []Job, g *precedence.Graph, priority []int, horizon float64) error {
	const fn = "malleable.PackInto"
	if s == nil {
		return input.Bad(fn, "s", -1, "is nil")
	}
	if !(horizon >= 0) {
		return input.Bad(fn, "horizon", -1, "is %v, want >= 0", horizon)
	}
	return s.run(fn, slots, jobs, g, priority, nil, horizon)
}

// run packs jobs that can hold allowed counts of slots, nil for all.
func (s *Schedule) run(fn string, slots int, jobs []Job, g *precedence.Graph, priority, allowed []int, horizon float64) error {
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return err
	}
	jobs, err := restrict(fn, "allowed", slots, jobs, allowed)
	if err != nil {
		return err
	}
	p := &s.pack
	p.rank = resize(p.rank, len(jobs))
	if err := checkPriority(fn, p.rank, priority); err != nil {
		return err
	}
	p.out = s.spare
	p.start(slots, jobs, g, priority, allowed)
	if math.IsInf(horizon, 1) {
		p.out.pieces = slices.Grow(p.out.pieces, len(jobs)) // at least about one each
	}
	err = p.pack(horizon)
	if err == nil {
		p.close(horizon)
		s.plan, s.spare = p.out, s.plan
	} else {
		s.spare = p.out
	}
	p.out, p.graph, p.jobs, p.priority, p.allowed = plan{}, nil, nil, nil, nil
	return err
}
