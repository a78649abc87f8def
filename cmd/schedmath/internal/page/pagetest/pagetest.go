// Package pagetest reads documents for tests.
package pagetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
)

// Read reads a document, or the one in a page.
func Read(text string) (page.Document, error) {
	if _, result, is := strings.Cut(text, `id="result">`); is {
		text, _, _ = strings.Cut(result, "</script>")
	}
	var in struct {
		page.Document
		Pictures []struct {
			page.Picture
			Table table `json:"table"`
		} `json:"pictures"`
	}
	err := json.Unmarshal([]byte(text), &in)
	for _, p := range in.Pictures {
		p.Picture.Table = page.Table(p.Table)
		in.Document.Pictures = append(in.Document.Pictures, p.Picture)
	}
	return in.Document, err
}

type table page.Table

// UnmarshalJSON reads what MarshalJSON of a page.Table writes.
func (t *table) UnmarshalJSON(b []byte) error {
	var in struct {
		Columns []string
		Text    int
		Units   map[string]string
		Rows    [][]any
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&in); err != nil {
		return err
	}
	t.Columns, t.Text, t.Units = in.Columns, in.Text, in.Units
	for _, row := range in.Rows {
		var cells []string
		for _, x := range row {
			if x == nil {
				x = "NA"
			}
			cells = append(cells, fmt.Sprint(x))
		}
		t.Rows = append(t.Rows, cells)
	}
	return nil
}
