package audit

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A window that rests finds what it finds when it is told of every stretch.
func TestWindowRests(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		limit := rapid.SampledFrom([]float64{.3, 1, 2.7, 10, math.Inf(1)}).Draw(r, "limit")
		told, rested := window{limit: limit}, window{limit: limit}
		now := rapid.SampledFrom([]float64{0, .1, -7.3}).Draw(r, "begin")
		for _, gap := range rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 0, 0, .1, 1.7, -.3, -1}), 1, 40).Draw(r, "gaps") {
			to := now + rapid.SampledFrom([]float64{.1, .7, 1. / 3, 2}).Draw(r, "length")
			told.add(gap, now, to)
			if gap != 0 || !rested.rests() {
				rested.add(gap, now, to)
			}
			now = to
		}
		if rested.most != told.most || rested.from != told.from || rested.to != told.to {
			r.Fatalf("limit %v: %v from %v to %v, want %v from %v to %v", limit, rested.most, rested.from, rested.to, told.most, told.from, told.to)
		}
	})
}
