package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
)

func TestPage(t *testing.T) {
	s := section("a", report.Claim{Claim: "x < y & z", Published: "1", Model: "2", Relation: "equal", Note: "off"}, report.Claim{Holds: true}, report.Claim{Holds: true, Extends: true, Kind: report.Beyond})
	s.Figures[0].Shown = report.Table{Columns: []string{"policy", "mean"}, Rows: [][]string{{"ps", "27.75"}}}
	var b bytes.Buffer
	if err := report.Page(&b, []report.Section{s, section("b")}); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(b.String(), "&#43;", "+")
	for _, want := range []string{`<html lang="en">`, `name="viewport"`, "x &lt; y &amp; z", "does not hold", "✓ holds", "+ extends the paper", "measured: 1 of 2 hold; beyond: 1 of 1 hold", `id="a-fig1"`, `href="#b-fig1"`, `href="#a"`, `<p class="tally">` + report.Tally(s) + `</p>`,
		`<use href="#drawn-a-fig1" />`, `<g id="drawn-a-fig1" `, "<div class=\"fine\">\n<h2><a href=\"#b\">", "<div>\n<h2><a href=\"#a\">", `<li><a href="#a-fig1">`, `<li class="fine"><a href="#b-fig1">`,
		`<td><span class="mark yes">✓<span class="hidden"> holds:</span> 1</span> <span class="mark no">✗<span class="hidden"> does not hold:</span> 1</span> </td>`,
		`<span class="mark extends">+<span class="hidden"> extends the paper:</span> 1</span>`, `<label><input type="checkbox" id="failing"`, "body:has(#failing:checked)", "27.75", "A &lt;figure&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"quick run:", "<dt>reading", `<th scope="col">headline`, "What the readings"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page of whole runs without readings holds %q", bad)
		}
	}
	// Nothing is fetched, nothing runs; a namespace is a name.
	fetches := strings.NewReplacer(`xmlns="http://www.w3.org/2000/svg"`, "", `xmlns:xlink="http://www.w3.org/1999/xlink"`, "").Replace(text)
	for _, bad := range []string{"<?xml", "<script", "<link", "://", "src=", "url(", "@import"} {
		if strings.Contains(fetches, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	// On a narrow screen pictures shrink and wide tables scroll by themselves.
	for _, want := range []string{`content="width=device-width`, "width: 100%", "height: auto", "overflow-x: auto", `<div class="scroll"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	d := xml.NewDecoder(&b)
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
	}
}

// The page of a paper with readings begins with its headlines, says what each reading takes to be
// so, and tells a quick run and what it leaves undecided.
func TestPageOfReadings(t *testing.T) {
	wide := report.Interval{Mean: 1.4, Half: .5}
	s, err := planned(true, []report.Reading{
		{Name: "A", Title: "as written", Assumptions: []report.Assumption{{Text: "ten racks", Evidence: report.Stated, By: "section 4"}, {Text: "one copy"}}},
		{Name: "B", Title: "equal jobs", Assumptions: []report.Assumption{{Text: "home racks", Evidence: report.Implied, By: "36%"}}}}, "A",
		report.Claim{Claim: "in A", Headline: "throughput", Published: "+39%", Model: "+14%", Margin: -9},
		report.Claim{Claim: "in B", Headline: "throughput", Published: "+39%", Model: "+40%", Holds: true, Margin: 9, Kind: report.Constructed, Reading: "B"},
		report.Claim{Claim: "in B", Headline: "traffic", Published: "-36%", Model: "-38%", Reading: "B"}.Above(wide, 1))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	s.Figures[0].Picture = section("p").Figures[0].Picture
	if err := report.Page(&b, []report.Section{s}); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(strings.ReplaceAll(b.String(), "&#43;", "+"), "<section ")
	for _, want := range []string{`<th scope="col">reading A: as written</th><th scope="col">reading B: equal jobs</th>`,
		`<tr><th scope="row">throughput</th><td data-label="published">+39%</td><td data-label="reading A"><span class="mark no">✗<span class="hidden"> does not hold</span></span><a href="#p-i">+14%</a></td>`,
		`<td data-label="reading B"><span class="mark yes">✓<span class="hidden"> holds</span></span><a href="#p-i">+40%</a>, found by it</td></tr>`,
		`<tr><th scope="row">traffic</th><td data-label="published">-36%</td><td data-label="reading A"></td><td data-label="reading B"><span class="mark undecided">?<span class="hidden"> undecided</span></span><a href="#p-i">-38%</a></td></tr>`,
		`<details id="readings-of-p">`, "<li>ten racks – <em>stated</em>, section 4</li>", "<li>one copy – <em>assumed</em></li>", "<li>home racks – <em>implied</em> by 36%</li>",
		`<dt>reading</dt><dd><a href="#readings-of-p">B</a></dd>`, `<li class="undecided"><span class="verdict">? undecided</span>: in B`} {
		if !strings.Contains(text, want) {
			t.Errorf("the section lacks %q", want)
		}
	}
	if !strings.Contains(b.String(), "This was a quick run:") || !strings.Contains(b.String(), ", 1 undecided; constructed: 1 of 1 hold); where") {
		t.Error("the head of the page does not say that the run was quick, or what it left undecided")
	}
}

// What a quick run leaves undecided is no failure, and not counted as holding.
func TestTallyTable(t *testing.T) {
	open := report.Claim{Holds: true, Undecided: true}
	s := section("a", report.Claim{}, report.Claim{Holds: true}, report.Claim{Holds: true, Extends: true, Kind: report.Beyond}, open)
	want := `| paper | kind | yes | no | extends | undecided |
| --- | --- | --- | --- | --- | --- |
| a | measured | 1 | 1 | 0 | 1 |
| a | beyond | 0 | 0 | 1 | 0 |
| b | theory | 0 | 1 | 0 | 0 |
| all | measured | 1 | 1 | 0 | 1 |
| all | theory | 0 | 1 | 0 | 0 |
| all | beyond | 0 | 0 | 1 | 0 |
`
	if got := report.TallyTable(s, section("b", report.Claim{Kind: report.Theory})).Markdown(); got != want {
		t.Errorf("TallyTable =\n%swant\n%s", got, want)
	}
	var b bytes.Buffer
	if err := report.Page(&b, []report.Section{section("a", open)}); err != nil || !strings.Contains(b.String(), `<li class="fine"><a href="#a-fig1">`) {
		t.Errorf("a figure whose claim is undecided fails (error %v)", err)
	}
}
