// Package page is the page that shows what a command has found: one file that holds its result as
// JSON and draws it in the browser.
package page

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/internal/numbers"
)

// Version is that of the form of documents.
const Version = 1

// A Document is what a command has found, for other programs and for the page. docs/trace.md
// describes it as JSON.
type Document struct {
	Version  int       `json:"version"`
	Program  string    `json:"program"` // the command
	Title    string    `json:"title"`
	Command  string    `json:"command"`  // that gives the same again
	Summary  []string  `json:"summary"`  // sentences, the most important first
	Notes    []string  `json:"notes"`    // what the numbers mean, and what they do not
	Rows     any       `json:"rows"`     // those of the table: a list of objects
	Pictures []Picture `json:"pictures"` // what the page draws
}

// A Picture is a table and how the page draws it.
type Picture struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Caption string   `json:"caption"`
	Kind    Kind     `json:"kind"`
	X       Axis     `json:"x"`
	Y       Axis     `json:"y"`
	Series  []Series `json:"series"` // what is drawn
	Shown   []int    `json:"shown"`  // the rows that the page lists; none: all
	Table   Table    `json:"table"`
}

// A Kind is how a picture is drawn.
type Kind string

// The kinds of pictures.
const (
	Dots      Kind = "dots"      // a row of marks for each name of the first column, a series of one column each
	Curves    Kind = "curves"    // a line for each series over the first column
	Across    Kind = "across"    // likewise, with the first column upward
	Panels    Kind = "panels"    // a panel for each series: steps of its columns over the first column
	Steps     Kind = "steps"     // a panel for each name of the first column: steps of the columns behind the second over that
	Intervals Kind = "intervals" // middle, low and high of each name of the first column, a panel for each of the second
	Foretold  Kind = "foretold"  // middle, low and high of each name of the first column, and what came
	Gantt     Kind = "gantt"     // bars from start to end on lanes, a panel for each name of the first column
	Matrix    Kind = "matrix"    // a cell for the first and the second column, as dark as the third
	Listed    Kind = "table"     // no picture
)

// An Axis is one of a picture.
type Axis struct {
	Label string `json:"label,omitempty"`
	Log   bool   `json:"log,omitempty"`
	Date  bool   `json:"date,omitempty"` // seconds since 1970
}

// A Series is what a picture draws of the table: columns by their names.
type Series struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
}

// A Table is one whose cells are numbers in JSON, null where there is none, but for those of the
// first columns, which hold words.
type Table struct {
	numbers.Table
	Text  int               // how many columns hold words
	Units map[string]string // of columns by their names
}

// In says the unit of columns.
func (t *Table) In(unit string, columns ...string) {
	if t.Units == nil {
		t.Units = map[string]string{}
	}
	for _, c := range columns {
		t.Units[c] = unit
	}
}

// MarshalJSON writes the columns and the rows.
func (t Table) MarshalJSON() ([]byte, error) {
	rows := make([][]any, len(t.Rows))
	for i, cells := range t.Rows {
		rows[i] = make([]any, len(cells))
		for k, cell := range cells {
			if rows[i][k] = any(cell); k >= t.Text {
				rows[i][k] = Number(cell)
			}
		}
	}
	return json.Marshal(struct {
		Columns []string          `json:"columns"`
		Text    int               `json:"text"`
		Units   map[string]string `json:"units,omitempty"`
		Rows    [][]any           `json:"rows"`
	}{t.Columns, t.Text, t.Units, rows})
}

// Number is a cell in JSON; nil where it is no finite number.
func Number(cell string) any {
	if x, err := strconv.ParseFloat(cell, 64); err != nil || x-x != 0 {
		return nil
	}
	return json.Number(cell)
}

// Columns are series of one column each, under its name.
func Columns(names ...string) (list []Series) {
	for _, name := range names {
		list = append(list, Series{name, []string{name}})
	}
	return list
}

// Short is x with five significant digits, enough for a picture.
func Short(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64)
	return short
}

// Name cuts a name that a log has to what a picture can show.
func Name(name string) string {
	const most = 60
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}

// JSON writes the document.
func (d *Document) JSON(w io.Writer) error {
	d.Version = Version
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(d)
}

// Few leaves out rows that are behind the first so many, for a page.
func (t *Table) Few(most int) { t.Rows = slices.Clip(t.Rows[:min(most, len(t.Rows))]) }
