//go:build !js

package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/schedmath/schedmath/internal/program"
)

// Files are what a page consists of: page.html is filled in by HTML.
//
//go:embed page.html page.css page.js plot/d3.min.js plot/plot.umd.min.js
var Files embed.FS

// Scripts are the names of the scripts of a page, in their order.
var Scripts = []string{"plot/d3.min.js", "plot/plot.umd.min.js", "page.js"}

func text(name string) string {
	b, err := Files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// HTML is the document as a page that needs nothing else. Its policy lets no other script run than
// those that are in it, and nothing be fetched.
func (d *Document) HTML() ([]byte, error) {
	d.Version = Version
	result, err := json.Marshal(d) // which writes no < as it is
	if err != nil {
		return nil, err
	}
	var scripts bytes.Buffer
	var hashes []string
	for _, name := range Scripts {
		script := text(name)
		sum := sha256.Sum256([]byte(script))
		hashes = append(hashes, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		fmt.Fprintf(&scripts, "<script>%s</script>\n", script)
	}
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; script-src " + strings.Join(hashes, " ")
	return Fill(policy, d.Title, "<style>"+text("page.css")+"</style>",
		`<script type="application/json" id="result">`+string(result)+"</script>\n"+scripts.String()), nil
}

// Fill is page.html with its parts.
func Fill(policy, title, style, scripts string) []byte {
	page := text("page.html")
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
