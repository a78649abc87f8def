package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"picture":   inline,
	"tally":     func(s Section) string { return Tally(s) },
	"fails":     fails,
	"anyFail":   func(s Section) bool { return slices.ContainsFunc(s.Figures, fails) },
	"files":     func(paper string, f Figure) string { return paper + "-" + f.Item },
	"numeric":   func(cell string) bool { return strings.Trim(cell, "0123456789.+-–e") == "" && cell != "" },
	"short":     func(title string) string { name, _, _ := strings.Cut(title, ":"); return name },
	"kinds":     func() []Kind { return []Kind{Measured, Constructed, Theory, Beyond} },
	"ofKind":    func(s Section, k Kind) []Claim { return s.claims(k) },
	"counts":    func(claims []Claim) []verdict { return counts(claims...) },
	"verdict":   func(c Claim) []verdict { return counts(c) },
	"headlines": func(s Section) []HeadlineRow { return s.Headlines() },
}).Parse(pageText))

// Page writes one HTML page with every figure beside its claims. It needs no other file, no script
// and no network: a checkbox and a style sheet hide what holds.
func Page(w io.Writer, sections []Section) error {
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		Sections []Section
		Tally    string
		Quick    bool
	}{sections, Tally(sections...), slices.ContainsFunc(sections, func(s Section) bool { return s.Quick })})
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// fails says whether a claim of the figure does not hold; one that is undecided does not fail.
func fails(f Figure) bool {
	return slices.ContainsFunc(f.Claims, func(c Claim) bool { return c.HoldsWord() == "no" })
}

// inline returns the <svg> element of a picture, which may stand inside a page. What it draws has
// the id, by which a thumbnail shows it again.
func inline(id string, p *draw.Picture) (template.HTML, error) {
	svg, err := p.SVG()
	if i := bytes.Index(svg, []byte("<svg ")); i >= 0 {
		svg = svg[i:]
	}
	svg = bytes.Replace(svg, []byte("<g "), []byte(`<g id="`+template.HTMLEscapeString(id)+`" `), 1)
	return template.HTML(svg), err
}
