package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// claimsFile is the name of the file that all examples of one output directory share.
const claimsFile = "claims.tsv"

var claimsColumns = []string{"paper", "item", "claim", "published", "model", "relation", "holds", "note", "kind", "reading", "headline", "main"}

// noteLimit is the largest number of characters of a note. What many claims rest on stands once, in
// the Intro of their Section.
const noteLimit = 200

// A Kind says what a claim is about.
type Kind int

// The kinds of claims.
const (
	Measured    Kind = iota // a result of the paper's experiments or simulations, which this run may give or not
	Found                   // one of them that the reading was found by: it shows how well the assumptions fit and does not count
	Constructed             // an example of the paper's, worked out
	Theory                  // a theorem, a definition, or what follows from them
	Beyond                  // what the paper does not measure: an argument of its, or a question of ours
)

// String returns the kind in lower case.
func (k Kind) String() string {
	return [...]string{"measured", "found", "constructed", "theory", "beyond"}[k]
}

// A Claim is one statement of a paper beside what this run gives. A Plan fills in Paper, Item,
// Undecided and, where they are Measured and empty, Kind and Reading.
type Claim struct {
	Paper, Item string
	Claim       string // the statement
	Published   string // the paper's number, or its words
	Model       string // this run's numbers
	Relation    string // what is computed from them: Holds is its truth
	Holds       bool
	Margin      float64 // how far the threshold lies outside the 95% interval that decides: Interval.Over; of several the least. 0: no interval decides. Infinite: no repetitions
	Undecided   bool    // a quick run cannot tell
	NotRun      bool    // what it needs, such as the trace, is not there
	Note        string  // where Holds is false: why, by Because; at most 200 characters
	Kind        Kind
	Reading     string // the name of the Reading that it is of; "": the one of its Item
	Headline    string // the row of the paper's table of headlines that it is a cell of; "": none
}

// Says is a claim that is still to be decided. A format writes its model.
func Says(claim, published, relation, model string, args ...any) Claim {
	return Claim{Claim: claim, Published: published, Relation: relation, Model: fmt.Sprintf(model, args...)}
}

// As, Headlined and InTheory are the claim of a kind, one with a row in the table of headlines, and
// theory, which rests on no repetitions.
func (c Claim) As(k Kind) Claim {
	c.Kind = k
	return c
}

func (c Claim) Headlined(headline string) Claim {
	c.Headline = headline
	return c
}

func (c Claim) InTheory() Claim {
	c.Kind, c.Margin = Theory, math.Inf(1)
	return c
}

// complete fills in what the claims of an item have in common. A claim that holds needs no reason
// and loses its note.
func (p *Plan) complete(i *Item, list []Claim) {
	for k := range list {
		c := &list[k]
		c.Paper, c.Item, c.Reading = p.Paper, i.Name, cmp.Or(c.Reading, i.Reading)
		*c = c.In(p.Quick && !i.Exact)
		c.Undecided = c.Undecided || p.Quick && p.Smaller && !i.Exact && !math.IsInf(c.Margin, 0)
		if c.Kind == Measured {
			c.Kind = i.Kind
		}
		if c.Holds {
			c.Note = ""
		}
		if c.Note != "" && i.Basis != "" {
			c.Note += "; "
		}
		c.Note += i.Basis
	}
}

// HoldsWord is the verdict: yes, no, undecided or not run.
func (c Claim) HoldsWord() string {
	switch {
	case c.NotRun:
		return "not run"
	case c.Undecided:
		return "undecided"
	case c.Holds:
		return "yes"
	}
	return "no"
}

// row is the claim's line of claims.tsv, in the main reading or in another.
func (c Claim) row(main bool) []string {
	word := map[bool]string{true: "yes", false: "no"}[main]
	cells := []string{c.Paper, c.Item, c.Claim, c.Published, c.Model, c.Relation, c.HoldsWord(), c.Note, c.Kind.String(), cmp.Or(c.Reading, noReading), c.Headline, word}
	for i, s := range cells {
		cells[i] = strings.Join(strings.Fields(s), " ")
	}
	return cells
}

// WriteClaims writes the claims of sections into dir/claims.tsv. With keep the rows that an earlier
// run left there for other papers stay, so that running an example again leaves one row per claim.
func WriteClaims(dir string, keep bool, sections ...Section) error {
	name := filepath.Join(dir, claimsFile)
	t := numbers.Table{Columns: claimsColumns}
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if first, rest, _ := strings.Cut(string(old), "\n"); keep && err == nil {
		if first != strings.Join(claimsColumns, "\t") {
			return program.Usagef("%s does not start with the header row of a claims file: move it away", name)
		}
		for line := range strings.Lines(rest) {
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if !slices.ContainsFunc(sections, func(s Section) bool { return s.Paper == cells[0] }) {
				t.Rows = append(t.Rows, cells)
			}
		}
	}
	for _, s := range sections {
		for _, f := range s.Figures {
			for _, c := range f.Claims {
				if c.Undecided && !s.Quick {
					return fmt.Errorf("report: a full run does not decide claim %q: it has fewer seeds than its rule asks for", c.Claim)
				}
				if n := utf8.RuneCountInString(c.Note); n > noteLimit {
					return fmt.Errorf("report: the note of claim %q has %d characters, want at most %d", c.Claim, n, noteLimit)
				}
				t.Rows = append(t.Rows, c.row(s.isMain(c)))
			}
		}
	}
	return program.WriteFile(name, t.TSV())
}

// ReadClaims makes sections of the text of a file of claims, one a paper, with the figures and the
// readings that its rows name.
func ReadClaims(text string) ([]Section, error) {
	head, rest, _ := strings.Cut(text, "\n")
	if head != strings.Join(claimsColumns, "\t") {
		return nil, errors.New("report: no header row of a claims file")
	}
	var list []Section
	for line := range strings.Lines(rest) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != len(claimsColumns) {
			return nil, fmt.Errorf("report: a row of claims has %d cells, want %d: %q", len(c), len(claimsColumns), line)
		}
		claim := Claim{Paper: c[0], Item: c[1], Claim: c[2], Published: c[3], Model: c[4], Relation: c[5], Note: c[7], Reading: c[9], Headline: c[10],
			NotRun: c[6] == "not run", Undecided: c[6] == "undecided", Holds: c[6] == "yes"}
		for claim.Kind < Beyond && claim.Kind.String() != c[8] {
			claim.Kind++
		}
		if claim.HoldsWord() != c[6] || claim.Kind.String() != c[8] {
			return nil, fmt.Errorf("report: a row of claims has the verdict %q and the kind %q, which are not both known: %q", c[6], c[8], line)
		}
		if k := len(list) - 1; k < 0 || list[k].Paper != claim.Paper {
			list = append(list, Section{Paper: claim.Paper})
		}
		s := &list[len(list)-1]
		if claim.Reading == noReading {
			claim.Reading = ""
		} else if s.reading(claim.Reading) < 0 {
			s.Readings = append(s.Readings, Reading{Name: claim.Reading, Main: map[string]string{"yes": "as its file says"}[c[11]]})
		}
		if k := len(s.Figures) - 1; k < 0 || s.Figures[k].Item != claim.Item {
			s.Figures = append(s.Figures, Figure{Item: claim.Item})
		}
		f := &s.Figures[len(s.Figures)-1]
		f.Claims = append(f.Claims, claim)
	}
	return list, nil
}
