// Package reporttest has what the tests of several papers ask of their claims.
package reporttest

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// CanFail fails the test unless each claim holds in the first list, which stands for numbers like
// the paper's, and fails in one of the others, of other numbers.
func CanFail(t testing.TB, holding []report.Claim, failing ...[]report.Claim) {
	t.Helper()
	if len(holding) == 0 {
		t.Error("no claims")
	}
	seen := map[string]bool{}
	for i, c := range holding {
		if name := c.Reading + c.Claim; seen[name] {
			t.Errorf("two claims are %q", name)
		} else {
			seen[name] = true
		}
		if !c.Holds {
			t.Errorf("%s %q: %q does not hold, want it to: %s", c.Item, c.Claim, c.Relation, c.Model)
		}
		fails := false
		for _, list := range append([][]report.Claim{holding}, failing...) {
			d := list[i]
			if len(list) != len(holding) || d.Claim != c.Claim {
				t.Fatalf("claim %d of %d is %q, and %q of %d", i, len(holding), c.Claim, d.Claim, len(list))
			}
			if n := utf8.RuneCountInString(d.Note); n > 200 {
				t.Errorf("%s %q has a note of %d characters, want at most 200", d.Item, d.Claim, n)
			}
			for _, cell := range []string{d.Claim, d.Published, d.Model, d.Relation} {
				if cell == "" || strings.Contains(cell, "NaN") {
					t.Errorf("%s %q has the cell %q", d.Item, d.Claim, cell)
				}
			}
			fails = fails || !d.Holds
		}
		if !fails {
			t.Errorf("%s %q: %q holds whatever the numbers", c.Item, c.Claim, c.Relation)
		}
	}
}
