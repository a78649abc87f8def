package whatif

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// wholeName is the file of -out that has the document.
const wholeName = "whatif-all.json"

// mostListed is how many users a document has; the files of -out have all.
const mostListed = 500

// Document is the comparison for other programs and for the page.
func (c *Comparison) Document() *page.Document {
	d := &page.Document{
		Program: "whatif",
		Title:   "What if: policies compared on one workload",
		Command: c.Command,
		Summary: slices.DeleteFunc([]string{c.offer(c.Rows[0].Loads) + c.warning(c.Rows[0].Loads), c.which(), c.loses(), c.risky(), c.owes(), c.Forecasts.text, "Replayed: " + c.Replayed + ".", c.neverRun.Why}, func(s string) bool { return s == "" }),
		Notes:   c.notes(),
		Rows:    c.objects(),

		Pictures: c.pictures(),
	}
	for i := range d.Pictures {
		if p := &d.Pictures[i]; p.Kind == page.Dots {
			p.Table.Few(mostListed)
		}
	}
	return d
}

// notes say what the numbers mean, and what they do not.
func (c *Comparison) notes() []string {
	alone, model := "the server", "The model is one server that jobs share in any way, at no cost: no tasks, no slots, no wait for a task to end. So small jobs are as good as alone under policies by size, and a job of few tasks is faster than on any cluster. -model slots has tasks."
	if c.slots {
		alone, model = "the cluster", "The model has tasks and slots, and nothing between them: no network, no blocks to be near, no slow machine and no failure. Where jobs come from bytes, their tasks are as long as the load asks for, all of a kind alike."
	}
	if c.rigid {
		reservations := "no reservations"
		if c.windows != nil {
			reservations += " but the windows, which are planned around and of which debts know nothing"
		}
		model = "The model has one machine of " + c.size() + ", and nothing else: no nodes that a job must fit into, no partitions, " + reservations + ", no outages, no limits of users. A job holds what it asked for from its start to its end, for as long as it ran in the log."
		if c.Warm > 0 {
			model += " Every policy begins with an empty machine, before the time that counts."
		} else {
			model += " Every policy begins with an empty machine: -from with -warm 30d plays the month before and counts none of it."
		}
		if c.really() != nil {
			model += " As it was, a scheduler ruled that had all of that, and backfill of its own: as-it-was is no policy without backfill, and not what one of the others would have done. It has all jobs of the log in its use and its queue, those that never ran and those that wait or run still too."
		}
	}
	seeds := "There is one seed, so there are no intervals: how much of a difference is chance, -seeds 20 tells."
	if several(c.Rows) {
		drawn := "a synthetic day each, and the errors of its sizes if there are any."
		if c.redraws() {
			drawn = "arrivals, as blocks of consecutive jobs with their gaps from random places of the trace. Bursts within a block stay; the day's rhythm does not."
		} else if !c.Synthetic {
			drawn = "the errors of the sizes, on the arrivals of the trace."
		}
		seeds = "Intervals are of what the seeds draw: " + drawn + " They tell nothing of another week or another cluster. Each holds by itself at 95%: of twenty, one is expected to miss. The pictures show means over the seeds of each quantile, class or part of the time."
	}
	if c.Sigma > 0 {
		seeds += fmt.Sprintf(" A scheduler sees sizes with log-normal errors of sigma %v, which do not depend on the job; real errors often do.", c.Sigma)
	}
	return []string{
		"The sojourn time of a job is the time from its submission to its completion. Its slowdown is that over its size, the time that it takes alone on " + alone + ". Jobs of size 0 count in sojourn times and not in slowdowns; under " + c.Rows[0].Rivals[0] + " they wait for their turn. A bounded slowdown takes sizes below 10 s for 10 s, and is 1 at least.",
		fmt.Sprintf("A mean can be that of a few large jobs: the distributions and the size classes show who they are. The 99th percentile rests on %d jobs or so, the maximum on one. A job that ends later than under %s does so by more than rounding, perhaps by little.", int(c.Rows[0].Jobs/100), c.Rows[0].Rivals[1]),
		model + " Jobs come when the trace says, whatever the policy does: users who wait for one job before they submit the next, or who give up, are not here. What a policy does under another load is not in these numbers: run it with that load.",
		seeds,
	}
}

// write writes the files of -out, of -html and of -forecasts.
func (c *Comparison) write(html, forecasts string, stderr io.Writer) error {
	if c.Out != "" {
		tables := map[string]numbers.Table{}
		for _, p := range c.pictures() {
			tables[p.Name] = p.Table.Table
		}
		if c.jobs.Rows != nil {
			tables["jobs"] = c.jobs
		}
		for name, t := range tables {
			if err := program.WriteFile(filepath.Join(c.Out, "whatif-"+name+".tsv"), t.TSV()); err != nil {
				return err
			}
		}
		var whole bytes.Buffer
		if err := c.Document().JSON(&whole); err != nil {
			return err
		}
		if err := program.WriteFile(filepath.Join(c.Out, wholeName), whole.Bytes()); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "schedmath whatif: wrote %s as .tsv and %s into %s\n", numbers.Count(len(tables), "table"), wholeName, c.Out)
	}
	if forecasts != "" && c.Forecasts.text == "" {
		fmt.Fprintf(stderr, "schedmath whatif: %s is not written: no job waits under easy\n", forecasts)
	} else if forecasts != "" {
		if err := program.WriteFile(forecasts, c.Forecasts.table.TSV()); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "schedmath whatif: wrote %s into %s\n", numbers.Count(len(c.Forecasts.table.Rows), "forecast"), forecasts)
	}
	if html != "" {
		if err := c.Document().Write(html); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "schedmath whatif: wrote %s\n", html)
	}
	return nil
}
