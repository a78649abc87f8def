package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/report"
)

func (t *trials) figure12() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig12",
		Title: "Figure 12: LB and DP, both with sketches",
		Caption: fmt.Sprintf("At a skewness of 80%% with %d partitions. Of %d hash functions DP takes that of the shortest reduce phase, LB that of the best Balance, as in the paper.",
			reduces, sketchRows),
	}
	var err error
	f.Picture, err = t.timesOverPartitions(&f, lb, lbSketch, dpSketch)
	f.Claims = t.claims12()
	return f, err
}

func (t *trials) claims12() []report.Claim {
	helped, below := t.ratios(lbSketch, lb), t.ratios(dpSketch, lbSketch)
	return claims("fig12", []report.Claim{
		{Claim: "sketches shorten LB's reduce phase", Published: "shorter", Model: "with sketches/without " + span(helped), Relation: "95% interval of the ratio below 1 at every number of partitions, both jobs",
			Holds: allBelow(helped, 1), Note: "the hash function of the best Balance need not be that of the shortest reduce phase on unequal machines"},
		{Claim: "with sketches DP's reduce phase is shorter than LB's", Published: "shorter", Model: "DP/LB " + span(below), Relation: "95% interval of the ratio below 1 at every number of partitions, both jobs",
			Holds: allBelow(below, 1), Note: "DP's estimates mislead it"},
	})
}
