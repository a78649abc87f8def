package dynamicshare

import (
	"fmt"
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
		{Claim: "LOF identifies the workers whose laxities are significantly lower", Published: "five of five", Model: text(apart),
			Relation: "all five in all snapshots", Holds: apart.all == snapshots},
		{Claim: "a worker is overloaded if its value is greater than 1", Published: "> 1", Model: text(paper),
			Relation: "all five in all snapshots, and at most 1% of the other workers flagged", Holds: paper.all == snapshots && paper.others <= 1},
	}
}
