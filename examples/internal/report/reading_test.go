package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// planned makes the section of one figure with a plan's readings.
func planned(quick bool, readings []report.Reading, item string, claims ...report.Claim) (report.Section, error) {
	p := report.Plan{Paper: "p", Quick: quick, Readings: readings, Intro: func() (string, error) { return "", nil },
		Items: []report.Item{{Name: "i", Reading: item, Make: func() (report.Figure, error) { return report.Figure{Claims: claims}, nil }}}}
	return p.Section(nil)
}

func TestReadings(t *testing.T) {
	two := []report.Reading{{Name: "A"}, {Name: "B"}}
	s, err := planned(false, two, "A",
		report.Claim{Claim: "x in A", Headline: "x", Published: "1"},
		report.Claim{Claim: "y in A", Headline: "y"},
		report.Claim{Claim: "x in B", Headline: "x", Reading: "B"},
		report.Claim{Claim: "no headline"})
	if err != nil {
		t.Fatal(err)
	}
	rows := s.Headlines()
	if len(rows) != 2 || rows[0].Headline != "x" || rows[0].Published != "1" || rows[0].Cells[0].Claim != "x in A" || rows[0].Cells[1].Claim != "x in B" ||
		rows[1].Cells[0].Claim != "y in A" || rows[1].Cells[1] != nil {
		t.Errorf("headlines = %+v, want x of A and B, and y of A", rows)
	}
	for _, c := range []report.Claim{{Reading: "C"}, {Headline: "x"}} {
		if _, err := planned(false, two, "", c); err == nil || !strings.Contains(err.Error(), "reading") {
			t.Errorf("a claim of the reading %q with the headline %q gave %v, want an error", c.Reading, c.Headline, err)
		}
	}
	if _, err := planned(false, nil, "", report.Claim{Headline: "x"}); err != nil {
		t.Errorf("a headline where there is one reading alone gave %v", err)
	}
}

func TestUndecided(t *testing.T) {
	i := report.Interval{Mean: 2, Half: 1}
	for _, c := range []struct {
		claim       report.Claim
		quick, full string
	}{
		{report.Claim{}.Above(i, -.5), "yes", "yes"},
		{report.Claim{}.Above(i, .5), "undecided", "yes"},
		{report.Claim{}.Above(i, 1), "undecided", "no"},
		{report.Claim{}.Above(i, 3), "undecided", "no"},
		{report.Claim{}.Above(i, 3.5), "undecided", "no"},
		{report.Claim{}.Above(i, 4.5), "no", "no"},
		{report.Claim{}.Below(i, 4.5), "yes", "yes"},
		{report.Claim{}.Below(i, 3.5), "undecided", "yes"},
		{report.Claim{}.Below(i, 3), "undecided", "no"},
		{report.Claim{}.Below(i, 1), "undecided", "no"},
		{report.Claim{}.Below(i, .5), "undecided", "no"},
		{report.Claim{}.Below(i, -.5), "no", "no"},
		{report.Claim{Extends: true}.Above(i, -.5), "extends", "extends"},
		{report.Claim{Holds: true}, "undecided", "yes"}, // no interval tells
		{report.Claim{}, "undecided", "no"},
		{report.Claim{Holds: true, Margin: math.Inf(1)}, "yes", "yes"},
		{report.Claim{Margin: math.NaN()}, "undecided", "no"},
		{report.Claim{}.Above(report.Over([]float64{7}), 1), "undecided", "no"},
		{report.Claim{}.All(report.Claim{}.Above(i, -.5), report.Claim{}.Below(i, 4.5)), "yes", "yes"},
		{report.Claim{}.All(report.Claim{}.Above(i, -.5), report.Claim{}.Below(i, 3.5)), "undecided", "yes"},
		{report.Claim{}.All(report.Claim{}.Above(i, -.5), report.Claim{}.Below(i, 3.5), report.Claim{}.Above(i, 4.5)), "no", "no"},
		{report.Claim{}.All(report.Claim{}.Above(i, -.5), report.Claim{Holds: true}), "undecided", "yes"},
	} {
		for quick, want := range map[bool]string{true: c.quick, false: c.full} {
			s, err := planned(quick, nil, "", c.claim)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Figures[0].Claims[0].HoldsWord(); got != want {
				t.Errorf("quick %v: the verdict of %+v is %s, want %s", quick, c.claim, got, want)
			}
		}
	}
	for exact, want := range map[bool]string{true: "yes", false: "undecided"} {
		p := report.Plan{Paper: "p", Quick: true, Smaller: true, Intro: func() (string, error) { return "", nil }, Items: []report.Item{{Name: "i", Exact: exact, Make: func() (report.Figure, error) {
			return report.Figure{Claims: []report.Claim{report.Claim{}.Above(i, -9)}}, nil
		}}}}
		if s, err := p.Section(nil); err != nil || s.Figures[0].Claims[0].HoldsWord() != want {
			t.Errorf("a quick run of a smaller system, exact %v: %v, %v, want %s", exact, s.Figures, err, want)
		}
	}
	s, err := planned(true, nil, "", report.Claim{}.Above(i, 2), report.Claim{}.Above(i, -.5))
	if want := "measured: 1 of 2 hold, 1 undecided"; err != nil || report.Tally(s) != want {
		t.Errorf("Tally = %q, %v, want %q", report.Tally(s), err, want)
	}
}
