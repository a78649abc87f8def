package circumflex

import (
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sort"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
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

// A trial is a point under settings.
type trial struct {
	point
	settings
}

// A cell is what one trial gave. Slices are by repetition; the metric is the one that was
// optimised.
type cell struct {
	trial
	ratio    [metrics][schemes][]float64 // value over FLEX's
	value    [metrics][schemes][]float64
	work     [metrics][schemes][]float64 // work over FLEX's
	capacity [schemes][]float64          // work over what the cluster can do in span minutes; this and all below for the first metric
	end      [schemes][]float64          // when the last scan is done, minutes
	subjobs  [][datasets]int             // CIRCUMFLEX: the most of each dataset at a time
	largest  [][datasets]int             // BATCH: the largest batch of each dataset
}

// runs says whether a scheme is played: FLEX's queue grows without limit at loads beyond flexLoad.
func (t *trial) runs(k scheme) bool {
	if k != flex {
		return !t.fifo
	}
	return t.load <= flexLoad
}

// allPoints are the 225 settings, theta1 slowest and the correlation fastest.
func allPoints() []point {
	var list []point
	for t1 := range steps {
		for t2 := range steps {
			for c := range relations {
				list = append(list, point{t1, t2, c})
			}
		}
	}
	return list
}

// quickPoints are the corners of the grid, with perfectly negative, no and perfectly positive
// correlation in turn, and with all when both laws are steepest.
func quickPoints() []point {
	return slices.DeleteFunc(allPoints(), func(p point) bool {
		return p.theta1%(steps-1) != 0 || p.theta2%(steps-1) != 0 || p.relation != 4*((p.theta1+p.theta2)%3) && (p.theta1 < steps-1 || p.theta2 < steps-1)
	})
}

// under returns the points under the same settings.
func under(o settings, points ...point) []trial {
	var list []trial
	for _, p := range points {
		list = append(list, trial{p, o})
	}
	return list
}

// simulate plays every trial n times under every scheme, for each of the metrics, on the
// repetitions that judge. After an error it gives none.
func (s *study) simulate(n int, trials []trial, ms ...metric) []cell {
	if s.err != nil {
		return nil
	}
	cells := make([]cell, len(trials))
	for i := range cells {
		c := &cells[i]
		c.trial = trials[i]
		c.subjobs, c.largest = make([][datasets]int, n), make([][datasets]int, n)
		for k := range schemes {
			if !c.runs(k) {
				continue
			}
			c.capacity[k], c.end[k] = make([]float64, n), make([]float64, n)
			for _, m := range ms {
				c.ratio[m][k], c.value[m][k], c.work[m][k] = make([]float64, n), make([]float64, n), make([]float64, n)
			}
		}
	}
	// A plan leaves half a kilobyte of garbage and nothing that lives: collecting less often
	// saves a tenth of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	bar := program.NewProgress(s.terminal, "circumflex: repetitions", len(trials)*n)
	defer bar.Done()
	s.err = program.Parallel(len(trials)*n, func(r *runner, i int) error {
		defer bar.Add(1)
		return cells[i/n].play(r, s.Seed, i%n, ms)
	})
	return cells
}

// play fills in the repetition at a place.
func (c *cell) play(r *runner, seed uint64, place int, ms []metric) error {
	w := newWorkload(c.point, c.settings, seed, judged.At(place))
	var requests [schemes][]request
	for k := range schemes {
		var err error
		if requests[k], err = w.requests(c.settings, k); err != nil {
			return err
		}
	}
	for _, m := range ms {
		var out [schemes]outcome
		for k := range schemes {
			if !c.runs(k) {
				continue
			}
			var err error
			if out[k], err = r.run(&w, requests[k], c.settings, k, m); err != nil {
				return err
			}
			c.value[m][k][place] = out[k].value
			c.ratio[m][k][place] = out[k].value / out[flex].value
			c.work[m][k][place] = out[k].work / out[flex].work
			if m == ms[0] {
				c.capacity[k][place], c.end[k][place] = out[k].work/float64(span*c.settings.slots), out[k].end
			}
		}
		if m == ms[0] {
			c.subjobs[place], c.largest[place] = out[circumflex].subjobs, out[batch].largest
		}
	}
	return nil
}
