package dynamicshare

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (s *study) figureRules(tallies [][]tally) (report.Figure, error) {
	shown := []int{lofRule, sparkRule, madRule}
	f := report.NewFigure("Overloaded workers: LOF, Spark's multiple of the median, and deviations from the median",
		fmt.Sprintf("The rules see the same %d snapshots of %d workers under each law. Top: share of the overloaded workers that are flagged, in whole percent; bottom: of the other workers, in tenths. LOF flags factors above 3 of laxities below the median, with the default k. "+
			"1.5 x median is Spark's rule for slow tasks. Overloaded alike: all by one factor; mild: by 1.25 to 1.45; two generations: every second machine is half as fast. MAD is the median absolute deviation, times 1.48.", snapshots, maps),
		"law", "rule", "snapshots", "overloaded", "found_percent", "all_found", "others_flagged_percent")
	f.Shown.Columns = []string{"law", "rule", "found, %", "others flagged, %"}
	laws := named(scenes, func(x *scene) string { return x.name })
	top := &draw.Chart{Height: 250, GridX: true, X: draw.Axis{Label: "found (%)", Max: 105, Ticks: draw.Ticks(0, 100, 25)}, Y: laws}
	bottom := &draw.Chart{Height: 250, GridX: true, X: draw.Axis{Label: "others flagged (%)"}, Y: laws}
	for i, x := range scenes {
		for k, t := range tallies[i] {
			f.Numbers.Add(x.name, rules[k].name, snapshots, x.slow, t.found, t.all, t.others)
		}
		for _, k := range shown {
			t := tallies[i][k]
			found := report.Short(t.found)
			if x.slow == 0 {
				found = "none there"
			}
			f.Shown.Add(x.name, rules[k].name, found, report.Short2(t.others))
		}
	}
	var found, others []draw.Bars
	for n, k := range shown {
		f, o := draw.Bars{Label: rules[k].name, Paint: draw.PaintOf(n)}, draw.Bars{Paint: draw.PaintOf(n)}
		for i, x := range scenes {
			if f.Y = append(f.Y, math.Round(tallies[i][k].found)); x.slow == 0 {
				f.Y[i] = math.NaN()
			}
			o.Y = append(o.Y, math.Round(10*tallies[i][k].others)/10)
		}
		found, others = append(found, f), append(others, o)
	}
	top.Bars(found)
	bottom.Bars(others)
	const mild, generations, group, tail = 3, 4, 5, 6
	text := func(scene int) string {
		return report.Words(shown, "; ", func(k int) string {
			t, found := tallies[scene][k], ""
			if scenes[scene].slow > 0 {
				found = report.Short2(t.found) + "%, others "
			}
			return rules[k].name + " " + found + report.Short2(t.others) + "%"
		})
	}
	foundBy := func(scene, rule int) float64 { return tallies[scene][rule].found }
	othersBy := func(scene, rule int) float64 { return tallies[scene][rule].others }
	return f.Done([]report.Claim{
		{Claim: "LOF finds mild overload among workers that are otherwise alike, which a multiple of the median misses", Published: "not compared", Model: text(mild),
			Relation: "LOF at least 95%, 1.5 x median at most 5%", Holds: foundBy(mild, lofRule) >= 95 && foundBy(mild, sparkRule) <= 5, Note: "the gap to the other workers is only a few times the distance between these"},
		{Claim: "with two generations of machines LOF flags overload and not the older machines", Published: "not compared", Model: text(generations),
			Relation: "LOF at least 95% and at most 1% of the others", Holds: foundBy(generations, lofRule) >= 95 && othersBy(generations, lofRule) <= 1, Note: "the overloaded workers spread over several times the width of a generation"},
		{Claim: "overloaded workers hide from LOF if they are a quarter of all workers", Published: "k is not given", Model: text(group),
			Relation: "LOF at most 5%, both others at least 95%", Holds: foundBy(group, lofRule) <= 5 && min(foundBy(group, sparkRule), foundBy(group, madRule)) >= 95, Note: "the overloaded workers, whose times are spread by their factor, lie less densely than the others"},
		{Claim: "where nobody is overloaded and times have a heavy tail LOF flags least", Published: "not compared", Model: text(tail),
			Relation: "fewer flagged than by both others", Holds: othersBy(tail, lofRule) < min(othersBy(tail, sparkRule), othersBy(tail, madRule)), Note: "LOF takes the heavy tail for outliers"},
	}, "Bars for three rules under seven laws: which overloaded workers they find and which others they flag.", top, bottom)
}
