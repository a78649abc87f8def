package order

import (
	"math"

	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/shuffle"
)

// Finish returns after how many seconds a pod would be done on a node: it first fetches the part of
// its input that lies on other nodes, then runs at the speed of this one.
//
// seconds is how long it runs on a node of speed 1; speed is that of the node; here and elsewhere
// in [0, 2^200] are bytes of its input; bandwidth, in bytes a second, is above 0 or +Inf.
//
// Errors: an argument out of range.
func Finish(seconds, speed, here, elsewhere, bandwidth float64) (float64, error) {
	run, err := partition.BySpeed([]float64{speed})
	if err != nil {
		return 0, err
	}
	// The pod is a job of one reduce, on the first of two domains: this node and all others.
	fetched, err := shuffle.CrossRack([]float64{here, elsewhere}, []int{1, 0})
	if err != nil {
		return 0, err
	}
	return run(0, seconds) + fetched/bandwidth, nil
}

// Scores replaces times by scores in 0 ... most: the least time by most, and a time that is k times
// as long by most / k.
func Scores(times []int64, most int64) {
	least := int64(math.MaxInt64)
	for _, t := range times {
		least = min(least, t)
	}
	for i, t := range times {
		if times[i] = most; t > least {
			times[i] = int64(math.Round(float64(most) * float64(least) / float64(t)))
		}
	}
}
