package report

import (
	"fmt"
	"slices"
	"strings"
)

// A verdict is a word of HoldsWord, with a sign and words for people, and how many claims have it.
type verdict struct {
	Word, Sign, Meaning string
	N                   int
}

// counts are how many of some claims have each verdict.
func counts(claims ...Claim) []verdict {
	list := []verdict{{"yes", "✓", "holds", 0}, {"no", "✗", "does not hold", 0}, {"extends", "+", "extends the paper", 0}, {"undecided", "?", "undecided", 0}}
	for _, c := range claims {
		list[slices.IndexFunc(list, func(v verdict) bool { return v.Word == c.HoldsWord() })].N++
	}
	return list
}

// holding says how many claims hold: "3 of 4 hold, 1 undecided".
func holding(claims []Claim) string {
	n := counts(claims...)
	text := fmt.Sprintf("%d of %d hold", n[0].N+n[2].N, len(claims))
	if undecided := n[3].N; undecided > 0 {
		text += fmt.Sprintf(", %d undecided", undecided)
	}
	return text
}

// claims are those of all figures that are of a kind.
func (s *Section) claims(k Kind) []Claim {
	var list []Claim
	for _, f := range s.Figures {
		for _, c := range f.Claims {
			if c.Kind == k {
				list = append(list, c)
			}
		}
	}
	return list
}

// TallyTable counts the claims of sections by paper and kind, and by kind over all of them.
func TallyTable(sections ...Section) Table {
	t := Table{Columns: []string{"paper", "kind"}}
	for _, v := range counts() {
		t.Columns = append(t.Columns, v.Word)
	}
	var all [Beyond + 1][]Claim
	add := func(paper string, k Kind, claims []Claim) {
		if len(claims) == 0 {
			return
		}
		row := []any{paper, k.String()}
		for _, c := range counts(claims...) {
			row = append(row, c.N)
		}
		t.Add(row...)
	}
	for _, s := range sections {
		for k := range all {
			claims := s.claims(Kind(k))
			add(s.Paper, Kind(k), claims)
			all[k] = append(all[k], claims...)
		}
	}
	for k, claims := range all {
		add("all", Kind(k), claims)
	}
	return t
}

// Markdown is the table as Markdown.
func (t Table) Markdown() string {
	var b strings.Builder
	for _, r := range slices.Concat([][]string{t.Columns, slices.Repeat([]string{"---"}, len(t.Columns))}, t.Rows) {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
	}
	return b.String()
}
