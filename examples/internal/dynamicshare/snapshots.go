package dynamicshare

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/lof"
)

const (
	overloaded = 5    // workers
	snapshots  = 1000 // of Figure 6
	usual      = .35  // s that a YouTube-like map takes: its laxity is near 1,650 ms, as in the paper
)

// snapshot draws the laxities, in seconds, of the map tasks of one job, one on each worker. The
// first workers are overloaded by factors from 2 to 4.
func snapshot(slow int, r *rand.Rand) []float64 {
	laxity := make([]float64, maps)
	for i := range laxity {
		time := usual * math.Exp(.1*r.NormFloat64())
		if i < slow {
			time *= 2 + 2*r.Float64()
		}
		laxity[i] = youTube.strict - time
	}
	return laxity
}

// A rule appends to dst the workers that it takes for overloaded.
type rule struct {
	name string
	flag func(dst []int, laxity []float64) []int
}

// rules are the paper's and ours.
var rules = []rule{
	{"LOF > 1", func(dst []int, laxity []float64) []int {
		scores, _ := lof.Scores1D(nil, laxity, lof.Neighbours(len(laxity)), lof.Options{}) // none if a laxity is not finite
		for i, x := range scores {
			if x > 1 {
				dst = append(dst, i)
			}
		}
		return dst
	}},
	{"LOF", three},
}

const (
	paperRule = iota
	lofRule
)

// Limits for LOF below the median: ours and the paper's.
var three, one = byFactor(lof.StragglerOptions{}), byFactor(lof.StragglerOptions{Threshold: 1})

func byFactor(o lof.StragglerOptions) func([]int, []float64) []int {
	return func(dst []int, laxity []float64) []int {
		list, _ := lof.Stragglers(nil, laxity, o) // none if a laxity is not finite
		for _, x := range list {
			dst = append(dst, x.Index)
		}
		return dst
	}
}

// A tally is how a rule does on all snapshots.
type tally struct {
	all    int     // snapshots of which it flags every overloaded worker
	others float64 // other workers that it flags, percent
}

// judge gives all rules the same snapshots.
func (s *study) judge() []tally {
	list, r := make([]tally, len(rules)), report.Stream(s.Seed, 0, laxityStream)
	for range snapshots {
		laxity := snapshot(overloaded, r)
		for k := range rules {
			workers := rules[k].flag(nil, laxity)
			hits := numbers.Number(workers, func(w int) bool { return w < overloaded })
			if hits == overloaded {
				list[k].all++
			}
			list[k].others += 100 * float64(len(workers)-hits) / float64(snapshots*(maps-overloaded))
		}
	}
	return list
}
