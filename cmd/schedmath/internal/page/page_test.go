//go:build !js

package page_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/page/pagetest"
)

// The files that others made are those that their README lists, by checksum.
func TestChecksums(t *testing.T) {
	list, err := os.ReadFile("plot/README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, line := range regexp.MustCompile(`(?m)^([0-9a-f]{64})  (\S+)$`).FindAllSubmatch(list, -1) {
		found++
		text := page.Text("plot/" + string(line[2]))
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(text))); sum != string(line[1]) {
			t.Errorf("%s has the checksum %s, want %s", line[2], sum, line[1])
		}
		if strings.Contains(strings.ToLower(text), "</script") {
			t.Errorf("%s cannot stand inside a page", line[2])
		}
	}
	if found != 2 {
		t.Errorf("%d files are listed, want 2", found)
	}
}

// Our own script makes text of what it shows, and fetches nothing.
func TestScriptMakesNoMarkup(t *testing.T) {
	text := page.Text("page.js")
	for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch(", "http://", "https://", "</script"} {
		if strings.Contains(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""), word) {
			t.Errorf("page.js has %s", word)
		}
	}
}

func TestHTML(t *testing.T) {
	const bad = `</script><img src=x onerror=alert(1)>&"'`
	d := page.Document{Program: "whatif", Title: "A <title>", Summary: []string{bad}, Pictures: []page.Picture{{Name: "p"}}}
	table := &d.Pictures[0].Table
	table.Columns, table.Text = []string{bad, "x"}, 1
	table.In("s", "x")
	table.Add(bad, 0.1)
	table.Add("12", math.NaN())
	table.Add("x", math.Inf(1))
	text, err := d.HTML()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "<script"); n != 4 || strings.Contains(string(text), "<img") || !strings.Contains(string(text), "<title>A &lt;title&gt;</title>") || strings.Contains(string(text), "{{") {
		t.Errorf("the page has %d scripts, or markup of a name", n)
	}
	if !strings.Contains(string(text), `content="default-src 'none'; `) {
		t.Error("the page has no policy for what it may fetch")
	}
	got, err := pagetest.Read(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if rows, want := got.Pictures[0].Table.Rows, [][]string{{bad, "0.1"}, {"12", "NA"}, {"x", "NA"}}; !reflect.DeepEqual(rows, want) || got.Summary[0] != bad || got.Pictures[0].Table.Units["x"] != "s" || got.Version != page.Version {
		t.Errorf("the page holds %q, want %q", rows, want)
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{"": "", "é": "é", strings.Repeat("é", 60): strings.Repeat("é", 60), strings.Repeat("é", 61): strings.Repeat("é", 59) + "…"} {
		if got := page.Name(name); got != want {
			t.Errorf("Name(%q) = %q, want %q", name, got, want)
		}
	}
}
