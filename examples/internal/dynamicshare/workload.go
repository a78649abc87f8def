package dynamicshare

import (
	"math"
	"math/rand/v2"
	"slices"
)

// The cluster of the paper's evaluation: 82 cores, one for each task of a job.
const (
	maps    = 59
	reduces = 23 // R
	fastest = 4  // speed of the fastest machine; the slowest has 1
)

// keys is the number of keys of a job.
const keys = 20_000

// A job is one of the two of the paper's evaluation. The paper prints its deadlines and what it reads; the rates are ours.
type job struct {
	name            string
	strict, relaxed float64 // deadlines, s
	values          int     // in the lists of all keys: what the reduce tasks process
	rate            float64 // values that a reduce task on a machine of speed 1 processes in a second
	start           float64 // s that a reduce task takes before its first value
}

// The edges of the YouTube graph stand in the lists of two users each. Of Twitter there is one value a tweet. Twitter's rate is
// calibrated once, to 1,900 ms for DP with 40 partitions (the text on Figure 10), and YouTube's is faster by the ratio of the strict deadlines.
var (
	youTube = job{"YouTube", 2, 4, 2 * 2_987_624, 1_200_000, .05}
	twitter = job{"Twitter", 15, 20, 5_900_000, 160_000, .05}
)

// seconds is how long a reduce task with so many values takes on a machine of a speed. One without values does not start.
func (j *job) seconds(values, speed float64) float64 {
	if values == 0 {
		return 0
	}
	return j.start + values/(j.rate*speed)
}

// Streams of random numbers. Each belongs to one purpose, so that a figure that draws more changes no other.
const (
	keyStream = 1 + iota
	speedStream
	pastStream
)

func stream(seed uint64, repetition, purpose int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(repetition)<<8|uint64(purpose)))
}

// speeds returns the speeds of n machines, evenly spaced from 1 to fastest, in random order: with sorted speeds the machine that a scheme
// prefers among equals would always be the slowest, or the fastest.
func speeds(n int, r *rand.Rand) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = 1 + (fastest-1)*float64(i)/float64(max(1, n-1))
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

// zeta appends the shares of the keys under the zeta law truncated to them: the k-th has k^-exponent over the sum of all.
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

// skewnessOf is the paper's skewness, in percent, of partitions when the k-th key goes to partition of[k].
func skewnessOf(shares []float64, of []int, partitions int) float64 {
	sizes := make([]float64, partitions)
	for k, x := range shares {
		sizes[of[k]] += x
	}
	sum := 0.0
	for _, x := range sizes {
		sum += x
	}
	return 100 - 100*sum/(float64(partitions)*slices.Max(sizes))
}

// solveExponent returns the exponent that gives the partitions a skewness, by bisection between 0 and 8. If equal lists are more skewed
// than that already, it is 0.
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
