package dynamicshare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/lof"
)

func (s *study) figure6(judged func() ([][]tally, error)) (report.Figure, error) {
	f := report.Figure{
		Item:  "fig6",
		Title: "Figure 6: laxities of a job's map tasks and their local outlier factors",
		Caption: fmt.Sprintf("The first of %d snapshots: %d workers with one map each, %d of them overloaded by a factor of 2 to 4. Bottom: LOF with k = %d; dashed: 1, the paper's limit; solid: 3, ours, which counts below the median laxity alone.",
			snapshots, maps, overloaded, lof.Neighbours(maps)),
		Numbers: report.Table{Columns: []string{"worker", "overloaded", "laxity_s", "lof", "flagged"}},
		Shown:   report.Table{Columns: []string{"snapshots", "rule", "all overloaded found", "other workers flagged, %"}},
	}
	laxity := scenes[0].draw(stream(s.Seed, 0, laxityStream))
	scores, err := lof.Scores1D(nil, laxity, lof.Neighbours(maps), lof.Options{})
	if err != nil {
		return f, err
	}
	flagged, err := rules[lofRule].flag(laxity)
	if err != nil {
		return f, err
	}
	top, bottom := &draw.Chart{Height: 170, GridY: true}, &draw.Chart{Height: 170, GridY: true}
	for _, c := range []*draw.Chart{top, bottom} {
		c.X = draw.Axis{Label: "worker", Min: -1, Max: maps, Ticks: draw.Ticks(0, maps, 10)}
	}
	top.Y, bottom.Y = draw.Axis{Label: "laxity (ms)"}, draw.Axis{Label: "LOF", Log: true}
	// The picture numbers workers in random order.
	place := stream(s.Seed, 1, ruleStream).Perm(maps)
	var x, y, z [2][]float64
	for i, l := range laxity {
		state := [...]string{"no", "yes"}
		slow, hit := 0, 0
		if i < overloaded {
			slow = 1
		}
		if slices.Contains(flagged, i) {
			hit = 1
		}
		x[slow], y[slow], z[slow] = append(x[slow], float64(place[i])), append(y[slow], 1000*l), append(z[slow], scores[i])
		f.Numbers.Add(place[i], state[slow], l, scores[i], state[hit])
	}
	top.FitY(slices.Concat(y[0], y[1])...)
	bottom.FitY(slices.Concat(z[0], z[1], []float64{.9, 3.5})...)
	for k, c := range []*draw.Chart{top, bottom} {
		lists, labels := [...][2][]float64{y, z}[k], [2]string{"other workers", "overloaded"}
		if k == 1 {
			labels = [2]string{}
			c.Level("", 1, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
			c.Level("", 3, draw.Stroke{Color: draw.Black, Width: 1})
		}
		c.Dots(labels[0], x[0], lists[0], draw.Ring, draw.Blue, 2.5)
		c.Dots(labels[1], x[1], lists[1], draw.Triangle, draw.Vermilion, 3)
	}
	tallies, err := judged()
	if err != nil {
		return f, err
	}
	for i := range 3 {
		for _, k := range []int{paperRule, narrowRule, lofRule, floorRule} {
			t := tallies[i][k]
			f.Shown.Add(scenes[i].name, rules[k].name, strconv.Itoa(t.all), report.Short2(t.falseRate(&scenes[i])))
		}
	}
	if f.Picture, err = draw.New(fmt.Sprintf("Laxities near 1,650 ms but for five, and their LOF: at most %s for the other workers, at least %s for the five.",
		report.Short(slices.Max(z[0])), report.Short(slices.Min(z[1]))), top, bottom); err != nil {
		return f, err
	}
	at := func(scene, rule int) (tally, string) {
		t := tallies[scene][rule]
		return t, fmt.Sprintf("all five in %d of %d; %s%% of the other workers flagged", t.all, snapshots, report.Short2(t.falseRate(&scenes[scene])))
	}
	apart, apartText := at(0, lofRule)
	paper, paperText := at(0, paperRule)
	same, sameText := at(1, lofRule)
	few, fewText := at(1, narrowRule)
	ticks, ticksText := at(2, lofRule)
	floor, floorText := at(2, floorRule)
	rate := func(t tally, scene int) float64 { return t.falseRate(&scenes[scene]) }
	f.Claims = report.Claims("dynamicshare", "fig6", "", []report.Claim{
		{Claim: "LOF identifies the workers whose laxities are significantly lower", Published: "five of five", Model: apartText,
			Relation: "all five in all snapshots", Holds: apart.all == snapshots, Note: "a factor near 2 leaves a time that noise of the other workers comes near"},
		{Claim: "a worker is overloaded if its value is greater than 1", Published: "> 1", Model: paperText,
			Relation: "all five in all snapshots, and at most 1% of the other workers flagged", Holds: paper.all == snapshots && rate(paper, 0) <= 1, Note: "LOF is about 1 inside and of most workers a little above; a limit of 3 below the median laxity tells them apart"},
		{Claim: "with a limit of 3 on one side few other workers are flagged", Published: "not considered", Model: apartText,
			Relation: "at most 1% of the other workers", Holds: rate(apart, 0) <= 1, Note: "the tail of the noise", Kind: report.Beyond},
		{Claim: fmt.Sprintf("five overloaded workers close to each other are found with k = %d", lof.Neighbours(maps)), Published: "k is not given", Model: sameText,
			Relation: "all five in all snapshots", Holds: same.all == snapshots, Note: "a factor near 2 leaves a time that noise of the other workers comes near", Kind: report.Beyond},
		{Claim: "they hide from k = 4", Published: "k is not given", Model: fewText,
			Relation: "all five in fewer than half of the snapshots", Holds: 2*few.all < snapshots, Note: "the group is wide enough to be seen", Kind: report.Beyond},
		{Claim: "on a clock of 1 ms a floor at the tick cures false alarms", Published: "not considered", Model: "without: " + ticksText + "; with: " + floorText,
			Relation: "all five in all snapshots with the floor, and fewer other workers flagged than without", Holds: floor.all == snapshots && floor.flagged < ticks.flagged,
			Note: "this rule counts one side from a gap on, which equal values do not pass either", Kind: report.Beyond},
	}...)
	return f, nil
}
