package report

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Section is what one example makes: the figures of one paper.
type Section struct {
	Paper   string // the example's name: "hfsp"
	Title   string
	Intro   string // what was run: workload, seed, repetitions
	Figures []Figure
}

// A Figure is one picture with its numbers and claims.
type Figure struct {
	Item    string // "fig2b"; the files are <paper>-<item>.tsv and .svg
	Title   string
	Caption string
	SVG     []byte // a whole SVG document
	Numbers Table  // every number of the picture, at full precision
	Shown   Table  // the numbers that the page lists beside the picture; no columns: none
	Claims  []Claim
}

// A Table is rows of cells below a header. Cells hold no tab and no line end.
type Table struct {
	Columns []string
	Rows    [][]string
}

// Add appends a row. A float64 is written at full precision; NaN, for a value that does not exist, as NA.
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
			panic("report: a cell is a string, an int or a float64")
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
	line := func(cells []string) {
		for i, c := range cells {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(c)
		}
		b.WriteByte('\n')
	}
	line(t.Columns)
	for _, r := range t.Rows {
		line(r)
	}
	return []byte(b.String())
}

// Full writes x with the fewest digits that read back as x, and NaN as NA.
func Full(x float64) string {
	if x != x {
		return "NA"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Short writes x for people: four significant digits, or the whole part where that is longer; NaN as NA.
func Short(x float64) string {
	if x != x {
		return "NA"
	}
	s := strconv.FormatFloat(x, 'g', 4, 64)
	if y, err := strconv.ParseFloat(s, 64); err == nil && (y >= 1e4 || y <= -1e4) && y < 1e15 && y > -1e15 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return s
}

// Fixed writes x with two decimals, NaN as NA.
func Fixed(x float64) string {
	if x != x {
		return "NA"
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// PlusMinus writes the mean of independent values with two decimals, and their standard deviation if there are several.
func PlusMinus(values []float64) string {
	if len(values) < 2 {
		return Fixed(Mean(values))
	}
	return Fixed(Mean(values)) + " ± " + Fixed(SD(values))
}

// Prepare makes the directory that a run will write into, so that a directory that cannot be made ends it at its start.
func Prepare(dir string) error {
	if dir == "" {
		return Usagef("-out is empty, want a directory")
	}
	return os.MkdirAll(dir, 0o777)
}

// Write puts the section's files into dir, which is made when missing, and its claims into dir/claims.tsv.
func Write(dir string, s Section) error {
	if err := Prepare(dir); err != nil {
		return err
	}
	var claims []Claim
	for _, f := range s.Figures {
		name := filepath.Join(dir, s.Paper+"-"+f.Item)
		if err := os.WriteFile(name+".tsv", f.Numbers.TSV(), 0o666); err != nil {
			return err
		}
		if err := os.WriteFile(name+".svg", f.SVG, 0o666); err != nil {
			return err
		}
		claims = append(claims, f.Claims...)
	}
	return addClaims(dir, s.Paper, claims)
}
