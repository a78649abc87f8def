package malleable

import (
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
)

// restrict returns the jobs with each Min rounded up and each Max rounded down to a count of
// allowed, so that a job's minimum and maximum are counts that it may hold. A nil allowed is every
// count: the jobs come back as they are. A Min above slots stays, for packing to report. Errors
// name fn, and arg, which is or has the allowed counts.
func restrict(fn, arg string, slots int, jobs []Job, allowed []int) ([]Job, error) {
	if allowed == nil {
		return jobs, nil
	}
	if len(allowed) == 0 {
		return nil, input.Bad(fn, arg, -1, "no allowed count of slots, want at least one, or nil for all")
	}
	for i, a := range allowed {
		if a < 1 || a > slots {
			return nil, input.Bad(fn, arg, i, "allowed are %d slots, want 1 to %d", a, slots)
		}
		if i > 0 && a <= allowed[i-1] {
			return nil, input.Bad(fn, arg, i, "allowed are %d slots after %d, want ascending", a, allowed[i-1])
		}
	}
	restricted := slices.Clone(jobs)
	for i := range restricted {
		j := &restricted[i]
		j.Max = roundDown(allowed, jobs[i].most(slots))
		if j.Max == 0 || j.Max < j.Min && j.Min <= slots {
			return nil, input.Bad(fn, "jobs", i, "Min is %d and Max %d, want an allowed count of slots between them", jobs[i].Min, jobs[i].Max)
		}
		if at, _ := slices.BinarySearch(allowed, j.Min); j.Min > 0 && at < len(allowed) {
			j.Min = allowed[at]
		}
	}
	return restricted, nil
}

// roundDown returns the largest allowed count <= slots, 0 if there is none.
func roundDown(allowed []int, slots int) int {
	at, found := slices.BinarySearch(allowed, slots)
	if found {
		return slots
	}
	if at == 0 {
		return 0
	}
	return allowed[at-1]
}

// shareAllowed shares the slots anew when jobs can hold allowed counts only: what rounding leaves
// of one job's share goes on to the next, so that the jobs at their max are no prefix of the
// priority and every ready job is looked at.
func (p *packer) shareAllowed(now dd.T) {
	slack := int64(p.slots) - p.minima
	for r := p.flexible.next(0); r >= 0; r = p.flexible.next(r + 1) {
		t := &p.tasks[r]
		slots := int32(roundDown(p.allowed, int(min(int64(t.max), int64(t.min)+slack))))
		slack -= int64(slots - t.min)
		if slots != t.slots {
			p.change(t, r, slots, now)
		}
	}
}
