//go:build !js

package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"strings"

	"github.com/schedmath/schedmath/internal/program"
)

//go:embed page.html page.css page.js plot/d3.min.js plot/plot.umd.min.js
var files embed.FS

// Scripts are the names of the scripts of a page, in their order.
var Scripts = []string{"plot/d3.min.js", "plot/plot.umd.min.js", "page.js"}

// Embedded are embedded files, one behind the other: it panics where there is none of a name.
func Embedded(files embed.FS, names ...string) (all []byte) {
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		all = append(all, text...)
	}
	return all
}

// Text is what files of a page hold, one behind the other: those of Scripts, page.css and page.html,
// which Fill fills in.
func Text(names ...string) string { return string(Embedded(files, names...)) }

// Hash is how a policy for scripts names one.
func Hash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// HTML is the document as a page that needs nothing else. Its policy lets no other script run than
// those that are in it, and nothing be fetched.
func (d *Document) HTML() ([]byte, error) {
	d.Version = Version
	result, err := json.Marshal(d) // which writes no < as it is
	if err != nil {
		return nil, err
	}
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; script-src"
	scripts := `<script type="application/json" id="result">` + string(result) + "</script>\n"
	for _, name := range Scripts {
		script := Text(name)
		policy += " " + Hash(script)
		scripts += "<script>" + script + "</script>\n"
	}
	return Fill(policy, d.Title, "<style>"+Text("page.css")+"</style>", scripts), nil
}

// Fill is page.html with its parts.
func Fill(policy, title, style, scripts string) []byte {
	page := Text("page.html")
	for _, part := range [][2]string{{"POLICY", policy}, {"TITLE", html.EscapeString(title)}, {"STYLE", style}, {"SCRIPTS", scripts}} {
		before, after, _ := strings.Cut(page, "{{"+part[0]+"}}")
		page = before + part[1] + after
	}
	return []byte(page)
}

// Write writes the document into a file as a page.
func (d *Document) Write(file string) error {
	b, err := d.HTML()
	if err != nil {
		return err
	}
	return program.WriteFile(file, b)
}
