package dynamicshare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/lof"
)

func (s *study) figure6() (report.Figure, error) {
	f := report.NewFigure("Figure 6: laxities of a job's map tasks and their local outlier factors",
		fmt.Sprintf("The first of %d snapshots: %d workers with one map each, %d of them overloaded by a factor of 2 to 4. Bottom: LOF with k = %d; dashed: 1, the paper's limit; solid: 3, ours, which counts below the median laxity alone.",
			snapshots, maps, overloaded, lof.Neighbours(maps)),
		"worker", "overloaded", "laxity_s", "lof", "flagged")
	f.Shown.Columns = []string{"rule", "all overloaded found", "other workers flagged, %"}
	laxity := snapshot(overloaded, report.Stream(s.Seed, 0, laxityStream))
	scores, err := lof.Scores1D(nil, laxity, lof.Neighbours(maps), lof.Options{})
	if err != nil {
		return f, err
	}
	flagged := rules[lofRule].flag(nil, laxity)
	axis := draw.Axis{Label: "worker", Min: -1, Max: maps, Ticks: draw.Ticks(0, maps, 10)}
	top := &draw.Chart{Height: 170, GridY: true, X: axis, Y: draw.Axis{Label: "laxity (ms)"}}
	bottom := &draw.Chart{Height: 170, GridY: true, X: axis, Y: draw.Axis{Label: "LOF", Log: true}}
	// The picture numbers workers in random order.
	var x, y []float64
	state := map[bool]string{false: "no", true: "yes"}
	for i, place := range report.Stream(s.Seed, 1, placeStream).Perm(maps) {
		x, y = append(x, float64(place)), append(y, 1000*laxity[i])
		f.Numbers.Add(place, state[i < overloaded], laxity[i], scores[i], state[slices.Contains(flagged, i)])
	}
	top.FitY(y...)
	bottom.FitY(append([]float64{.9, 3.5}, scores...)...)
	bottom.Level("", 1, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
	bottom.Level("", 3, draw.Stroke{Color: draw.Black, Width: 1})
	top.Level("paper, most workers", 1650, draw.Stroke{Color: draw.Black, Dash: draw.Dotted, Width: 1})
	top.Dots("other workers", x[overloaded:], y[overloaded:], draw.Ring, draw.Blue, 2.5)
	top.Dots("overloaded", x[:overloaded], y[:overloaded], draw.Triangle, draw.Vermilion, 3)
	bottom.Dots("", x[overloaded:], scores[overloaded:], draw.Ring, draw.Blue, 2.5)
	bottom.Dots("", x[:overloaded], scores[:overloaded], draw.Triangle, draw.Vermilion, 3)
	tallies := s.judge()
	for k, t := range tallies {
		f.Shown.Add(rules[k].name, strconv.Itoa(t.all), numbers.Short2(t.others))
	}
	return f.Done(claims6(tallies), fmt.Sprintf("Laxities near 1,650 ms but for five, and their LOF: at most %s for the other workers, at least %s for the five.",
		numbers.Short(slices.Max(scores[overloaded:])), numbers.Short(slices.Min(scores[:overloaded]))), top, bottom)
}

func claims6(tallies []tally) []report.Claim {
	text := func(t tally) string {
		return fmt.Sprintf("all five in %d of %d; %s%% of the other workers flagged", t.all, snapshots, numbers.Short2(t.others))
	}
	apart, paper := tallies[lofRule], tallies[paperRule]
	return []report.Claim{
		report.Says("LOF identifies the workers whose laxities are significantly lower", "five of five", "all five in all snapshots",
			"%s", text(apart)).When(apart.all == snapshots),
		report.Says("a worker is overloaded if its value is greater than 1", "> 1",
			"all five in all snapshots, and at most 1% of the other workers flagged", "%s", text(paper)).When(paper.all == snapshots && paper.others <= 1),
	}
}

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
