package report

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/internal/numbers"
)

// A Section is what one example makes: the figures of one paper.
type Section struct {
	Paper     string // the example's name: "hfsp"
	Title     string
	Intro     string        // what was run: workload, seed, repetitions
	Workloads numbers.Table // what loads each workload and what is its bottleneck, beside the order of arrival
	Figures   []Figure

	Readings []Reading
	Quick    bool
	Full     []Row // of a full run, whose verdicts stand beside those of a quick one; none: there is no such run
}

// A Figure is one picture with its numbers and claims.
type Figure struct {
	Item    string // the name of its Item: "fig2b"; the files are <paper>-<item>.tsv and .svg
	Title   string
	Caption string
	Picture Picture
	Numbers numbers.Table // every number of the picture, at full precision
	Shown   numbers.Table // the numbers that the page lists beside the picture; no columns: none
	Claims  []Claim
}

// A Picture is a *draw.Picture, or what one made elsewhere.
type Picture interface {
	SVG() ([]byte, error)
	PNG() ([]byte, error)
}

// NewFigure starts a figure whose numbers have the columns.
func NewFigure(title, caption string, columns ...string) Figure {
	return Figure{Title: title, Caption: caption, Numbers: numbers.Table{Columns: columns}}
}

// Done completes a figure: its claims, and its picture with the text alternative alt.
func (f Figure) Done(claims []Claim, alt string, charts ...*draw.Chart) (Figure, error) {
	f.Claims = claims
	var err error
	f.Picture, err = draw.New(alt, charts...)
	return f, err
}
