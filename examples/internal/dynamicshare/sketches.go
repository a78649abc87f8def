package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// What the paper measured: s that a decision takes longer with sketches, at 45 partitions, and s
// that sketches gain for Twitter.
const (
	deciding = .12
	gainText = .5
)

func (all readings) figure11() (report.Figure, error) {
	return all.timesFigure("Figure 11: DP with and without sketches",
		fmt.Sprintf("With sketches the best of %d hash functions is taken; without, the first of them. Times to decide are not added here.", sketchRows),
		(*trials).claims11, dp, dpExact, dpSketch, dpSketchExact)
}

func (all readings) figure12() (report.Figure, error) {
	return all.timesFigure("Figure 12: LB and DP, both with sketches",
		fmt.Sprintf("Of %d hash functions DP takes that of the shortest reduce phase, LB that of the best Balance, as in the paper.", sketchRows),
		(*trials).claims12, lb, lbSketch, dpSketch, dpSketchExact)
}

func (t *trials) claims11() []report.Claim {
	share := func(partitions int) []float64 { // gain over the time without sketches
		list := report.Ratios(t.of(t.at(onTwitter, partitions, t.dpSketch), seconds), t.of(t.at(onTwitter, partitions, t.dp), seconds))
		return report.Column(list, func(ratio *float64) float64 { return 1 - *ratio })
	}
	shorter, counted := t.ratios(t.dpSketch, t.dp), t.ratios(dpPairs, dp)
	first, end := share(reduces), share(mostPartitions)
	gain := report.Difference(t.of(t.at(onTwitter, mostPartitions, t.dp), seconds), t.of(t.at(onTwitter, mostPartitions, t.dpSketch), seconds)) // s
	inMS := fmt.Sprintf("%s ms", report.Interval{Mean: 1000 * gain.Mean, Half: 1000 * gain.Half})
	same := "the heaviest key is in some partition under every hash function; a sketch only chooses what shares the partition with it"
	return []report.Claim{
		every(report.Claim{Claim: "sketches shorten DP's reduce phase", Published: "shorter", Model: "with sketches/without " + span(shorter), Relation: "95% interval of the ratio below 1 at every number of partitions, both jobs", Note: same}, shorter, 1, report.Claim.Below),
		report.Claim{Claim: "the more partitions, the more sketches gain", Published: "as the number of partitions increases", Model: fmt.Sprintf("Twitter: %.1f%% with %d, %.1f%% with %d", 100*report.Mean(first), reduces, 100*report.Mean(end), mostPartitions),
			Relation: "95% interval of the difference of the gains above 0", Note: "more partitions already take away what the heaviest key shares its partition with, under every hash function"}.Above(report.Difference(end, first), 0),
		report.Claim{Claim: "sketches gain more than 500 ms for Twitter", Headline: "Figure 11: gain of sketches, 45 partitions", Published: "> 500 ms", Model: inMS, Relation: fmt.Sprintf("95%% interval of the gain with %d partitions above 500 ms", mostPartitions), Note: same}.Above(gain, gainText),
		report.Claim{Claim: "for Twitter sketches are worth 120 ms more of deciding", Published: "the overhead is negligible", Model: inMS, Relation: fmt.Sprintf("95%% interval of the gain with %d partitions above 120 ms", mostPartitions), Note: same}.Above(gain, deciding),
		{Claim: "a counter increases by one for a pair with a whole list, as the text has it and not equation 6", Published: "by one", Model: "DP on such counters/DP " + span(counted),
			Relation: "mean ratio at most 1.05 at every number of partitions, both jobs", Holds: !anyMean(counted, 1.05), Note: "such counters count keys, of which all partitions have about as many: skewed lists do not show", Kind: report.Beyond},
	}
}

func (t *trials) claims12() []report.Claim {
	helped, below := t.ratios(lbSketch, lb), t.ratios(t.dpSketch, lbSketch)
	return []report.Claim{
		every(report.Claim{Claim: "sketches shorten LB's reduce phase", Published: "shorter", Model: "with sketches/without " + span(helped), Relation: "95% interval of the ratio below 1 at every number of partitions, both jobs", Note: "the hash function of the best Balance need not be that of the shortest reduce phase on unequal machines"}, helped, 1, report.Claim.Below),
		every(report.Claim{Claim: "with sketches DP's reduce phase is shorter than LB's", Headline: "Figure 12: DP over LB, both with sketches", Published: "shorter", Model: "DP/LB " + span(below), Relation: "95% interval of the ratio below 1 at every number of partitions, both jobs", Note: "DP's estimates mislead it"}, below, 1, report.Claim.Below),
	}
}
