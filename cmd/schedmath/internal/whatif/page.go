package whatif

import (
	"bytes"
	_ "embed"
	"html/template"
	"slices"

	"github.com/schedmath/schedmath/internal/program"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// writePage writes the comparison as one HTML page that needs no other file, no script and no
// network.
func (c *Comparison) writePage(file string, list []figure) error {
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		*Comparison
		Title, Intro string
		Figures      []figure
		Summary      []string
		Rival        string
		Tail         int // jobs beyond the 99th percentile
		Several      bool
	}{c, heading, sizesNote, list, slices.DeleteFunc([]string{c.offer() + c.warning(), c.gain(), c.loses(), c.owes(), c.Forecasts}, func(s string) bool { return s == "" }), c.Rows[0].Rivals[1], int(c.Rows[0].Jobs / 100), several(c.Rows)})
	if err != nil {
		return err
	}
	return program.WriteFile(file, b.Bytes())
}
