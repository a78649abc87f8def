package schedmath_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// declared is what the packages of both modules declare: "aging.Cluster", "aging.Cluster.Add", and
// for tests, benchmarks, fuzz targets and examples "aging.TestTwins". Packages go by the last part
// of their path.
func declared(t *testing.T) (names, packages map[string]bool) {
	t.Helper()
	names, packages = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := path.Base(path.Dir(filepath.ToSlash(name)))
		packages[dir] = true
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[dir+"."+receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names[dir+"."+s.Name.Name] = true
						if st, ok := s.Type.(*ast.StructType); ok {
							for _, field := range st.Fields.List {
								for _, n := range field.Names {
									names[dir+"."+s.Name.Name+"."+n.Name] = true
								}
							}
						}
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names[dir+"."+n.Name] = true
						}
					}
				}
			}
		}
		return nil
	})
	must(t, err)
	return names, packages
}

// receiver is the name of a method's type and a point, or "".
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	x := d.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			return y.Name + "."
		default:
			return ""
		}
	}
}

func pages(t *testing.T) map[string]string {
	t.Helper()
	text := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		files, err := filepath.Glob(pattern)
		must(t, err)
		for _, name := range files {
			b, err := os.ReadFile(name)
			must(t, err)
			text[name] = string(b)
		}
	}
	if len(text) < 7 {
		t.Fatalf("found %d pages, want README, CONTRIBUTING, CHANGELOG and those of docs", len(text))
	}
	return text
}

var (
	fenced  = regexp.MustCompile("(?s)```.*?```")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	quoted  = regexp.MustCompile("`([^`\n]+)`")
	// A name with its package, with parts of which at least the first is exported.
	qualified = regexp.MustCompile(`^([a-z0-9]+)((?:\.[A-Z]\w*)(?:\.\w+)*)$`)
	plain     = regexp.MustCompile(`^[A-Z]\w*(\.[A-Z]\w*)*$`)
	part      = regexp.MustCompile(`^(fig[0-9]+)[a-z]$`)
	checking  = regexp.MustCompile(`^(Test|Benchmark|Fuzz|Example)[A-Z]\w*$`)
)

// anchor is what a page calls a heading in links: lower case, spaces as hyphens, other marks gone.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// TestLinks: the links between pages and to files of the repository lead somewhere, those with an
// anchor to a heading of a page.
func TestLinks(t *testing.T) {
	all := pages(t)
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			to, part, _ := strings.Cut(m[1], "#")
			file := filepath.Join(filepath.Dir(name), to)
			if to == "" {
				file = name
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
			if found := part == ""; !found {
				for _, h := range heading.FindAllStringSubmatch(all[file], -1) {
					found = found || anchor(h[1]) == part
				}
				if !found {
					t.Errorf("%s links to %s: no heading of that name", name, m[1])
				}
			}
		}
	}
}

// TestPackagesAreListed: README.md and the package comment of the root name every package that
// others can import.
func TestPackagesAreListed(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	must(t, err)
	lists := map[string]string{"README.md": pages(t)["README.md"], "doc.go": string(comment)}
	found := 0
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || name == "." {
			return err
		}
		if d.Name() == "internal" || d.Name() == "examples" || strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(name, "*.go")); len(files) == 0 {
			return nil
		}
		found++
		p := regexp.QuoteMeta(filepath.ToSlash(name))
		for list, want := range map[string]string{"README.md": `(?m)^\| \[` + p + `\]\(`, "doc.go": `(?m)^//.*[ ,]` + p + `[,:]`} {
			if !regexp.MustCompile(want).MatchString(lists[list]) {
				t.Errorf("%s does not list package %s", list, name)
			}
		}
		return nil
	})
	must(t, err)
	if found < 20 {
		t.Errorf("found %d packages, want all", found)
	}
}

