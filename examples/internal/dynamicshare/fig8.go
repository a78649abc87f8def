package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
)

func (t *trials) figure8() (report.Figure, error) {
	f := report.NewFigure("Figure 8: reduce phase over the skewness",
		fmt.Sprintf("With %d partitions on %d machines. Hadoop gives partition i to machine i. SkewTune does so too and splits the slowest task where that takes %v s; keys stay whole. DP estimates times by k-NN "+
			"from %d past runs of each machine; dotted with exact times. Whiskers: 95%% intervals of the means. Schemes that are blind to speeds are averaged over the %d rotations of the machines, here and in the next figures.",
			reduces, reduces, overhead, pastRuns, reduces))
	f.Shown.Columns = []string{"job", "skewness (%)", "exponent", "heaviest key (%)"}
	x := draw.Axis{Label: fmt.Sprintf("skewness of %d partitions (%%)", reduces), Min: -3, Max: 83, Ticks: draw.Ticks(0, 80, 20)}
	var charts []*draw.Chart
	for j := range jobs {
		c := timeChart(j, x)
		var lines [][]cell
		for _, k := range []scheme{hadoop, skewTune, dp, dpExact} {
			var cells []cell
			for i := range skewnesses {
				cells = append(cells, cell{j, i, reduces, k})
			}
			lines = append(lines, cells)
		}
		var skewed []float64 // the same under all four schemes
		for _, at := range lines[0] {
			skewed = append(skewed, report.Mean(t.of(at, skewness)))
		}
		t.fill(&f, c, skewed, seconds, 1000, lines...)
		charts = append(charts, c)
		for i := range skewnesses {
			exponent := report.Column(t.list, func(x *trial) float64 { return x.populations[j][i].exponent })
			heaviest := report.Column(t.list, func(x *trial) float64 { return 100 * x.populations[j][i].heaviest() })
			f.Shown.Add(jobs[j].name, report.Short(skewed[i]), report.PlusMinus(exponent), report.PlusMinus(heaviest))
		}
	}
	overDP, err := t.longJob()
	if err != nil {
		return f, err
	}
	return f.Done(t.claims8(overDP), fmt.Sprintf("Two charts of lines over the skewness. Twitter at 80%%: Hadoop %s, SkewTune %s, DP %s.",
		t.ms(steep(onTwitter, reduces, hadoop)), t.ms(steep(onTwitter, reduces, skewTune)), t.ms(steep(onTwitter, reduces, dp))), charts...)
}

// longJob returns the times of SkewTune over those of DP, with exact times, when the Twitter job
// takes longer at the steepest skewness.
func (t *trials) longJob() (overDP []float64, err error) {
	for i := range t.list {
		p, j, v := t.list[i].populations[onTwitter][steepest], *jobs[onTwitter], t.list[i].speeds
		j.rate /= longer
		sizes, err := p.sizes(reduces)
		if err != nil {
			return nil, err
		}
		plan, err := j.assign(sizes, v, partition.DynamicShare)
		if err != nil {
			return nil, err
		}
		overDP = append(overDP, rotated(v, func(v []float64) float64 { return j.skewTune(sizes, p.longest(), v, overhead) })/plan.Makespan)
	}
	return overDP, nil
}

func (t *trials) claims8(overDP []float64) []report.Claim {
	wins := report.Over(overDP)
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
	return []report.Claim{
		every(report.Claim{Claim: "DP's reduce phase is shorter than Hadoop's", Published: "at every skewness", Model: "DP/Hadoop " + span(low), Relation: "95% interval of the ratio below 1 at every skewness, both jobs", Note: "the estimates mislead DP where partitions are nearly equal"}, low, 1, report.Claim.Below),
		{Claim: "DP keeps the reduce phase short even at 80%", Published: "low", Model: fmt.Sprintf("Twitter at 80%% over that of equal lists: DP %s, Hadoop %s", report.Fixed(rise(dp)), report.Fixed(rise(hadoop))),
			Relation: "DP rises at most to 1.5 times", Holds: rise(dp) <= 1.5, Note: "the largest partition is then 22% of all values: alone on the fastest machine it takes longer than all values spread over all machines"},
		every(report.Claim{Claim: "SkewTune fails to meet DP's performance", Published: "at every skewness", Model: "SkewTune/DP " + span(slow), Relation: "95% interval of the ratio above 1 at every skewness, both jobs", Note: "splitting the slowest task saves more than SkewTune's overhead often enough"}, slow, 1, report.Claim.Above),
		report.Claim{Claim: "for long jobs SkewTune ends before DP", Published: "not measured", Model: fmt.Sprintf("SkewTune/DP %s, Twitter %d times as long", wins, longer), Relation: "95% interval of the ratio below 1 at 80%", Note: "the heaviest key, which stays whole, moves to a fast machine only when one becomes idle; DP has it there from the start", Kind: report.Beyond}.Below(wins, 1),
	}
}
