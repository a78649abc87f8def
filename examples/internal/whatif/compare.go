package whatif

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// known are the policies by the names of their String methods, in the order in which they are listed. In a first-come queue a job
// of size 0 waits for its turn, as it does in the simulator of the HFSP paper.
var known = []fluid.Policy{fluid.FIFO{Turn: true}, fluid.PS{}, fluid.LAS{}, fluid.SRPT{}, fluid.SPT{}, fluid.FSP{},
	fluid.FSP{Late: fluid.LateFirst}, fluid.FSP{Late: fluid.LateLeastAttained}, fluid.FSP{Late: fluid.LateNext}}

// policyNames is the default of -policies: all of them.
func policyNames() string {
	var names []string
	for _, p := range known {
		names = append(names, p.String())
	}
	return strings.Join(names, ",")
}

// parsePolicies reads a list of names separated by commas.
func parsePolicies(list string) ([]fluid.Policy, error) {
	var policies []fluid.Policy
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(known, func(p fluid.Policy) bool { return p.String() == name })
		if i < 0 {
			return nil, report.Usagef("-policies names %q, want some of %s", name, policyNames())
		}
		if slices.Contains(policies, known[i]) {
			return nil, report.Usagef("-policies names %q twice", name)
		}
		policies = append(policies, known[i])
	}
	return policies, nil
}

// A Row is what one policy does with the workload. Times are in seconds.
type Row struct {
	Policy       string
	Jobs         int
	Mean         float64 // sojourn, over all jobs, like the percentiles
	P50          float64
	P95          float64
	P99          float64
	Max          float64
	MeanSlowdown float64 // sojourn/size, over the jobs of a size above 0; NaN when there are none
	LaterThanPS  int     // jobs that end later than under PS
}

// laterThan is by how much of its finish time a job must end after its finish under PS to count as later: enough for the rounding of
// finish times, not for any decision of a policy.
const laterThan = 1e-12

// compare replays the jobs, whose estimates are set here, under each policy.
func compare(jobs []fluid.Job, policies []fluid.Policy, sigma float64, seed uint64, bar *report.Progress) ([]Row, error) {
	sizes := make([]float64, len(jobs))
	for i, j := range jobs {
		sizes[i] = j.Size
	}
	estimates, err := workload.Estimates(nil, sizes, 0, sigma, workload.Stream(seed, workload.Errors, 0))
	if err != nil {
		return nil, err
	}
	jobs = slices.Clone(jobs)
	for i, e := range estimates {
		jobs[i].Estimate = e
	}
	var runner fluid.Runner
	var ps, r fluid.Result
	if err := runner.Run(&ps, 1, jobs, fluid.PS{}, fluid.Options{}); err != nil {
		return nil, err
	}
	var rows []Row
	for _, p := range policies {
		if err := runner.Run(&r, 1, jobs, p, fluid.Options{}); err != nil {
			return nil, err
		}
		rows = append(rows, measure(p.String(), sizes, &r, ps.Finish))
		bar.Add(1)
	}
	return rows, nil
}

func measure(policy string, sizes []float64, r *fluid.Result, ps []float64) Row {
	row := Row{Policy: policy, Jobs: len(sizes), Mean: r.MeanSojourn()}
	sorted := slices.Sorted(slices.Values(r.Sojourn))
	row.P50, row.P95, row.P99 = report.Quantile(sorted, 0.5), report.Quantile(sorted, 0.95), report.Quantile(sorted, 0.99)
	row.Max = sorted[len(sorted)-1]
	var slowdowns []float64
	for i, size := range sizes {
		if size > 0 {
			slowdowns = append(slowdowns, r.Sojourn[i]/size)
		}
		if r.Finish[i]-ps[i] > laterThan*r.Finish[i] {
			row.LaterThanPS++
		}
	}
	row.MeanSlowdown = report.Mean(slowdowns)
	return row
}

var columns = []string{"policy", "jobs", "mean_sojourn", "p50", "p95", "p99", "max", "mean_slowdown", "later_than_ps"}

// table is the rows at full precision.
func table(rows []Row) report.Table {
	t := report.Table{Columns: columns}
	for _, r := range rows {
		t.Add(r.Policy, r.Jobs, r.Mean, r.P50, r.P95, r.P99, r.Max, r.MeanSlowdown, r.LaterThanPS)
	}
	return t
}

// rounded is the rows for people.
func rounded(rows []Row) report.Table {
	t := report.Table{Columns: columns}
	for _, r := range rows {
		t.Add(r.Policy, r.Jobs, report.Short(r.Mean), report.Short(r.P50), report.Short(r.P95), report.Short(r.P99), report.Short(r.Max),
			report.Short(r.MeanSlowdown), r.LaterThanPS)
	}
	return t
}

// writeText writes the rounded table with aligned columns below a line that says what was replayed.
func writeText(w io.Writer, title string, rows []Row) error {
	t := rounded(rows)
	width := make([]int, len(columns))
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

// writeJSON writes an array of objects, one per policy, with the columns as keys; a number that does not exist is null.
func writeJSON(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("[")
	for i, cells := range table(rows).Rows {
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
			fmt.Fprintf(&b, "%q: %s", columns[k], cell)
		}
		b.WriteByte('}')
	}
	b.WriteString("\n]\n")
	_, err := io.WriteString(w, b.String())
	return err
}
