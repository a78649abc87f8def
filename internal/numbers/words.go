package numbers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Full writes x with the fewest digits that read back as x, and NaN as NA.
func Full(x float64) string {
	if x != x {
		return "NA"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Short writes x for people: four significant digits, from 10,000 on the whole part and from
// 1,000,000 on two digits and a power of ten; NaN as NA.
func Short(x float64) string {
	switch rounded := math.Abs(math.Round(x)); {
	case x != x:
		return "NA"
	case rounded >= 1e6 && !math.IsInf(x, 0):
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 1, 64), "e+")
		return mantissa + "e" + strings.TrimPrefix(exponent, "0")
	case rounded >= 1e4:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// Words writes a list, with sep between two.
func Words[T any](list []T, sep string, word func(x T) string) string {
	var words []string
	for _, x := range list {
		words = append(words, word(x))
	}
	return strings.Join(words, sep)
}

// Fixed writes x with two decimals, NaN as NA.
func Fixed(x float64) string {
	if x != x {
		return "NA"
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// PlusMinus writes the mean of independent values with two decimals, and their standard deviation
// if there are several.
func PlusMinus(values []float64) string {
	if len(values) < 2 {
		return Fixed(Mean(values))
	}
	return Fixed(Mean(values)) + " ± " + Fixed(SD(values))
}

// Count is a number with its noun: "1 claim", "3 claims".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Short2 writes x with two significant digits, or its whole part where that is longer.
func Short2(x float64) string {
	if !(math.Abs(x) < 10) {
		return Short(math.Round(x))
	}
	scale := math.Pow(10, math.Floor(math.Log10(math.Max(math.Abs(x), 1e-9)))-1)
	return Short(math.Round(x/scale) * scale)
}

// Middle writes the range from the 16% to the 84% quantile of values.
func Middle(values []float64, word func(float64) string) string {
	sorted := slices.Sorted(slices.Values(values))
	return word(Quantile(sorted, .16)) + " to " + word(Quantile(sorted, .84))
}
