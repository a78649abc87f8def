package circumflex

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// The experiments of Section 4.
const (
	arrivals  = 1000 // scans in a run
	datasets  = 20   // D
	slots     = 100  // S
	span      = 100  // T, minutes
	load      = 0.9  // rho, unshared work over T*S
	window    = 2    // W, minutes
	steps     = 5    // of theta1 and theta2
	relations = 9    // correlations
)

// thetas are the parameters of the Zipf-like laws.
var thetas = [steps]float64{0, .25, .5, .75, 1}

// kappas are the parameters of the correlations 4 to 8, and backwards of 4 to 0. The paper's steps
// of 5 from 1 to 20 are not all of one length.
var kappas = [5]int{20, 15, 10, 5, 1}

// A settings says what the paper leaves open, and what the variants change.
type settings struct {
	slots    int     // S
	min      int     // fewest slots that a job can use
	max      int     // M: most slots that a job can use
	batchSum bool    // a batch can use the sum of what its members can
	chainSum bool    // and so can a subjob
	load     float64 // rho
	fraction float64 // f: of a job's work, what is scanning

	byArrivals bool // more load is more arrivals, not larger datasets
	fifo       bool // FLEX alone, by arrival: an order that knows no sizes
}

// base is the paper's experiment with a given M.
func base(max int) settings { return settings{slots: slots, max: max, load: load, fraction: 1} }

// A point is one of the 225 settings of Figure 6.
type point struct {
	theta1, theta2 int // places in thetas: of popularity, of size
	relation       int // 0: perfectly negative correlation, 4: none, 8: perfectly positive
}

// A workload is what arrives in one repetition.
type workload struct {
	time    []float64 // minutes, ascending
	dataset []int     // 0 is the most popular
	size    []float64 // of each dataset, in slot-minutes
}

// Streams of random numbers.
const (
	timeStream = 1 + iota
	datasetStream
	rankStream
)

// zipf returns n probabilities proportional to i^-theta, i from 1.
func zipf(n int, theta float64) []float64 {
	p := make([]float64, n)
	sum := 0.0
	for i := range p {
		p[i] = math.Pow(float64(i+1), -theta)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// newWorkload draws a repetition. The same repetition has the same arrival times at every point,
// and the same draws behind the datasets, so that differences between points are not luck.
func newWorkload(p point, o settings, seed uint64, repetition int) workload {
	n := arrivals
	if o.byArrivals {
		n = int(math.Round(arrivals * o.load / load))
	}
	w := workload{time: make([]float64, n), dataset: make([]int, n)}
	r := report.Stream(seed, repetition, timeStream)
	for i := range w.time {
		w.time[i] = span * r.Float64()
	}
	sort.Float64s(w.time) // given their number, Poisson arrivals are uniform
	cdf := zipf(datasets, thetas[p.theta1])
	for d := 1; d < datasets; d++ {
		cdf[d] += cdf[d-1]
	}
	r = report.Stream(seed, repetition, datasetStream)
	for i := range w.dataset {
		u := r.Float64()
		w.dataset[i] = min(sort.Search(datasets, func(d int) bool { return cdf[d] > u }), datasets-1)
	}
	bySize := zipf(datasets, thetas[p.theta2])
	w.size = make([]float64, datasets)
	for d, k := range ranks(p.relation, report.Stream(seed, repetition, rankStream)) {
		w.size[d] = bySize[k]
	}
	total := 0.0
	for _, d := range w.dataset {
		total += w.size[d]
	}
	for d := range w.size {
		w.size[d] *= o.load * span * float64(o.slots) / total
	}
	return w
}

// ranks returns, for each dataset by falling popularity, its place by falling size (Section 4): the
// i-th dataset, from the most popular for a positive correlation and from the least popular for a
// negative one, gets a random place that is free among the first kappa+i-1.
func ranks(relation int, r *rand.Rand) []int {
	kappa := kappas[max(relation, relations-1-relation)-4]
	free := make([]int, datasets)
	for k := range free {
		free[k] = k
	}
	of := make([]int, datasets)
	for i := range of {
		// i of the first kappa+i places are taken.
		k := r.IntN(min(kappa, len(free)))
		d := i
		if relation < 4 {
			d = datasets - 1 - i
		}
		of[d] = free[k]
		free = append(free[:k], free[k+1:]...)
	}
	return of
}
