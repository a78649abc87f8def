package report_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// pages are those of sections by their files' names.
func pages(t *testing.T, sections ...report.Section) map[string]string {
	t.Helper()
	list, err := report.Pages(sections)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for name, text := range list {
		texts[name] = strings.ReplaceAll(string(text), "&#43;", "+")
	}
	return texts
}

func TestPage(t *testing.T) {
	s := section("a", report.Claim{Claim: "x < y & z", Published: "1", Model: "2", Relation: "equal", Note: "off"}, report.Claim{Holds: true}, report.Claim{Holds: true, Kind: report.Beyond})
	s.Figures[0].Shown = numbers.Table{Columns: []string{"policy", "mean"}, Rows: [][]string{{"ps", "27.75"}}}
	all := pages(t, s, section("b"))
	text := all["a.html"]
	for _, want := range []string{`<html lang="en">`, `name="viewport"`, "x &lt; y &amp; z", "does not hold", "✓ holds", `id="a-fig1"`, `<p><a href="index.html">All papers</a></p>`, `<p class="tally">` + report.Tally(s) + `</p>`,
		`<span class="verdict">✗ does not hold</span>: x &lt; y &amp; z`, `<label><input type="checkbox" id="failing"`, "body:has(#failing:checked)", "27.75", "A &lt;figure&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, want := range []string{"(measured: 1 of 2 hold; beyond", "<div class=\"fine\">\n<h2><a href=\"b.html\">", "<div>\n<h2><a href=\"a.html\">", `<li><a href="a.html#a-fig1"><svg `, `<li class="fine"><a href="b.html#b-fig1">`, `<td>1 of 2</td><td>0</td><td>1</td><td>beyond: 1 of 1 hold</td>`} {
		if !strings.Contains(all["index.html"], want) {
			t.Errorf("the gallery lacks %q", want)
		}
	}
	for _, bad := range []string{"quick run:", "<dt>reading", `<th scope="col">headline<`, "What the readings"} {
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
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
	}
}

// The page of a paper with readings begins with its headlines, has one row a claim with a cell for
// each reading, says what each reading takes to be so, and tells a quick run and what it leaves
// undecided.
func TestPageOfReadings(t *testing.T) {
	wide := numbers.Interval{Mean: 1.4, Half: .5}
	s, err := planned(t, true, []report.Reading{
		{Name: "A", Title: "as written", Main: "it is stated", Assumptions: []report.Assumption{{Text: "ten racks", Evidence: report.Stated, By: "section 4"}, {Text: "one copy"}}},
		{Name: "B", Title: "equal jobs", Assumptions: []report.Assumption{{Text: "home racks", Evidence: report.Implied, By: "36%"}}, Found: report.Seeds{First: 90, N: 10}, Judged: report.Seeds{N: 20}}}, "A",
		report.Claim{Claim: "it gains", Headline: "throughput", Published: "+39%", Model: "+14%", Margin: -9},
		report.Claim{Claim: "it gains", Headline: "throughput", Published: "+39%", Model: "+40%", Holds: true, Margin: 9, Kind: report.Found, Reading: "B"},
		report.Claim{Claim: "it saves", Headline: "traffic", Published: "-36%", Model: "-38%", Reading: "B"}.Above(wide, 1))
	if err != nil {
		t.Fatal(err)
	}
	s.Workloads = numbers.Table{Columns: []string{"workload", "map load"}, Rows: [][]string{{"LARGE", ".9"}}}
	all := pages(t, s)
	text := all["p.html"]
	const no, found, open = `<span class="mark no">✗<span class="hidden"> does not hold</span></span>`, `<span class="mark found">○<span class="hidden"> found by it</span></span>`, `<span class="mark open">–<span class="hidden"> not run</span></span>`
	for _, want := range []string{`<th scope="col">Reading A (main): as written</th><th scope="col">Reading B: equal jobs</th><th scope="col">verdict</th>`,
		`<tr><th scope="row"><a href="#p-i">throughput</a></th><td data-label="published">+39%</td><td data-label="reading A" class="no">` + no + `+14%</td>`,
		`<td data-label="reading B" class="found">` + found + `+40%</td><td data-label="verdict" class="no">` + no + `does not hold</td></tr>`,
		`<td data-label="reading A" class="open">` + open + `not run</td>`, `<td data-label="verdict" class="open">` + open + `not run</td></tr>`,
		`<details id="readings-of-p">`, `<strong>Reading A (main): as written</strong>: it is stated`, "Found by repetitions 90 to 99; judged by 0 to 19.",
		"<li>ten racks – <em>stated</em>, section 4</li>", "<li>one copy – <em>assumed</em></li>", "<li>home racks – <em>implied</em> by 36%</li>",
		`<dt><a href="#readings-of-p">A</a> (main)</dt><dd>` + no + `+14%</dd>`, `<dt class="found"><a href="#readings-of-p">B</a></dt><dd class="found">` + found + `+40%</dd>`,
		`<li class="no"><span class="verdict">✗ does not hold</span>: it gains`, `<li class="open"><span class="verdict">– not run</span>: it saves`} {
		if !strings.Contains(text, want) {
			t.Errorf("the section lacks %q", want)
		}
	}
	for name, text := range all {
		if !strings.Contains(text, "This was a quick run:") || !strings.Contains(text, "measured: 0 of 2 hold") {
			t.Errorf("the head of %s does not say that the run was quick, or how many claims hold", name)
		}
	}
	if head, _, _ := strings.Cut(text, "<article"); !strings.Contains(head, `<th scope="row">LARGE</th><td class="number">.9</td>`) {
		t.Error("the loads of the workloads do not stand before the figures")
	}
}

// TestQuickPage: the gallery of a quick run begins with the pictures and has the verdicts of a full
// run beside its own, the gallery of a full run with the tallies.
func TestQuickPage(t *testing.T) {
	quick := section("a", report.Claim{Claim: "x", Undecided: true, Headline: "h"}, report.Claim{Claim: "y", Undecided: true}, report.Claim{Claim: "z", Undecided: true})
	quick.Quick = true
	full := section("a", report.Claim{Claim: "x", Holds: true}, report.Claim{Claim: "y"})
	quick.Full = full.Rows()
	all := pages(t, quick, section("b"))
	index, paper := all["index.html"], all["a.html"]
	for _, want := range []string{"<td>1 of 2</td><td>0</td><td>1</td><td></td><td>measured: 3 undecided</td>", `<p class="tally">Full run: measured: 1 of 2 hold. This quick run: measured: 3 undecided</p>`} {
		if !strings.Contains(index, want) {
			t.Errorf("the gallery lacks %q", want)
		}
	}
	for _, want := range []string{`? undecided</span> <span class="tally">(full run: holds)</span>: x`, `? undecided</span> <span class="tally">(full run: does not hold)</span>: y`, `? undecided</span>: z`,
		`</span></span>undecided <span class="tally">(full run: holds)</span></td>`} {
		if !strings.Contains(paper, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if table, gallery := strings.Index(index, "<table"), strings.Index(index, "<svg"); table < gallery {
		t.Error("the table of verdicts stands before the pictures of a quick run")
	}
	if index := pages(t, full)["index.html"]; strings.Index(index, "<table") > strings.Index(index, "<svg") {
		t.Error("the table of verdicts stands behind the pictures of a full run")
	}
}

// What a quick run leaves undecided is no failure, and not counted as holding.
func TestUndecidedIsNoFailure(t *testing.T) {
	if text := pages(t, section("a", report.Claim{Holds: true, Undecided: true}))["index.html"]; !strings.Contains(text, `<li class="fine"><a href="a.html#a-fig1">`) {
		t.Error("a figure whose claim is undecided fails")
	}
}

// A figure whose claims found the reading has no tally: none of them counts.
func TestFoundIsNotCounted(t *testing.T) {
	if text := pages(t, section("a", report.Claim{Holds: true, Kind: report.Found}))["index.html"]; strings.Contains(text, "of 0 hold") {
		t.Error("the gallery counts claims that the reading was found by")
	}
}
