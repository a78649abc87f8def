package audit

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/internal/numbers"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"short": numbers.Short}).Parse(pageText))

const (
	width, height = 2 * parts, 60 // of a picture
	mostPaired    = 25            // teams that the matrix shows
	mostWindows   = 10
	mostPictured  = 300
)

// Windows are the teams with the ten worst windows.
func (r *result) Windows() []*team {
	list := slices.Clone(r.Worst[:min(mostWindows, len(r.Worst))])
	return slices.DeleteFunc(list, func(t *team) bool { return t.Worst == 0 })
}

// Pictured are the teams that have a picture: those owed most on balance.
func (r *result) Pictured() []team { return r.Teams[:min(mostPictured, len(r.Teams))] }

// Most is the greatest amount that the team's picture shows.
func (t *team) Most() float64 {
	return max(slices.Max(t.entitled), slices.Max(t.had))
}

// EntitledArea and HadArea are the paths of SVG areas.
func (t *team) EntitledArea() string { return area(t.entitled, t.Most()) }

// HadArea is what the team had.
func (t *team) HadArea() string { return area(t.had, t.Most()) }

// area is the steps of amounts as a path that ends at the ground.
func area(amounts []float64, most float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M0 %d", height)
	last := height
	for k, x := range amounts {
		y := height
		if most > 0 {
			y = height - int(x/most*height+.5)
		}
		if y != last {
			fmt.Fprintf(&b, "H%dV%d", k*width/parts, y)
			last = y
		}
	}
	fmt.Fprintf(&b, "H%dV%dZ", width, height)
	return b.String()
}

// A cell of the matrix: an amount, and how deep its ground is, from 0 to 9.
type cell struct {
	Amount string
	Depth  int
}

// A matrixRow is what one team is owed.
type matrixRow struct {
	Name  string
	Cells []cell
}

// A matrix is what the teams that are owed most had missed, and who had it.
type matrix struct {
	Columns []string
	Rows    []matrixRow
}

// Matrix is of the teams that are owed most and those that had most of it.
func (r *result) Matrix() matrix {
	n := len(r.pairs)
	taken := make([]float64, n+1)
	most := 0.
	for _, row := range r.pairs {
		for j, x := range row {
			taken[j], most = taken[j]+x, max(most, x)
		}
	}
	rows := slices.DeleteFunc(slices.Clone(r.Worst), func(t *team) bool { return r.pairs[t.node] == nil })
	slices.SortStableFunc(rows, func(a, b *team) int { return cmp.Compare(b.Owed, a.Owed) })
	columns := slices.DeleteFunc(slices.Clone(r.Worst), func(t *team) bool { return taken[t.node] == 0 })
	slices.SortStableFunc(columns, func(a, b *team) int { return cmp.Compare(taken[b.node], taken[a.node]) })
	rows, shown := rows[:min(mostPaired, len(rows))], columns[:min(mostPaired, len(columns))]
	rest := columns[len(shown):]
	var m matrix
	for _, t := range shown {
		m.Columns = append(m.Columns, t.Name)
	}
	if len(rest) > 0 {
		m.Columns = append(m.Columns, "others")
	}
	m.Columns = append(m.Columns, "idle")
	for _, t := range rows {
		row := matrixRow{Name: t.Name}
		put := func(x float64) {
			c := cell{Depth: int(min(9, 9.99*x/most))}
			if x > 0 {
				c.Amount = numbers.Short(x / hour)
			}
			row.Cells = append(row.Cells, c)
		}
		for _, j := range shown {
			put(r.pairs[t.node][j.node])
		}
		if len(rest) > 0 {
			others := 0.
			for _, j := range rest {
				others += r.pairs[t.node][j.node]
			}
			put(others)
		}
		put(r.pairs[t.node][n])
		m.Rows = append(m.Rows, row)
	}
	return m
}

// Depths are the classes of cells with a ground.
func (r *result) Depths() []int { return []int{1, 2, 3, 4, 5, 6, 7, 8, 9} }
