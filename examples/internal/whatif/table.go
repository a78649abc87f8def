package whatif

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// tableOf is the rows with each number as write makes it. Several seeds add a column for the
// interval.
func tableOf(rows []Row, write func(float64) string) report.Table {
	t := report.Table{Columns: []string{"policy", "jobs", "mean_sojourn", "p50", "p95", "p99", "max", "mean_slowdown", "later_than_" + rows[0].Rivals[1], "unended"}}
	planned, shared := rows[0].Wait == rows[0].Wait, rows[0].Owed == rows[0].Owed
	if shared {
		t.Columns = slices.Insert(t.Columns, 8, "owed", "worst_window")
	}
	if planned {
		t.Columns = slices.Insert(t.Columns, 8, "mean_wait", "bounded_slowdown", "p95_bounded", "use", "later_than_easy")
	}
	if several(rows) {
		t.Columns = slices.Insert(t.Columns, 3, "mean_ci95")
	}
	for _, r := range rows {
		cells := []any{r.Policy, write(r.Jobs), write(r.Mean), write(r.P50), write(r.P95), write(r.P99), write(r.Max), write(r.MeanSlowdown), write(r.Later[1]), write(r.Unended)}
		if shared {
			cells = slices.Insert(cells, 8, any(write(r.Owed)), any(write(r.Worst)))
		}
		if planned {
			cells = slices.Insert(cells, 8, any(write(r.Wait)), any(write(r.Bounded)), any(write(r.BoundedP95)), any(write(r.Use)), any(write(r.LaterEASY)))
		}
		if several(rows) {
			cells = slices.Insert(cells, 3, any(write(r.Half)))
		}
		t.Add(cells...)
	}
	return t
}

// table is the rows at full precision, each with what is the same in all of them.
func (c *Comparison) table() report.Table {
	t := tableOf(c.Rows, report.Full)
	load := []string{"map_load", "reduce_load"}
	if !c.Slots {
		load = []string{"server_load"}
	}
	t.Columns = slices.Concat(t.Columns, []string{"never_run", "machines"}, load)
	for i, r := range c.Rows {
		t.Rows[i] = append(t.Rows[i], strconv.Itoa(c.NeverRun.Jobs), report.Full(r.Machines))
		for k := range load {
			t.Rows[i] = append(t.Rows[i], report.Full(r.Loads[k]))
		}
	}
	return t
}

// rounded is the rows for people, without the last column where all jobs end.
func (c *Comparison) rounded() report.Table {
	t := tableOf(c.Rows, report.Short)
	if !slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Unended > 0 }) {
		last := len(t.Columns) - 1
		t.Columns = t.Columns[:last]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:last]
		}
	}
	return t
}

// writeText writes the rounded table below lines that say what was replayed.
func (c *Comparison) writeText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, c.Replayed)
	fmt.Fprintln(w, c.offer())
	if c.NeverRun.Jobs > 0 {
		fmt.Fprintln(w, c.NeverRun.Why)
	}
	rounded := c.rounded()
	for _, cells := range append([][]string{rounded.Columns}, rounded.Rows...) {
		fmt.Fprintln(t, strings.Join(cells, "\t")+"\t")
	}
	err := t.Flush()
	for _, line := range []string{c.owes(), c.Forecasts} {
		if line != "" && err == nil {
			_, err = fmt.Fprintln(w, line)
		}
	}
	return err
}

// writeJSON writes an array of objects, one per policy, with the columns as keys; a number that
// does not exist is null.
func (c *Comparison) writeJSON(w io.Writer) error {
	var objects []map[string]any
	t := c.table()
	for _, cells := range t.Rows {
		object := map[string]any{"policy": cells[0]}
		for k, cell := range cells[1:] {
			object[t.Columns[k+1]] = json.Number(cell)
			if cell == "NA" || cell == "+Inf" {
				object[t.Columns[k+1]] = nil
			}
		}
		objects = append(objects, object)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(objects)
}
