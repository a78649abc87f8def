package dynamicshare

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/knn"
	"github.com/schedmath/schedmath/partition"
)

// The cluster of the paper's evaluation: 82 cores, one for each task of a job.
const (
	maps    = 59
	reduces = 23 // R
)

// keys is the number of keys of a job.
const keys = 20_000

// A job is one of the two of the paper's evaluation. The paper prints its deadlines and what it
// reads; the rates are ours.
type job struct {
	name            string
	strict, relaxed float64 // deadlines, s
	values          int     // in the lists of all keys: what the reduce tasks process
	rate            float64 // values that a reduce task on a machine of speed 1 processes in a second
	start           float64 // s that a reduce task takes before its first value
}

// The edges of the YouTube graph stand in the lists of two users each. Of Twitter there is one
// value a tweet. Twitter's rate is calibrated once, to 1,900 ms for DP with 40 partitions (the text
// on Figure 10) in reading B, and YouTube's is faster by the ratio of the strict deadlines.
var (
	youTube = job{"YouTube", 2, 4, 2 * 2_987_624, 787_500, .05}
	twitter = job{"Twitter", 15, 20, 5_900_000, 105_000, .05}
)

// seconds is how long a reduce task with so many values takes on a machine of a speed. One without
// values does not start.
func (j *job) seconds(values, speed float64) float64 {
	if values == 0 {
		return 0
	}
	return j.start + values/(j.rate*speed)
}

// Streams of random numbers. Each belongs to one purpose, so that a figure that draws more changes
// no other.
const (
	keyStream   = 0 // the first of several, one for each job
	speedStream = 16
)

const (
	runStream = 64 + iota
	queryStream
	laxityStream
	placeStream
	arrivalStream
	overloadStream
	monitorStream
)

// speeds returns the speeds of n machines, evenly spaced from 1 to top, in random order: with
// sorted speeds the machine that a scheme prefers among equals would always be the slowest, or the
// fastest.
func speeds(n int, top float64, r *rand.Rand) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = 1 + (top-1)*float64(i)/float64(max(1, n-1))
	}
	r.Shuffle(n, func(a, b int) { list[a], list[b] = list[b], list[a] })
	return list
}

// logs are the logarithms of the ranks 1 to keys.
var logs = func() (list [keys]float64) {
	for k := range list {
		list[k] = math.Log(float64(k + 1))
	}
	return list
}()

// zeta appends n shares under the zeta law truncated to them: the k-th is k^-exponent over the sum
// of all.
func zeta(dst []float64, n int, exponent float64) []float64 {
	sum := 0.0
	for _, l := range logs[:n] {
		dst = append(dst, math.Exp(-exponent*l))
		sum += dst[len(dst)-1]
	}
	for k := range dst {
		dst[k] /= sum
	}
	return dst
}

// A keySet is the keys of a job before their lists have lengths.
type keySet struct {
	job   *job
	ids   []uint64  // by falling length of the list
	hash  []float64 // of each key, from 0 to 1: by it the default hash function divides them
	order []int     // the keys by hash
	seed  uint64    // of the other hash functions
}

func newKeySet(j *job, r *rand.Rand) *keySet {
	set := &keySet{job: j, seed: r.Uint64()}
	for k := range keys {
		set.ids, set.hash, set.order = append(set.ids, r.Uint64()), append(set.hash, r.Float64()), append(set.order, k)
	}
	slices.SortFunc(set.order, func(a, b int) int { return cmp.Compare(set.hash[a], set.hash[b]) })
	return set
}

// of is the partition of each key under the default hash function, whose partitions have shares of
// the hashes by a zeta law: equal ones if its exponent is 0.
func (s *keySet) of(partitions int, exponent float64) []int {
	shares, list := zeta(nil, partitions, exponent), make([]int, len(s.hash))
	i, end := 0, shares[0]
	for _, k := range s.order {
		for i < partitions-1 && s.hash[k] > end {
			i++
			end += shares[i]
		}
		list[k] = i
	}
	return list
}

// A population is the keys of a job with the lengths of their lists.
type population struct {
	*keySet
	exponent float64   // of the lengths
	values   []float64 // of each key
	total    float64
	hashed   float64 // skewness, in percent, that the default hash function makes at each number of partitions; 0: its partitions have equal shares of the keys
}

// population returns the keys with the lengths that make as many partitions as reduces so skewed,
// in percent, where the default hash function gives each an equal share of the keys. Lengths are
// whole, and at least 1.
func (s *keySet) population(skewness float64) *population {
	var shares []float64
	of := s.of(reduces, 0)
	p := &population{keySet: s, exponent: solve(skewness, func(exponent float64) float64 {
		shares = zeta(shares[:0], keys, exponent)
		return skewnessOf(sum(shares, of, reduces))
	})}
	for _, x := range zeta(nil, keys, p.exponent) {
		v := max(1, math.Round(x*float64(s.job.values)))
		p.values, p.total = append(p.values, v), p.total+v
	}
	return p
}

// hashedTo is the same keys under a default hash function that makes the skewness.
func (p population) hashedTo(skewness float64) *population {
	p.hashed = skewness
	return &p
}

// heaviest is the share of all values that the heaviest key has.
func (p *population) heaviest() float64 { return p.values[0] / p.total }

// divided is the partition of each key under the default hash function.
func (p *population) divided(n int) []int {
	if p.hashed == 0 {
		return p.of(n, 0)
	}
	return p.of(n, solve(p.hashed, func(exponent float64) float64 { return skewnessOf(sum(p.values, p.of(n, exponent), n)) }))
}

// longest returns the values of the heaviest key of each partition.
func (p *population) longest(of []int, partitions int) []float64 {
	list := make([]float64, partitions)
	for k, i := range of {
		list[i] = max(list[i], p.values[k])
	}
	return list
}

// sizes returns the values of as many partitions as reduces under the default hash function.
func (p *population) sizes() []float64 { return sum(p.values, p.divided(reduces), reduces) }

// sketch counts the values of all keys under hash functions other than the default: each map does
// so for its part of the keys, and the master merges their sketches.
func (p *population) sketch(rows, partitions int) (*partition.Sketch, error) {
	global, err := partition.NewSketch(rows, partitions, p.seed)
	for m := range maps {
		local, worse := partition.NewSketch(rows, partitions, p.seed)
		for k := m; k < len(p.ids); k += maps {
			worse = errors.Join(worse, local.Add(p.ids[k], uint64(p.values[k])))
		}
		if err = errors.Join(err, worse, global.Merge(local)); err != nil {
			return nil, err
		}
	}
	return global, nil
}

// sum is what each partition has when the k-th key, of so many values, goes to partition of[k].
func sum(values []float64, of []int, partitions int) []float64 {
	sizes := make([]float64, partitions)
	for k, x := range values {
		sizes[of[k]] += x
	}
	return sizes
}

func skewnessOf(sizes []float64) float64 {
	s, _ := partition.Skewness(sizes) // they are in range
	return s
}

// solve returns the exponent that gives partitions a skewness, by bisection between 0 and 8. If
// they are more skewed at 0 already, it is 0.
func solve(skewness float64, at func(exponent float64) float64) float64 {
	low, high := 0.0, 8.0
	if at(low) >= skewness {
		return low
	}
	for range 24 {
		if mid := (low + high) / 2; at(mid) < skewness {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

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
