package draw

import "github.com/schedmath/schedmath/internal/numbers"

// Curve is Look with small marks over x, or over 1, 2 and so on where x is nil.
func Curve(k int, label string, x, y []float64) Series {
	for i := len(x); i < len(y); i++ {
		x = append(x, float64(i+1))
	}
	s := Look(k, label)
	s.X, s.Y, s.Radius = x, y, 2
	return s
}

// Means is the Curve of the means of intervals, with their halves as whiskers.
func Means(k int, label string, x []float64, list []numbers.Interval) Series {
	s := Curve(k, label, x, numbers.Column(list, func(i *numbers.Interval) float64 { return i.Mean }))
	s.Spread = numbers.Column(list, func(i *numbers.Interval) float64 { return i.Half })
	return s
}

// Add appends the mean of what each seed gave to Y, and the values to Seeds, and returns the
// interval. X is the caller's; Points does without.
func (s *Series) Add(values []float64) numbers.Interval {
	i := numbers.Over(values)
	s.Y, s.Seeds = append(s.Y, i.Mean), append(s.Seeds, values)
	return i
}
