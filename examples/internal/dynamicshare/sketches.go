package dynamicshare

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// What the paper measured: s that a decision takes longer with sketches, at 45 partitions, and s
// that sketches gain for Twitter.
const (
	deciding = .12
	gainText = .5
)

func (all readings) figure11() (report.Figure, error) {
	return all.timesFigure("Figure 11: DP with and without sketches",
		fmt.Sprintf("With sketches the best of %d hash functions is taken; without, the default one. Times to decide are not added here. Ring: %v ms below DP, the least that the paper's text has sketches gain.", sketchRows, 1000*gainText),
		(*trials).claims11, func(*trials) []scheme { return []scheme{dp, dpSketch} },
		func(t *trials) mark {
			return mark{"paper: below this", []float64{mostPartitions}, []float64{1000 * (numbers.Mean(t.of(t.at(onTwitter, mostPartitions, dp), seconds)) - gainText)}}
		})
}

func (all readings) figure12() (report.Figure, error) {
	return all.timesFigure("Figure 12: LB and DP, both with sketches",
		fmt.Sprintf("Of %d hash functions DP takes that of the shortest reduce phase, LB that of the best Balance, as in the paper.", sketchRows),
		(*trials).claims12, func(*trials) []scheme { return []scheme{lb, lbSketch, dpSketch} },
		func(*trials) mark { return mark{} })
}

// gain is what sketches save of DP's time with mostPartitions, s.
func (t *trials) gain(job int) numbers.Interval {
	return numbers.Difference(t.of(t.at(job, mostPartitions, dp), seconds), t.of(t.at(job, mostPartitions, dpSketch), seconds))
}

func (t *trials) claims11() []report.Claim {
	share := func(partitions int) []float64 { // gain over the time without sketches
		list := numbers.Ratios(t.of(t.at(onTwitter, partitions, dpSketch), seconds), t.of(t.at(onTwitter, partitions, dp), seconds))
		return numbers.Column(list, func(ratio *float64) float64 { return 1 - *ratio })
	}
	shorter, counted := t.ratios(dpSketch, dp), t.ratios(dpPairs, dp)
	first, end := share(reduces), share(mostPartitions)
	var falls []numbers.Interval
	for j := range jobs {
		falls = append(falls, t.ratio(t.at(j, mostPartitions, dpSketch), t.at(j, reduces, dpSketch)))
	}
	gain, small := t.gain(onTwitter), t.gain(onYouTube)
	at := fmt.Sprintf("95%% interval of the gain with %d partitions ", mostPartitions)
	return []report.Claim{
		report.Claim{Claim: "sketches shorten DP's reduce phase", Published: "shorter", Model: "with sketches/without " + span(shorter), Relation: "95% interval of the ratio below 1 at every number of partitions, both jobs"}.AllBelow(1, shorter...),
		report.Claim{Claim: "the more partitions, the more sketches gain", Published: "as the number of partitions increases", Model: fmt.Sprintf("Twitter: %.1f%% with %d, %.1f%% with %d", 100*numbers.Mean(first), reduces, 100*numbers.Mean(end), mostPartitions),
			Relation: "95% interval of the difference of the gains above 0"}.Above(numbers.Difference(end, first), 0),
		report.Claim{Claim: "with sketches the reduce phase is shorter the more partitions there are", Published: "as the number of partitions increases", Model: fmt.Sprintf("with %d over with %d %s", mostPartitions, reduces, span(falls)),
			Relation: "95% interval of the ratio below 1, both jobs"}.AllBelow(1, falls...),
		report.Claim{Claim: "sketches gain more than 500 ms for Twitter", Headline: "Figure 11: gain of sketches, 45 partitions", Published: "> 500 ms", Model: inMS(gain), Relation: at + "above 500 ms"}.Above(gain, gainText),
		report.Claim{Claim: "for Twitter sketches are worth 120 ms more of deciding", Published: "the overhead is negligible", Model: inMS(gain), Relation: at + "above 120 ms"}.Above(gain, deciding),
		report.Claim{Claim: "for YouTube they are not", Published: "no sketches is preferable", Model: inMS(small), Relation: at + "below 120 ms"}.Below(small, deciding),
		{Claim: "a counter increases by one for a pair with a whole list, as the text has it and not equation 6", Published: "by one", Model: "DP on such counters/DP " + span(counted),
			Relation: "mean ratio at most 1.05 at every number of partitions, both jobs", Holds: !slices.ContainsFunc(counted, func(i numbers.Interval) bool { return i.Mean > 1.05 }), Kind: report.Beyond},
	}
}

func (t *trials) claims12() []report.Claim {
	helped := t.ratios(lbSketch, lb)
	return []report.Claim{
		report.Claim{Claim: "sketches shorten LB's reduce phase", Published: "shorter", Model: "with sketches/without " + span(helped), Relation: "95% interval of the ratio below 1 at every number of partitions, both jobs"}.AllBelow(1, helped...),
	}
}
