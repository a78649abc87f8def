package numbers

import (
	"math"
	"slices"
)

// Number returns how many things of a list a condition holds for.
func Number[T any](list []T, holds func(x T) bool) int {
	n := 0
	for _, x := range list {
		if holds(x) {
			n++
		}
	}
	return n
}

// Mean returns the mean, summed in the order of the values; of no values NaN.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// SD returns the standard deviation of independent values; of fewer than two NaN.
func SD(values []float64) float64 {
	if len(values) < 2 {
		return math.NaN()
	}
	return math.Sqrt(variance(values))
}

// variance is the square of SD.
func variance(values []float64) float64 {
	m, sum := Mean(values), 0.0
	for _, v := range values {
		sum += float64((v - m) * (v - m))
	}
	return sum / float64(len(values)-1)
}

// Quantile returns the p-quantile of values in ascending order, 0 <= p <= 1, by linear
// interpolation between the two values around place p (n - 1) counted from 0; of no values NaN.
func Quantile(sorted []float64, p float64) float64 {
	n := len(sorted)
	if n == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	place := p * float64(n-1)
	i := int(place)
	if i+1 >= n {
		return sorted[n-1]
	}
	return sorted[i] + float64((place-float64(i))*(sorted[i+1]-sorted[i]))
}

// Median is the median of values in any order; of none NaN.
func Median(values []float64) float64 { return Quantile(slices.Sorted(slices.Values(values)), .5) }
