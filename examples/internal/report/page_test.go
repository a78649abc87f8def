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
	text := b.String()
	for _, want := range []string{`<html lang="en">`, `name="viewport"`, "x &lt; y &amp; z", "does not hold", "✓ holds", "✓ extends the paper", "1 of 2 measured claims hold, 1 of 1 others", `id="a-fig1"`, `href="#b-fig1"`, `href="#a"`, `<span class="tally">` + report.Tally(s) + `</span>`,
		`<span class="tally">2 of 3</span>`, `<li class="fine"><a href="#b">`, `<li><a href="#a">`, `<li><a href="#a-fig1">`, `<label><input type="checkbox" id="failing"`, "body:has(#failing:checked)", "27.75", "A &lt;figure&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
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
