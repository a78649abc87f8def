package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (s *study) figureRules(judged func() ([][]tally, error)) (report.Figure, error) {
	shown := []int{lofRule, sparkRule, madRule}
	f := report.Figure{
		Item:  "rules",
		Title: "Overloaded workers: LOF, Spark's multiple of the median, and deviations from the median",
		Caption: fmt.Sprintf("The rules see the same %d snapshots of %d workers under each law. Top: share of the overloaded workers that are flagged; bottom: of the others. LOF: limit 3, below the median laxity, default k. "+
			"1.5 x median is Spark's rule for slow tasks; the last one flags what is 3 median absolute deviations (times 1.48) above the median.", snapshots, maps),
		Numbers: report.Table{Columns: []string{"law", "rule", "snapshots", "overloaded", "found_percent", "all_found", "others_flagged_percent"}},
		Shown:   report.Table{Columns: []string{"law", "rule", "found, %", "others flagged, %"}},
	}
	tallies, err := judged()
	if err != nil {
		return f, err
	}
	top, bottom := &draw.Chart{Height: 170, GridY: true}, &draw.Chart{Height: 170, GridY: true}
	var found, wrong [3][]float64
	for i := range scenes {
		x := &scenes[i]
		for k := range rules {
			t := tallies[i][k]
			share := 100 * float64(t.found) / float64(snapshots*max(1, x.slow))
			f.Numbers.Add(x.name, rules[k].name, snapshots, x.slow, share, t.all, t.falseRate(x))
		}
		for n, k := range shown {
			t := tallies[i][k]
			share := report.Short(100 * float64(t.found) / float64(snapshots*max(1, x.slow)))
			if x.slow == 0 {
				share = "none there"
			}
			f.Shown.Add(x.name, rules[k].name, share, report.Short2(t.falseRate(x)))
			found[n], wrong[n] = append(found[n], 100*float64(t.found)/float64(snapshots*max(1, x.slow))), append(wrong[n], t.falseRate(x))
		}
	}
	for c, chart := range []*draw.Chart{top, bottom} {
		chart.X = draw.Axis{Label: "law, in the order of the table", Min: -.6, Max: float64(len(scenes)) - .4}
		for i := range scenes {
			chart.X.Ticks = append(chart.X.Ticks, draw.Tick{At: float64(i), Label: fmt.Sprint(i + 1)})
		}
		chart.Y = [...]draw.Axis{{Label: "found (%)", Min: 0, Max: 105, Ticks: draw.Ticks(0, 100, 25)}, {Label: "others flagged (%)"}}[c]
		if c == 1 {
			chart.FitY(append(append(wrong[0], wrong[1]...), wrong[2]...)...)
		}
		for n, fill := range []draw.Stroke{{Color: draw.Blue}, {Color: draw.Orange}, {Color: draw.Green}} {
			for i := range scenes {
				y := [...][3][]float64{found, wrong}[c][n][i]
				at := float64(i) + .27*float64(n-1)
				if y > 0 {
					chart.Area(at-.12, 0, at+.12, y, fill.Color)
				}
			}
			if c == 0 {
				chart.Key(rules[shown[n]].name, fill.Color)
			}
		}
	}
	if f.Picture, err = draw.New("Bars for three rules under seven laws: which overloaded workers they find and which others they flag.", top, bottom); err != nil {
		return f, err
	}
	const mild, generations, group, tail = 3, 4, 5, 6
	share := func(scene, rule int) float64 {
		return 100 * float64(tallies[scene][rule].found) / float64(snapshots*scenes[scene].slow)
	}
	text := func(scene int) string {
		model := ""
		for n, k := range shown {
			t := tallies[scene][k]
			model += [...]string{"", "; ", "; "}[n] + rules[k].name + " "
			if scenes[scene].slow > 0 {
				model += report.Short2(share(scene, k)) + "%, others "
			}
			model += report.Short2(t.falseRate(&scenes[scene])) + "%"
		}
		return model
	}
	rate := func(scene, rule int) float64 { return tallies[scene][rule].falseRate(&scenes[scene]) }
	f.Claims = report.Claims("dynamicshare", "rules", "", report.OfKind(report.Beyond, []report.Claim{
		{Claim: "LOF finds mild overload among workers that are otherwise alike, which a multiple of the median misses", Published: "not compared", Model: text(mild),
			Relation: "LOF at least 95%, 1.5 x median at most 5%", Holds: share(mild, lofRule) >= 95 && share(mild, sparkRule) <= 5, Note: "the gap to the other workers is a few of their own distances only"},
		{Claim: "with two generations of machines LOF flags overload and not the older machines", Published: "not compared", Model: text(generations),
			Relation: "LOF at least 95% and at most 1% of the others", Holds: share(generations, lofRule) >= 95 && rate(generations, lofRule) <= 1, Note: "the overloaded workers spread over several times the width of a generation"},
		{Claim: "and a multiple of the median flags the older machines", Published: "not compared", Model: text(generations),
			Relation: "1.5 x median flags at least 10% of the others", Holds: rate(generations, sparkRule) >= 10, Note: "the median lies between the generations or in the slower one"},
		{Claim: "a quarter of the workers overloaded hides from LOF", Published: "k is not given", Model: text(group),
			Relation: "LOF at most 5%, both others at least 95%", Holds: share(group, lofRule) <= 5 && min(share(group, sparkRule), share(group, madRule)) >= 95, Note: "the group, wider than the others by its factor, is less dense than they are"},
		{Claim: "where nobody is overloaded and times have a heavy tail LOF flags least", Published: "not compared", Model: text(tail),
			Relation: "fewer flagged than by both others", Holds: rate(tail, lofRule) < min(rate(tail, sparkRule), rate(tail, madRule)), Note: "a heavy tail is what LOF looks for"},
	}...)...)
	return f, nil
}
