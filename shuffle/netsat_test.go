package shuffle_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/shuffle"
)

// TestSaturated: the paper's 500 Mbps links and threshold of 400, each way, and links without a
// limit or without capacity.
func TestSaturated(t *testing.T) {
	for _, c := range []struct {
		used, capacity shuffle.Link
		threshold      float64
		want           bool
	}{
		{shuffle.Link{Out: 400, In: 400}, shuffle.Link{Out: 500, In: 500}, 0, false},
		{shuffle.Link{Out: 400.001}, shuffle.Link{Out: 500, In: 500}, 0, true},
		{shuffle.Link{In: 400.001}, shuffle.Link{Out: 500, In: 500}, 0, true},
		{shuffle.Link{Out: 400.001}, shuffle.Link{Out: 500, In: 500}, .9, false},
		{shuffle.Link{Out: 500, In: 500}, shuffle.Link{Out: 500, In: 500}, 1, false},
		{shuffle.Link{Out: 450, In: 30}, shuffle.Link{Out: 600, In: 30}, 0, true},
		{shuffle.Link{Out: 1e30, In: 1}, shuffle.Link{Out: inf, In: 2}, 0, false},
		{shuffle.Link{}, shuffle.Link{}, 0, false},
		{shuffle.Link{In: 1e-300}, shuffle.Link{}, 0, true},
	} {
		got, err := shuffle.Saturated([]bool{true}, []shuffle.Link{{}, c.used}, []shuffle.Link{{Out: 1}, c.capacity}, c.threshold)
		if err != nil || !slices.Equal(got, []bool{true, false, c.want}) {
			t.Errorf("Saturated(%v, %v, %v) = %v, %v, want %t", c.used, c.capacity, c.threshold, got, err, c.want)
		}
	}
}

// TestSaturatedLaws: turning a link around and another unit of bytes change nothing; more traffic
// never ends saturation.
func TestSaturatedLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Map(rapid.IntRange(0, 20), func(k int) float64 { return float64(k) })
		u, c := shuffle.Link{Out: rate.Draw(t, "out"), In: rate.Draw(t, "in")}, shuffle.Link{Out: rate.Draw(t, "out limit"), In: rate.Draw(t, "in limit")}
		threshold := float64(rapid.IntRange(1, 8).Draw(t, "threshold/8")) / 8
		got, err := shuffle.Saturated(nil,
			[]shuffle.Link{u, {Out: u.In, In: u.Out}, {Out: u.Out / 1024, In: u.In / 1024}, {Out: u.Out + 1, In: u.In}},
			[]shuffle.Link{c, {Out: c.In, In: c.Out}, {Out: c.Out / 1024, In: c.In / 1024}, c}, threshold)
		if err != nil || got[0] != (u.Out > threshold*c.Out || u.In > threshold*c.In) || got[1] != got[0] || got[2] != got[0] || got[0] && !got[3] {
			t.Fatalf("Saturated(%v of %v, %v), turned around, scaled, with more = %v, %v", u, c, threshold, got, err)
		}
	})
}
