package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// What the text on Figures 9 and 10 has for the Twitter job: so many partitions, and s under DP and
// LB.
const (
	textPartitions = 40
	textDP, textLB = 1.9, 2.8
)

func (all readings) figure9() (report.Figure, error) {
	return all.timesFigure("Figure 9: reduce phase over the number of partitions",
		fmt.Sprintf("LB spreads values evenly, DP by when machines end, with sketches in reading B; Hadoop keeps %d partitions. Rings: the times of the paper's text.", reduces),
		(*trials).claims9, func(t *trials) []scheme { return []scheme{hadoop, t.lb, t.dp} },
		func(*trials) mark {
			return mark{"paper, LB and DP", []float64{textPartitions, textPartitions}, []float64{1000 * textLB, 1000 * textDP}}
		})
}

func (t *trials) claims9() []report.Claim {
	faster := t.ratios(t.dp, t.lb)
	var below []numbers.Interval
	for j := range jobs {
		for _, n := range partitions[1:] {
			below = append(below, t.ratio(t.at(j, n, t.lb), t.at(j, reduces, hadoop)))
		}
	}
	dp := numbers.Over(t.of(t.at(onTwitter, textPartitions, t.dp), seconds))
	ratio := t.ratio(t.at(onTwitter, textPartitions, t.lb), t.at(onTwitter, textPartitions, t.dp))
	given := numbers.Interval{Mean: textDP * ratio.Mean, Half: textDP * ratio.Half, N: ratio.N}
	return []report.Claim{
		report.Claim{Claim: "with more partitions LB's reduce phase is shorter than Hadoop's", Published: "shorter", Model: "LB/Hadoop " + span(below), Relation: "95% interval of the ratio below 1 at every larger number, both jobs"}.AllBelow(1, below...),
		report.Claim{Claim: "DP's reduce phase is shorter than LB's", Headline: "Figures 9 and 12: DP over LB", Published: "at every number of partitions", Model: "DP/LB " + span(faster), Relation: "95% interval of the ratio below 1 at every number, both jobs"}.AllBelow(1, faster...),
		report.Claim{Claim: "DP with 40 partitions, Twitter", Published: "1900 ms", Model: inMS(dp), Kind: report.Found}.Single(dp, report.About("1900").Times(.001)),
		report.Claim{Claim: "LB with 40 partitions, Twitter, DP taking 1900 ms", Headline: "Figure 9: LB, 40 partitions, DP taking 1900 ms", Published: "2800 ms", Model: inMS(given)}.Single(given, report.About("2800").Times(.001)),
	}
}

// inMS writes seconds as milliseconds.
func inMS(i numbers.Interval) string {
	return numbers.Interval{Mean: 1000 * i.Mean, Half: 1000 * i.Half}.String() + " ms"
}
