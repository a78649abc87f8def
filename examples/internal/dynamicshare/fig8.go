package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (t *trials) figure8() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig8",
		Title: "Figure 8: reduce phase over the skewness",
		Caption: fmt.Sprintf("With %d partitions on %d machines. Hadoop gives partition i to machine i. SkewTune does so too and splits the slowest task where that takes %v s; keys stay whole. DP estimates times by k-NN "+
			"from %d past runs of each machine; dotted with exact times. Whiskers: 95%% intervals of the means. Schemes that are blind to speeds are averaged over the %d rotations of the machines, here and in the next figures.",
			reduces, reduces, overhead, pastRuns, reduces),
		Shown: report.Table{Columns: []string{"job", "skewness (%)", "exponent", "heaviest key (%)"}},
	}
	x := draw.Axis{Label: fmt.Sprintf("skewness of %d partitions (%%)", reduces), Min: -3, Max: 83, Ticks: draw.Ticks(0, 80, 20)}
	var charts []*draw.Chart
	for j := range jobs {
		c := timeChart(j, x)
		var lines []line
		for _, k := range []scheme{hadoop, skewTune, dp, dpExact} {
			var l line
			for i := range skewnesses {
				at := cell{j, i, reduces, k}
				l.x, l.cells = append(l.x, report.Mean(t.of(at, skewness))), append(l.cells, at)
			}
			lines = append(lines, l)
		}
		t.fill(&f, c, seconds, 1000, lines...)
		charts = append(charts, c)
		for i := range skewnesses {
			var exponent, heaviest []float64
			for k := range t.list {
				exponent, heaviest = append(exponent, t.list[k].exponent[j][i]), append(heaviest, 100*t.list[k].heaviest[j][i])
			}
			f.Shown.Add(jobs[j].name, report.Short(lines[0].x[i]), report.PlusMinus(exponent), report.PlusMinus(heaviest))
		}
	}
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Two charts of lines over the skewness. Twitter at 80%%: Hadoop %s, SkewTune %s, DP %s.",
		t.ms(steep(onTwitter, reduces, hadoop)), t.ms(steep(onTwitter, reduces, skewTune)), t.ms(steep(onTwitter, reduces, dp))), charts...)
	f.Claims = t.claims8()
	return f, err
}

func (t *trials) claims8() []report.Claim {
	var low, slow []report.Interval
	for j := range jobs {
		for i := range skewnesses {
			c := cell{job: j, skewness: i, partitions: reduces}
			low, slow = append(low, t.ratio(c.with(dp), c.with(hadoop))), append(slow, t.ratio(c.with(skewTune), c.with(dp)))
		}
	}
	rise := func(k scheme) float64 {
		c := cell{job: onTwitter, partitions: reduces, scheme: k}
		first := report.Mean(t.of(c, seconds))
		c.skewness = steepest
		return report.Mean(t.of(c, seconds)) / first
	}
	idle := "SkewTune can win only where half of a task's time left exceeds its overhead"
	return report.Claims("dynamicshare", "fig8", "",
		report.Claim{Claim: "DP's reduce phase is shorter than Hadoop's", Published: "at every skewness", Model: "DP/Hadoop " + span(low), Relation: "95% interval of the ratio below 1 at every skewness, both jobs",
			Holds: allBelow(low, 1), Note: "the estimates mislead DP where partitions are nearly equal"},
		report.Claim{Claim: "DP keeps the reduce phase short even at 80%", Published: "low", Model: fmt.Sprintf("Twitter at 80%% over that of equal lists: DP %s, Hadoop %s", report.Fixed(rise(dp)), report.Fixed(rise(hadoop))),
			Relation: "DP rises at most to 1.5 times", Holds: rise(dp) <= 1.5, Note: "the largest partition is then 22% of all values: on the fastest machine it alone takes longer than all values do when they are spread"},
		report.Claim{Claim: "SkewTune fails to meet DP's performance", Published: "at every skewness", Model: "SkewTune/DP " + span(slow), Relation: "95% interval of the ratio above 1 at every skewness, both jobs",
			Holds: allAbove(slow, 1), Note: idle},
	)
}
