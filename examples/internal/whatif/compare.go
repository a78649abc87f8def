package whatif

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// known are the policies by the names of their String methods, in the order in which they are
// listed. In a first-come queue a job of size 0 waits for its turn, as it does in the simulator of
// the HFSP paper.
var known = []fluid.Policy{fluid.FIFO{Turn: true}, fluid.PS{}, fluid.LAS{}, fluid.SRPT{}, fluid.SPT{}, fluid.FSP{},
	fluid.FSP{Late: fluid.LateFirst}, fluid.FSP{Late: fluid.LateLeastAttained}, fluid.FSP{Late: fluid.LateNext}}

// fluidNames are the names of known.
func fluidNames() []string {
	var names []string
	for _, p := range known {
		names = append(names, p.String())
	}
	return names
}

// parsePolicies reads a list of names separated by commas, each one of names; an empty list means
// all of them.
func parsePolicies(list string, names []string) ([]string, error) {
	if list == "" {
		return names, nil
	}
	var chosen []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(names, name) {
			return nil, report.Usagef("-policies names %q, want some of %s", name, strings.Join(names, ","))
		}
		if slices.Contains(chosen, name) {
			return nil, report.Usagef("-policies names %q twice", name)
		}
		chosen = append(chosen, name)
	}
	return chosen, nil
}

// A Row is what one policy does with the workload, or the mean of that over several seeds. Times
// are in seconds.
type Row struct {
	Policy       string
	Jobs         int
	Mean         float64 // sojourn, over all jobs, like the percentiles
	Half         float64 // of the 95% confidence interval of Mean over the seeds; NaN with one seed
	P50          float64
	P95          float64
	P99          float64
	Max          float64
	MeanSlowdown float64 // sojourn/size, over the jobs of a size above 0; NaN when there are none
	LaterThan    float64 // jobs that end later than under the rival
	Rival        string  // ps, or fair in the slot model
}

// laterThan is by how much of its finish time a job must end after its finish under PS to count as
// later: enough for the rounding of finish times, not for any decision of a policy.
const laterThan = 1e-12

// replayFluid replays a workload on one fluid server under each policy.
func replayFluid(o Options, t replay.Trace, names []string, c *console) ([]Row, string, error) {
	jobs, err := fluidJobs(o, t)
	if err != nil {
		return nil, "", err
	}
	sizes := report.Column(jobs, func(j *fluid.Job) float64 { return j.Size })
	estimates, err := workload.Estimates(nil, sizes, 0, o.Sigma, workload.Stream(o.Seed, workload.Errors, 0))
	if err != nil {
		return nil, "", err
	}
	for i, e := range estimates {
		jobs[i].Estimate = e
	}
	c.start(len(jobs), 1+len(names))
	var runner fluid.Runner
	var ps, r fluid.Result
	if err := runner.Run(&ps, 1, jobs, fluid.PS{}, fluid.Options{}); err != nil {
		return nil, "", err
	}
	c.bar.Add(len(jobs))
	var rows []Row
	for _, p := range known {
		if !slices.Contains(names, p.String()) {
			continue
		}
		if err := runner.Run(&r, 1, jobs, p, fluid.Options{}); err != nil {
			return nil, "", err
		}
		c.bar.Add(len(jobs))
		row := measure(sizes, r.Sojourn, r.Finish, ps.Finish)
		row.Policy, row.Mean, row.Rival = p.String(), r.MeanSojourn(), "ps"
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b Row) int { return slices.Index(names, a.Policy) - slices.Index(names, b.Policy) })
	return rows, t.Name, nil
}

// fluidJobs are the jobs for a server of speed 1. Those of a job file have the work of their tasks,
// done by all slots of the cluster together.
func fluidJobs(o Options, t replay.Trace) ([]fluid.Job, error) {
	if t.Specs == nil {
		jobs, err := t.Fluid(o.DiskToNetwork, o.Load)
		if err != nil && !t.Synthetic {
			err = fmt.Errorf("%s: %w", o.Trace, err)
		}
		return jobs, err
	}
	jobs := make([]fluid.Job, len(t.Specs))
	for i := range t.Specs {
		s := &t.Specs[i]
		if s.After > 0 {
			return nil, report.Usagef("%s: job %d comes after another job, want -model slots: the fluid server takes arrivals as they are", o.Trace, i+1)
		}
		jobs[i] = fluid.Job{Arrival: s.Arrival, Size: (work(&s.Maps) + work(&s.Reduces)) / (machines * (mapsPerNode + reducesPerNode))}
	}
	return jobs, nil
}

// work is the seconds of all tasks of a phase.
func work(p *slotmodel.Phase) float64 {
	if p.Works == nil {
		return float64(p.Tasks) * p.Work
	}
	return floats.Sum(p.Works)
}

// measure returns what there is to say of one run: of jobs with sizes, which end at finish under
// the policy and at rival under another. A job that does not finish has NaN there, and is left out.
func measure(sizes, sojourn, finish, rival []float64) Row {
	row := Row{Half: math.NaN()}
	var sojourns, slowdowns []float64
	for i, size := range sizes {
		if math.IsNaN(finish[i]) {
			continue
		}
		sojourns = append(sojourns, sojourn[i])
		if size > 0 {
			slowdowns = append(slowdowns, sojourn[i]/size)
		}
		if finish[i]-rival[i] > laterThan*finish[i] {
			row.LaterThan++
		}
	}
	row.Jobs, row.Mean, row.MeanSlowdown = len(sojourns), report.Mean(sojourns), report.Mean(slowdowns)
	slices.Sort(sojourns)
	row.P50, row.P95, row.P99 = report.Quantile(sojourns, 0.5), report.Quantile(sojourns, 0.95), report.Quantile(sojourns, 0.99)
	row.Max = report.Quantile(sojourns, 1)
	return row
}

// average returns the means of the rows of several seeds, policy by policy, with an interval
// for the mean sojourn time.
func average(seeds [][]Row) []Row {
	rows := slices.Clone(seeds[0])
	for i := range rows {
		over := func(of func(r *Row) float64) report.Interval {
			return report.Across(seeds, func(list *[]Row) float64 { return of(&(*list)[i]) })
		}
		mean := func(of func(r *Row) float64) float64 { return over(of).Mean }
		r := &rows[i]
		sojourn := over(func(r *Row) float64 { return r.Mean })
		r.Mean, r.Half = sojourn.Mean, sojourn.Half
		r.P50, r.P95 = mean(func(r *Row) float64 { return r.P50 }), mean(func(r *Row) float64 { return r.P95 })
		r.P99, r.Max = mean(func(r *Row) float64 { return r.P99 }), mean(func(r *Row) float64 { return r.Max })
		r.MeanSlowdown, r.LaterThan = mean(func(r *Row) float64 { return r.MeanSlowdown }), mean(func(r *Row) float64 { return r.LaterThan })
	}
	return rows
}

// tableOf is the rows with each number as write makes it. Several seeds add a column for the
// interval.
func tableOf(rows []Row, write func(float64) string) report.Table {
	r := &rows[0]
	t := report.Table{Columns: []string{"policy", "jobs", "mean_sojourn", "p50", "p95", "p99", "max", "mean_slowdown", "later_than_" + r.Rival}}
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
