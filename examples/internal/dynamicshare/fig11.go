package dynamicshare

import (
	"errors"
	"fmt"
	"time"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
)

// What the paper measured with 45 partitions: s for a decision without sketches and with them, and what sketches gain for Twitter.
const (
	decision, decisionSketch = .08, .2
	gainText                 = .5
)

func (t *trials) figure11() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig11",
		Title: "Figure 11: DP with and without sketches",
		Caption: fmt.Sprintf("At a skewness of 80%% with %d partitions. With sketches the best of %d hash functions is taken; without, the first of them. Times to decide are not added.",
			reduces, sketchRows),
	}
	var err error
	if f.Picture, err = t.timesOverPartitions(&f, dp, dpSketch, dpSketchExact); err != nil {
		return f, err
	}
	took, err := t.decisionTime()
	f.Claims = t.claims11(took)
	return f, err
}

// gain is the interval of the s that sketches save DP.
func (t *trials) gain(job, partitions int) report.Interval {
	a, b := t.of(steep(job, partitions, dp), seconds), t.of(steep(job, partitions, dpSketch), seconds)
	for i := range a {
		a[i] -= b[i]
	}
	return report.Over(a)
}

// decisionTime is the shortest of a few decisions with sketches.
func (t *trials) decisionTime() (time.Duration, error) {
	p := t.list[0].populations[onTwitter][steepest]
	sketch, err := p.sketch(sketchRows, partitions[len(partitions)-1])
	cost, worse := p.job.cost(t.list[0].speeds)
	if err = errors.Join(err, worse); err != nil {
		return 0, err
	}
	least := time.Hour
	for range 5 {
		begin := time.Now()
		if _, _, err := partition.AssignSketch(sketch, reduces, cost, partition.Options{}); err != nil {
			return 0, err
		}
		least = min(least, time.Since(begin))
	}
	return least, nil
}

func (t *trials) claims11(took time.Duration) []report.Claim {
	quick, word := took.Seconds() < decision, "above"
	if quick {
		word = "below"
	}
	last := partitions[len(partitions)-1]
	var shorter, counted []report.Interval
	var first, end []float64
	for j := range jobs {
		shorter, counted = append(shorter, t.ratios(j, 0, dpSketch, dp)...), append(counted, t.ratios(j, 0, dpPairs, dp)...)
	}
	for i := range t.list {
		at := func(n int, k scheme) float64 { return t.list[i].outcomes[steep(onTwitter, n, k)].seconds }
		first, end = append(first, 1-at(reduces, dpSketch)/at(reduces, dp)), append(end, 1-at(last, dpSketch)/at(last, dp))
	}
	grows := make([]float64, len(end))
	for i := range end {
		grows[i] = end[i] - first[i]
	}
	onT, onY := t.gain(onTwitter, last), t.gain(onYouTube, last)
	extra := decisionSketch - decision
	inMS := func(i report.Interval) string {
		return fmt.Sprintf("%s ms", report.Interval{Mean: 1000 * i.Mean, Half: 1000 * i.Half})
	}
	same := "the heaviest key is in some partition under every hash function; a sketch only chooses what shares the partition with it"
	return t.claims("fig11",
		report.Claim{Claim: "sketches shorten DP's reduce phase", Published: "shorter", Model: "with sketches/without " + span(shorter), Relation: "95% interval of the ratio below 1 at every number of partitions, both jobs", Holds: allBelow(shorter, 1), Note: same},
		report.Claim{Claim: "the more partitions, the more sketches gain", Published: "as the number of partitions increases", Model: fmt.Sprintf("Twitter: %.1f%% with %d, %.1f%% with %d", 100*report.Mean(first), reduces, 100*report.Mean(end), last),
			Relation: "95% interval of the difference of the gains above 0", Holds: report.Over(grows).Low() > 0, Note: "more partitions already take away what the heaviest key shares its partition with, under every hash function"},
		report.Claim{Claim: "sketches gain more than 500 ms for Twitter", Published: "> 500 ms", Model: inMS(onT), Relation: fmt.Sprintf("mean gain with %d partitions above 500 ms", last), Holds: onT.Mean > gainText, Note: same},
		report.Claim{Claim: "for Twitter sketches are worth 120 ms more of deciding", Published: "the overhead is negligible", Model: inMS(onT), Relation: fmt.Sprintf("95%% interval of the gain with %d partitions above 120 ms", last), Holds: onT.Low() > extra, Note: same},
		report.Claim{Claim: "for YouTube sketches are not worth 120 ms more of deciding", Published: "no sketches are preferable", Model: inMS(onY), Relation: fmt.Sprintf("95%% interval of the gain with %d partitions below 120 ms", last), Holds: onY.High() < extra, Note: "the job is long enough"},
		report.Claim{Claim: "time to decide with sketches, 45 partitions", Published: "200 ms, without sketches 80 ms", Model: word + " 80 ms", Relation: "the shortest of 5 decisions below 80 ms", Holds: quick, Note: "this machine was busy or is slow", Kind: report.Beyond},
		report.Claim{Claim: "where a decision takes 1 ms sketches are worth it for YouTube too", Published: "not measured", Model: inMS(onY), Relation: fmt.Sprintf("mean gain with %d partitions above 1 ms", last), Holds: onY.Mean > .001, Note: same, Kind: report.Beyond},
		report.Claim{Claim: "a counter increases by one for a pair with a whole list, as the text has it and not equation 6", Published: "by one", Model: "DP on such counters/DP " + span(counted),
			Relation: "mean ratio at most 1.05 at every number of partitions, both jobs", Holds: !anyMean(counted, 1.05), Note: "such counters count keys, of which all partitions have about as many: skewed lists do not show", Kind: report.Beyond},
	)
}
