package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// claimsFile is the name of the file that all examples of one output directory share.
const claimsFile = "claims.tsv"

var claimsColumns = []string{"paper", "item", "claim", "published", "model", "relation", "holds", "note"}

// A Claim is one statement of a paper beside what this run gives.
type Claim struct {
	Paper, Item string
	Claim       string // the statement
	Published   string // the paper's number, or its words
	Model       string // this run's numbers
	Relation    string // what is computed from them: Holds is its truth
	Holds       bool
	Note        string // where Holds is false: why; and what the numbers rest on
}

// Claims fills in what the claims of one figure have in common: the paper, the item, and basis, what the numbers of all rest on,
// at the end of each note. A claim that holds needs no reason and loses its own note.
func Claims(paper, item, basis string, list ...Claim) []Claim {
	for i := range list {
		c := &list[i]
		c.Paper, c.Item = paper, item
		if c.Holds {
			c.Note = ""
		}
		if c.Note != "" && basis != "" {
			c.Note += "; "
		}
		c.Note += basis
	}
	return list
}

// HoldsWord is yes or no.
func (c Claim) HoldsWord() string {
	if c.Holds {
		return "yes"
	}
	return "no"
}

func (c Claim) row() []string {
	cells := []string{c.Paper, c.Item, c.Claim, c.Published, c.Model, c.Relation, c.HoldsWord(), c.Note}
	for i, s := range cells {
		cells[i] = strings.Join(strings.Fields(s), " ")
	}
	return cells
}

// StartClaims makes dir, when missing, and a claims.tsv in it that holds the header row alone.
func StartClaims(dir string) error {
	if err := Prepare(dir); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, claimsFile), Table{Columns: claimsColumns}.TSV(), 0o666)
}

// addClaims appends the claims of one paper to dir/claims.tsv. Rows that an earlier run left for the same paper are dropped,
// so that running an example again leaves one row per claim.
func addClaims(dir, paper string, claims []Claim) error {
	name := filepath.Join(dir, claimsFile)
	t := Table{Columns: claimsColumns}
	header := strings.Join(claimsColumns, "\t")
	switch old, err := os.ReadFile(name); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		first, rest, _ := strings.Cut(string(old), "\n")
		if first != header {
			return Usagef("%s does not start with the header row of a claims file: move it away", name)
		}
		for line := range strings.Lines(rest) {
			if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); cells[0] != paper {
				t.Rows = append(t.Rows, cells)
			}
		}
	}
	for _, c := range claims {
		if c.Paper != paper {
			return fmt.Errorf("report: claim %q is of paper %q, want %q", c.Claim, c.Paper, paper)
		}
		if !c.Holds && strings.TrimSpace(c.Note) == "" {
			return fmt.Errorf("report: claim %q does not hold and has no note that says why", c.Claim)
		}
		t.Rows = append(t.Rows, c.row())
	}
	return os.WriteFile(name, t.TSV(), 0o666)
}

// Tally says how many of the claims of some sections hold.
func Tally(sections ...Section) string {
	hold, all := 0, 0
	for _, s := range sections {
		for _, f := range s.Figures {
			for _, c := range f.Claims {
				all++
				if c.Holds {
					hold++
				}
			}
		}
	}
	return fmt.Sprintf("%d of %s hold", hold, Count(all, "claim"))
}

// Count is a number with its noun: "1 claim", "3 claims".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
