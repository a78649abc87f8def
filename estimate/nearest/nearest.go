package nearest

import (
	"errors"
	"math"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/knn"
)

// Fit returns a function for estimate.RequirementOptions.Fit whose predictors answer by regression
// over the k nearest of the runs that they were given. knn.Options{K: knn.Paper} are
// DynamicShare's, except for the scaling by z-scores. Value and High of a Guess are at least 0. It
// is Outside, with an infinite interval, where a feature lies beyond those of all runs. It is
// unknown for a question or runs without features, of unequal numbers of features or with a number
// that is not finite.
//
// The runs are copied. The options are kept, with their function K. Several goroutines may call the
// function, each the predictors that it got. Errors: options that knn.New refuses.
func Fit(o knn.Options) (func(runs []estimate.Run) estimate.Predict, error) {
	if _, err := knn.New(1, o); err != nil {
		var bad *schedmath.InputError
		errors.As(err, &bad)
		return nil, input.Bad("nearest.Fit", "o", -1, "%s", bad.Reason)
	}
	return func(runs []estimate.Run) estimate.Predict {
		e := learnt(runs, o)
		return func(x []float64) estimate.Guess {
			p, err := e.Predict(x)
			if err != nil {
				return estimate.Guess{}
			}
			return estimate.Guess{Value: math.Max(0, p.Value), Low: p.Low, High: math.Max(0, p.High), Known: true, Outside: p.Outside}
		}
	}, nil
}

// learnt returns an estimator of the runs, oldest first, or a zero one, which predicts nothing, if
// they are none that knn takes.
func learnt(runs []estimate.Run, o knn.Options) *knn.Estimator {
	if len(runs) == 0 {
		return new(knn.Estimator)
	}
	e, err := knn.New(len(runs[0].X), o)
	for _, r := range runs {
		if err == nil {
			err = e.Add(r.X, r.Time)
		}
	}
	if err != nil {
		return new(knn.Estimator)
	}
	return e
}
