package figures_test

import (
	"io"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/figures"
	"github.com/schedmath/schedmath/examples/internal/figures/papers"
	"github.com/schedmath/schedmath/examples/internal/hfsp"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
)

// readings is an example of a paper with two readings, long words and many of them.
func readings(_ program.Options, _ io.Writer) (report.Plan, error) {
	long := strings.Repeat("a long word like x_", 8) + strings.Repeat("unbroken", 20)
	picture := func() (report.Figure, error) {
		claim := report.Claim{Claim: long, Published: "39%", Model: "44%, 95% interval 12 to 76%", Relation: "within .05", Headline: "throughput", Note: "too wide"}
		found, open, off := claim, claim, claim
		found.Reading, found.Kind, found.Holds = "B", report.Found, true
		open.Claim, open.Headline, open.Undecided = long+" later", "turn-around", true
		off.Claim, off.Headline = long+" not", ""
		return report.NewFigure("A title of "+long, "A caption with "+long, "x").Done([]report.Claim{claim, found, open, off}, "alt", &draw.Chart{X: draw.Axis{Max: 1}, Y: draw.Axis{Max: 1}})
	}
	return report.Plan{Paper: "toy", Title: "Toy: " + long, Intro: func() (string, error) { return long, nil },
		Items: []report.Item{{Name: "fig1", Make: picture, Reading: "A"}, {Name: "readings", Make: picture, Reading: "A"}},
		Readings: []report.Reading{{Name: "A", Title: long, Main: "it is stated", Assumptions: []report.Assumption{{Text: long, Evidence: report.Stated, By: "section 4"}}},
			{Name: "B", Title: "short", Assumptions: []report.Assumption{{Text: "c", Evidence: report.Implied, By: "its 39%"}, {Text: "d"}}}}}, nil
}

func TestInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("long: starts a browser")
	}
	first := func(o program.Options, terminal io.Writer) (report.Plan, error) {
		p, err := hfsp.Plan(o, terminal)
		return p.Only("hfsp-fig1"), err
	}
	got := papers.Files(t, figures.Of(readings, first), "-quick")
	papers.Sound(t, "index.html", got["index.html"])
	for _, name := range []string{"index.html", "toy.html", "hfsp.html"} {
		papers.InBrowser(t, got[name])
	}
}
