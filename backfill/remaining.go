package backfill

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

const (
	ended  = 1000 // runs remembered of a key, and of all
	ownRun = 20   // runs of a key from which on they alone count
)

// Remaining says for how long jobs still run, as [Forecast] asks for, by how long those ran that have
// ended. Of jobs that request a time it keeps the part of it that they ran for, of others the time.
// The last 1,000 runs of a key, a user for example, count once there are 20, else the last 1,000 of
// all keys. The zero value knows no run. After a restart, Add the last runs again. Not safe for
// concurrent use.
type Remaining[K comparable] struct {
	all  [2]latest // of jobs with a request, without
	keys map[K]*[2]latest
}

// Add tells of a job that has ended. requested is 0 or +Inf where it is unknown. Errors: a key that is
// not equal to itself; a requested time that is negative or NaN; a run time that is negative or not
// finite.
func (r *Remaining[K]) Add(key K, requested, ran float64) error {
	const fn = "backfill.Remaining.Add"
	if key != key {
		return input.Bad(fn, "key", -1, "not equal to itself")
	}
	if !(requested >= 0) {
		return input.Bad(fn, "requested", -1, "%v, want at least 0", requested)
	}
	if !(ran >= 0 && finite(ran)) {
		return input.Bad(fn, "ran", -1, "%v, want a finite time of at least 0", ran)
	}
	if r.keys == nil {
		r.keys = make(map[K]*[2]latest)
	}
	if r.keys[key] == nil {
		r.keys[key] = new([2]latest)
	}
	unit, kind := unitOf(requested)
	part := min(ran/unit, math.MaxFloat64)
	r.all[kind].add(part, ended)
	r.keys[key][kind].add(part, ended)
	return nil
}

// unitOf returns in which unit, and in which place, runs of jobs with such a request are kept.
func unitOf(requested float64) (unit float64, kind int) {
	if requested > 0 && finite(requested) {
		return requested, 0
	}
	return 1, 1
}

// Quantile returns the quantile u in [0, 1) of how long a job still runs that has run for age, 0 if it
// has yet to begin: the one of the runs that were longer. A job that outlived all of them runs up to
// its request; without one, for age u/(1-u) more, in half of the cases less than as long again, and
// for ever while no such run is known. An argument that is negative or NaN counts as 0.
func (r *Remaining[K]) Quantile(key K, requested, age, u float64) float64 {
	age, u = min(max(0, number(age)), math.MaxFloat64), min(max(0, number(u)), 1)
	unit, kind := unitOf(requested)
	runs := r.all[kind].sorted
	if own := r.keys[key]; own != nil && len(own[kind].sorted) >= ownRun {
		runs = own[kind].sorted
	}
	known := len(runs)
	if age > 0 {
		k, _ := slices.BinarySearch(runs, math.Nextafter(age/unit, math.Inf(1)))
		runs = runs[k:]
	}
	switch {
	case len(runs) > 0:
		k := min(int(u*float64(len(runs))), len(runs)-1)
		return max(0, float64(runs[k]*unit)-age)
	case kind == 0:
		return max(0, requested-age)
	case known == 0 || u == 1:
		return math.Inf(1)
	}
	return age * (u / (1 - u))
}
