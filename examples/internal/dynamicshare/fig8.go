package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (all readings) figure8() (report.Figure, error) {
	f := report.NewFigure("Figure 8: reduce phase over the skewness",
		fmt.Sprintf("With %d partitions on %d machines. Hadoop gives partition i to machine i. SkewTune does so too and splits the slowest task, which takes %v s, where it then ends earlier; a second SkewTune splits it where it lags, as it would end after twice the time of the task that has just ended. Keys stay whole. DP estimates times by k-NN "+
			"from %d past runs of each machine; dotted with exact times. Whiskers: 95%% intervals of the means. Schemes that are blind to speeds are averaged over the %d rotations of the machines, here and in the next figures.",
			reduces, reduces, overhead, pastRuns, reduces))
	f.Shown.Columns = []string{"job", "skewness (%)", "exponent", "heaviest key (%)"}
	x := draw.Axis{Label: fmt.Sprintf("skewness of %d partitions (%%)", reduces), Min: -3, Max: 83, Ticks: draw.Ticks(0, 80, 20)}
	var charts []*draw.Chart
	for _, t := range all {
		for j := range jobs {
			c := t.timeChart(j, x)
			var lines [][]cell
			for _, k := range []scheme{hadoop, skewTune, skewTuneLags, dp, dpExact} {
				var cells []cell
				for i := range t.skewnesses {
					cells = append(cells, cell{j, i, reduces, k})
				}
				lines = append(lines, cells)
			}
			var skewed []float64 // the same under all schemes
			for _, at := range lines[0] {
				skewed = append(skewed, report.Mean(t.of(at, skewness)))
			}
			t.fill(&f, c, skewed, seconds, 1000, lines...)
			charts = append(charts, c)
			for i := range t.skewnesses {
				if t == all[0] || i == t.steep { // the keys are the same
					exponent := report.Column(t.list, func(x *trial) float64 { return x.populations[j][i].exponent })
					heaviest := report.Column(t.list, func(x *trial) float64 { return 100 * x.populations[j][i].heaviest() })
					f.Shown.Add(jobs[j].name, report.Short(skewed[i]), report.PlusMinus(exponent), report.PlusMinus(heaviest))
				}
			}
		}
	}
	last := func(k scheme) string { return all[0].ms(cell{onTwitter, all[0].steep, reduces, k}) }
	return f.Done(all.claims((*trials).claims8), fmt.Sprintf("Four charts of lines over the skewness. Twitter at 80%%, reading A: Hadoop %s, SkewTune %s, DP %s.", last(hadoop), last(skewTune), last(dp)), charts...)
}

func (t *trials) claims8() []report.Claim {
	wins := report.Across(t.list, func(x *trial) float64 { return x.long[0] })
	helps := report.Across(t.list, func(x *trial) float64 { return x.long[1] })
	ratios := func(a, b scheme, list ...int) (of []report.Interval) { // at each skewness, of some jobs
		for _, j := range list {
			for i := range t.skewnesses {
				c := cell{job: j, skewness: i, partitions: reduces}
				of = append(of, t.ratio(c.with(a), c.with(b)))
			}
		}
		return of
	}
	low, slow, lagging := ratios(t.dp, hadoop, onTwitter, onYouTube), ratios(skewTune, t.dp, onTwitter, onYouTube), ratios(skewTuneLags, t.dp, onTwitter, onYouTube)
	harm := ratios(skewTuneLags, hadoop, onYouTube)
	rise := func(k scheme) float64 {
		c := cell{job: onTwitter, partitions: reduces, scheme: k}
		first := report.Mean(t.of(c, seconds))
		c.skewness = len(t.skewnesses) - 1
		return report.Mean(t.of(c, seconds)) / first
	}
	return []report.Claim{
		every(report.Claim{Claim: "DP's reduce phase is shorter than Hadoop's", Headline: "Figure 8: DP over Hadoop", Published: "at every skewness", Model: "DP/Hadoop " + span(low), Relation: "95% interval of the ratio below 1 at every skewness, both jobs", Note: "the estimates mislead DP where partitions are nearly equal"}, low, 1, report.Claim.Below),
		{Claim: "DP keeps the reduce phase short even at 80%", Headline: "Figure 8: at 80% over equal lists", Published: "low", Model: fmt.Sprintf("Twitter at 80%% over that of equal lists: DP %s, Hadoop %s", report.Fixed(rise(t.dp)), report.Fixed(rise(hadoop))),
			Relation: "DP rises at most to 1.5 times", Holds: rise(t.dp) <= 1.5, Note: "the largest partition is then 22% of all values: alone on the fastest machine it takes longer than all values spread over all machines"},
		every(report.Claim{Claim: "SkewTune fails to meet DP's performance", Published: "at every skewness", Model: "SkewTune/DP " + span(slow), Relation: "95% interval of the ratio above 1 at every skewness, both jobs", Note: "splitting the slowest task saves more than SkewTune's overhead often enough"}, slow, 1, report.Claim.Above),
		every(report.Claim{Claim: "nor does one that splits what lags", Published: "at every skewness", Model: "SkewTune/DP " + span(lagging), Relation: "95% interval of the ratio above 1 at every skewness, both jobs", Note: "what splitting saves exceeds its overhead often enough"}, lagging, 1, report.Claim.Above),
		every(report.Claim{Claim: "for short jobs splitting what lags costs more than it saves", Published: "performance degradation", Model: "SkewTune/Hadoop, YouTube " + span(harm), Relation: "95% interval of the ratio above 1 at every skewness", Note: "where a partition is large enough half of its time exceeds the overhead"}, harm, 1, report.Claim.Above),
		report.Claim{Claim: "for long jobs splitting what lags saves time", Published: "beneficial", Model: fmt.Sprintf("SkewTune/Hadoop %s, Twitter %d times as long", helps, longer), Relation: "95% interval of the ratio below 1 at 80%", Note: "the heaviest key stays whole"}.Below(helps, 1),
		report.Claim{Claim: "for long jobs SkewTune ends before DP", Published: "not measured", Model: fmt.Sprintf("SkewTune/DP %s, Twitter %d times as long", wins, longer), Relation: "95% interval of the ratio below 1 at 80%", Note: "the heaviest key, which stays whole, moves to a fast machine only when one becomes idle; DP has it there from the start", Kind: report.Beyond}.Below(wins, 1),
	}
}
