package hfsp

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// TrueSize is the true size of a phase, which no scheduler knows in advance: the sum of the work
// of its tasks, in seconds on a node of speed 1, without transfers. It is made for Policy.Size.
// Without a run, or for a job that the run does not have, it is 0. Cost O(tasks) where the work of
// tasks differs, else O(1).
func TrueSize(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
	spec := v.Spec(j)
	if spec == nil {
		return 0
	}
	return internal.TotalWork(internal.PhaseOf(spec, k))
}

// NoisySize returns a function for Policy.Size: the true size times a log-normal error
// exp(mu + sigma Z), as in section II-B of the paper [1] (mu 0) and as fitted in section IV-C. One
// draw is made for each phase, when its tasks may start, so that equal states of src give equal
// runs. A size beyond float64 counts as math.MaxFloat64.
//
// Errors: an *schedmath.InputError for mu that is not finite, sigma that is not finite or negative,
// or src nil.
func NoisySize(mu, sigma float64, src rand.Source) (func(*slotmodel.View, slotmodel.Job, slotmodel.Kind) float64, error) {
	const fn = "hfsp.NoisySize"
	switch {
	case !(math.Abs(mu) <= math.MaxFloat64):
		return nil, input.Bad(fn, "mu", -1, "%v, want finite", mu)
	case !(sigma >= 0 && sigma <= math.MaxFloat64):
		return nil, input.Bad(fn, "sigma", -1, "%v, want finite and >= 0", sigma)
	case src == nil:
		return nil, input.Bad(fn, "src", -1, "nil, want a source of random numbers")
	}
	noise := estimate.LogNormal{Mu: mu, Sigma: sigma}
	return func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
		ratio, err := noise.Rand(src)
		size := TrueSize(v, j, k)
		if err != nil || size == 0 {
			return size
		}
		return min(float64(size*ratio), math.MaxFloat64)
	}, nil
}
