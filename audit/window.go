package audit

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
)

// window seeks the interval no longer than limit over which a gap integrates to most, as the gap is
// told stretch by stretch. With sum the integral up to a time, that is the greatest sum(t) -
// sum(s) with s <= t <= s + limit. The sum is linear between knots, so s and t are both knots, or
// one is and the other limit away from it.
type window struct {
	limit float64 // +Inf: none
	sum   dd.T    // up to the end of the last stretch
	last  knot
	// lows are the knots that an interval which ends later may begin at: each has the least sum from
	// it on. Without a limit only the first of them ever counts.
	lows []knot
	// recent are the knots less than limit ago, left the one before them: for a limit alone.
	recent []knot
	left   knot
	passed bool // there is a left

	most     dd.T
	from, to float64
}

// knot is a time at which the gap changes.
type knot struct {
	at  float64
	sum dd.T    // up to at
	gap float64 // from at on
}

// after returns the sum up to a time in the stretch that k begins.
func (k *knot) after(at float64) dd.T { return k.sum.AddFloat(k.gap * (at - k.at)) }

// try considers an interval.
func (w *window) try(sum dd.T, from, to float64) {
	if sum.Cmp(w.most) > 0 {
		w.most, w.from, w.to = sum, from, to
	}
}

// rests reports whether stretches without a gap would change nothing, not even by rounding.
func (w *window) rests() bool { return w.last.gap == 0 && len(w.recent) == 0 }

// add tells of a stretch that begins where the last one ended.
func (w *window) add(gap, from, to float64) {
	limited := !math.IsInf(w.limit, 1)
	if gap != w.last.gap {
		w.last = knot{from, w.sum, gap}
		for len(w.lows) > 0 && w.lows[len(w.lows)-1].sum.Cmp(w.sum) >= 0 {
			w.lows = w.lows[:len(w.lows)-1]
		}
		if limited || len(w.lows) == 0 {
			w.lows = append(w.lows, w.last)
		}
		if limited {
			w.recent = append(w.recent, w.last)
		}
	}
	for len(w.recent) > 0 && w.recent[0].at+w.limit < to {
		w.left, w.passed, w.recent = w.recent[0], true, w.recent[1:]
		end := w.left.at + w.limit
		w.try(w.last.after(end).Sub(w.left.sum), w.left.at, end)
	}
	w.sum = w.last.after(to)
	for len(w.lows) > 0 && w.lows[0].at+w.limit < to {
		w.lows = w.lows[1:]
	}
	if len(w.lows) > 0 {
		w.try(w.sum.Sub(w.lows[0].sum), w.lows[0].at, to)
	}
	if w.passed {
		w.try(w.sum.Sub(w.left.after(to-w.limit)), to-w.limit, to)
	}
}
