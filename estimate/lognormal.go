package estimate

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
)

// LogNormal is the distribution of a ratio whose natural logarithm is normal with mean Mu and
// standard deviation Sigma. As a model of estimate / size, Mu > 0 is a bias to over-estimation.
// HFSP measured Mu 0.0976, Sigma 0.411 for MAP and 0.0878, 0.228 for REDUCE phases [HFSP IV-C].
//
// Mu is finite, Sigma finite and >= 0; methods of any other return an error. The zero value is the
// ratio 1: estimates are the sizes.
type LogNormal struct{ Mu, Sigma float64 }

// FitLogNormal returns the log-normal distribution of the greatest likelihood for ratios, at least
// one, each finite and > 0 [HFSP IV-C]: Mu is the mean of their logarithms, Sigma the root of the
// mean squared deviation from it, divided by n. Equal ratios give Sigma 0 exactly; their order does
// not matter.
func FitLogNormal(ratios []float64) (LogNormal, error) {
	logs, err := sortedLogs("estimate.FitLogNormal", ratios)
	if err != nil {
		return LogNormal{}, err
	}
	mu, sigma := fitNormal(logs)
	return LogNormal{Mu: mu, Sigma: sigma}, nil
}

// check reports parameters out of range.
func (l LogNormal) check(fn string) error {
	if !(math.Abs(l.Mu) <= math.MaxFloat64) {
		return input.Bad(fn, "l", -1, "Mu is %v, want finite", l.Mu)
	}
	if !(l.Sigma >= 0 && l.Sigma <= math.MaxFloat64) {
		return input.Bad(fn, "l", -1, "Sigma is %v, want finite and >= 0", l.Sigma)
	}
	return nil
}

// sortedLogs returns the logarithms of the ratios in ascending order: sums over them then do not
// depend on the order given.
func sortedLogs(fn string, ratios []float64) ([]float64, error) {
	if len(ratios) == 0 {
		return nil, input.Bad(fn, "ratios", -1, "empty, want at least one ratio")
	}
	order := make([]uint64, len(ratios)) // positive numbers are ordered as their bits
	for i, r := range ratios {
		if !(r > 0 && r <= math.MaxFloat64) {
			return nil, input.Bad(fn, "ratios", i, "%v, want finite and > 0", r)
		}
		order[i] = math.Float64bits(r)
	}
	slices.Sort(order)
	logs := make([]float64, len(ratios))
	for i, b := range order {
		logs[i] = math.Log(math.Float64frombits(b))
	}
	return logs, nil
}

// fitNormal returns the mean and the root mean squared deviation of xs. Both are taken about one of
// the values: equal values then have a deviation of exactly 0, and the sums cancel little.
func fitNormal(xs []float64) (mean, deviation float64) {
	n := float64(len(xs))
	pivot := xs[len(xs)/2]
	var sum dd.T
	for _, x := range xs {
		sum = sum.AddFloat(x - pivot)
	}
	shift := sum.Float() / n
	var squares, rest float64
	for _, x := range xs {
		y := (x - pivot) - shift
		squares += float64(y * y)
		rest += y
	}
	return pivot + shift, math.Sqrt(max(0, squares-float64(rest*rest)/n) / n)
}
