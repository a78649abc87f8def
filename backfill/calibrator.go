package backfill

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Outcome is a forecast and what came of it.
type Outcome struct {
	Given    float64 // when it was forecast
	Forecast Interval
	Start    float64 // at least Given
}

// CalibratorOptions are the settings of a Calibrator.
type CalibratorOptions struct {
	Level float64 // part of the starts that intervals are to hold, in (0, 1); 0: .9
	// Least is the wait below which errors count by their size, above it by their ratio; 0: a
	// hundredth of the median of the last 500 waits above 0.
	Least float64
}

const (
	remembered = 500 // outcomes whose errors count
	enough     = 20  // outcomes from which on a bound is moved
)

// A Calibrator moves the bounds of forecasts by the errors of earlier ones. With the wait w until
// the start and b until a bound, its error is (w + Least) / (b + Least). The bound is moved to where
// the error would be the quantile of the last 500 that it stands for: (1-Level)/2 for Low, 1/2 for
// Median and (1+Level)/2 for High, each by itself. Until 20 errors are known a bound stays.
//
// While outcomes come from one law, each bound is exceeded as often as it should be [4]; under drift
// nothing is promised, nor ever for any one forecast. Outcomes are added in the order in which starts
// become known. Not safe for concurrent use.
type Calibrator struct {
	options CalibratorOptions
	known   [4]latest // errors of Low, Median and High; waits above 0
}

// NewCalibrator returns a Calibrator that knows no outcome. Errors: a Level outside [0, 1); a Least
// that is negative or not finite.
func NewCalibrator(o CalibratorOptions) (*Calibrator, error) {
	if err := o.check("backfill.NewCalibrator", "o"); err != nil {
		return nil, err
	}
	return &Calibrator{options: o}, nil
}

func (o *CalibratorOptions) check(fn, arg string) error {
	if !(o.Level >= 0 && o.Level < 1) {
		return input.Bad(fn, arg, -1, "Level is %v, want 0, or more and less than 1", o.Level)
	}
	if !(o.Least >= 0 && finite(o.Least)) {
		return input.Bad(fn, arg, -1, "Least is %v, want 0, or more and finite", o.Least)
	}
	return nil
}

// least returns what is added to waits; 0: no wait above 0 is known.
func (c *Calibrator) least() float64 {
	waits := c.known[3].sorted
	if c.options.Least > 0 || len(waits) == 0 {
		return c.options.Least
	}
	return rank(waits, .5) / 100
}

// Add takes what came of a forecast as it was before it was calibrated. A bound that is not finite
// teaches nothing; nor, where Least is 0, do starts at once before the first that had to wait. A job
// that never starts is never added. Cost: O(log 500), and at most 500 numbers moved.
//
// Errors: those of [Calibrator.Interval]; a Start that is before Given or not finite.
func (c *Calibrator) Add(o Outcome) error {
	const fn = "backfill.Calibrator.Add"
	if !sound(o.Given, o.Forecast) {
		return input.Bad(fn, "o", -1, "Forecast is %v, given at %v, want %s", o.Forecast, o.Given, inOrder)
	}
	wait := o.Start - o.Given
	if !(wait >= 0 && finite(wait)) {
		return input.Bad(fn, "o", -1, "Start is %v, want a finite time from %v, Given, on", o.Start, o.Given)
	}
	if wait > 0 {
		c.known[3].add(wait, remembered)
	}
	least := c.least()
	for k, bound := range [3]float64{o.Forecast.Low, o.Forecast.Median, o.Forecast.High} {
		if e := (wait + least) / (bound - o.Given + least); least > 0 && finite(e) && finite(bound) {
			c.known[k].add(e, remembered)
		}
	}
	return nil
}

