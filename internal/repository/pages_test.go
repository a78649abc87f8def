package repository

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// declared is what the packages of the repository declare: "aging.Cluster", "aging.Cluster.Add", and
// for tests, benchmarks, fuzz targets and examples "aging.TestTwins". Packages go by the last part
// of their path.
func declared(t *testing.T) (names, packages map[string]bool) {
	t.Helper()
	names, packages = map[string]bool{}, map[string]bool{}
	for dir, p := range readLibrary(t, func(source) bool { return true }) {
		packages[path.Base(dir)] = true
		for name := range p.names {
			names[path.Base(dir)+"."+name] = true
		}
	}
	return names, packages
}

// pages are the texts of the repository's pages, by name.
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
	word      = regexp.MustCompile("`([^`]+)`(†?)|[\\w/]+")
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
	needsExamples(t)
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

// TestPackagesAreListed: the package comment of the root names every package that others can import,
// and says below Stability whether its names are kept, as README.md does.
func TestPackagesAreListed(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	must(t, err)
	seen := map[string]bool{".": true}
	for _, f := range sources(t, source.importable) {
		dir := f.dir()
		if seen[dir] {
			continue
		}
		seen[dir] = true
		if !regexp.MustCompile(`(?m)^//.*[ ,]` + regexp.QuoteMeta(dir) + `[,:]`).Match(comment) {
			t.Errorf("doc.go does not list package %s", dir)
		}
		top, _, _ := strings.Cut(dir, "/")
		for page, text := range map[string]string{"doc.go": string(comment), "README.md": pages(t)["README.md"]} {
			if _, stability, _ := strings.Cut(text, "# Stability"); !regexp.MustCompile("\\b" + top + "\\b").MatchString(stability) {
				t.Errorf("%s does not say whether the names of %s are kept", page, top)
			}
		}
	}
}

// TestNamesInPages: what the pages call by the name of its package exists, and so does every test
// and benchmark that they name.
func TestNamesInPages(t *testing.T) {
	needsExamples(t)
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
	needsExamples(t)
	names, packages := declared(t)
	need := needTraces(t)
	rows := 0
	for line := range strings.Lines(pages(t)[filepath.Join("docs", "papers.md")]) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 5 || strings.Contains(cells[0], "---") || strings.TrimSpace(cells[0]) == "place" {
			continue
		}
		rows++
		// A function or a test without a package is of the package before it, which may stand unquoted.
		for _, cell := range cells[2:4] {
			in := ""
			for _, m := range word.FindAllStringSubmatch(cell, -1) {
				name, marked := m[1], m[2] != ""
				q := qualified.FindStringSubmatch(name)
				switch {
				case name == "":
					if base := path.Base(m[0]); packages[base] {
						in = base
					}
					continue
				case q != nil && packages[q[1]]:
					in = q[1]
				default:
					name = in + "." + name
				}
				if !names[name] {
					t.Errorf("docs/papers.md, row %q: no package declares `%s`", strings.TrimSpace(cells[0]), name)
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
			dir, whole := path.Join("examples", "internal", example), part.ReplaceAllString(item, "$1")
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
	return slices.ContainsFunc(sources(t, func(s source) bool { return !s.isTest() }), func(s source) bool {
		return s.dir() == dir && bytes.Contains(s.text, []byte(text))
	})
}