// TestNamesInPages: what the pages call by the name of its package exists, and so does every test
// and benchmark that they name.
func TestNamesInPages(t *testing.T) {
	names, packages := declared(t)
	checks := map[string]bool{}
	for n := range names {
		_, short, _ := strings.Cut(n, ".")
		checks[short] = true
	}
	found := 0
	for name, text := range pages(t) {
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			q := qualified.FindStringSubmatch(m[1])
			switch {
			case q != nil && packages[q[1]]:
				found++
				if !names[m[1]] {
					t.Errorf("%s names `%s`, which no package declares", name, m[1])
				}
			case checking.MatchString(m[1]) && m[1] != "BenchmarkX":
				found++
				if !checks[m[1]] {
					t.Errorf("%s names `%s`, which no package declares", name, m[1])
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("found %d names, want the hundreds that the pages have", found)
	}
}

// TestRowsOfPapers: in the tables of docs/papers.md each function, test and figure is one of the
// package that the row says, and tests that need a trace are marked.
func TestRowsOfPapers(t *testing.T) {
	names, packages := declared(t)
	need := needTraces(t)
	rows := 0
	for line := range strings.Lines(pages(t)[filepath.Join("docs", "papers.md")]) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 5 || strings.Contains(cells[0], "---") || strings.TrimSpace(cells[0]) == "place" {
			continue
		}
		rows++
		// Functions: a name without a package is of the package before it.
		in := ""
		for _, m := range quoted.FindAllStringSubmatch(cells[2], -1) {
			name := m[1]
			if q := qualified.FindStringSubmatch(name); q != nil && packages[q[1]] {
				in = q[1]
			} else if plain.MatchString(name) {
				name = in + "." + name
			}
			if !names[name] {
				t.Errorf("docs/papers.md, row %q: no package declares the function `%s`", strings.TrimSpace(cells[0]), name)
			}
		}
		// Tests: the package stands before them, without quotes.
		in = ""
		for _, word := range strings.Fields(strings.ReplaceAll(cells[3], ",", " ")) {
			if name, ok := strings.CutPrefix(word, "`"); !ok {
				in = path.Base(word)
			} else {
				name, marked := strings.CutSuffix(name, "†")
				name = in + "." + strings.TrimSuffix(name, "`")
				if !names[name] {
					t.Errorf("docs/papers.md, row %q: no package declares the test `%s`", strings.TrimSpace(cells[0]), name)
				}
				if marked != need[name] {
					t.Errorf("docs/papers.md, row %q: `%s` is marked † = %t, and needs a trace = %t", strings.TrimSpace(cells[0]), name, marked, need[name])
				}
			}
		}
		// Figures: <example>-<item>, and the item is in the example's code, perhaps without the
		// letter of its part.
		for _, m := range quoted.FindAllStringSubmatch(cells[4], -1) {
			example, item, _ := strings.Cut(m[1], "-")
			dir, whole := filepath.Join("examples", "internal", example), part.ReplaceAllString(item, "$1")
			if !mentions(t, dir, `"`+item+`"`) && !mentions(t, dir, `"`+whole+`"`) {
				t.Errorf("docs/papers.md, row %q: the example %s has no item %q", strings.TrimSpace(cells[0]), example, item)
			}
		}
	}
	if rows < 30 {
		t.Errorf("docs/papers.md has %d rows, want more than 30", rows)
	}
}

// mentions reports whether a Go file in dir that is no test holds the text.
func mentions(t *testing.T, dir, text string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	must(t, err)
	for _, name := range files {
		b, err := os.ReadFile(name)
		must(t, err)
		if !strings.HasSuffix(name, "_test.go") && strings.Contains(string(b), text) {
			return true
		}
	}
	return false
}

// A claimRow is a claim of docs/claims.tsv: its lines, one a reading.
type claimRow struct {
	paper, kind        string // the kind in the main reading, or else in the first that has it
	headline, ran      bool
	verdict, elsewhere string // in the main reading; yes if it holds in another that was not found by it
}

// claimRows reads docs/claims.tsv, as package report of the examples counts its rows.
func claimRows(t *testing.T, claims string) []*claimRow {
	t.Helper()
	var list []*claimRow
	at := map[string]*claimRow{}
	lines := strings.Split(strings.TrimSpace(claims), "\n")
	for _, line := range lines[1:] {
		c := strings.Split(line, "\t")
		if len(c) != 12 {
			t.Fatalf("docs/claims.tsv: %q has %d cells, want 12", line, len(c))
		}
		name := strings.Join(c[:3], "\t")
		r := at[name]
		if r == nil {
			r = &claimRow{paper: c[0], kind: c[8], headline: c[10] != "", verdict: "not run"}
			at[name], list = r, append(list, r)
		}
		r.ran = r.ran || c[6] != "not run"
		switch {
		case c[11] == "yes":
			r.kind, r.verdict = c[8], c[6]
		case c[6] == "yes" && c[8] != "found":
			r.elsewhere = "yes"
		}
	}
	return list
}

// counted are how many rows there are, hold in the main reading, in another only, in none, and were
// not run. What the main reading was found by is a row alone.
func counted(rows []*claimRow, of func(r *claimRow) bool) (n [5]int) {
	for _, r := range rows {
		if !of(r) {
			continue
		}
		n[0]++
		switch {
		case r.kind == "found":
		case r.verdict == "yes":
			n[1]++
		case r.elsewhere != "":
			n[2]++
		case r.verdict == "no" || r.ran:
			n[3]++
		default:
			n[4]++
		}
	}
	return n
}

// papersOf are the papers of rows in order.
func papersOf(rows []*claimRow) []string {
	var list []string
	for _, r := range rows {
		if !slices.Contains(list, r.paper) {
			list = append(list, r.paper)
		}
	}
	return list
}

// tallyOf counts the rows of a file of claims by paper and kind, and by kind over all of them, as a
// table of Markdown.
func tallyOf(rows []*claimRow) string {
	table := "| paper | kind | claims | hold in the main reading | in another only | in none | not run |\n| --- | --- | --- | --- | --- | --- | --- |\n"
	for _, paper := range append(papersOf(rows), "all") {
		for _, kind := range []string{"headlines", "measured", "found", "constructed", "theory", "beyond"} {
			n := counted(rows, func(r *claimRow) bool {
				return (paper == "all" || r.paper == paper) && (r.kind == kind || kind == "headlines" && r.headline && r.kind == "measured")
			})
			if n[0] > 0 {
				table += fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d |\n", paper, kind, n[0], n[1], n[2], n[3], n[4])
			}
		}
	}
	return table
}

// headlinesOf is the table of a paper's headlines, a column for each reading that has one, "" where
// the paper has none. A cell is what a run gave up to its first semicolon.
func headlinesOf(paper, claims string) string {
	signs := map[string]string{"yes": "✓", "no": "✗", "not run": "–", "undecided": "?"}
	var names, order []string
	main, published, cells := "", map[string]string{}, map[string]string{}
	for line := range strings.Lines(claims) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if c[0] != paper || c[10] == "" {
			continue
		}
		name, reading := c[10]+"\t"+c[1], c[9]
		if c[11] == "yes" {
			main = reading
		}
		if !slices.Contains(names, name) {
			names, published[name] = append(names, name), c[3]
		}
		if !slices.Contains(order, reading) {
			order = append(order, reading)
		}
		model, _, _ := strings.Cut(c[4], ";")
		if sign := signs[c[6]]; c[8] == "found" {
			cells[name+"\t"+reading] = "○ " + model
		} else {
			cells[name+"\t"+reading] = sign + " " + model
		}
	}
	if len(names) == 0 {
		return ""
	}
	table := "| headline | published |"
	for _, reading := range order {
		switch {
		case reading == "-":
			reading = "here"
		case reading == main:
			reading += " (main)"
		}
		table += " " + reading + " |"
	}
	table += "\n|" + strings.Repeat("---|", len(order)+2) + "\n"
	for _, name := range names {
		headline, _, _ := strings.Cut(name, "\t")
		table += fmt.Sprintf("| %s | %s |", headline, published[name])
		for _, reading := range order {
			table += " " + cmp.Or(cells[name+"\t"+reading], "not run") + " |"
		}
		table += "\n"
	}
	return table
}

