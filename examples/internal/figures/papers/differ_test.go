package papers

import "testing"

// TestDiffer: what a run gives may differ, what is claimed may not.
func TestDiffer(t *testing.T) {
	row := func(paper, item, claim, model, holds, kind, reading string) []string {
		return []string{paper, item, claim, "1", model, "equal", holds, "", kind, reading, "h", "yes"}
	}
	whole := [][]string{row("a", "fig1", "x", "2", "no", "measured", "-"), row("b", "fig1", "z", "2", "no", "measured", "-"), row("a", "fig2", "y", "2", "no", "theory", "A")}
	for _, c := range []struct {
		quick [][]string
		want  string
	}{
		{[][]string{row("a", "fig1", "x", "3", "yes", "measured", "-"), row("a", "fig2", "y", "9", "undecided", "theory", "A")}, ""},
		{[][]string{row("a", "fig1", "x", "3", "yes", "measured", "-")}, `its row 2 of a is "fig2 | y | theory | A | h | yes", the run's "the end"`},
		{[][]string{row("a", "fig1", "x", "3", "yes", "measured", "-"), row("a", "fig2", "y", "9", "no", "theory", "A"), row("a", "fig3", "w", "9", "no", "theory", "A")},
			`its row 3 of a is "the end", the run's "fig3 | w | theory | A | h | yes"`},
		{[][]string{row("a", "fig2", "x", "2", "no", "measured", "-")}, `its row 1 of a is "fig1 | x | measured | - | h | yes", the run's "fig2 | x | measured | - | h | yes"`},
		{[][]string{row("a", "fig1", "y", "2", "no", "measured", "-")}, `its row 1 of a is "fig1 | x | measured | - | h | yes", the run's "fig1 | y | measured | - | h | yes"`},
		{[][]string{row("a", "fig1", "x", "2", "no", "beyond", "-")}, `its row 1 of a is "fig1 | x | measured | - | h | yes", the run's "fig1 | x | beyond | - | h | yes"`},
		{[][]string{row("a", "fig1", "x", "2", "no", "measured", "B")}, `its row 1 of a is "fig1 | x | measured | - | h | yes", the run's "fig1 | x | measured | B | h | yes"`},
	} {
		if got := differ("a", whole, c.quick); got != c.want {
			t.Errorf("differ(%q) = %q, want %q", c.quick, got, c.want)
		}
	}
}

// TestContradictions: a yes against a no is one, whichever file has it; what is undecided is none.
func TestContradictions(t *testing.T) {
	row := func(claim, holds, reading string) []string {
		return []string{"a", "fig1", claim, "1", "2", "equal", holds, "", "measured", reading, "", "yes"}
	}
	head := row("claim", "holds", "reading")
	whole := [][]string{head, row("v", "yes", "A"), row("v", "no", "B"), row("w", "yes", "-"), row("x", "no", "-"), row("t", "not run", "-")}
	for _, c := range []struct {
		quick [][]string
		want  int
	}{
		{[][]string{head, row("v", "yes", "A"), row("v", "no", "B"), row("w", "yes", "-"), row("x", "undecided", "-"), row("t", "yes", "-")}, 0},
		{[][]string{head, row("v", "no", "A")}, 1},
		{[][]string{head, row("v", "yes", "B"), row("w", "no", "-"), row("x", "yes", "-")}, 3},
		{[][]string{head, row("y", "yes", "-"), row("v", "not run", "A")}, 0},
	} {
		if got := contradictions(whole, c.quick); len(got) != c.want {
			t.Errorf("contradictions(%q) = %q, want %d", c.quick, got, c.want)
		}
	}
}
