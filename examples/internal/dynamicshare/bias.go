package dynamicshare

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/knn"
)

// Numbers of runs and of questions of the figure bias.
const (
	trained = 1000
	queries = 40
)

// ks are the k of the figure bias, n^(4/7) = 52 and n^(4/5) = 252 among them.
var ks = []int{2, 4, 8, 16, 32, 52, 125, 252, 500, 1000}

// A decomposition is the squared bias and the variance of an estimator, means over the questions,
// in squared parts of the true value.
type decomposition struct{ bias, variance float64 }

func (d decomposition) error() float64 { return d.bias + d.variance }

// decompose asks the same questions of estimators that have learnt from n runs each, one for each
// seed and k. The variance of the mean error over the seeds is subtracted from its square, so that
// the squared bias is not overestimated.
func (s *study) decompose(n int, o knn.Options, ks []int) ([]decomposition, error) {
	j := &twitter
	ask := report.Stream(s.Seed, 0, queryStream)
	var asks []estimate.Run
	for range queries {
		asks = append(asks, j.run(1, ask))
	}
	answers, err := program.Each(s.terminal, "dynamicshare: bias", s.n, func(i int) ([][]float64, error) { // by seed, k and question
		r, list, o := report.Stream(s.Seed, i, runStream), make([][]float64, len(ks)), o
		var past []estimate.Run
		for range n {
			past = append(past, j.run(1, r))
		}
		for c, k := range ks {
			o.K = knn.Fixed(k)
			fit, err := nearest.Fit(o)
			if err != nil {
				return nil, err
			}
			guess := fit(past)
			for _, x := range asks {
				list[c] = append(list[c], guess(x.X).Value)
			}
		}
		return list, nil
	})
	if err != nil {
		return nil, err
	}
	list := make([]decomposition, len(ks))
	for c := range ks {
		for q, x := range asks {
			truth := j.expected(x, 1) * math.Exp(timeSpread*timeSpread/2)
			off := numbers.Column(answers, func(values *[][]float64) float64 { return (*values)[c][q]/truth - 1 })
			sd := numbers.SD(off)
			list[c].bias += (math.Pow(numbers.Mean(off), 2) - sd*sd/float64(s.n)) / queries
			list[c].variance += sd * sd / queries
		}
	}
	return list, nil
}

func (s *study) figureBias() (report.Figure, error) {
	f := report.NewFigure("Bias and variance of k-NN regression over k",
		fmt.Sprintf("Squared bias and variance, relative to the true time, of estimates from %d runs of a reduce task, means over %d questions and %s.",
			trained, queries, numbers.Count(s.n, "repetition")),
		"runs", "k", "repetitions", "squared_bias", "variance", "mean_squared_error")
	f.Shown.Columns = []string{"k", "squared bias", "variance", "error"}
	var bias, variance, errors []float64
	all, err := s.decompose(trained, knn.Options{}, ks)
	if err != nil {
		return f, err
	}
	for c, d := range all {
		f.Numbers.Add(trained, ks[c], s.n, d.bias, d.variance, d.error())
		f.Shown.Show(strconv.Itoa(ks[c]), d.bias, d.variance, d.error())
		bias, variance, errors = append(bias, max(d.bias, 1e-4)), append(variance, d.variance), append(errors, d.error())
	}
	sizes := []int{100, trained, 10 * trained}
	var balance [2][]float64 // squared bias over variance, for k = n^(4/5) and n^(4/7) by number of runs
	for _, n := range sizes {
		rates := []int{knn.Paper(n, 3), knn.Rate(n, 3)}
		at, err := s.decompose(n, knn.Options{}, rates)
		if err != nil {
			return f, err
		}
		for i, d := range at {
			balance[i] = append(balance[i], d.bias/d.variance)
			if n != trained { // those are among ks
				f.Numbers.Add(n, rates[i], s.n, d.bias, d.variance, d.error())
			}
		}
	}
	c := &draw.Chart{Height: 220, GridY: true, X: places("k", ks), Y: draw.Axis{Label: "share of the time, squared", Min: 1e-4, Max: 1, Log: true}}
	c.Series([]draw.Series{draw.Curve(0, "squared bias", nil, bias), draw.Curve(1, "variance", nil, variance), draw.Curve(2, "error", nil, errors)})
	constant := func(claim string, b []float64) report.Claim {
		return report.Says(claim, "constant", "largest at most 3 times the least",
			"squared bias over variance %s, %s, %s for %d, %d, %d runs", numbers.Short2(b[0]), numbers.Short2(b[1]), numbers.Short2(b[2]), sizes[0], sizes[1], sizes[2]).When(slices.Max(b) <= 3*slices.Min(b))
	}
	return f.Done([]report.Claim{
		constant("k in proportion to n^(4/5) keeps a constant balance between the variance and the bias", balance[0]),
		constant("k in proportion to n^(4/7), the rate of three features, keeps it constant", balance[1]),
	}, "Squared bias rises and variance falls as k grows; the error is least in between.", c)
}
