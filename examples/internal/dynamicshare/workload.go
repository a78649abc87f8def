package dynamicshare

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/partition"
)

// The cluster of the paper's evaluation: 82 cores, one for each task of a job.
const (
	maps    = 59
	reduces = 23 // R
	fastest = 4  // speed of the fastest machine; the slowest has 1
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
// on Figure 10), and YouTube's is faster by the ratio of the strict deadlines.
var (
	youTube = job{"YouTube", 2, 4, 2 * 2_987_624, 1_237_500, .05}
	twitter = job{"Twitter", 15, 20, 5_900_000, 165_000, .05}
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
	pastStream  = 8 // the first of several, one for each job
	speedStream = 16
)

const (
	runStream = 64 + iota
	queryStream
	laxityStream
	placeStream
	timingStream
	arrivalStream
	overloadStream
	monitorStream
	layoutStream
	choiceStream
)

func stream(seed uint64, repetition, purpose int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(repetition)<<8|uint64(purpose)))
}

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

// zeta appends the shares of the keys under the zeta law truncated to them: the k-th has
// k^-exponent over the sum of all.
func zeta(dst []float64, exponent float64) []float64 {
	sum := 0.0
	for _, l := range logs {
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
	job  *job
	ids  []uint64 // by falling length of the list
	seed uint64   // of the hash functions
	of   []int    // the partition of each key among as many as reduces, under the first hash function
}

func newKeySet(j *job, r *rand.Rand) (*keySet, error) {
	set := &keySet{job: j, seed: r.Uint64()}
	sketch, err := partition.NewSketch(1, reduces, set.seed)
	if err != nil {
		return nil, err
	}
	for range keys {
		id := r.Uint64()
		of, err := sketch.Partition(0, id)
		if err != nil {
			return nil, err
		}
		set.ids, set.of = append(set.ids, id), append(set.of, of)
	}
	return set, nil
}

// A population is the keys of a job with the lengths of their lists.
type population struct {
	*keySet
	exponent float64
	values   []uint64 // of each key
	total    float64
}

// population returns the keys with the lengths that make the partitions of simple hashing so
// skewed, in percent, when there are as many of them as reduces. Lengths are whole, and at least 1.
func (s *keySet) population(skewness float64) *population {
	p := &population{keySet: s, exponent: solveExponent(s.of, reduces, skewness)}
	for _, x := range zeta(nil, p.exponent) {
		v := max(1, math.Round(x*float64(s.job.values)))
		p.values, p.total = append(p.values, uint64(v)), p.total+v
	}
	return p
}

// heaviest is the share of all values that the heaviest key has.
func (p *population) heaviest() float64 { return float64(p.values[0]) / p.total }

// longest returns the values of the heaviest key of each partition, under simple hashing into as
// many as reduces.
func (p *population) longest() []float64 {
	list := make([]float64, reduces)
	for k, i := range p.of {
		list[i] = max(list[i], float64(p.values[k]))
	}
	return list
}

// sketch counts the values of all keys under rows hash functions: each map does so for its part of
// the keys, and the master merges their sketches. Row 0 is simple hashing.
func (p *population) sketch(rows, partitions int) (*partition.Sketch, error) {
	global, err := partition.NewSketch(rows, partitions, p.seed)
	for m := range maps {
		local, worse := partition.NewSketch(rows, partitions, p.seed)
		for k := m; k < len(p.ids); k += maps {
			worse = errors.Join(worse, local.Add(p.ids[k], p.values[k]))
		}
		if err = errors.Join(err, worse, global.Merge(local)); err != nil {
			return nil, err
		}
	}
	return global, nil
}

// sizes returns the values of the partitions of simple hashing.
func (p *population) sizes(partitions int) ([]float64, error) {
	sketch, err := p.sketch(1, partitions)
	if err != nil {
		return nil, err
	}
	return sketch.Row(nil, 0)
}

// skewnessOf is the skewness, in percent, of partitions when the k-th key goes to partition of[k].
func skewnessOf(shares []float64, of []int, partitions int) float64 {
	sizes := make([]float64, partitions)
	for k, x := range shares {
		sizes[of[k]] += x
	}
	s, _ := partition.Skewness(sizes) // they are in range
	return s
}

// solveExponent returns the exponent that gives the partitions a skewness, by bisection between 0
// and 8. If equal lists are more skewed than that already, it is 0.
func solveExponent(of []int, partitions int, skewness float64) float64 {
	var shares []float64
	at := func(exponent float64) float64 {
		shares = zeta(shares[:0], exponent)
		return skewnessOf(shares, of, partitions)
	}
	low, high := 0.0, 8.0
	if at(low) >= skewness {
		return low
	}
	for range 40 {
		if mid := (low + high) / 2; at(mid) < skewness {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
