package backfill

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/internal/input"
)

// increments are added to a prediction that was outlived, one after the other, in seconds [3].
var increments = [...]float64{60, 300, 900, 1800, 3600, 2 * 3600, 5 * 3600, 10 * 3600, 20 * 3600, 50 * 3600, 100 * 3600}

// Extend returns the next prediction, in seconds, of how long a job runs that has outlived its own:
// planned, as first predicted, plus the first of 1, 5, 15, 30 minutes, 1, 2, 5, 10, 20, 50 and 100
// hours that leads beyond ran, the time that it has run; the limit beyond these. At most the limit,
// at which the job is killed; 0: none. While ran is below planned it is planned. An argument that
// is negative or NaN counts as 0.
func Extend(planned, ran, limit float64) float64 {
	planned, ran = max(0, number(planned)), max(0, number(ran))
	limit = cmp.Or(max(0, number(limit)), math.Inf(1))
	if ran < planned {
		return min(planned, limit)
	}
	for _, more := range increments {
		if planned+more > ran {
			return min(planned+more, limit)
		}
	}
	return limit
}

// number returns x, and 0 for NaN.
func number(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

// LastTwo predicts that a job runs for as long as the last two of the same key, a user for example,
// on average [3]. The zero value knows no key. After a restart, Add each key's last two runs again:
// nothing older counts. Not safe for concurrent use.
type LastTwo[K comparable] struct {
	runs map[K]*latest
}

// Add tells of a run that has ended. Errors: a time that is negative or not finite; a
// key that is not equal to itself.
func (l *LastTwo[K]) Add(key K, ran float64) error {
	const fn = "backfill.LastTwo.Add"
	if key != key {
		return input.Bad(fn, "key", -1, "not equal to itself")
	}
	if !(ran >= 0 && ran <= math.MaxFloat64) {
		return input.Bad(fn, "ran", -1, "%v, want a finite time of at least 0", ran)
	}
	if l.runs == nil {
		l.runs = make(map[K]*latest)
	}
	if l.runs[key] == nil {
		l.runs[key] = new(latest)
	}
	l.runs[key].add(ran, 2)
	return nil
}

// Predict returns the mean of the key's last two runs. ok is false while there are fewer: take the
// requested time. The prediction may exceed the requested time; take the lesser.
func (l *LastTwo[K]) Predict(key K) (time float64, ok bool) {
	runs := l.runs[key]
	if runs == nil || len(runs.values) < 2 {
		return 0, false
	}
	return runs.values[0]/2 + runs.values[1]/2, true
}
