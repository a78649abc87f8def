package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"picture": inline,
	"tally":   func(s Section) string { return Tally(s) },
	"holding": holding,
	"fails":   fails,
	"anyFail": func(s Section) bool { return slices.ContainsFunc(s.Figures, fails) },
	"files":   func(paper string, f Figure) string { return paper + "-" + f.Item },
	"numeric": func(cell string) bool { return strings.Trim(cell, "0123456789.+-–e") == "" && cell != "" },
}).Parse(pageText))

// Page writes one HTML page with every figure beside its claims. It needs no other file, no script
// and no network: a checkbox and a style sheet hide what holds.
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

// holding is how many claims of a figure hold, short: "3 of 4".
func holding(f Figure) string {
	hold := 0
	for _, c := range f.Claims {
		if c.Holds {
			hold++
		}
	}
	return fmt.Sprintf("%d of %d", hold, len(f.Claims))
}

// fails says whether a claim of the figure does not hold.
func fails(f Figure) bool {
	return slices.ContainsFunc(f.Claims, func(c Claim) bool { return !c.Holds })
}

// inline returns the <svg> element of a picture, which may stand inside a page.
func inline(p *draw.Picture) (template.HTML, error) {
	svg, err := p.SVG()
	if i := bytes.Index(svg, []byte("<svg ")); i >= 0 {
		svg = svg[i:]
	}
	return template.HTML(svg), err
}
