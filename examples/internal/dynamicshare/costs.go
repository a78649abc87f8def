package dynamicshare

import (
	"math"
	"slices"

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

// steps are n numbers of values, evenly spaced up to most.
func steps(most float64, n int) []float64 {
	var list []float64
	for k := range n {
		list = append(list, most*float64(k+1)/float64(n))
	}
	return list
}
