package dynamicshare

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/lof"
	"github.com/schedmath/schedmath/policy/queues"
)

// byLaxity is a rule for reports that sees their laxities alone.
func byLaxity(rule func(dst []int, laxity []float64) []int) func([]int, []queues.Report) []int {
	return func(dst []int, list []queues.Report) []int {
		return rule(dst, numbers.Column(list, func(r *queues.Report) float64 { return r.Laxity }))
	}
}

// withCPU names the workers that stand out by the laxity of a job and the cpu that their monitors
// show, each over its standard deviation: those with a LOF above 3 of which both are below the
// median. A monitor shows the usual load by others, too. As lof.Stragglers, it names none of fewer
// than seven.
func withCPU(r *rand.Rand) func([]int, []queues.Report) []int {
	return func(dst []int, list []queues.Report) []int {
		laxity := numbers.Column(list, func(r *queues.Report) float64 { return r.Laxity })
		share := numbers.Column(list, func(x *queues.Report) float64 { return 100 / (x.Slowdown * (1 + load*r.ExpFloat64())) })
		points := mat.NewDense(len(list), 2, nil)
		for c, x := range [][]float64{laxity, share} {
			for i := range x {
				points.Set(i, c, x[i]/math.Max(numbers.SD(x), 1e-9))
			}
		}
		scores, err := lof.Scores(nil, points, min(lof.Neighbours(len(list)), max(1, (len(list)-1)/2)), lof.Options{})
		if lax, usual := numbers.Median(laxity), numbers.Median(share); err == nil && len(list) >= 7 {
			for i := range list {
				if scores[i] > 3 && laxity[i] < lax && share[i] < usual {
					dst = append(dst, i)
				}
			}
		}
		return dst
	}
}