// Interval returns what a forecast made at given becomes by the outcomes so far: its bounds are moved,
// not to before given, and sorted. A bound that is not finite stays.
//
// Errors: a given that is not finite; bounds that are NaN, before given or not in order.
func (c *Calibrator) Interval(given float64, f Interval) (Interval, error) {
	if !sound(given, f) {
		return Interval{}, input.Bad("backfill.Calibrator.Interval", "f", -1, "%v at %v, want %s", f, given, inOrder)
	}
	level := cmp.Or(c.options.Level, .9)
	bounds := [3]float64{f.Low, f.Median, f.High}
	least := c.least()
	for k, q := range [3]float64{(1 - level) / 2, .5, (1 + level) / 2} {
		from := bounds[k] - given + least
		if errors := c.known[k].sorted; len(errors) >= enough && finite(from) {
			bounds[k] = max(given, given+(float64(from*rank(errors, q))-least))
		}
	}
	slices.Sort(bounds[:])
	return Interval{bounds[0], bounds[1], bounds[2]}, nil
}

const inOrder = "a finite time and no bound before it or before a lower one"

func sound(given float64, f Interval) bool {
	return finite(given) && given <= f.Low && f.Low <= f.Median && f.Median <= f.High
}

// CalibratorSnapshot is what a Calibrator knows, as plain data, fit for JSON.
type CalibratorSnapshot struct {
	Version int       `json:"version"` // 1
	Level   float64   `json:"level"`
	Least   float64   `json:"least"`
	Waits   []float64 `json:"waits,omitempty"` // the last 500 above 0, the oldest first
	// Low, Median and High are the last 500 errors of each bound, the oldest first
	Low    []float64 `json:"low,omitempty"`
	Median []float64 `json:"median,omitempty"`
	High   []float64 `json:"high,omitempty"`
}

// Snapshot returns what the calibrator knows as data that shares nothing with it.
func (c *Calibrator) Snapshot() CalibratorSnapshot {
	values := func(k int) []float64 { return slices.Clone(c.known[k].values) }
	return CalibratorSnapshot{Version: 1, Level: c.options.Level, Least: c.options.Least, Low: values(0), Median: values(1), High: values(2), Waits: values(3)}
}

// RestoreCalibrator returns a Calibrator that gives the same answers, to the bit, as the one that s
// was taken from. s is not kept.
//
// Errors: another Version; settings that NewCalibrator refuses; more than 500 waits or errors; a wait
// that is not above 0 or an error that is negative; numbers that are not finite.
func RestoreCalibrator(s CalibratorSnapshot) (*Calibrator, error) {
	const fn = "backfill.RestoreCalibrator"
	if s.Version != 1 {
		return nil, input.Bad(fn, "s", -1, "Version is %d, want 1", s.Version)
	}
	c := &Calibrator{options: CalibratorOptions{Level: s.Level, Least: s.Least}}
	if err := c.options.check(fn, "s"); err != nil {
		return nil, err
	}
	for k, values := range [4][]float64{s.Low, s.Median, s.High, s.Waits} {
		if len(values) > remembered {
			return nil, input.Bad(fn, "s", -1, "%d waits or errors, want at most %d", len(values), remembered)
		}
		for i, x := range values {
			if !(x >= 0 && finite(x)) || k == 3 && x == 0 {
				return nil, input.Bad(fn, "s", i, "a wait or error of %v", x)
			}
			c.known[k].add(x, remembered)
		}
	}
	return c, nil
}

// latest are the last values that were added, and the same in ascending order.
type latest struct{ values, sorted []float64 }

// add adds a value, and forgets the oldest where there are most.
func (l *latest) add(x float64, most int) {
	if len(l.values) == most {
		k, _ := slices.BinarySearch(l.sorted, l.values[0])
		l.sorted, l.values = slices.Delete(l.sorted, k, k+1), slices.Delete(l.values, 0, 1)
	}
	k, _ := slices.BinarySearch(l.sorted, x)
	l.sorted, l.values = slices.Insert(l.sorted, k, x), append(l.values, x)
}
