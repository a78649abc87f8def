package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/internal/numbers"
)

// A tally counts rows: by the verdict in the main reading, and of those that do not hold there by
// whether they hold in another.
type tally struct {
	Rows      int
	Holds     int // in the main reading
	Elsewhere int // in another reading only
	None      int // in none
	Undecided int // by a quick run
	NotRun    int // in no reading
}

// tallyOf counts rows but for those that the main reading was found by, which are no verdicts.
func tallyOf(rows []Row) tally {
	var t tally
	for _, r := range rows {
		if r.Kind() == Found {
			continue
		}
		t.Rows++
		switch v := r.verdict(); {
		case v == "yes":
			t.Holds++
		case v == "undecided":
			t.Undecided++
		case r.elsewhere():
			t.Elsewhere++
		case v == "no" || r.ran():
			t.None++
		default:
			t.NotRun++
		}
	}
	return t
}

// ran says whether a reading has run the row.
func (r *Row) ran() bool {
	return slices.ContainsFunc(r.Cells, func(c *Claim) bool { return c != nil && !c.NotRun })
}

// String says how many rows hold of those that are decided: "3 of 4 hold, 1 undecided".
func (t tally) String() string {
	if t.Undecided > 0 && t.Undecided == t.Rows {
		return fmt.Sprintf("%d undecided", t.Rows)
	}
	text := fmt.Sprintf("%d of %d hold", t.Holds, t.Rows-t.Undecided)
	for _, part := range []struct {
		n    int
		what string
	}{{t.Elsewhere, "in another reading only"}, {t.Undecided, "undecided"}, {t.NotRun, "not run"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

// ofKind are the rows of a kind, and headlined those of them with a headline.
func ofKind(rows []Row, k Kind) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Kind() != k })
}

func headlined(rows []Row) []Row {
	return slices.DeleteFunc(ofKind(rows, Measured), func(r Row) bool { return r.Headline == "" })
}

func rowsOf(sections []Section) []Row {
	var rows []Row
	for _, s := range sections {
		rows = append(rows, s.Rows()...)
	}
	return rows
}

// Tally says how many of the claims of some sections hold in the main readings, by kind.
func Tally(sections ...Section) string {
	return cmp.Or(tallies(rowsOf(sections), Measured, Constructed, Theory, Beyond), "no claims")
}

// FullTally is Tally of the full run that stands beside a quick one, or "".
func FullTally(sections ...Section) string {
	var rows []Row
	for _, s := range sections {
		rows = append(rows, s.Full...)
	}
	return tallies(rows, Measured, Constructed, Theory, Beyond)
}

// settled are the rows whose verdicts count for good: those of a full run.
func (s Section) settled() []Row {
	if s.Quick {
		return s.Full
	}
	return s.Rows()
}

// full is what a full run beside this one says of a row: "holds", or "" if nothing is known of it.
func (s Section) full(r Row) string {
	for i := range s.Full {
		if f := &s.Full[i]; f.Item == r.Item && f.Claim == r.Claim {
			return signs[f.verdict()].Meaning
		}
	}
	return ""
}

// tallies says how many rows of some kinds hold.
func tallies(rows []Row, kinds ...Kind) string {
	var parts []string
	for _, k := range kinds {
		if list := ofKind(rows, k); len(list) > 0 {
			parts = append(parts, k.String()+": "+tallyOf(list).String())
		}
	}
	return strings.Join(parts, "; ")
}

// TallyTable counts the claims of sections, a row a paper and one over all of them: those with
// headlines and those measured by where they hold, and how many of the other kinds hold.
func TallyTable(sections ...Section) numbers.Table {
	t := numbers.Table{Columns: []string{"paper", "headlines", "measured", "in another only", "in none", "not run", "found", "constructed", "theory", "beyond"}}
	of := func(rows []Row) string {
		if n := tallyOf(rows); n.Rows > 0 {
			return fmt.Sprintf("%d/%d", n.Holds, n.Rows)
		}
		return ""
	}
	add := func(paper string, rows []Row) {
		m := tallyOf(ofKind(rows, Measured))
		t.Add(paper, of(headlined(rows)), of(ofKind(rows, Measured)), m.Elsewhere, m.None, m.NotRun, len(ofKind(rows, Found)), of(ofKind(rows, Constructed)), of(ofKind(rows, Theory)), of(ofKind(rows, Beyond)))
	}
	for _, s := range sections {
		add(s.Paper, s.Rows())
	}
	add("all", rowsOf(sections))
	return t
}
