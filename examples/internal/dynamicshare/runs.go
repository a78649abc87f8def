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

// medianValues is the median size of a reduce task's input.
func (j *job) medianValues() float64 { return float64(j.values) / reduces }

// run draws one execution of a reduce task on a machine of a speed, as a monitor reports it. The task's memory says nothing about its time.
func (j *job) run(speed float64, r *rand.Rand) estimate.Run {
	x := estimate.Run{
		Bytes:  j.medianValues() * math.Exp(sizeSpread*r.NormFloat64()),
		CPU:    100 / (1 + load*r.ExpFloat64()),
		Memory: 20 + 10*r.Float64(),
	}
	x.Time = j.expected(x, speed) * math.Exp(timeSpread*r.NormFloat64())
	return x
}

// expected is the median time of runs with the size and the load of x.
func (j *job) expected(x estimate.Run, speed float64) float64 {
	return j.seconds(x.Bytes, speed*x.CPU/100)
}

// features are the coordinates of a run for an estimator.
func features(x *estimate.Run) []float64 { return []float64{x.Bytes, x.CPU, x.Memory} }

// nearest fits k-NN regression to the runs of a history.
func nearest(o knn.Options) func(runs []estimate.Run) estimate.Predict {
	return func(runs []estimate.Run) estimate.Predict {
		e, err := knn.New(3, o)
		if err != nil {
			return nil
		}
		for _, x := range runs {
			if e.Add(features(&x), x.Time) != nil {
				return nil
			}
		}
		return func(x []float64) estimate.Guess {
			p, err := e.Predict(x)
			return estimate.Guess{Value: p.Value, Low: p.Low, High: p.High, Known: err == nil, Outside: p.Outside}
		}
	}
}

// asPrinted is the paper's estimator but for the scaling by z-scores: the k-th neighbour's distance is the bandwidth and k is n^(4/5).
var asPrinted = knn.Options{K: knn.Paper}
