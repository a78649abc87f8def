package papers

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/schedmath/schedmath/examples/internal/figures"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
)

// A Paper is the example of one paper and what is expected of it.
type Paper struct {
	Name    string
	Main    Program
	Plan    func(program.Options, io.Writer) (report.Plan, error)
	Columns map[string]string // of the numbers of each figure
	Seeds   map[string]bool   // files, without the paper's name, and whether they change with the seed
	Says    []string          // what the page says among other things
}

// Check compares a page of the paper alone, made on one processor, with a run of the paper's own
// program on two.
func Check(t *testing.T, p Paper) {
	if testing.Short() {
		t.Skip("long: draws every figure")
	}
	p.listed(t)
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one := Files(t, figures.Of(p.Plan), "-quick")
	runtime.GOMAXPROCS(2)
	two := Files(t, p.Main, "-quick")
	Alone(t, p.Name, p.Columns, two)
	pages := []string{"index.html", p.Name + ".html"}
	for _, name := range pages {
		two[name] = ""
	}
	if !slices.Equal(Names(one), Names(two)) {
		t.Errorf("figures wrote %q, want %q", Names(one), Names(two))
	}
	for name := range one {
		if !slices.Contains(pages, name) && one[name] != two[name] {
			t.Errorf("%s differs between two runs with one and two processors", name)
		}
		Sound(t, name, one[name])
	}
	claims(t, p.Name, p.Columns, one["claims.tsv"])
	Recorded(t, p.Name, one["claims.tsv"])
	for _, name := range pages {
		InBrowser(t, one[name])
	}
	for _, want := range append(p.Says, "<svg ") {
		if !strings.Contains(one[p.Name+".html"], want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for name, change := range p.Seeds {
		name = p.Name + "-" + name
		figure, _, _ := strings.Cut(name, ".")
		other := Files(t, figures.Main, "-quick", "-seed", "2", "-only", figure)
		if other[name] == "" || (other[name] != one[name]) != change {
			t.Errorf("%s with another seed: changes %v, want %v", name, other[name] != one[name], change)
		}
	}
}

// listed checks that figures -list has the paper's figures.
func (p Paper) listed(t *testing.T) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := figures.Main([]string{"-list", "-only", p.Name + "-"}, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("figures -list = %d and printed %q", code, errs.String())
	}
	got, want := strings.Fields(out.String()), slices.Collect(maps.Keys(p.Columns))
	for i := range want {
		want[i] = p.Name + "-" + want[i]
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("figures -list printed %q, want %q", got, want)
	}
}

// exactItems are figures whose claims follow from theory or from exact numbers, whatever the
// workload.
var exactItems = []string{"hfsp fig1", "circumflex fig2", "circumflex fig3", "circumflex fig4", "circumflex fig7", "circumflex fig8", "circumflex fig9",
	"dynprio fig1", "shufflewatcher fig5", "shufflewatcher fig7",
	"fairqueue rounding", "fairqueue returning", "backfill gantt"}

// claims checks the rows of claims.tsv, which holds those of one paper.
func claims(t *testing.T, paper string, columns map[string]string, text string) {
	t.Helper()
	rows := rectangular(t, "claims.tsv", text)
	if got, want := strings.Join(rows[0], " "), "paper item claim published model relation holds note kind reading headline main"; got != want {
		t.Fatalf("the header of claims.tsv is %q, want %q", got, want)
	}
	seen, decided := map[string]int{}, 0
	for _, r := range rows[1:] {
		seen[r[0]+" "+r[1]]++
		if r[6] != "undecided" {
			decided++
		}
		for i, cell := range r[:7] {
			if cell == "" {
				t.Errorf("claims.tsv: row %q has no %s", r, rows[0][i])
			}
		}
		if !slices.Contains([]string{"yes", "no", "undecided", "not run"}, r[6]) {
			t.Errorf("claims.tsv: row %q, want yes, no, undecided or not run", r)
		}
		if n := utf8.RuneCountInString(r[7]); n > 200 {
			t.Errorf("claims.tsv: row %q has a note of %d characters, want at most 200", r, n)
		}
		if !slices.Contains([]string{"measured", "found", "constructed", "theory", "beyond"}, r[8]) {
			t.Errorf("claims.tsv: row %q is of the kind %q", r, r[8])
		}
		if r[11] != "yes" && (r[11] != "no" || r[9] == "-") {
			t.Errorf("claims.tsv: row %q is main %q, want yes, or no of a reading", r, r[11])
		}
		if slices.Contains(exactItems, r[0]+" "+r[1]) && r[6] != "yes" {
			t.Errorf("claims.tsv: row %q, want yes", r)
		}
	}
	for item := range columns {
		if seen[paper+" "+item] == 0 && paper+" "+item != "circumflex arrivals" { // its rows stand with those of load
			t.Errorf("claims.tsv has no row for %s of %s", item, paper)
		}
	}
	if decided == 0 {
		t.Errorf("a quick run decides no row of %s", paper)
	}
}

// Recorded checks that docs/claims.tsv, of a whole run, has the claims of a quick run, and no yes
// where that says no, or the other way round. A test's directory is some levels below that of docs.
func Recorded(t *testing.T, paper, text string) {
	t.Helper()
	name := filepath.Join("docs", "claims.tsv")
	whole, err := os.ReadFile(name)
	for up := 0; err != nil && up < 6; up++ {
		name = filepath.Join("..", name)
		whole, err = os.ReadFile(name)
	}
	if err != nil {
		t.Fatal(err)
	}
	full, quick := rectangular(t, "docs/claims.tsv", string(whole)), rectangular(t, "claims.tsv", text)
	if diff := differ(paper, full, quick); diff != "" {
		t.Errorf("docs/claims.tsv is not of these claims: %s. A whole run makes it anew", diff)
	}
	for _, c := range contradictions(full, quick) {
		t.Errorf("a quick run contradicts docs/claims.tsv: %s", c)
	}
}

// contradictions lists the claims that one of two files says hold and the other says do not.
func contradictions(whole, quick [][]string) (list []string) {
	hold := map[string]bool{}
	name := func(r []string) string { return strings.Join([]string{r[0], r[1], r[2], r[9]}, " | ") }
	for _, r := range whole[1:] {
		if r[6] != "not run" {
			hold[name(r)] = r[6] != "no"
		}
	}
	for _, r := range quick[1:] {
		if holds, ok := hold[name(r)]; ok && r[6] != "undecided" && r[6] != "not run" && holds != (r[6] != "no") {
			list = append(list, name(r)+": "+r[6])
		}
	}
	return list
}

// differ says where the claims of a paper in two files first differ in item, claim, kind,
// reading, headline or main, "" if nowhere. What they give may differ.
func differ(paper string, whole, quick [][]string) string {
	of := func(rows [][]string) []string {
		var list []string
		for _, r := range rows {
			if r[0] == paper {
				list = append(list, strings.Join([]string{r[1], r[2], r[8], r[9], r[10], r[11]}, " | "))
			}
		}
		return append(list, "the end")
	}
	a, b := of(whole), of(quick)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("its row %d of %s is %q, the run's %q", i+1, paper, a[i], b[i])
		}
	}
	return ""
}

// filesOf are the files that the example of a paper writes, in order.
func filesOf(paper string, columns map[string]string) []string {
	list := []string{"claims.tsv"}
	for item := range columns {
		list = append(list, paper+"-"+item+".svg", paper+"-"+item+".tsv")
	}
	slices.Sort(list)
	return list
}

// Alone checks the names and the columns of what the example of one paper wrote.
func Alone(t *testing.T, paper string, columns, got map[string]string) {
	t.Helper()
	if want := filesOf(paper, columns); !slices.Equal(Names(got), want) {
		t.Errorf("%s wrote %q, want %q", paper, Names(got), want)
	}
	for item, columns := range columns {
		if rows := rectangular(t, item, got[paper+"-"+item+".tsv"]); strings.Join(rows[0], " ") != columns {
			t.Errorf("the columns of %s-%s.tsv are %q, want %q", paper, item, strings.Join(rows[0], " "), columns)
		}
	}
}
