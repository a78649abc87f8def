package numbers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Table is rows of cells below a header. Cells hold no tab and no line end.
type Table struct {
	Columns []string
	Rows    [][]string
}

// Add appends a row. A float64 is written at full precision; NaN, for a value that does not exist,
// as NA.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case string:
			row[i] = c
		case int:
			row[i] = strconv.Itoa(c)
		case float64:
			row[i] = Full(c)
		default:
			panic("numbers: a cell is a string, an int or a float64")
		}
	}
	t.Rows = append(t.Rows, row)
}

// Show appends a row for people: a float64 is written by Short.
func (t *Table) Show(cells ...any) {
	for i, c := range cells {
		if x, ok := c.(float64); ok {
			cells[i] = Short(x)
		}
	}
	t.Add(cells...)
}

// TSV is the table as tab separated lines.
func (t Table) TSV() []byte {
	var b strings.Builder
	for _, cells := range slices.Insert(slices.Clone(t.Rows), 0, t.Columns) {
		b.WriteString(strings.Join(cells, "\t") + "\n")
	}
	return []byte(b.String())
}

// Markdown is the table as Markdown.
func (t Table) Markdown() string {
	var b strings.Builder
	for _, cells := range slices.Insert(slices.Clone(t.Rows), 0, t.Columns, slices.Repeat([]string{"---"}, len(t.Columns))) {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String()
}
