package slotmodel

import "cmp"

// Options are the settings of a run. The zero value runs until all jobs have ended and records no
// series.
type Options struct {
	// Entitlements has the weight of each user, > 0, for at least all users of the jobs; nil: all 1.
	Entitlements []float64
	// Period is the time between the rows of Result.Series, s; 0: no rows. All rows together take at
	// most 2^28 bytes: 144 each, 24 more for each user and 16 for each rack of a fluid network.
	Period float64
	Until  float64     // the run stops at this time; 0: when all jobs have ended
	Log    func(Event) // receives each event as it happens; nil: none
	Hash   bool        // computes Result.Hash
}

// checkOptions returns an InputError if a setting is out of its range.
func checkOptions(o *Options, users int) error {
	if f := cmp.Or(amount("Period", o.Period), limit("Until", o.Until)); f != "" {
		return bad("o", -1, "%s", f)
	}
	if o.Entitlements != nil && len(o.Entitlements) < users {
		return bad("o", -1, "Entitlements has %d elements, want at least %d", len(o.Entitlements), users)
	}
	for i, w := range o.Entitlements {
		if !(w >= least && w <= most) {
			return bad("o", i, "Entitlements[%d] is %v, want a value in [2^-200, 2^200]", i, w)
		}
	}
	return nil
}
