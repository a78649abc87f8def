package dynamicshare

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/knn"
)

// Laws of the runs of a task. The paper prints none.
const (
	sizeSpread = .5 // σ of the log-normal sizes of a worker's inputs
	timeSpread = .1 // σ of the log-normal noise of run times
	load       = .2 // mean of the exponential load by others: a task gets 1/(1+load) of its machine
)

// Features of a run.
const (
	bytes  = iota
	cpu    // as a percentage of the machine
	memory // likewise
)

// medianValues is the median size of a reduce task's input.
func (j *job) medianValues() float64 { return float64(j.values) / reduces }

// run draws one execution of a reduce task on a machine of a speed, as a monitor reports it. The
// task's memory says nothing about its time.
func (j *job) run(speed float64, r *rand.Rand) estimate.Run {
	x := estimate.Run{X: []float64{
		bytes:  j.medianValues() * math.Exp(sizeSpread*r.NormFloat64()),
		cpu:    100 / (1 + load*r.ExpFloat64()),
		memory: 20 + 10*r.Float64(),
	}}
	x.Time = j.expected(x, speed) * math.Exp(timeSpread*r.NormFloat64())
	return x
}

// expected is the median time of runs with the size and the load of x.
func (j *job) expected(x estimate.Run, speed float64) float64 {
	return j.seconds(x.X[bytes], speed*x.X[cpu]/100)
}

// asPrinted is the paper's estimator but for the scaling by z-scores: the k-th neighbour's distance
// is the bandwidth and k is n^(4/5).
var asPrinted = knn.Options{K: knn.Paper}
