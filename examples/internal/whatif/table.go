package whatif

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// tableOf is the rows with each number as write makes it. Several seeds add a column for the
// interval.
func tableOf(rows []Row, write func(float64) string) report.Table {
	r := &rows[0]
	t := report.Table{Columns: []string{"policy", "jobs", "mean_sojourn", "p50", "p95", "p99", "max", "mean_slowdown", "later_than_" + r.Rivals[1]}}
	several := r.Half == r.Half
	if several {
		t.Columns = slices.Insert(t.Columns, 3, "mean_ci95")
	}
	for _, r := range rows {
		cells := []any{r.Policy, r.Jobs, write(r.Mean), write(r.P50), write(r.P95), write(r.P99), write(r.Max), write(r.MeanSlowdown), int(r.LaterThan)}
		if several {
			cells[8] = write(r.LaterThan)
			cells = slices.Insert(cells, 3, any(write(r.Half)))
		}
		t.Add(cells...)
	}
	return t
}

// table is the rows at full precision, rounded is the rows for people.
func table(rows []Row) report.Table   { return tableOf(rows, report.Full) }
func rounded(rows []Row) report.Table { return tableOf(rows, report.Short) }

// writeText writes the rounded table with aligned columns below a line that says what was replayed.
func writeText(w io.Writer, title string, rows []Row) error {
	t := rounded(rows)
	width := make([]int, len(t.Columns))
	for _, r := range append([][]string{t.Columns}, t.Rows...) {
		for i, cell := range r {
			width[i] = max(width[i], len(cell))
		}
	}
	var b strings.Builder
	fmt.Fprintln(&b, title)
	for _, r := range append([][]string{t.Columns}, t.Rows...) {
		fmt.Fprintf(&b, "%-*s", width[0], r[0])
		for i, cell := range r[1:] {
			fmt.Fprintf(&b, "  %*s", width[i+1], cell)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeJSON writes an array of objects, one per policy, with the columns as keys; a number that
// does not exist is null.
func writeJSON(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("[")
	t := table(rows)
	for i, cells := range t.Rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  {")
		for k, cell := range cells {
			if k > 0 {
				b.WriteString(", ")
			}
			switch {
			case k == 0:
				cell = `"` + cell + `"` // a policy's name has nothing to escape
			case cell == "NA" || cell == "+Inf":
				cell = "null"
			}
			fmt.Fprintf(&b, "%q: %s", t.Columns[k], cell)
		}
		b.WriteByte('}')
	}
	b.WriteString("\n]\n")
	_, err := io.WriteString(w, b.String())
	return err
}
