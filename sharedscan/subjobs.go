package sharedscan

import (
	"math"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// Scan is one job's scan of a dataset, as CyclicChain takes it.
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
	// Min, Max: slots: the largest minimum and the least maximum of its members; Max 0 is no limit
	Min, Max int
}

// Works appends the work of each subjob to dst.
func Works(dst []float64, subjobs []Subjob) []float64 {
	for k := range subjobs {
		dst = append(dst, subjobs[k].Work)
	}
	return dst
}

// Weights appends to dst, for each subjob, the weight of the scan that it completes, and 0 for a
// subjob that completes none. The sum of w C over subjobs is then that over scans: a scan ends with
// the subjob that completes it and no other subjob counts. weights has one element for each scan,
// finite and not negative.
//
// This is why sums of completion times, which [1] (end of Section 3) gives up for overlapping
// scans, are well posed there too: a scan weighs on its own region, which follows all others
// that it needs. Cost O(n).
//
// Errors: a bad weight; a subjob that completes a scan outside weights, or that another subjob
// completes too; a scan that none completes.
func Weights(dst []float64, subjobs []Subjob, weights []float64) ([]float64, error) {
	const fn = "sharedscan.Weights"
	for i, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat64) {
			return dst, input.Bad(fn, "weights", i, "%v, want finite and at least 0", w)
		}
	}
	if err := completing(fn, "weights", subjobs, len(weights)); err != nil {
		return dst, err
	}
	for k := range subjobs {
		w := 0.0
		if i := subjobs[k].Completes; i >= 0 {
			w = weights[i]
		}
		dst = append(dst, w)
	}
	return dst, nil
}

// OverSubjobs turns an objective on scans into the same objective on subjobs: the penalty of a scan
// goes to the subjob that completes it, and the others get NoPenalty. obj.Penalties has one element
// for each scan; its values are shared with the result. Every penalty keeps its type, so that
// Minimize finds the same algorithms. Cost O(n).
//
// Errors: an unknown aggregate, a nil penalty, and as for Weights.
func OverSubjobs(subjobs []Subjob, obj precedence.Objective) (precedence.Objective, error) {
	const fn = "sharedscan.OverSubjobs"
	if obj.Aggregate != precedence.Sum && obj.Aggregate != precedence.Max {
		return precedence.Objective{}, input.Bad(fn, "obj", -1, "Aggregate is %d, want Sum or Max", int(obj.Aggregate))
	}
	for i, p := range obj.Penalties {
		if p == nil {
			return precedence.Objective{}, input.Bad(fn, "obj", i, "Penalties holds nil, want a Penalty")
		}
	}
	if err := completing(fn, "obj", subjobs, len(obj.Penalties)); err != nil {
		return precedence.Objective{}, err
	}
	over := make([]precedence.Penalty, len(subjobs))
	for k := range subjobs {
		over[k] = precedence.NoPenalty{}
		if i := subjobs[k].Completes; i >= 0 {
			over[k] = obj.Penalties[i]
		}
	}
	return precedence.Objective{Aggregate: obj.Aggregate, Penalties: over}, nil
}

// FromSubjobs appends to dst a job for each subjob, with its Work, Min and Max, as malleable.Plan
// takes it. Works must be in slot-seconds. The graph is that of the subjobs, and the objective that
// of OverSubjobs; a scan ends with the job whose subjob has the scan in Completes. The examples
// Chains and Regions go all the way. Cost O(n).
func FromSubjobs(dst []malleable.Job, subjobs []Subjob) []malleable.Job {
	for i := range subjobs {
		s := &subjobs[i]
		dst = append(dst, malleable.Job{Work: s.Work, Min: s.Min, Max: s.Max})
	}
	return dst
}

// completing checks that each of n scans is completed by one subjob.
func completing(fn, arg string, subjobs []Subjob, n int) error {
	by := make([]bool, n)
	left := n
	for k := range subjobs {
		i := subjobs[k].Completes
		switch {
		case i < -1 || i >= n:
			return input.Bad(fn, "subjobs", k, "Completes is %d, want -1 or a scan from 0 to %d", i, n-1)
		case i >= 0 && by[i]:
			return input.Bad(fn, "subjobs", k, "Completes is %d, which an earlier subjob completes", i)
		case i >= 0:
			by[i] = true
			left--
		}
	}
	if left > 0 {
		for i, done := range by {
			if !done {
				return input.Bad(fn, arg, i, "no subjob completes this scan, want one")
			}
		}
	}
	return nil
}

// Limits appends the subjobs to dst with Min and Max taken from the scans that they serve: the
// largest minimum and the least maximum of the members ([1], Appendix A.1). Remaining is not looked
// at. A subjob without work takes no slots: its Min and Max are 0, so that it adds nothing to
// what an antichain must have. The slices of members are shared. Cost: the sum of the numbers of
// members.
//
// Regions knows no slots; its subjobs get them here. A minimum of a scan holds in each region that
// it needs: two regions of one scan that run side by side have it both.
//
// Errors: a bad scan; a member outside scans; a minimum above another member's maximum in the same
// subjob, which no number of slots can meet (Index is the subjob).
func Limits(dst []Subjob, subjobs []Subjob, scans []Scan) ([]Subjob, error) {
	const fn = "sharedscan.Limits"
	for i := range scans {
		if err := checkSlots(fn, i, scans[i]); err != nil {
			return dst, err
		}
	}
	for k := range subjobs {
		s := &subjobs[k]
		for _, i := range s.Members {
			if uint(i) >= uint(len(scans)) {
				return dst, input.Bad(fn, "subjobs", k, "Members has %d, want scans from 0 to %d", i, len(scans)-1)
			}
		}
		if low, high, at := limits(s.Members, scans); s.Work > 0 && high > 0 && low > high {
			return dst, input.Bad(fn, "subjobs", k, "the members' largest Min is %d and scan %d has Max %d, want no Min above a Max", low, at, high)
		}
	}
	for _, s := range subjobs {
		s.Min, s.Max = 0, 0
		if s.Work > 0 {
			s.Min, s.Max, _ = limits(s.Members, scans)
		}
		dst = append(dst, s)
	}
	return dst, nil
}

// limits returns the largest minimum, the least maximum and a member that has it.
func limits(members []int, scans []Scan) (low, high, at int) {
	for _, i := range members {
		low = max(low, scans[i].Min)
		if m := scans[i].Max; m > 0 && (high == 0 || m < high) {
			high, at = m, i
		}
	}
	return low, high, at
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
