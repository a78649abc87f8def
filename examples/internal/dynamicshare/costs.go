package dynamicshare

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/partition"
)

// slowest is how long the reduce phase takes when machine i has load[i] values.
func (j *job) slowest(load, speeds []float64) float64 {
	last := 0.0
	for i, v := range load {
		last = math.Max(last, j.seconds(v, speeds[i]))
	}
	return last
}

// rotated is the mean of a time over the rotations of the machines: a scheme that is blind to
// speeds gives each machine any load alike.
func rotated(speeds []float64, time func(speeds []float64) float64) float64 {
	sum, twice := 0.0, slices.Concat(speeds, speeds)
	for i := range speeds {
		sum += time(twice[i:][:len(speeds)])
	}
	return sum / float64(len(speeds))
}

// cost is the exact time of values on a machine.
func (j *job) cost(speeds []float64) (partition.Cost, error) {
	var fixed, rates []float64
	for _, v := range speeds {
		fixed, rates = append(fixed, j.start), append(rates, j.rate*v)
	}
	return partition.Affine(fixed, rates)
}

// assign is a plan by exact times.
func (j *job) assign(sizes, speeds []float64, m partition.Method) (partition.Plan, error) {
	cost, err := j.cost(speeds)
	if err != nil {
		return partition.Plan{}, err
	}
	return partition.Assign(len(speeds), sizes, cost, partition.Options{Method: m})
}

// estimated is the time of values on a machine as k-NN has it from past runs of the job there, of
// sizes uniform up to pastShare and with noise. The paper's other coordinates, cpu and memory, are
// the same in all runs of one job: z-scores drop them.
func (j *job) estimated(speeds []float64, r *rand.Rand) (partition.Cost, error) {
	most := pastShare * float64(j.values)
	fit, err := nearest.Fit(asPrinted)
	if err != nil {
		return nil, err
	}
	guess := make([]estimate.Predict, len(speeds))
	for i, v := range speeds {
		var past []estimate.Run
		for range pastRuns {
			x := most * (1 - r.Float64()) // above 0
			past = append(past, estimate.Run{X: []float64{x}, Time: j.seconds(x, v) * math.Exp(noise*r.NormFloat64())})
		}
		guess[i] = fit(past)
	}
	return partition.Predicted(len(speeds), steps(most, 64), func(i int, total float64) float64 {
		g := guess[i]([]float64{total})
		if !g.Known {
			return math.NaN()
		}
		return g.Value
	})
}

// steps are n numbers of values, evenly spaced up to most.
func steps(most float64, n int) []float64 {
	var list []float64
	for k := range n {
		list = append(list, most*float64(k+1)/float64(n))
	}
	return list
}
