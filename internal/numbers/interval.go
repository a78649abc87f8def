package numbers

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// An Interval is the mean of independent values and half the width of its 95% confidence interval,
// by Student's t. Where two means are compared, the values are the ratios or the differences of
// pairs: the same seed under both.
type Interval struct {
	Mean, Half float64
	N          int // of values
}

// Over returns the interval of the values. Of a single value Half is +Inf, so that nothing lies
// above or below.
func Over(values []float64) Interval {
	n := float64(len(values))
	if n < 2 {
		return Interval{Mean(values), math.Inf(1), len(values)}
	}
	return Interval{Mean(values), student(len(values)) * math.Sqrt(variance(values)/n), len(values)}
}

// Column lists a number of each of some things, such as what each seed gave.
func Column[T any](list []T, number func(x *T) float64) []float64 {
	var column []float64
	for i := range list {
		column = append(column, number(&list[i]))
	}
	return column
}

// Across is the interval of a number of what each seed gave.
func Across[T any](seeds []T, number func(x *T) float64) Interval { return Over(Column(seeds, number)) }

// Differences are x[i] - y[i], and Ratios x[i] / y[i]: of numbers by seed.
func Differences(x, y []float64) []float64 {
	return floats.SubTo(make([]float64, len(x)), x, y)
}

func Ratios(x, y []float64) []float64 {
	return floats.DivTo(make([]float64, len(x)), x, y)
}

// Difference and Ratio are the intervals of Differences and of Ratios.
func Difference(x, y []float64) Interval { return Over(Differences(x, y)) }
func Ratio(x, y []float64) Interval      { return Over(Ratios(x, y)) }

// Low and High are the ends of the interval.
func (i Interval) Low() float64  { return i.Mean - i.Half }
func (i Interval) High() float64 { return i.Mean + i.Half }

// Run is half the width of the spread of single values: one more, of the same law, lies within it
// of the mean with a probability of 95%. With fewer than ten values it is that of ten with their
// standard deviation: by Student's t three would let pass five standard deviations, ten 2.37.
func (i Interval) Run() float64 {
	const few = 10
	if i.N < 2 || i.N >= few {
		return i.Half * math.Sqrt(float64(i.N+1))
	}
	return i.Half * math.Sqrt(float64(i.N)) / student(i.N) * student(few) * math.Sqrt(1+1./few)
}

// student is the 97.5% quantile of Student's t for the mean of n values.
func student(n int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975)
}

// Over is how far the mean lies above x, in half widths of the interval: above 1 the interval lies
// above x, below -1 it lies below. Where all values agree it is 0: an infinite Margin is that of a
// claim without repetitions, and a few that agree do not tell how often others differ.
func (i Interval) Over(x float64) float64 {
	if i.Mean == x || i.Half == 0 {
		return 0
	}
	return (i.Mean - x) / i.Half
}

// String writes the interval for people.
func (i Interval) String() string { return Short(i.Mean) + " ± " + Short2(i.Half) }
