package report_test

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// planned makes the section of one figure with a plan's readings.
func planned(t *testing.T, quick bool, readings []report.Reading, item string, claims ...report.Claim) (report.Section, error) {
	t.Helper()
	return written(t, report.Plan{Quick: quick, Readings: readings}, report.Item{Reading: item}, claims...)
}

// written is the section of a plan of one figure.
func written(t *testing.T, p report.Plan, i report.Item, claims ...report.Claim) (report.Section, error) {
	t.Helper()
	i.Name, i.Make = "i", func() (report.Figure, error) { return figure(claims...), nil }
	p.Paper, p.Intro, p.Items = "p", func() (string, error) { return "", nil }, []report.Item{i}
	return p.Write(t.TempDir(), false, "program", io.Discard)
}

func TestReadings(t *testing.T) {
	two := []report.Reading{{Name: "A", Main: "stated"}, {Name: "B"}}
	s, err := planned(t, false, two, "A",
		report.Claim{Claim: "x", Headline: "X", Published: "1"},
		report.Claim{Claim: "y"},
		report.Claim{Claim: "x", Headline: "X", Published: "1", Reading: "B", Holds: true},
		report.Claim{Claim: "z", Reading: "B"})
	if err != nil {
		t.Fatal(err)
	}
	rows := s.Rows()
	if len(rows) != 3 || rows[0].Headline != "X" || rows[0].Published != "1" || rows[0].Main != rows[0].Cells[0] || rows[0].Cells[1].Reading != "B" ||
		rows[1].Cells[0].Claim != "y" || rows[1].Cells[1] != nil || rows[2].Main != nil || rows[2].Cells[1].Claim != "z" {
		t.Errorf("rows = %+v, want x of A and B, y of A and z of B", rows)
	}
	for name, list := range map[string][]report.Claim{
		"an unknown reading":        {{Reading: "C"}},
		"a headline of no reading":  {{Headline: "x"}},
		"another published number":  {{Reading: "A", Published: "1"}, {Reading: "B", Published: "2"}},
		"another relation":          {{Reading: "A", Relation: "above"}, {Reading: "B", Relation: "below"}},
		"the same claim twice":      {{Reading: "A"}, {Reading: "A"}},
		"a headline in one reading": {{Reading: "A", Headline: "x"}, {Reading: "B"}},
	} {
		if _, err := planned(t, false, two, "", list...); err == nil || !strings.Contains(err.Error(), "reading") {
			t.Errorf("claims with %s gave %v, want an error", name, err)
		}
	}
	if _, err := planned(t, false, nil, "", report.Claim{Headline: "x"}); err != nil {
		t.Errorf("a headline where there is one reading alone gave %v", err)
	}
	for _, list := range [][]report.Reading{{{Name: "A"}}, {{Name: "A", Main: "x"}, {Name: "B", Main: "y"}}} {
		if _, err := planned(t, false, list, "A"); err == nil || !strings.Contains(err.Error(), "main") {
			t.Errorf("the readings %+v gave %v, want an error", list, err)
		}
	}
}

func TestSeeds(t *testing.T) {
	if got := (report.Seeds{First: 100, N: 40}).String(); got != "100 to 139" {
		t.Errorf("String = %q, want 100 to 139", got)
	}
}

func TestUndecided(t *testing.T) {
	i := numbers.Interval{Mean: 2, Half: 1}
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
		{report.Claim{Holds: true}, "undecided", "yes"}, // no interval tells
		{report.Claim{}, "undecided", "no"},
		{report.Claim{Holds: true, Margin: math.Inf(1)}, "yes", "yes"},
		{report.Claim{Margin: math.NaN()}, "undecided", "no"},
		{report.Claim{}.Above(numbers.Over([]float64{7}), 1), "undecided", "no"},
		{report.Claim{}.Above(numbers.Over([]float64{7, 7}), 1), "undecided", "yes"}, // seeds that agree are repetitions all the same
		{report.Claim{}.Below(numbers.Over([]float64{7, 7}), 1), "undecided", "no"},
		{report.Claim{}.Single(numbers.Over([]float64{7, 7}), report.Printed("8")), "undecided", "no"},
		{report.Claim{}.All(report.Claim{}.Above(i, -.5), report.Claim{}.Below(i, 4.5)), "yes", "yes"},
		{report.Claim{}.All(report.Claim{}.Above(i, -.5), report.Claim{}.Below(i, 3.5)), "undecided", "yes"},
		{report.Claim{}.All(report.Claim{}.Above(i, -.5), report.Claim{}.Below(i, 3.5), report.Claim{}.Above(i, 4.5)), "no", "no"},
		{report.Claim{}.All(report.Claim{}.Above(i, -.5), report.Claim{Holds: true}), "undecided", "yes"},
	} {
		for quick, want := range map[bool]string{true: c.quick, false: c.full} {
			s, err := planned(t, quick, nil, "", c.claim)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Figures[0].Claims[0].HoldsWord(); got != want {
				t.Errorf("quick %v: the verdict of %+v is %s, want %s", quick, c.claim, got, want)
			}
		}
	}
	for exact, want := range map[bool]string{true: "yes", false: "undecided"} {
		s, err := written(t, report.Plan{Quick: true, Smaller: true}, report.Item{Exact: exact}, report.Claim{}.Above(i, -9))
		if err != nil || s.Figures[0].Claims[0].HoldsWord() != want {
			t.Errorf("a quick run of a smaller system, exact %v: %v, %v, want %s", exact, s.Figures, err, want)
		}
	}
	s, err := planned(t, true, nil, "", report.Claim{Claim: "x"}.Above(i, 2), report.Claim{Claim: "y"}.Above(i, -.5))
	if want := "measured: 1 of 1 hold, 1 undecided"; err != nil || report.Tally(s) != want {
		t.Errorf("Tally = %q, %v, want %q", report.Tally(s), err, want)
	}
}
