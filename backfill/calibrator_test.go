package backfill_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var must = expect.Must

func newCalibrator(t testing.TB, o backfill.CalibratorOptions) *backfill.Calibrator {
	t.Helper()
	c, err := backfill.NewCalibrator(o)
	must(t, err)
	return c
}

// TestCalibratorCovers: forecasts that are far too early come to hold nine of ten starts, half of
// them before the median and one in twenty beyond each bound, of a steady law and of one that grows
// tenfold on the way, in any unit of time.
func TestCalibratorCovers(t *testing.T) {
	for _, drift := range []float64{1, 10} {
		for _, unit := range []float64{1, 1e-6} {
			random := rand.New(rand.NewPCG(7, 8))
			c := newCalibrator(t, backfill.CalibratorOptions{})
			const n = 20000
			var low, median, high int
			for i := range n {
				given := 1e6 * random.Float64() * unit
				size := math.Pow(drift, float64(i)/n) * math.Exp(3*random.NormFloat64()) * unit
				o := backfill.Outcome{Given: given, Forecast: backfill.Interval{Low: given + size, Median: given + 1.1*size, High: given + 1.2*size},
					Start: given + 5*size*math.Exp(random.NormFloat64())}
				f, err := c.Interval(given, o.Forecast)
				must(t, err)
				if o.Start < f.Low {
					low++
				}
				if o.Start <= f.Median {
					median++
				}
				if o.Start > f.High {
					high++
				}
				must(t, c.Add(o))
			}
			// Binomial bounds of n draws at five standard deviations: .0077 at .05, .018 at .5. What a
			// quantile of 500 errors misses is itself off by .0097, over n/500 windows in the mean by .0016.
			for _, m := range []struct {
				what      string
				part, off float64
				want      float64
			}{{"before Low", float64(low) / n, .01, .05}, {"up to Median", float64(median) / n, .022, .5}, {"beyond High", float64(high) / n, .01, .05}} {
				if math.Abs(m.part-m.want) > m.off {
					t.Errorf("drift %v, unit %v: %.4f of the starts lie %s, want %v", drift, unit, m.part, m.what, m.want)
				}
			}
		}
	}
}

// plainInterval is the rule of a Calibrator, on all outcomes anew, with logarithms. Each outcome's
// errors are by the least wait as it was known then.
func plainInterval(past []backfill.Outcome, o backfill.CalibratorOptions, given float64, f backfill.Interval) [3]float64 {
	var errs [3][]float64
	least := o.Least
	var waits []float64
	for _, x := range past {
		if x.Start > x.Given {
			waits = append(waits, x.Start-x.Given)
		}
		if o.Least == 0 && len(waits) > 0 {
			last := slices.Clone(waits[max(0, len(waits)-500):])
			slices.Sort(last)
			least = last[(len(last)-1)/2] / 100
		}
		for k, b := range []float64{x.Forecast.Low, x.Forecast.Median, x.Forecast.High} {
			if !math.IsInf(b, 1) && least > 0 {
				errs[k] = append(errs[k], math.Log(x.Start-x.Given+least)-math.Log(b-x.Given+least))
			}
		}
	}
	bounds := [3]float64{f.Low, f.Median, f.High}
	for k, q := range []float64{(1 - o.Level) / 2, .5, (1 + o.Level) / 2} {
		if len(errs[k]) < 20 || math.IsInf(bounds[k], 1) {
			continue
		}
		last := slices.Clone(errs[k][max(0, len(errs[k])-500):])
		slices.Sort(last)
		r := 0
		for float64(r+1) < q*float64(len(last)) {
			r++
		}
		bounds[k] = max(given, given+math.Exp(math.Log(bounds[k]-given+least)+last[r])-least)
	}
	slices.Sort(bounds[:])
	return bounds
}

// drawOutcome draws a forecast and its start; now and then a bound is infinite, or a wait 0.
func drawOutcome(random *rand.Rand) backfill.Outcome {
	wait := func() float64 {
		switch random.IntN(12) {
		case 0:
			return 0
		case 1:
			return math.Inf(1)
		}
		return math.Exp(2 * random.NormFloat64())
	}
	given := 10 * random.Float64()
	bounds := []float64{given + wait(), given + wait(), given + wait()}
	slices.Sort(bounds)
	o := backfill.Outcome{Given: given, Forecast: backfill.Interval{Low: bounds[0], Median: bounds[1], High: bounds[2]}, Start: given + wait()}
	if math.IsInf(o.Start, 1) {
		o.Start = given
	}
	return o
}

