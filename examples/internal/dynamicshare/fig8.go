package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

func (all readings) figure8() (report.Figure, error) {
	f := report.NewFigure("Figure 8: reduce phase over the skewness",
		fmt.Sprintf("With %d partitions on %d machines. Hadoop gives partition i to machine i. SkewTune does so too and splits the slowest task, which takes %v s, where it then ends earlier; a second SkewTune splits it where it lags, as it would end after twice the time of the task that has just ended. Keys stay whole. "+
			"Whiskers: 95%% intervals of the means. Schemes that are blind to speeds are averaged over the %d rotations of the machines, here and in the next figures.",
			reduces, reduces, overhead, reduces))
	f.Shown.Columns = []string{"reading", "job", "skewness (%)", "exponent", "heaviest key (%)"}
	x := draw.Axis{Label: fmt.Sprintf("skewness of %d partitions (%%)", reduces), Min: -3, Max: 83, Ticks: draw.Ticks(0, 80, 20)}
	var charts []*draw.Chart
	for _, t := range all {
		for j := range jobs {
			c := t.timeChart(j, x)
			var lines [][]cell
			for _, k := range []scheme{hadoop, skewTune, skewTuneLags, dp} {
				var cells []cell
				for i := range skewnesses {
					cells = append(cells, cell{j, i, reduces, k})
				}
				lines = append(lines, cells)
			}
			var skewed []float64 // the same under all schemes
			for _, at := range lines[0] {
				skewed = append(skewed, numbers.Mean(t.of(at, skewness)))
			}
			t.fill(&f, c, skewed, seconds, 1000, lines...)
			charts = append(charts, c)
			for i := range skewnesses {
				exponent := numbers.Column(t.list, func(x *trial) float64 { return x.populations[j][i].exponent })
				heaviest := numbers.Column(t.list, func(x *trial) float64 { return 100 * x.populations[j][i].heaviest() })
				f.Shown.Add(t.reading, jobs[j].name, numbers.Short(skewed[i]), numbers.PlusMinus(exponent), numbers.PlusMinus(heaviest))
			}
		}
	}
	last := func(k scheme) string { return all[1].ms(all[1].at(onTwitter, reduces, k)) }
	return f.Done(all.claims((*trials).claims8), fmt.Sprintf("Four charts of lines over the skewness. Twitter at 80%%, reading B: Hadoop %s, SkewTune %s, DP %s.", last(hadoop), last(skewTune), last(dp)), charts...)
}

func (t *trials) claims8() []report.Claim {
	helps := numbers.Across(t.list, func(x *trial) float64 { return x.long })
	ratios := func(a, b scheme, list ...int) (of []numbers.Interval) { // at each skewness, of some jobs
		for _, j := range list {
			for i := range skewnesses {
				c := cell{job: j, skewness: i, partitions: reduces}
				of = append(of, t.ratio(c.with(a), c.with(b)))
			}
		}
		return of
	}
	low, slow, lagging := ratios(dp, hadoop, onTwitter, onYouTube), ratios(skewTune, dp, onTwitter, onYouTube), ratios(skewTuneLags, dp, onTwitter, onYouTube)
	harm := ratios(skewTuneLags, hadoop, onYouTube)
	rise := func(k scheme) float64 {
		c := cell{job: onTwitter, partitions: reduces, scheme: k}
		first := numbers.Mean(t.of(c, seconds))
		c.skewness = len(skewnesses) - 1
		return numbers.Mean(t.of(c, seconds)) / first
	}
	return []report.Claim{
		report.Claim{Claim: "DP's reduce phase is shorter than Hadoop's", Headline: "Figure 8: DP over Hadoop", Published: "at every skewness", Model: "DP/Hadoop " + span(low), Relation: "95% interval of the ratio below 1 at every skewness, both jobs"}.AllBelow(1, low...),
		{Claim: "DP keeps the reduce phase short even at 80%", Headline: "Figure 8: at 80% over the least skewness", Published: "low", Model: fmt.Sprintf("Twitter at 80%% over the least skewness: DP %s, Hadoop %s", numbers.Fixed(rise(dp)), numbers.Fixed(rise(hadoop))),
			Relation: "DP rises at most to 1.5 times", Holds: rise(dp) <= 1.5},
		report.Claim{Claim: "SkewTune fails to meet DP's performance", Published: "at every skewness", Model: "SkewTune/DP " + span(slow), Relation: "95% interval of the ratio above 1 at every skewness, both jobs"}.AllAbove(1, slow...),
		report.Claim{Claim: "nor does one that splits what lags", Published: "at every skewness", Model: "SkewTune/DP " + span(lagging), Relation: "95% interval of the ratio above 1 at every skewness, both jobs"}.AllAbove(1, lagging...),
		report.Claim{Claim: "for short jobs splitting what lags costs more than it saves", Published: "performance degradation", Model: "SkewTune/Hadoop, YouTube " + span(harm), Relation: "95% interval of the ratio above 1 at every skewness"}.AllAbove(1, harm...),
		report.Claim{Claim: "for long jobs splitting what lags saves time", Published: "beneficial", Model: fmt.Sprintf("SkewTune/Hadoop %s, Twitter %d times as long", helps, longer), Relation: "95% interval of the ratio below 1 at 80%"}.Below(helps, 1),
	}
}
