package dynamicshare

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// What the text on Figures 9 and 10 has for the Twitter job: so many partitions, and s under DP and
// LB.
const (
	textPartitions = 40
	textDP, textLB = 1.9, 2.8
)

func (all readings) figure9() (report.Figure, error) {
	return all.timesFigure("Figure 9: reduce phase over the number of partitions",
		fmt.Sprintf("LB spreads values evenly, DP by when machines end, in A by times estimated by k-NN (solid), in B by exact ones (dotted); Hadoop keeps %d partitions.", reduces),
		(*trials).claims9, hadoop, lb, dp, dpExact)
}

func (t *trials) claims9() []report.Claim {
	faster := t.ratios(t.dp, lb)
	var below, estimated []report.Interval
	for j := range jobs {
		for _, n := range partitions[1:] {
			below = append(below, t.ratio(t.at(j, n, lb), t.at(j, reduces, hadoop)))
		}
		for _, n := range partitions {
			for _, i := range []int{middle, t.steep} {
				c := cell{job: j, skewness: i, partitions: n}
				estimated = append(estimated, t.ratio(c.with(dp), c.with(dpExact)))
			}
		}
	}
	mean := func(k scheme) float64 { return report.Mean(t.of(t.at(onTwitter, textPartitions, k), seconds)) }
	within := func(x, published, share float64) bool { return math.Abs(x-published) <= share*published }
	return []report.Claim{
		every(report.Claim{Claim: "with more partitions LB's reduce phase is shorter than Hadoop's", Published: "shorter", Model: "LB/Hadoop " + span(below), Relation: "95% interval of the ratio below 1 at every larger number, both jobs", Note: "LB puts the partition of the heaviest key on a machine of any speed, as Hadoop does, and this partition hardly shrinks with two partitions more"}, below, 1, report.Claim.Below),
		every(report.Claim{Claim: "DP's reduce phase is shorter than LB's", Published: "at every number of partitions", Model: "DP/LB " + span(faster), Relation: "95% interval of the ratio below 1 at every number, both jobs", Note: "DP's estimates mislead it"}, faster, 1, report.Claim.Below),
		{Claim: "DP with 40 partitions, Twitter", Published: "1900 ms", Model: t.ms(t.at(onTwitter, textPartitions, t.dp)), Relation: "within 5%", Holds: within(mean(t.dp), textDP, .05),
			Note: "the rates are calibrated to this with 40 repetitions of seed 1", Kind: report.Constructed},
		{Claim: "LB with 40 partitions, Twitter", Headline: "Figure 9: LB, 40 partitions, DP taking 1900 ms", Published: "2800 ms", Model: t.ms(t.at(onTwitter, textPartitions, lb)), Relation: "within 10%", Holds: within(mean(lb), textLB, .1),
			Note: "the heaviest key decides: DP has it on the fastest machine, LB on any"},
		{Claim: "k-NN estimates are good enough for DP", Published: "not measured", Model: "DP/DP with exact times " + span(estimated), Relation: "mean ratio at most 1.1 at every number of partitions, both jobs; in A at 40% and 80%",
			Holds: !anyMean(estimated, 1.1), Note: "k-NN levels off at small loads, which look slower than they are: the slowest machines get nothing; at 80% the heaviest key hides that", Kind: report.Beyond},
	}
}
