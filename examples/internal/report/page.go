package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"picture": inline,
	"files":   func(paper string, f Figure) string { return paper + "-" + f.Item },
	"numeric": func(cell string) bool { return strings.Trim(cell, "0123456789.+-–e") == "" && cell != "" },
}).Parse(pageText))

// Page writes one HTML page with every figure beside its claims. It needs no other file, no script and no network.
func Page(w io.Writer, sections []Section) error {
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		Sections []Section
		Tally    string
	}{sections, Tally(sections...)})
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// inline returns the <svg> element of a picture, which may stand inside a page.
func inline(p *draw.Picture) (template.HTML, error) {
	svg, err := p.SVG()
	if i := bytes.Index(svg, []byte("<svg ")); i >= 0 {
		svg = svg[i:]
	}
	return template.HTML(svg), err
}
