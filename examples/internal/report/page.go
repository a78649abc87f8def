package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"slices"
	"strings"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"picture":  inline,
	"tally":    Tally,
	"fails":    func(s Section, f Figure) bool { return fails(s.rows(f)) },
	"anyFail":  func(s Section) bool { return fails(s.Rows()) },
	"files":    func(paper string, f Figure) string { return paper + "-" + f.Item },
	"numeric":  func(cell string) bool { return strings.Trim(cell, "0123456789.+-–e") == "" && cell != "" },
	"short":    func(title string) string { name, _, _ := strings.Cut(title, ":"); return name },
	"fully":    FullTally,
	"full":     Section.full,
	"others":   func(s Section) string { return tallies(s.settled(), Constructed, Theory, Beyond) },
	"measured": func(s Section) tally { return tallyOf(ofKind(s.settled(), Measured)) },
	"rows":     Section.rows,
	"count":    tallyOf,
	"headlines": func(s Section) []Row {
		return slices.DeleteFunc(s.Rows(), func(r Row) bool { return r.Headline == "" })
	},
	"judged":  func(s Section) tally { return tallyOf(headlined(s.settled())) },
	"cells":   Section.cells,
	"verdict": func(r Row) sign { return signs[r.verdict()] },
}).Parse(pageText))

// Pages are the HTML pages of sections by the names of their files: a gallery, index.html, and a
// page of each paper with every figure beside its claims. The gallery of a quick run begins with the
// pictures, since it decides little. They need no other file, no script and no network: a checkbox
// and a style sheet hide what holds.
func Pages(sections []Section) (map[string][]byte, error) {
	pages := map[string][]byte{}
	add := func(file, name string, data any) error {
		var b bytes.Buffer
		err := page.ExecuteTemplate(&b, name, data)
		pages[file+".html"] = b.Bytes()
		return err
	}
	err := add("index", "index", struct {
		Sections []Section
		Tally    string
		Quick    bool
	}{sections, Tally(sections...), slices.ContainsFunc(sections, func(s Section) bool { return s.Quick })})
	for _, s := range sections {
		if err == nil {
			err = add(s.Paper, "paper", s)
		}
	}
	return pages, err
}

// A sign is how the page writes a verdict.
type sign struct{ Class, Sign, Meaning string }

var signs = map[string]sign{
	"yes": {"yes", "✓", "holds"}, "no": {"no", "✗", "does not hold"},
	"undecided": {"undecided", "?", "undecided"}, "not run": {"open", "–", "not run"}, "found": {"found", "○", "found by it"},
}

// A cell is what a reading gives for a row.
type cell struct {
	Reading *Reading // nil: the row is of none
	Claim   *Claim   // nil: not run
}

// Sign is that of the verdict.
func (c cell) Sign() sign { return signs[c.Claim.verdict()] }

// cells are those of a row: one for each reading, or one alone.
func (s Section) cells(r Row) []cell {
	if r.Cells == nil {
		return []cell{{nil, r.Main}}
	}
	var list []cell
	for k, c := range r.Cells {
		list = append(list, cell{&s.Readings[k], c})
	}
	return list
}

// fails says whether a row does not hold in the main reading; one that is undecided does not fail.
func fails(rows []Row) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return r.verdict() == "no" })
}

// ink are the colours of a picture's lines, ground and grid as a page has them: it may be dark.
var ink = strings.NewReplacer("stroke:#000000", "stroke:currentColor", "fill:#000000", "fill:currentColor", "stroke:#FFFFFF", "stroke:var(--paper)", "stroke:#DDDDDD", "stroke:var(--rule)", "#0072B2", "var(--blue)")

// inline returns the <svg> element of a picture, which may stand inside a page, without its white
// ground.
func inline(p Picture) (template.HTML, error) {
	svg, err := p.SVG()
	if i := bytes.Index(svg, []byte("<svg ")); i >= 0 {
		svg = svg[i:]
	}
	text := strings.Replace(string(svg), "fill:#FFFFFF", "fill:none", 1)
	return template.HTML(ink.Replace(text)), err
}
