package backfill_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var must = expect.Must

// TestCalibrateCovers: forecasts that are far too narrow, and off to one side, come to hold nine of
// ten starts, of a steady law and of one whose spread grows tenfold on the way.
func TestCalibrateCovers(t *testing.T) {
	for _, drift := range []float64{1, 10} {
		random := rand.New(rand.NewPCG(7, 8))
		past := make([]backfill.Outcome, 20000)
		for i := range past {
			at := 1000 * random.Float64()
			spread := 50 * math.Pow(drift, float64(i)/float64(len(past)))
			past[i] = backfill.Outcome{Forecast: backfill.Interval{Low: at - 5, Median: at, High: at + 5}, Start: at + 20 + spread*random.NormFloat64()}
		}
		got, err := backfill.Calibrate(nil, past, .9)
		if err != nil || len(got) != len(past) {
			t.Fatal(err, len(got))
		}
		hit := 0
		for i, f := range got {
			if f.Low <= past[i].Start && past[i].Start <= f.High {
				hit++
			}
		}
		// Two-sided binomial bound of 19,000 later draws at five standard deviations: .011.
		if part := float64(hit) / float64(len(past)); math.Abs(part-.9) > .011 {
			t.Errorf("with a drift of %v, %.4f of the starts lie within, want .9", drift, part)
		}
	}
}

// TestCalibrateLooksBack: an interval does not change by what comes after it, those without a known
// start teach nothing, bounds stay in order, and nothing is NaN, whatever the numbers.
func TestCalibrateLooksBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]float64{math.Inf(-1), -math.MaxFloat64, -5, 0, 1, 2, 2.5, 100, math.MaxFloat64, math.Inf(1)})
		var past []backfill.Outcome
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			bounds := []float64{value.Draw(t, "bound"), value.Draw(t, "bound"), value.Draw(t, "bound")}
			slices.Sort(bounds)
			past = append(past, backfill.Outcome{
				Forecast: backfill.Interval{Low: bounds[0], Median: bounds[1], High: bounds[2]},
				Start:    max(value.Draw(t, "start"), -math.MaxFloat64),
			})
		}
		level := rapid.SampledFrom([]float64{.5, .9, .99}).Draw(t, "level")
		all, err := backfill.Calibrate(nil, past, level)
		must(t, err)
		var known []backfill.Outcome
		for i, f := range all {
			if !(f.Low <= f.Median && f.Median <= f.High) || f.Median != past[i].Forecast.Median {
				t.Fatalf("%v becomes %v", past[i].Forecast, f)
			}
			prefix, err := backfill.Calibrate(nil, append(slices.Clone(known), past[i]), level)
			if err != nil || prefix[len(known)] != f {
				t.Fatalf("outcome %d: %v by those before it alone, %v with all: %v", i, prefix[len(known)], f, err)
			}
			if !math.IsInf(past[i].Start, 1) {
				known = append(known, past[i])
			}
		}
	})
}

func TestCalibrateRefuses(t *testing.T) {
	type past = []backfill.Outcome
	nan, dst := math.NaN(), []backfill.Interval{{Low: 1, Median: 1, High: 1}}
	good := backfill.Outcome{Forecast: backfill.Interval{Low: 1, Median: 2, High: 3}, Start: 2}
	expect.Refused(t, "backfill.Calibrate", backfill.Calibrate, nil,
		expect.Bad("level", -1, dst, nil, 0), expect.Bad("level", -1, dst, nil, 1), expect.Bad("level", -1, dst, nil, nan),
		expect.Bad("past", 1, dst, past{good, {Forecast: backfill.Interval{Low: 3, Median: 2, High: 3}}}, .9),
		expect.Bad("past", 0, dst, past{{Forecast: backfill.Interval{Low: 1, Median: nan, High: 3}}}, .9),
		expect.Bad("past", 0, dst, past{{Forecast: good.Forecast, Start: nan}}, .9),
	)
}

func ExampleCalibrate() {
	// Twenty forecasts of 10 to 20 minutes, jobs that started two minutes after that, and a new one.
	var past []backfill.Outcome
	for range 20 {
		past = append(past, backfill.Outcome{Forecast: backfill.Interval{Low: 600, Median: 900, High: 1200}, Start: 1320})
	}
	past = append(past, backfill.Outcome{Forecast: backfill.Interval{Low: 0, Median: 60, High: 300}, Start: math.Inf(1)})
	intervals, err := backfill.Calibrate(nil, past, .9)
	if err != nil {
		panic(err)
	}
	fmt.Println(intervals[20].High - 300)
	// Output: 120
}
