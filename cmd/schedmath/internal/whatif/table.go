package whatif

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/numbers"
)

// A column is a number of each row.
type column struct {
	name  string
	shown bool
	of    func(r *Row) float64
}

// table is the rows at full precision, with columns that are the same in all of them, or for people.
func (c *Comparison) table(full bool) numbers.Table {
	r := &c.Rows[0]
	rigid, shared, log := c.rigid, r.Owed == r.Owed, full && c.Counts.Jobs > 0
	columns := slices.DeleteFunc([]column{
		{"jobs", true, func(r *Row) float64 { return r.Jobs }},
		{"mean_wait", rigid, func(r *Row) float64 { return r.Wait }},
		{"worst_tenth", rigid, func(r *Row) float64 { return r.Tenth }},
		{"mean_sojourn", true, func(r *Row) float64 { return r.Mean }},
		{"mean_ci95", several(c.Rows), func(r *Row) float64 { return r.Half }},
		{"p50", true, func(r *Row) float64 { return r.P50 }},
		{"p95", true, func(r *Row) float64 { return r.P95 }},
		{"p99", true, func(r *Row) float64 { return r.P99 }},
		{"max", true, func(r *Row) float64 { return r.Max }},
		{"mean_slowdown", full, func(r *Row) float64 { return r.MeanSlowdown }},
		{"worst_tenth", !rigid, func(r *Row) float64 { return r.Tenth }},
		{"bounded_slowdown", true, func(r *Row) float64 { return r.Bounded }},
		{"p95_bounded", rigid, func(r *Row) float64 { return r.BoundedP95 }},
		{"use", rigid, func(r *Row) float64 { return r.Use }},
		{"at_risk", c.windows != nil, func(r *Row) float64 { return r.AtRisk }},
		{"owed", shared, func(r *Row) float64 { return r.Owed }},
		{"worst_window", shared, func(r *Row) float64 { return r.Worst }},
		{"later_than_" + r.Rivals[1], true, func(r *Row) float64 { return r.Later[1] }},
		{"unended", full || slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Unended > 0 }), func(r *Row) float64 { return r.Unended }},
		{"never_run", full, func(*Row) float64 { return float64(c.neverRun.Jobs) }},
		{"log_jobs", log, func(*Row) float64 { return float64(c.Counts.Jobs) }},
		{"log_never_ran", log, func(*Row) float64 { return float64(c.Counts.NeverRan) }},
		{"log_running", log, func(*Row) float64 { return float64(c.Counts.Running) }},
		{"log_waiting", log, func(*Row) float64 { return float64(c.Counts.Waiting) }},
		{"log_none", log, func(*Row) float64 { return float64(c.Counts.None) }},
		{"log_left_out", log, func(*Row) float64 {
			lines := 0
			for _, r := range c.LeftOut {
				lines += r.Lines
			}
			return float64(lines)
		}},
		{"machines", full && !rigid, func(r *Row) float64 { return r.Machines }},
		{"processors", full && rigid, func(*Row) float64 { return float64(c.processors) }},
		{"load", full && rigid, func(r *Row) float64 { return r.Loads[0] }},
		{"map_load", full && c.slots && !rigid, func(r *Row) float64 { return r.Loads[0] }},
		{"reduce_load", full && c.slots && !rigid, func(r *Row) float64 { return r.Loads[1] }},
		{"server_load", full && !c.slots, func(r *Row) float64 { return r.Loads[0] }},
	}, func(c column) bool { return !c.shown })
	t := numbers.Table{Columns: []string{"policy"}}
	for _, x := range columns {
		t.Columns = append(t.Columns, x.name)
	}
	for i := range c.Rows {
		cells := []any{c.Rows[i].Policy}
		for _, x := range columns {
			cells = append(cells, x.of(&c.Rows[i]))
		}
		if full {
			t.Add(cells...)
		} else {
			t.Show(cells...)
		}
	}
	return t
}

// writeText writes the rounded table below lines that say what was replayed.
func (c *Comparison) writeText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, c.Replayed)
	fmt.Fprintln(w, c.offer(c.Rows[0].Loads))
	if c.neverRun.Jobs > 0 {
		fmt.Fprintln(w, c.neverRun.Why)
	}
	rounded := c.table(false)
	for _, cells := range append([][]string{rounded.Columns}, rounded.Rows...) {
		fmt.Fprintln(t, strings.Join(cells, "\t")+"\t")
	}
	err := t.Flush()
	for _, line := range []string{c.which(), c.loses(), c.risky(), c.owes(), c.Forecasts.text} {
		if line != "" && err == nil {
			_, err = fmt.Fprintln(w, line)
		}
	}
	return err
}

// objects are the rows with the columns as keys.
func (c *Comparison) objects() (list []map[string]any) {
	t := c.table(true)
	for _, cells := range t.Rows {
		object := map[string]any{"policy": cells[0]}
		for k, cell := range cells[1:] {
			object[t.Columns[k+1]] = page.Number(cell)
		}
		list = append(list, object)
	}
	return list
}
