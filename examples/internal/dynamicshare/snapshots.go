package dynamicshare

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/lof"
)

// Of a snapshot: the laxities of the map tasks of one job, one a worker, in seconds, of which the first are on overloaded workers.
const (
	overloaded = 5
	snapshots  = 1000
	usual      = .35 // s that a YouTube-like map takes: its laxity is near 1,650 ms, as in the paper
	tick       = .001
)

// A scene is a law of snapshots.
type scene struct {
	name  string
	slow  int // overloaded workers
	clock float64
	times func(time []float64, slow int, r *rand.Rand)
}

// alike draws times around the usual one and slows the overloaded workers down by factors from low to high, one for all if same is set.
func alike(spread, low, high float64, same bool) func([]float64, int, *rand.Rand) {
	return func(time []float64, slow int, r *rand.Rand) {
		factor := 0.0
		for i := range time {
			time[i] = usual * math.Exp(spread*r.NormFloat64())
			if i < slow {
				if i == 0 || !same {
					factor = low + (high-low)*r.Float64()
				}
				time[i] *= factor
			}
		}
	}
}

// unequal has two generations of machines, every second one half as fast.
func unequal(time []float64, slow int, r *rand.Rand) {
	alike(.1, 4, 6, false)(time, slow, r)
	for i := range time {
		if i >= slow && i%2 == 0 {
			time[i] *= 2
		}
	}
}

// scenes starts with the two of Figure 6: its clock is continuous, or ticks in milliseconds.
var scenes = []scene{
	{"as in Figure 6", overloaded, 0, alike(.1, 2, 4, false)},
	{"overloaded workers close to each other", overloaded, 0, alike(.1, 2, 4, true)},
	{"clock of 1 ms", overloaded, tick, alike(.002, 2, 4, false)},
	{"mildly overloaded, alike otherwise", overloaded, 0, alike(.03, 1.25, 1.45, false)},
	{"two generations of machines", overloaded, 0, unequal},
	{"a quarter of the workers overloaded", maps / 4, 0, alike(.1, 2, 4, true)},
	{"nobody overloaded, heavy tail", 0, 0, alike(.5, 1, 1, false)},
}

func (x *scene) draw(r *rand.Rand) []float64 {
	laxity := make([]float64, maps)
	x.times(laxity, x.slow, r)
	for i, t := range laxity {
		laxity[i] = youTube.strict - t
		if x.clock > 0 {
			laxity[i] = math.Round(laxity[i]/x.clock) * x.clock
		}
	}
	return laxity
}

// A rule returns the workers that it takes for overloaded.
type rule struct {
	name string
	flag func(laxity []float64) ([]int, error)
}

// rules starts with the paper's.
var rules = []rule{
	{"LOF > 1", func(laxity []float64) ([]int, error) {
		scores, err := lof.Scores1D(nil, laxity, lof.Neighbours(len(laxity)), lof.Options{})
		return above(scores, 1), err
	}},
	{"LOF, k = 4", byFactor(lof.StragglerOptions{K: 4})},
	{"LOF", byFactor(lof.StragglerOptions{})},
	{"LOF, floor of 1 ms", byFactor(lof.StragglerOptions{Resolution: tick})},
	{"1.5 x median", func(laxity []float64) ([]int, error) {
		times := timesOf(laxity)
		return above(times, 1.5*median(times)), nil
	}},
	{"median + 3 MAD", func(laxity []float64) ([]int, error) {
		times := timesOf(laxity)
		middle := median(times)
		apart := make([]float64, len(times))
		for i, t := range times {
			apart[i] = math.Abs(t - middle)
		}
		return above(times, middle+3*1.4826*median(apart)), nil
	}},
}

const (
	paperRule = iota
	narrowRule
	lofRule
	floorRule
	sparkRule
	madRule
)

func byFactor(o lof.StragglerOptions) func([]float64) ([]int, error) {
	return func(laxity []float64) ([]int, error) {
		list, err := lof.Stragglers(nil, laxity, o)
		var workers []int
		for _, x := range list {
			workers = append(workers, x.Index)
		}
		return workers, err
	}
}

// timesOf returns the run times behind laxities.
func timesOf(laxity []float64) []float64 {
	times := make([]float64, len(laxity))
	for i, l := range laxity {
		times[i] = youTube.strict - l
	}
	return times
}

func median(values []float64) float64 {
	return report.Quantile(slices.Sorted(slices.Values(values)), .5)
}

// above returns the indices of the values above a limit.
func above(values []float64, limit float64) []int {
	var list []int
	for i, x := range values {
		if x > limit {
			list = append(list, i)
		}
	}
	return list
}

// A tally is how a rule does on the snapshots of a scene.
type tally struct {
	all, found, flagged int // snapshots whose overloaded workers are all flagged; overloaded workers flagged; others flagged
}

// judge gives all rules the same snapshots of each scene.
func (s *study) judge() ([][]tally, error) {
	list := make([][]tally, len(scenes))
	err := report.Parallel(len(scenes), func(_ *struct{}, i int) error {
		list[i] = make([]tally, len(rules))
		r, x := stream(s.Seed, i, laxityStream), &scenes[i]
		for range snapshots {
			laxity := x.draw(r)
			for k := range rules {
				workers, err := rules[k].flag(laxity)
				if err != nil {
					return err
				}
				hits := 0
				for _, w := range workers {
					if w < x.slow {
						hits++
					}
				}
				t := &list[i][k]
				t.found, t.flagged = t.found+hits, t.flagged+len(workers)-hits
				if hits == x.slow {
					t.all++
				}
			}
		}
		return nil
	})
	return list, err
}

// falseRate is the share of the other workers that a rule flags, in percent.
func (t tally) falseRate(x *scene) float64 {
	return 100 * float64(t.flagged) / float64(snapshots*(maps-x.slow))
}