// TestCalibratorByDefinition: an interval is what the definition makes of the outcomes so far, by
// 700 outcomes, and follows only from them; one restored from a snapshot on the way gives the same bits.
func TestCalibratorByDefinition(t *testing.T) {
	for i, o := range []backfill.CalibratorOptions{{Level: .9, Least: 1}, {Level: .5}, {Level: .8, Least: .01}} {
		random := rand.New(rand.NewPCG(3, uint64(i)))
		c := newCalibrator(t, o)
		var past []backfill.Outcome
		for n := range 700 {
			x := drawOutcome(random)
			if n < 30 { // before the first wait nothing is learnt where Least is 0
				x.Start = x.Given
			}
			got, err := c.Interval(x.Given, x.Forecast)
			must(t, err)
			if n < 100 || n%50 == 0 {
				want := plainInterval(past, o, x.Given, x.Forecast)
				for k, g := range []float64{got.Low, got.Median, got.High} {
					if g != want[k] && !(math.Abs(g-want[k]) <= 1e-9*math.Abs(want[k])) {
						t.Fatalf("%+v, after %d outcomes: Interval(%v, %v) = %v, want %v", o, n, x.Given, x.Forecast, got, want)
					}
				}
				restored, err := backfill.RestoreCalibrator(c.Snapshot())
				must(t, err)
				if again, err := restored.Interval(x.Given, x.Forecast); err != nil || again != got {
					t.Fatalf("restored: Interval(%v, %v) = %v, %v, want %v", x.Given, x.Forecast, again, err, got)
				}
				if n == 300 {
					c = restored
				}
			}
			past = append(past, x)
			must(t, c.Add(x))
		}
	}
}

// TestCalibratorScales: in a unit that is a power of two of another the same intervals come out.
func TestCalibratorScales(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	a, b := newCalibrator(t, backfill.CalibratorOptions{}), newCalibrator(t, backfill.CalibratorOptions{})
	const unit = 1 << 10
	for range 100 {
		o := drawOutcome(random)
		x := backfill.Outcome{Given: o.Given * unit, Forecast: backfill.Interval{Low: o.Forecast.Low * unit, Median: o.Forecast.Median * unit, High: o.Forecast.High * unit}, Start: o.Start * unit}
		f, err := a.Interval(o.Given, o.Forecast)
		must(t, err)
		g, err := b.Interval(x.Given, x.Forecast)
		must(t, err)
		if want := (backfill.Interval{Low: f.Low * unit, Median: f.Median * unit, High: f.High * unit}); g != want {
			t.Fatalf("Interval = %v, want %v", g, want)
		}
		must(t, a.Add(o))
		must(t, b.Add(x))
	}
}

func TestCalibratorRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	type options = backfill.CalibratorOptions
	expect.Refused(t, "backfill.NewCalibrator", backfill.NewCalibrator, nil,
		expect.Bad("o", -1, options{Level: 1}), expect.Bad("o", -1, options{Level: -.1}), expect.Bad("o", -1, options{Level: nan}),
		expect.Bad("o", -1, options{Least: -1}), expect.Bad("o", -1, options{Least: inf}), expect.Bad("o", -1, options{Least: nan}))
	c := newCalibrator(t, options{})
	good := backfill.Interval{Low: 1, Median: 2, High: 3}
	must(t, c.Add(backfill.Outcome{Forecast: good, Start: 2}))
	kept := func() any { return c.Snapshot() }
	forecasts := []struct {
		given float64
		f     backfill.Interval
	}{{nan, good}, {-inf, good}, {inf, backfill.Interval{Low: inf, Median: inf, High: inf}}, {2, good}, {0, backfill.Interval{Low: 3, Median: 2, High: 3}},
		{0, backfill.Interval{Low: 1, Median: nan, High: 3}}, {0, backfill.Interval{Low: nan, Median: 2, High: 3}}, {0, backfill.Interval{Low: 1, Median: 2, High: nan}}}
	for _, x := range forecasts {
		expect.Refused(t, "backfill.Calibrator.Interval", c.Interval, kept, expect.Bad("f", -1, x.given, x.f))
		expect.Refused(t, "backfill.Calibrator.Add", c.Add, kept, expect.Bad("o", -1, backfill.Outcome{Given: x.given, Forecast: x.f, Start: x.given}))
	}
	for _, start := range []float64{-1, nan, inf, -inf} {
		expect.Refused(t, "backfill.Calibrator.Add", c.Add, kept, expect.Bad("o", -1, backfill.Outcome{Forecast: good, Start: start}))
	}
	expect.Refused(t, "backfill.Calibrator.Add", c.Add, kept, expect.Bad("o", -1, backfill.Outcome{Given: -math.MaxFloat64, Forecast: good, Start: math.MaxFloat64}))
}

