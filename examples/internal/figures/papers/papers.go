// Package papers checks what the examples of the papers draw and claim. Each paper's test is a
// binary of its own, in the directory of its name, since go test limits the time of each.
package papers

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A Program is an example: it returns the exit code.
type Program func(args []string, stdout, stderr io.Writer) int

// Files runs a program and returns what it wrote into its directory.
func Files(t *testing.T, main Program, args ...string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	var out, errs bytes.Buffer
	if code := main(append(args, "-out", dir), &out, &errs); code != 0 {
		t.Fatalf("%q = %d and printed %q", args, code, errs.String())
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	more := slices.DeleteFunc(slices.Clone(lines[1:]), func(s string) bool { return s == "" || strings.HasPrefix(s, "| ") })
	if !strings.Contains(lines[0], dir) || len(more) > 0 {
		t.Errorf("%q printed %q, want a line that says where the files are, and perhaps a table", args, out.String())
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[e.Name()] = string(b)
	}
	told(t, got, errs.String())
	return got
}

// progress is a line that a run writes every 10 s.
var progress = regexp.MustCompile(`(?m)^[^\n]*: \d+ of \d+, [^\n]*\n`)

// seconds is the last line: how long each picture took.
var seconds = regexp.MustCompile(`figures: seconds: [^\n]*\n$`)

// told checks that stderr has a line for each picture, besides those of progress and of seconds.
func told(t *testing.T, files map[string]string, stderr string) {
	t.Helper()
	stderr = seconds.ReplaceAllString(progress.ReplaceAllString(stderr, ""), "")
	pictures := 0
	for name := range files {
		if figure, ok := strings.CutSuffix(name, ".svg"); ok {
			pictures++
			if !strings.Contains(stderr, ": "+figure+" (") {
				t.Errorf("no line on stderr tells of %s: %q", figure, stderr)
			}
		}
	}
	if lines := strings.Count(stderr, "\n"); lines != pictures {
		t.Errorf("stderr has %d lines, want one for each of %d pictures: %q", lines, pictures, stderr)
	}
}

// Names are the names of files in order.
func Names(files map[string]string) []string {
	var list []string
	for name := range files {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// page is a link from a page to another of the same run.
var page = regexp.MustCompile(`^[a-z]+\.html(#[a-z0-9-]+)?$`)

// wellFormed parses a document and looks for what would make it depend on another file or on a
// script.
func wellFormed(t *testing.T, name, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s is not well-formed: %v", name, err)
			return
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if slices.Contains([]string{"script", "link", "iframe", "img", "image", "object"}, e.Name.Local) {
			t.Errorf("%s holds a <%s>", name, e.Name.Local)
		}
		for _, a := range e.Attr {
			if (a.Name.Local == "href" || a.Name.Local == "src") && !strings.HasPrefix(a.Value, "#") && !page.MatchString(a.Value) {
				t.Errorf("%s loads or links %q", name, a.Value)
			}
			if a.Name.Local == "id" && ids[a.Value] {
				t.Errorf("%s has the id %q twice", name, a.Value)
			} else if a.Name.Local == "id" {
				ids[a.Value] = true
			}
		}
	}
}

// rectangular checks that each row has as many cells as the header.
func rectangular(t *testing.T, name, text string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		rows = append(rows, cells)
		if len(cells) != len(rows[0]) {
			t.Errorf("%s: row %q has %d cells, want %d", name, line, len(cells), len(rows[0]))
		}
	}
	if len(rows) < 2 {
		t.Errorf("%s has %d rows, want a header and more", name, len(rows))
	}
	return rows
}

// Sound checks the form of a file that an example wrote.
func Sound(t *testing.T, name, text string) {
	t.Helper()
	if strings.HasSuffix(name, ".svg") || strings.HasSuffix(name, ".html") {
		wellFormed(t, name, text)
	}
	if strings.HasSuffix(name, ".tsv") {
		rectangular(t, name, text)
	}
	for _, bad := range []string{"NaN", "Inf", filepath.Join(os.TempDir(), "Test")} {
		if strings.Contains(text, bad) {
			t.Errorf("%s holds %q", name, bad)
		}
	}
}
