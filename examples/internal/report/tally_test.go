package report_test

import (
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// A claim counts once, by the main reading. One that holds in another reading alone is counted
// beside it, what a reading was found by is neither, and what no reading runs is apart.
func TestTallyTable(t *testing.T) {
	in := func(reading, claim string, holds bool) report.Claim {
		return report.Claim{Claim: claim, Reading: reading, Holds: holds, Margin: 9}
	}
	found := func(c report.Claim) report.Claim {
		c.Kind = report.Found
		return c
	}
	head := func(c report.Claim) report.Claim {
		c.Headline = c.Claim
		return c
	}
	s, err := planned(t, false, []report.Reading{{Name: "A", Main: "stated"}, {Name: "B"}, {Name: "C"}}, "",
		head(in("A", "all three", true)), head(in("B", "all three", true)), head(in("C", "all three", true)),
		head(in("A", "B alone", false)), head(in("B", "B alone", true)), head(in("C", "B alone", false)),
		in("A", "found in B", false), found(in("B", "found in B", true)),
		found(in("A", "found in A", true)), in("B", "found in A", true),
		found(in("B", "B alone was run, and found by it", false)),
		in("C", "C alone was run", true),
		in("B", "B alone was run", false),
		in("", "whatever the reading", true),
		report.Claim{Claim: "needs the trace", NotRun: true},
		report.Claim{Claim: "beyond", Kind: report.Beyond, Holds: true})
	if err != nil {
		t.Fatal(err)
	}
	want := `| paper | headlines | measured | in another only | in none | not run | found | constructed | theory | beyond |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| p | 1/2 | 2/7 | 2 | 2 | 1 | 2 |  |  | 1/1 |
| b |  |  | 0 | 0 | 0 | 0 |  | 0/1 |  |
| all | 1/2 | 2/7 | 2 | 2 | 1 | 2 |  | 0/1 | 1/1 |
`
	other := section("b", report.Claim{Kind: report.Theory})
	if got := report.TallyTable(s, other).Markdown(); got != want {
		t.Errorf("TallyTable =\n%swant\n%s", got, want)
	}
	if got, want := report.Tally(s, other), "measured: 2 of 7 hold, 2 in another reading only, 1 not run; theory: 0 of 1 hold; beyond: 1 of 1 hold"; got != want {
		t.Errorf("Tally = %q, want %q", got, want)
	}
}
