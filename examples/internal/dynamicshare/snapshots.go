package dynamicshare

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/lof"
)

// A snapshot is the laxities, in seconds, of the map tasks of one job, one on each worker. The
// first workers are overloaded.
const (
	overloaded = 5    // workers
	snapshots  = 1000 // of each scene
	usual      = .35  // s that a YouTube-like map takes: its laxity is near 1,650 ms, as in the paper
	tick       = .001 // s, of a coarse clock
)

// A scene is a law of snapshots.
type scene struct {
	name  string
	slow  int     // overloaded workers
	clock float64 // s between two ticks; 0: continuous
	times func(time []float64, slow int, r *rand.Rand)
}

// alike draws times around the usual one and slows the overloaded workers down by factors from low
// to high: by one factor if same is set.
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

// unequal has two generations of machines: every second machine is half as fast.
func unequal(time []float64, slow int, r *rand.Rand) {
	alike(.1, 4, 6, false)(time, slow, r)
	for i := range time {
		if i >= slow && i%2 == 0 {
			time[i] *= 2
		}
	}
}

// scenes starts with the three that Figure 6 lists.
var scenes = []scene{
	{"as in Figure 6", overloaded, 0, alike(.1, 2, 4, false)},
	{"overloaded alike", overloaded, 0, alike(.1, 2, 4, true)},
	{"clock of 1 ms", overloaded, tick, alike(.002, 2, 4, false)},
	{"mild overload", overloaded, 0, alike(.03, 1.25, 1.45, false)},
	{"two generations", overloaded, 0, unequal},
	{"a quarter overloaded", maps / 4, 0, alike(.1, 2, 4, true)},
	{"none, heavy tail", 0, 0, alike(.5, 1, 1, false)},
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

// A rule appends to dst the workers that it takes for overloaded.
type rule struct {
	name string
	flag func(dst []int, laxity []float64) []int
}

// rules starts with the paper's.
var rules = []rule{
	{"LOF > 1", func(dst []int, laxity []float64) []int {
		scores, _ := lof.Scores1D(nil, laxity, lof.Neighbours(len(laxity)), lof.Options{}) // none if a laxity is not finite
		return above(dst, scores, 1)
	}},
	{"LOF, k = 4", byFactor(lof.StragglerOptions{K: 4})},
	{"LOF", byFactor(lof.StragglerOptions{})},
	{"LOF, floor of 1 ms", byFactor(lof.StragglerOptions{Resolution: tick})},
	{"1.5 x median", func(dst []int, laxity []float64) []int {
		times := timesOf(laxity)
		return above(dst, times, 1.5*median(times))
	}},
	{"median + 3 MAD", func(dst []int, laxity []float64) []int {
		times := timesOf(laxity)
		middle := median(times)
		apart := report.Column(times, func(t *float64) float64 { return math.Abs(*t - middle) })
		return above(dst, times, middle+3*1.4826*median(apart))
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

func byFactor(o lof.StragglerOptions) func([]int, []float64) []int {
	return func(dst []int, laxity []float64) []int {
		list, _ := lof.Stragglers(nil, laxity, o) // none if a laxity is not finite
		for _, x := range list {
			dst = append(dst, x.Index)
		}
		return dst
	}
}

// timesOf returns the run times that leave these laxities.
func timesOf(laxity []float64) []float64 {
	return report.Column(laxity, func(l *float64) float64 { return youTube.strict - *l })
}

func median(values []float64) float64 {
	return report.Quantile(slices.Sorted(slices.Values(values)), .5)
}

// above appends the indices of the values above a limit.
func above(dst []int, values []float64, limit float64) []int {
	for i, x := range values {
		if x > limit {
			dst = append(dst, i)
		}
	}
	return dst
}

// A tally is how a rule does on the snapshots of a scene.
type tally struct {
	all    int     // snapshots of which it flags every overloaded worker
	found  float64 // overloaded workers that it flags, percent
	others float64 // other workers that it flags, percent
}

// judge gives all rules the same snapshots of each scene.
func (s *study) judge() ([][]tally, error) {
	return report.Each(s.terminal, "dynamicshare: stragglers", len(scenes), func(i int) ([]tally, error) {
		list, r, x := make([]tally, len(rules)), stream(s.Seed, i, laxityStream), &scenes[i]
		for range snapshots {
			laxity := x.draw(r)
			for k := range rules {
				workers := rules[k].flag(nil, laxity)
				hits := report.Number(workers, func(w int) bool { return w < x.slow })
				if hits == x.slow {
					list[k].all++
				}
				list[k].found += float64(hits)
				list[k].others += float64(len(workers) - hits)
			}
		}
		for k := range list {
			list[k].found = 100 * list[k].found / float64(snapshots*max(1, x.slow))
			list[k].others = 100 * list[k].others / float64(snapshots*(maps-x.slow))
		}
		return list, nil
	})
}