var calibrators = expect.RoundTrip[backfill.CalibratorSnapshot, *backfill.Calibrator]{
	Func: "backfill.RestoreCalibrator", Restore: backfill.RestoreCalibrator, Snapshot: (*backfill.Calibrator).Snapshot,
	GoOn: func(t testing.TB, c *backfill.Calibrator, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		for range 40 {
			must(t, c.Add(drawOutcome(random)))
		}
	},
}

func TestCalibratorSnapshot(t *testing.T) {
	calibrators.Drawn(t, 200, func(random *rand.Rand) *backfill.Calibrator {
		c := newCalibrator(t, backfill.CalibratorOptions{Level: .8, Least: float64(random.IntN(2))})
		for range random.IntN(5) { // few: most numbers are fit for errors and waits
			must(t, c.Add(drawOutcome(random)))
		}
		return c
	})
	type snapshot = backfill.CalibratorSnapshot
	c := newCalibrator(t, backfill.CalibratorOptions{})
	calibrators.GoOn(t, c, 1)
	calibrators.Refuses(t, c.Snapshot,
		expect.Spoilt("another version", -1, func(s *snapshot) { s.Version = 2 }),
		expect.Spoilt("a level of 1", -1, func(s *snapshot) { s.Level = 1 }),
		expect.Spoilt("a negative least", -1, func(s *snapshot) { s.Least = -1 }),
		expect.Spoilt("a wait of 0", 1, func(s *snapshot) { s.Waits[1] = 0 }),
		expect.Spoilt("a negative error", 2, func(s *snapshot) { s.High[2] = -1 }),
		expect.Spoilt("too many errors", -1, func(s *snapshot) { s.Low = make([]float64, 501) }))
}

// FuzzCalibrator: whatever the numbers, an InputError, or bounds in order from given on.
func FuzzCalibrator(f *testing.F) {
	drawn.Fuzz(f, 200, 40, func(t *testing.T, b drawn.Bytes) bool {
		number := func() float64 {
			if b.Below(3) == 0 {
				return b.Number()
			}
			return float64(b.Below(100))
		}
		c, err := backfill.NewCalibrator(backfill.CalibratorOptions{Level: float64(b.Below(100)) / 100, Least: number()})
		if err != nil {
			return false
		}
		asked := 0
		for range 60 {
			bounds := []float64{number(), number(), number()}
			slices.Sort(bounds)
			o := backfill.Outcome{Given: number(), Forecast: backfill.Interval{Low: bounds[0], Median: bounds[1], High: bounds[2]}, Start: number()}
			got, err := c.Interval(o.Given, o.Forecast)
			switch {
			case err != nil && !errors.Is(err, schedmath.ErrInput):
				t.Fatal(err)
			case err == nil && !(o.Given <= got.Low && got.Low <= got.Median && got.Median <= got.High):
				t.Fatalf("Interval(%v, %v) = %v", o.Given, o.Forecast, got)
			case err == nil:
				asked++
			}
			if err := c.Add(o); err != nil && !errors.Is(err, schedmath.ErrInput) {
				t.Fatal(err)
			}
		}
		if text, err := json.Marshal(c.Snapshot()); err != nil {
			t.Fatalf("%s, %v", text, err)
		}
		return asked > 20
	})
}

func ExampleCalibrator() {
	c, err := backfill.NewCalibrator(backfill.CalibratorOptions{Least: 60})
	if err != nil {
		panic(err)
	}
	// Twenty jobs were to start after 10 to 20 minutes, and did after 43.
	for range 20 {
		if err := c.Add(backfill.Outcome{Forecast: backfill.Interval{Low: 600, Median: 900, High: 1200}, Start: 2580}); err != nil {
			panic(err)
		}
	}
	f, err := c.Interval(5000, backfill.Interval{Low: 5000, Median: 5100, High: 5240})
	if err != nil {
		panic(err)
	}
	fmt.Printf("after %.0f, %.0f and %.0f s\n", f.Low-5000, f.Median-5000, f.High-5000)
	// Output: after 180, 380 and 569 s
}

func BenchmarkCalibrator(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	outcomes := make([]backfill.Outcome, 1000)
	for i := range outcomes {
		outcomes[i] = drawOutcome(random)
	}
	c := newCalibrator(b, backfill.CalibratorOptions{})
	i := 0
	for b.Loop() {
		o := outcomes[i%len(outcomes)]
		must(b, c.Add(o))
		if f, err := c.Interval(o.Given, o.Forecast); err != nil || !(f.Low >= o.Given) {
			b.Fatal(f, err)
		}
		i++
	}
}
