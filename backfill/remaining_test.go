package backfill_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// TestRemainingByDefinition: a quantile is that of the runs that were longer, of the key where there
// are 20, by a list of all.
func TestRemainingByDefinition(t *testing.T) {
	type run struct {
		key            int
		requested, ran float64
	}
	rapid.Check(t, func(t *rapid.T) {
		var r backfill.Remaining[int]
		var runs []run
		value := rapid.SampledFrom([]float64{0, 1, 2, 3, 5, 8, 10})
		request := rapid.SampledFrom([]float64{0, 4, 8, 16, math.Inf(1)})
		for range rapid.IntRange(0, 60).Draw(t, "runs") {
			x := run{rapid.IntRange(0, 1).Draw(t, "key"), request.Draw(t, "requested"), value.Draw(t, "ran")}
			must(t, r.Add(x.key, x.requested, x.ran))
			runs = append(runs, x)
		}
		key, requested, age := rapid.IntRange(0, 2).Draw(t, "key"), request.Draw(t, "requested"), value.Draw(t, "age")
		u := float64(rapid.IntRange(0, 7).Draw(t, "eighths")) / 8
		unknown := func(requested float64) bool { return requested == 0 || math.IsInf(requested, 1) }
		var own, all []float64 // of as long a request
		for _, x := range runs {
			if unknown(x.requested) != unknown(requested) {
				continue
			}
			as := x.ran
			if !unknown(requested) {
				as = x.ran * requested / x.requested // powers of two: exact
			}
			if all = append(all, as); x.key == key {
				own = append(own, as)
			}
		}
		if len(own) >= 20 {
			all = own
		}
		longer := slices.DeleteFunc(slices.Clone(all), func(ran float64) bool { return age > 0 && ran <= age })
		slices.Sort(longer)
		want := math.Inf(1)
		switch {
		case len(longer) > 0:
			want = longer[int(u*float64(len(longer)))] - age
		case !unknown(requested):
			want = max(0, requested-age)
		case len(all) > 0:
			want = age / (1 - u) * u
		}
		if got := r.Quantile(key, requested, age, u); got != want && !(math.Abs(got-want) <= 1e-12*want) {
			t.Fatalf("Quantile(%d, %v, %v, %v) = %v, want %v, after %v", key, requested, age, u, got, want, runs)
		}
	})
}

// TestRemainingForgets: the last 1,000 runs count.
func TestRemainingForgets(t *testing.T) {
	var r backfill.Remaining[string]
	for i := range 1500 {
		ran := 100.
		if i >= 500 {
			ran = 50
		}
		must(t, r.Add("a", 100, ran))
	}
	if got := r.Quantile("b", 10, 0, .999); got != 5 {
		t.Errorf("Quantile = %v after 1,000 runs of half their requests, want 5", got)
	}
}

func TestRemainingRefuses(t *testing.T) {
	var r backfill.Remaining[float64]
	nan, inf := math.NaN(), math.Inf(1)
	must(t, r.Add(1, 4, 2))
	expect.Refused(t, "backfill.Remaining.Add", r.Add, func() any { return r.Quantile(1, 4, 0, 0) },
		expect.Bad("key", -1, nan, 1, 1), expect.Bad("requested", -1, 1, -1, 1), expect.Bad("requested", -1, 1, nan, 1),
		expect.Bad("ran", -1, 1, 1, -1), expect.Bad("ran", -1, 1, 1, inf), expect.Bad("ran", -1, 1, 1, nan))
	odd := []float64{nan, -1, 0, 5e-324, 1e-300, 1, 1e300, math.MaxFloat64, inf, -inf}
	for _, requested := range odd {
		for _, ran := range odd {
			r.Add(1, requested, ran)
		}
	}
	for _, requested := range odd {
		for _, age := range odd {
			for _, u := range odd {
				if got := r.Quantile(1, requested, age, u); !(got >= 0) {
					t.Errorf("Quantile(1, %v, %v, %v) = %v, want at least 0", requested, age, u, got)
				}
			}
		}
	}
}
