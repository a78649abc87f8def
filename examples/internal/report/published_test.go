package report_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
)

var update = flag.Bool("update", false, "write the tables of verdicts in README.md and docs/reproduction.md anew")

// headlinesOf is the table of a paper's headlines, a column for each reading that has one, "" where
// the paper has none. A cell is what a run gave up to its first semicolon.
func headlinesOf(s report.Section) string {
	signs := map[string]string{"yes": "✓", "no": "✗", "not run": "–", "undecided": "?"}
	rows := slices.DeleteFunc(s.Rows(), func(r report.Row) bool { return r.Headline == "" })
	if len(rows) == 0 {
		return ""
	}
	lines := []string{"| headline | published |"}
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("| %s | %s |", r.Headline, r.Published))
	}
	add := func(title string, of func(r *report.Row) *report.Claim) {
		lines[0] += " " + title + " |"
		for i := range rows {
			cell := "–"
			if c := of(&rows[i]); c != nil {
				model, _, _ := strings.Cut(c.Model, ";")
				if cell = signs[c.HoldsWord()] + " " + model; c.Kind == report.Found {
					cell = "○ " + model
				}
			}
			lines[i+1] += " " + cell + " |"
		}
	}
	for n, reading := range s.Readings {
		cell := func(r *report.Row) *report.Claim { return r.Cells[n] }
		if !slices.ContainsFunc(rows, func(r report.Row) bool { return cell(&r) != nil }) {
			continue
		}
		if reading.Main != "" {
			reading.Name += " (main)"
		}
		add(reading.Name, cell)
	}
	if len(s.Readings) == 0 {
		add("here", func(r *report.Row) *report.Claim { return r.Main })
	}
	columns := strings.Count(lines[0], "|") - 1
	return strings.Join(slices.Insert(lines, 1, "|"+strings.Repeat("---|", columns)), "\n") + "\n"
}

// mainReadings counts for each paper the claims measured there, and of them its headlines, that
// hold in the main reading, and says how HFSP fares beside FIFO on the workload of its headline.
func mainReadings(t *testing.T, claims string, sections []report.Section) string {
	t.Helper()
	text := "| paper | headlines that hold | claims measured that hold in the main reading | in another only | in none | not run |\n|---|---|---|---|---|---|\n"
	for _, row := range report.TallyTable(sections...).Rows {
		if row[0] != "all" && row[2] != "" {
			text += "| " + strings.Join(row[:6], " | ") + " |\n"
		}
	}
	beside := regexp.MustCompile(`(?m)^hfsp\t.*\t(HFSP/FAIR ([0-9.]+) ± [0-9.]+; FIFO, which has no sizes, ([0-9.]+) ± [0-9.]+)\t`)
	m := beside.FindStringSubmatch(claims)
	if m == nil {
		t.Fatal("docs/claims.tsv has no row of HFSP beside FIFO on LARGE")
	}
	hfsp, err := strconv.ParseFloat(m[2], 64)
	fifo, err2 := strconv.ParseFloat(m[3], 64)
	if err := cmp.Or(err, err2); err != nil {
		t.Fatal(err)
	}
	text += "\nHFSP's workload LARGE, mean sojourn times as parts of that under fair sharing:\n" + m[1] + "."
	if fifo < hfsp {
		text += "\nFirst come, first served (FIFO) does better there than HFSP, so in this reading the gain is not that of sizes."
	}
	return text + "\n"
}

// TestTallyOfClaims: the tables of verdicts in docs/reproduction.md and README.md count the rows of
// docs/claims.tsv. With -update it writes them anew.
func TestTallyOfClaims(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	claims, err := os.ReadFile(filepath.Join(root, "docs", "claims.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	sections, err := report.ReadClaims(string(claims))
	if err != nil {
		t.Fatal(err)
	}
	type written struct{ page, mark, want string }
	reproduction := filepath.Join(root, "docs", "reproduction.md")
	parts := []written{
		{reproduction, "tally", report.TallyTable(sections...).Markdown()},
		{filepath.Join(root, "README.md"), "verdicts", mainReadings(t, string(claims), sections)},
	}
	for _, s := range sections {
		if table := headlinesOf(s); table != "" {
			parts = append(parts, written{reproduction, "headlines of " + s.Paper, table})
		}
	}
	for _, part := range parts {
		begin, end := "<!-- "+part.mark+" -->\n", "<!-- end of "+part.mark+" -->"
		text, err := os.ReadFile(part.page)
		if err != nil {
			t.Fatal(err)
		}
		head, rest, _ := strings.Cut(string(text), begin)
		table, tail, found := strings.Cut(rest, end)
		if found && *update {
			if err := os.WriteFile(part.page, []byte(head+begin+part.want+end+tail), 0o666); err != nil {
				t.Fatal(err)
			}
			table = part.want
		}
		if !found || strings.TrimSpace(table) != strings.TrimSpace(part.want) {
			t.Errorf("%s has between %s and %s\n%s\nand docs/claims.tsv gives\n%s", part.page, begin, end, table, part.want)
		}
	}
}

// TestReadClaims: what is read is what was written.
func TestReadClaims(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "claims.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	sections, err := report.ReadClaims(string(text))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := report.WriteClaims(dir, false, sections...); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(filepath.Join(dir, "claims.tsv")); err != nil || string(again) != string(text) {
		t.Errorf("claims.tsv read and written again differs (%v)", err)
	}
	for _, bad := range []string{"", "paper\n", strings.Replace(string(text), "hfsp\tfig1\t", "hfsp\t", 1),
		strings.Replace(string(text), "\tconstructed\t", "\tconstrued\t", 1), strings.Replace(string(text), "\tyes\t", "\tperhaps\t", 1)} {
		if _, err := report.ReadClaims(bad); err == nil {
			t.Errorf("ReadClaims(%.40q) = nil, want an error", bad)
		}
	}
}