// mainReadings counts for each paper the claims measured there, and of them its headlines, that
// hold in the main reading, as a table of Markdown, and says how HFSP fares beside FIFO on the
// workload of its headline.
func mainReadings(t *testing.T, claims string) string {
	t.Helper()
	rows := claimRows(t, claims)
	table := "| paper | claims measured | hold in the main reading | in another only | in none | not run | headlines that hold |\n|---|---|---|---|---|---|---|\n"
	for _, paper := range papersOf(rows) {
		n := counted(rows, func(r *claimRow) bool { return r.paper == paper && r.kind == "measured" })
		h := counted(rows, func(r *claimRow) bool { return r.paper == paper && r.kind == "measured" && r.headline })
		if n[0] > 0 {
			table += fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d of %d |\n", paper, n[0], n[1], n[2], n[3], n[4], h[1], h[0])
		}
	}
	beside := regexp.MustCompile(`(?m)^hfsp\t.*\t(HFSP/FAIR ([0-9.]+) ± [0-9.]+; FIFO, which has no sizes, ([0-9.]+) ± [0-9.]+)\t`)
	m := beside.FindStringSubmatch(claims)
	if m == nil {
		t.Fatal("docs/claims.tsv has no row of HFSP beside FIFO on LARGE")
	}
	hfsp, err := strconv.ParseFloat(m[2], 64)
	fifo, err2 := strconv.ParseFloat(m[3], 64)
	if err != nil || err2 != nil {
		t.Fatal(m[1])
	}
	sentence := "\nHFSP's workload LARGE, mean sojourn times as parts of that under fair sharing:\n" + m[1] + "."
	if fifo < hfsp {
		sentence += "\nFirst come, first served (FIFO) does better there than HFSP, so in this reading the gain is not that of sizes."
	}
	return table + sentence + "\n"
}

// TestTallyOfClaims: the tables of verdicts in docs/reproduction.md and README.md count the rows of
// docs/claims.tsv. With -update it writes them anew.
func TestTallyOfClaims(t *testing.T) {
	claims, err := os.ReadFile(filepath.Join("docs", "claims.tsv"))
	must(t, err)
	type written struct{ page, mark, want string }
	reproduction, rows := filepath.Join("docs", "reproduction.md"), claimRows(t, string(claims))
	parts := []written{{reproduction, "tally", tallyOf(rows)}, {"README.md", "verdicts", mainReadings(t, string(claims))}}
	for _, paper := range papersOf(rows) {
		if table := headlinesOf(paper, string(claims)); table != "" {
			parts = append(parts, written{reproduction, "headlines of " + paper, table})
		}
	}
	for _, part := range parts {
		begin, end := "<!-- "+part.mark+" -->\n", "<!-- end of "+part.mark+" -->"
		text := pages(t)[part.page]
		head, rest, _ := strings.Cut(text, begin)
		table, tail, found := strings.Cut(rest, end)
		if found && *update {
			must(t, os.WriteFile(part.page, []byte(head+begin+part.want+end+tail), 0o666))
			table = part.want
		}
		if !found || strings.TrimSpace(table) != strings.TrimSpace(part.want) {
			t.Errorf("%s has between %s and %s\n%s\nand docs/claims.tsv gives\n%s", part.page, begin, end, table, part.want)
		}
	}
}
