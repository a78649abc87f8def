package report

import (
	"fmt"
	"slices"
)

// noReading stands in claims.tsv for a claim that is of no Reading.
const noReading = "-"

// A Reading is a set of assumptions that fill a paper's silences together. Its runs are those of
// the items and claims that name it. A result that the reading was found by is Constructed: it
// shows how well the assumptions fit. Those that were not used judge it.
type Reading struct {
	Name        string // "A"
	Title       string // a few words: "equal heavy jobs, each in a home rack"
	Assumptions []Assumption
}

// An Assumption is one thing that a reading takes to be so.
type Assumption struct {
	Text     string
	Evidence Evidence
	By       string // where it is stated, or the number that implies it
}

// Evidence says what an assumption rests on.
type Evidence uint8

// The kinds of evidence.
const (
	Assumed Evidence = iota // nothing in the paper tells
	Implied                 // a number of the paper's that comes out so
	Stated                  // the paper's words
)

// String returns the word in lower case.
func (e Evidence) String() string { return [...]string{"assumed", "implied", "stated"}[e] }

// checkReadings checks that claims are of the readings listed, or of none. One with a headline is
// of a reading where there are several.
func checkReadings(list []Reading, claims []Claim) error {
	for _, c := range claims {
		listed := slices.ContainsFunc(list, func(r Reading) bool { return r.Name == c.Reading })
		if !listed && (c.Reading != "" || c.Headline != "" && len(list) > 0) {
			return fmt.Errorf("report: claim %q is of the reading %q, which its plan does not list", c.Claim, c.Reading)
		}
	}
	return nil
}

// A HeadlineRow is a headline of a paper and what each reading gives for it.
type HeadlineRow struct {
	Headline, Published string
	Cells               []*Claim // by reading; nil: it has no claim about it
}

// Headlines are the claims that have a headline, a row each in the order of the figures.
func (s *Section) Headlines() []HeadlineRow {
	var rows []HeadlineRow
	for f := range s.Figures {
		for k := range s.Figures[f].Claims {
			c := &s.Figures[f].Claims[k]
			if c.Headline == "" {
				continue
			}
			i := slices.IndexFunc(rows, func(r HeadlineRow) bool { return r.Headline == c.Headline })
			if i < 0 {
				i = len(rows)
				rows = append(rows, HeadlineRow{c.Headline, c.Published, make([]*Claim, max(1, len(s.Readings)))})
			}
			at := slices.IndexFunc(s.Readings, func(r Reading) bool { return r.Name == c.Reading })
			rows[i].Cells[max(0, at)] = c
		}
	}
	return rows
}
