package sharedscan

import (
	"math"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// Scan is one job's scan of a dataset.
type Scan struct {
	// Remaining: work left, in slot-seconds or any other unit; finite, >= 0; 0: the scan is done
	Remaining float64
	Min       int // fewest slots that the job must have, >= 0
	Max       int // most slots that it may have, >= Min; 0: no limit
}

// Subjob is a part of the work that several scans still need, and that is done once for all of
// them. It is one job of a Graph: all its members have it done when it ends.
type Subjob struct {
	Work      float64 // in the unit of the scans, done once whatever the number of members
	Members   []int   // the scans that it serves; their number is the concurrency
	Completes int     // the scan that has all its work done when this subjob ends, or -1
	// Min, Max: slots: the largest minimum and the least maximum of its members ([1], Appendix
	// A.1); Max 0 is no limit
	Min, Max int
}

// OverSubjobs turns an objective on scans into the same objective on subjobs: the penalty of a scan
// goes to the subjob that completes it, and the others get NoPenalty.
//
// Errors: a scan that no subjob completes, or more than one; a Completes that is neither -1 nor a
// scan of obj; a nil penalty, an unknown Aggregate.
func OverSubjobs(subjobs []Subjob, obj precedence.Objective) (precedence.Objective, error) {
	// [1], end of Section 3, gives sums over overlapping scans up; here a scan weighs on its own region,
	// which follows all others that it needs.
	const fn = "sharedscan.OverSubjobs"
	if obj.Aggregate != precedence.Sum && obj.Aggregate != precedence.Max {
		return precedence.Objective{}, input.Bad(fn, "obj", -1, "Aggregate is %d, want Sum or Max", int(obj.Aggregate))
	}
	n := len(obj.Penalties)
	completed := make([]bool, n)
	over := make([]precedence.Penalty, len(subjobs))
	for k := range subjobs {
		i := subjobs[k].Completes
		switch {
		case i < -1 || i >= n:
			return precedence.Objective{}, input.Bad(fn, "subjobs", k, "Completes is %d, want -1 or a scan from 0 to %d", i, n-1)
		case i < 0:
			over[k] = precedence.NoPenalty{}
			continue
		case completed[i]:
			return precedence.Objective{}, input.Bad(fn, "subjobs", k, "Completes is %d, which an earlier subjob completes", i)
		}
		over[k], completed[i] = obj.Penalties[i], true
	}
	for i, p := range obj.Penalties {
		if p == nil {
			return precedence.Objective{}, input.Bad(fn, "obj", i, "Penalties holds nil, want a Penalty")
		}
		if !completed[i] {
			return precedence.Objective{}, input.Bad(fn, "obj", i, "no subjob completes this scan, want one")
		}
	}
	return precedence.Objective{Aggregate: obj.Aggregate, Penalties: over}, nil
}

// FromSubjobs appends to dst a job for malleable.Plan for each subjob, with slots that suit all
// members: for nil scans the subjob's Min and Max, as CyclicChain sets them, else those of the
// scans, as Regions needs, none without work.
//
// Errors: a Min above a Max, also of two members, or a member outside scans (Index is the subjob).
func FromSubjobs(dst []malleable.Job, subjobs []Subjob, scans []Scan) ([]malleable.Job, error) {
	const fn = "sharedscan.FromSubjobs"
	for i := range scans {
		if err := checkSlots(fn, i, scans[i]); err != nil {
			return dst, err
		}
	}
	jobs := dst
	for k := range subjobs {
		s := &subjobs[k]
		if !(s.Work >= 0 && s.Work <= math.MaxFloat64) {
			return dst, input.Bad(fn, "subjobs", k, "Work is %v, want a finite number >= 0", s.Work)
		}
		job := malleable.Job{Work: s.Work, Min: s.Min, Max: s.Max}
		if scans == nil && min(job.Min, job.Max) < 0 {
			return dst, input.Bad(fn, "subjobs", k, "Min and Max are %d and %d, want at least 0", job.Min, job.Max)
		}
		if scans != nil {
			job.Min, job.Max = 0, 0
			for _, i := range s.Members {
				if uint(i) >= uint(len(scans)) {
					return dst, input.Bad(fn, "subjobs", k, "Members has %d, want scans from 0 to %d", i, len(scans)-1)
				}
				if s.Work > 0 {
					job.Min, job.Max = both(job.Min, job.Max, scans[i])
				}
			}
		}
		if job.Max > 0 && job.Min > job.Max {
			return dst, input.Bad(fn, "subjobs", k, "the members' largest Min is %d and their least Max %d, want no Min above a Max", job.Min, job.Max)
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// both returns the larger minimum and the lesser maximum.
func both(low, high int, s Scan) (int, int) {
	if s.Max > 0 && (high == 0 || s.Max < high) {
		high = s.Max
	}
	return max(low, s.Min), high
}

// checkSlots checks the slots of one scan.
func checkSlots(fn string, i int, s Scan) error {
	switch {
	case s.Min < 0:
		return input.Bad(fn, "scans", i, "Min is %d, want at least 0", s.Min)
	case s.Max < 0:
		return input.Bad(fn, "scans", i, "Max is %d, want at least 0", s.Max)
	case s.Max > 0 && s.Min > s.Max:
		return input.Bad(fn, "scans", i, "Min is %d, want at most Max, %d", s.Min, s.Max)
	}
	return nil
}
