package fairqueue

import (
	"math"

	"github.com/schedmath/schedmath/internal/input"
)

// Decay is how past use counts: half as much after each half-life.
//
// In Slurm's words: slots are billing, RawUsage is Mean HalfLife / ln 2 of a user or account,
// NormUsage its part of the root's, and EffectvUsage that of its siblings' (Fair Tree) or what
// [FairShare] describes. Slurm counts once a PriorityCalcPeriod. Without limits in
// AccountingStorageEnforce it never charges what a job held between the last count and its end:
// from sacct Decay then says several times as much where jobs are short.
type Decay struct {
	HalfLife float64 // in the unit of Usage.Time; in [2^-100, 2^100]
}

// Usage is what a user has used up to a time, plain data for a store. The zero value is a user that
// has used nothing by time 0; HTCondor starts with a Mean of .5.
type Usage struct {
	Mean float64 `json:"mean"` // decayed mean of the slots held, in [0, 2^100]
	Time float64 `json:"time"` // of the last Advance or Charge, finite
}

const maxMean = 0x1p100

func validMean(x float64) bool { return x >= 0 && x <= maxMean }

// Advance returns the usage at the time now of a user that has held so many slots since u.Time:
// Mean 2^-x + slots (1 - 2^-x), where x is the time passed over the half-life. Slots of several
// kinds are summed up first, by what one of each kind is billed. One call for an interval and
// several for its parts agree.
//
// Errors: fields of d or u out of range; slots that are not in [0, 2^100]; a time before u.Time, or
// not finite.
func (d Decay) Advance(u Usage, now, slots float64) (Usage, error) {
	const fn = "fairqueue.Decay.Advance"
	if !validMean(slots) {
		return Usage{}, input.Bad(fn, "slots", -1, "want a number in [0, 2^100]")
	}
	return d.advance(fn, u, now, slots)
}

// Charge returns the usage at the time now of a user that has held no slots since u.Time (otherwise
// call Advance up to now first) and is charged points now: tokens, seconds of service, any unit
// that is slot-time to this user. Slurm's usage grows by points, and half of them are left after a
// half-life.
//
// Errors: fields of d or u out of range; points that are not in [0, 2^100]; a time before u.Time,
// or not finite.
func (d Decay) Charge(u Usage, now, points float64) (Usage, error) {
	const fn = "fairqueue.Decay.Charge"
	if !validMean(points) {
		return Usage{}, input.Bad(fn, "points", -1, "want a number in [0, 2^100]")
	}
	u, err := d.advance(fn, u, now, 0)
	if err == nil {
		u.Mean = min(u.Mean+float64(points*math.Ln2)/d.HalfLife, maxMean)
	}
	return u, err
}

// advance is Advance for slots in range.
func (d Decay) advance(fn string, u Usage, now, slots float64) (Usage, error) {
	switch {
	case !(d.HalfLife >= 1/maxMean && d.HalfLife <= maxMean):
		return Usage{}, input.Bad(fn, "d", -1, "HalfLife: want a number in [2^-100, 2^100]")
	case !validMean(u.Mean) || !(math.Abs(u.Time) <= math.MaxFloat64):
		return Usage{}, input.Bad(fn, "u", -1, "Mean: want a number in [0, 2^100]; Time: a finite one")
	case !(now >= u.Time && now <= math.MaxFloat64):
		return Usage{}, input.Bad(fn, "now", -1, "want a finite time, not before u.Time")
	}
	x := (now - u.Time) / d.HalfLife
	kept, added := float64(u.Mean*math.Exp2(-x)), float64(slots*math.Expm1(-x*math.Ln2)) // rounded, with fused multiply-add too
	return Usage{Mean: min(kept-added, maxMean), Time: now}, nil
}

// FairShare returns Slurm's classic fair-share factor 2^(-(usage/share)/damping), by which to
// multiply a weight: 0 for a user without a share that has used something, 1 for one that has not.
// usage and share are fractions of all users' sums; a damping of 0 is 1. In a tree of accounts
// usage is Slurm's effective usage: at the top the fraction used, below used + (the parent's
// effective usage - used) share / (sum of the siblings' shares, its own included). Errors: an
// argument that is not in [0, 2^100].
func FairShare(usage, share, damping float64) (float64, error) {
	for k, x := range []float64{usage, share, damping} {
		if !validMean(x) {
			return 0, input.Bad("fairqueue.FairShare", [...]string{"usage", "share", "damping"}[k], -1, "want a number in [0, 2^100]")
		}
	}
	switch {
	case usage == 0:
		return 1, nil
	case share == 0:
		return 0, nil
	case damping == 0:
		damping = 1
	}
	return math.Exp2(-usage / share / damping), nil
}

// RealPriority returns HTCondor's real user priority: the decayed mean of the slots held, at least
// .5 and at most 2^100. The effective priority is the real one times the user's factor, 1000 by
// default. Slots are divided in proportion to the inverse of the effective priority.
func RealPriority(u Usage) float64 {
	if u.Mean > .5 {
		return min(u.Mean, maxMean)
	}
	return .5
}
