package report

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/program"
)

// A Section is what one example makes: the figures of one paper.
type Section struct {
	Paper     string // the example's name: "hfsp"
	Title     string
	Intro     string // what was run: workload, seed, repetitions
	Workloads Table  // what loads each workload and what is its bottleneck, beside the order of arrival
	Figures   []Figure

	Readings []Reading
	Quick    bool
}

// A Figure is one picture with its numbers and claims.
type Figure struct {
	Item    string // the name of its Item: "fig2b"; the files are <paper>-<item>.tsv and .svg
	Title   string
	Caption string
	Picture Picture
	Numbers Table // every number of the picture, at full precision
	Shown   Table // the numbers that the page lists beside the picture; no columns: none
	Claims  []Claim
}

// A Picture is a *draw.Picture, or what one made elsewhere.
type Picture interface {
	SVG() ([]byte, error)
	PNG() ([]byte, error)
}

// NewFigure starts a figure whose numbers have the columns.
func NewFigure(title, caption string, columns ...string) Figure {
	return Figure{Title: title, Caption: caption, Numbers: Table{Columns: columns}}
}

// Done completes a figure: its claims, and its picture with the text alternative alt.
func (f Figure) Done(claims []Claim, alt string, charts ...*draw.Chart) (Figure, error) {
	f.Claims = claims
	var err error
	f.Picture, err = draw.New(alt, charts...)
	return f, err
}

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
	for _, cells := range slices.Insert(slices.Clone(t.Rows), 0, t.Columns) {
		b.WriteString(strings.Join(cells, "\t") + "\n")
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

// Short writes x for people: four significant digits, from 10,000 on the whole part and from
// 1,000,000 on two digits and a power of ten; NaN as NA.
func Short(x float64) string {
	switch rounded := math.Abs(math.Round(x)); {
	case x != x:
		return "NA"
	case rounded >= 1e6 && !math.IsInf(x, 0):
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 1, 64), "e+")
		return mantissa + "e" + strings.TrimPrefix(exponent, "0")
	case rounded >= 1e4:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// Words writes a list, with sep between two.
func Words[T any](list []T, sep string, word func(x T) string) string {
	var words []string
	for _, x := range list {
		words = append(words, word(x))
	}
	return strings.Join(words, sep)
}

// Fixed writes x with two decimals, NaN as NA.
func Fixed(x float64) string {
	if x != x {
		return "NA"
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// PlusMinus writes the mean of independent values with two decimals, and their standard deviation
// if there are several.
func PlusMinus(values []float64) string {
	if len(values) < 2 {
		return Fixed(Mean(values))
	}
	return Fixed(Mean(values)) + " ± " + Fixed(SD(values))
}

// Prepare makes the directory that a run will write into, so that a directory that cannot be
// made ends it at its start.
func Prepare(dir string) error {
	if dir == "" {
		return program.Usagef("-out is empty, want a directory")
	}
	return os.MkdirAll(dir, 0o777)
}

// Write puts the section's files into dir, which is made when missing, and its claims into
// dir/claims.tsv.
func Write(dir string, s Section) error {
	if err := Prepare(dir); err != nil {
		return err
	}
	for i := range s.Figures {
		if err := writeFigure(dir, s.Paper, &s.Figures[i], false); err != nil {
			return err
		}
	}
	return WriteClaims(dir, true, s)
}
