package report_test

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
)

const header = "paper\titem\tclaim\tpublished\tmodel\trelation\tholds\tnote\tkind\treading\theadline\tmain\n"

// figure has a picture, numbers and claims.
func figure(claims ...report.Claim) report.Figure {
	picture, err := draw.New("", &draw.Chart{X: draw.Axis{Max: 1}, Y: draw.Axis{Max: 1}})
	if err != nil {
		panic(err)
	}
	f := report.Figure{Item: "fig1", Title: "A <figure>", Picture: picture, Claims: claims}
	f.Numbers.Columns = []string{"x", "y"}
	f.Numbers.Add(1, 0.5)
	return f
}

// section is of one figure; claims without words get their number.
func section(paper string, claims ...report.Claim) report.Section {
	for i := range claims {
		claims[i].Claim = cmp.Or(claims[i].Claim, strconv.Itoa(i))
	}
	return report.Section{Paper: paper, Title: "Title of " + paper, Figures: []report.Figure{figure(claims...)}}
}

func TestWriteClaims(t *testing.T) {
	dir := t.TempDir()
	yes := report.Claim{Paper: "a", Item: "fig1", Claim: "one\tclaim\n", Published: "1", Model: "1", Relation: "equal", Holds: true}
	no := report.Claim{Paper: "b", Item: "fig1", Claim: "another", Published: "1", Model: "2", Relation: "equal", Note: "it differs"}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	write := func(s report.Section) {
		t.Helper()
		if err := report.WriteClaims(dir, true, s); err != nil {
			t.Fatalf("WriteClaims = %v", err)
		}
	}
	rowA, rowB := "a\tfig1\tone claim\t1\t1\tequal\tyes\t\tmeasured\t-\t\tyes\n", "b\tfig1\tanother\t1\t2\tequal\tno\tit differs\tmeasured\t-\t\tyes\n"

	write(section("a", yes))
	write(section("b", no))
	if got := read("claims.tsv"); got != header+rowA+rowB {
		t.Errorf("claims.tsv holds %q, want %q", got, header+rowA+rowB)
	}
	write(section("a", yes)) // again: its rows are replaced
	if got := read("claims.tsv"); got != header+rowB+rowA {
		t.Errorf("claims.tsv after a second run holds %q, want %q", got, header+rowB+rowA)
	}
	if err := report.WriteClaims(dir, false, section("a", yes), section("c")); err != nil || read("claims.tsv") != header+rowA {
		t.Errorf("WriteClaims anew = %v and left %q, want %q", err, read("claims.tsv"), header+rowA)
	}

	open := section("b", report.Claim{Undecided: true})
	if err := report.WriteClaims(dir, true, open); err == nil {
		t.Error("WriteClaims took a full run that leaves a claim undecided")
	}
	open.Quick = true
	if err := report.WriteClaims(dir, true, open); err != nil {
		t.Errorf("WriteClaims of a quick run that leaves a claim undecided = %v", err)
	}
	no.Note = strings.Repeat("é", 200)
	if err := report.WriteClaims(dir, true, section("b", no)); err != nil {
		t.Errorf("WriteClaims of a claim with a note of 200 characters = %v", err)
	}
	no.Note += "."
	if err := report.WriteClaims(dir, true, section("b", no)); err == nil {
		t.Error("WriteClaims took a claim with a note of 201 characters")
	}
	for _, c := range []struct {
		claim          report.Claim
		verdict, kinds string
	}{
		{report.Claim{}, "no", "measured"},
		{report.Claim{Holds: true, Kind: report.Constructed}, "yes", "constructed"},
		{report.Claim{Holds: true, Kind: report.Theory}, "yes", "theory"},
		{report.Claim{Kind: report.Beyond}, "no", "beyond"},
		{report.Claim{NotRun: true, Kind: report.Found}, "not run", "found"},
	} {
		if got, kind := c.claim.HoldsWord(), c.claim.Kind.String(); got != c.verdict || kind != c.kinds {
			t.Errorf("%+v is %s, %s, want %s, %s", c.claim, got, kind, c.verdict, c.kinds)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "claims.tsv"), []byte("my notes\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var usage *program.Usage
	if err := report.WriteClaims(dir, true, section("a", yes)); !errors.As(err, &usage) || read("claims.tsv") != "my notes\n" {
		t.Errorf("WriteClaims over a foreign claims.tsv = %v and left %q, want a usage error and no change", err, read("claims.tsv"))
	}
	if err := report.WriteClaims(filepath.Join(dir, "claims.tsv", "x"), true, section("a", yes)); program.Exit(io.Discard, "x", err) != 2 {
		t.Errorf("WriteClaims below a file = %v, want exit code 2", err)
	}
}

func TestTally(t *testing.T) {
	measured := section("a", report.Claim{Holds: true}, report.Claim{}, report.Claim{Holds: true})
	others := section("b", report.Claim{Kind: report.Theory}, report.Claim{Holds: true, Kind: report.Beyond})
	for _, c := range []struct {
		sections []report.Section
		want     string
	}{
		{[]report.Section{measured, others}, "measured: 2 of 3 hold; theory: 0 of 1 hold; beyond: 1 of 1 hold"},
		{[]report.Section{measured}, "measured: 2 of 3 hold"},
		{[]report.Section{others}, "theory: 0 of 1 hold; beyond: 1 of 1 hold"},
		{[]report.Section{section("c", report.Claim{Holds: true, Kind: report.Theory}, report.Claim{Holds: true, Kind: report.Theory})}, "theory: 2 of 2 hold"},
		{[]report.Section{section("d")}, "no claims"},
	} {
		if got := report.Tally(c.sections...); got != c.want {
			t.Errorf("Tally = %q, want %q", got, c.want)
		}
	}
}
