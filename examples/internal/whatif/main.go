package whatif

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// section is the comparison as figures.
func section(o Options, rows []Row, title string) (report.Section, error) {
	items := []report.Item{{Name: "policies", Kind: report.Theory, Make: func() (report.Figure, error) {
		return figure("Sojourn times by policy", rows, title, o.Sigma == 0 && !o.Slots)
	}}}
	for _, v := range views(rows) {
		items = append(items, report.Item{Name: v.item, Make: func() (report.Figure, error) { return v.figure(rows) }})
	}
	if several(rows) {
		items = append(items, report.Item{Name: "differences", Make: func() (report.Figure, error) { return differences(rows) }})
	}
	return plan(items...).Section(nil)
}

func plan(items ...report.Item) report.Plan {
	return report.Plan{Paper: "whatif", Title: heading, Intro: func() (string, error) { return sizesNote, nil }, Items: items}
}

const heading = "What if: policies compared on one workload"

const sizesNote = "Jobs of size 0 count in sojourn times and not in slowdowns; under fifo they wait for their turn. Program: go run ./examples/whatif."

// Plan lists comparisons of all policies under the settings of HFSP's Figure 2, with exact sizes
// and with errors.
func Plan(o report.Options, terminal io.Writer) (report.Plan, error) {
	compared := func(item, title string, sigma float64) report.Item {
		return report.Item{Name: item, Kind: report.Theory, Exact: sigma == 0, Make: func() (report.Figure, error) {
			rows, replayed, err := Compare(context.Background(), Options{Options: o, DiskToNetwork: 4, Load: 0.9, Sigma: sigma}, terminal)
			if err != nil {
				return report.Figure{}, err
			}
			return figure(title, rows, replayed, sigma == 0)
		}}
	}
	return plan(
		compared("policies", "Sojourn times by policy", 0),
		compared("errors", "Sojourn times by policy, with wrong estimates", 0.5),
	), nil
}

const help = `whatif replays a workload under several scheduling policies and prints a table, one row per policy. On one fluid server this takes less than
a second, with -model slots 15 s and 160 MB; N seeds take N times as long, shared by the processors, and -quick a tenth of it. What takes half a
minute or half a GB says so beforehand. An interrupt (Ctrl-C) ends the run with the table of the seeds that are done.

  policy         fluid: fifo (jobs of size 0 wait for their turn), ps (processor sharing), las (least attained service), srpt
                 (shortest remaining processing time), spt (shortest processing time), fsp (fair sojourn protocol:
                 size-based with aging, late jobs share), fsp-fifo (late jobs one at a time), fsp-las (least attained
                 first), fsp-next (late jobs share with the first on-time one)
                 slots: fifo, fair (equal shares of the slots), srpt (by true work left), hfsp (fsp task by task, sizes from
                 samples of 5 tasks); for jobs of several users fair-users, for jobs with deadlines edf and llf (earliest deadline,
                 least laxity by true times)
  jobs           how many were replayed
  mean_sojourn   mean time from submission to completion, in seconds, over all jobs
  mean_ci95      with -seeds: half of the 95% confidence interval of the mean over the seeds, by Student's t. A seed draws the synthetic day,
                 and with -sigma the errors. With -trace and no -sigma it draws the arrivals: jobs of the trace with their gaps, in
                 blocks of consecutive ones from random places (block bootstrap)
  p50 p95 p99    percentiles of it: the value at place p (jobs - 1) of the ascending sojourns, counted from 0 and interpolated linearly
  max            the largest
  mean_slowdown  mean of sojourn/size over the jobs of a size above 0; NA (null in JSON) when there are none
  later_than_ps  jobs that end later than under processor sharing (slots: later_than_fair), by more than 1e-12 of their finish time

On the fluid server a job's size is map input + (1 + d/n) shuffle + output bytes, scaled so that all sizes add up to load times the last submit
time. A scheduler sees size times a log-normal error exp(sigma Z). In the slot model jobs are cut into maps of 128 MiB of input and
reduces of 1 GiB of shuffle, scaled so that the tasks of a kind add up to load times the slots and the last submit time; size is the
time that a job takes alone on the cluster: -machines machines of 4 map and 2 reduce slots, by default 18.

The workload is a synthetic day of 24,442 jobs unless -trace (or -swim) names a trace: per line and separated by tabs a job id, submit time,
gap, map input, shuffle and output bytes. It may also be a job file of package workload, or a log in the Standard Workload Format (SWF), whose
jobs hold as many slots at once as they had processors. These have times of their own: -dn and -load are not for them. The fluid server takes
from them when jobs come and the work of their tasks, done together by all slots of the cluster that their kinds of tasks can use. Jobs that do
not finish, as when their walltime ends, are not counted.

With -html FILE it also writes a page: distributions of sojourn times and slowdowns, slowdown by size, load over time, who gains and who loses
against fifo and ps (slots: fair), with -seeds intervals of the differences of means to them (paired: both under the same seed), and words on what
the numbers mean and do not.

With -out it also writes
  DIR/whatif-policies.tsv and .svg   the table at full precision, and a picture
  DIR/whatif-*.tsv and .svg          what else the page shows
  DIR/claims.tsv                     on the fluid server with -sigma 0: that FSP delays no job beyond PS, and that SRPT has the least mean
`

// Main is the program: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	err := run(args, stdout, stderr)
	return report.Exit(stderr, "whatif", err)
}

func run(args []string, stdout, stderr io.Writer) error {
	flags, common := report.Flags("whatif", "", fmt.Sprintf("only the first %d jobs", quickJobs))
	var o Options
	flags.Lookup("trace").Usage = "replay the SWIM trace, SWF log or job file `FILE` (plain or gzip; its content tells which) instead of the synthetic workload"
	swim := flags.String("swim", "", "replay `FILE`; the same as -trace")
	flags.Float64Var(&o.DiskToNetwork, "dn", 4, "disk bandwidth over network bandwidth, `X` >= 0")
	flags.Float64Var(&o.Load, "load", 0.9, "work per second of the trace, `X` > 0")
	flags.Float64Var(&o.Sigma, "sigma", 0, "error of the estimates, `X` >= 0; 0 is exact sizes")
	flags.StringVar(&o.Policies, "policies", "", "the policies, a `LIST` separated by commas, in the order of the rows (default all of the model)")
	model := flags.String("model", "fluid", "`MODEL` to replay on: fluid (one server that jobs share in any way) or slots (a cluster, task by task)")
	flags.IntVar(&o.Seeds, "seeds", 1, "replay `N` seeds from -seed on, and show means over them with a 95% interval of the mean sojourn time")
	flags.IntVar(&o.Machines, "machines", 0, "`N` machines in the cluster, each of 4 map and 2 reduce slots (default 18, or as many as the widest rigid job of a file needs)")
	html := flags.String("html", "", "write the comparison into `FILE` as one page with pictures and words, which needs no script, no network and no other file")
	format := flags.String("format", "text", "`FORMAT` of the table: text (rounded), tsv or json (both at full precision)")
	if done, err := report.Parse(flags, args, stdout, help); done || err != nil {
		return err
	}
	o.Options = *common
	if *swim != "" {
		if o.Trace != "" && o.Trace != *swim {
			return report.Usagef("-swim %s and -trace %s are two names for one flag", *swim, o.Trace)
		}
		o.Trace = *swim
	}
	if *format != "text" && *format != "tsv" && *format != "json" {
		return report.Usagef("-format is %q, want text, tsv or json", *format)
	}
	if *model != "fluid" && *model != "slots" {
		return report.Usagef("-model is %q, want fluid or slots", *model)
	}
	if o.Slots = *model == "slots"; o.Seeds < 1 {
		return report.Usagef("-seeds is %d, want 1 to %d", o.Seeds, mostSeeds)
	}
	if o.Out != "" {
		if err := report.Prepare(o.Out); err != nil {
			return err
		}
	}
	if dir := filepath.Dir(*html); *html != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return report.Usagef("-html %s: %s is no directory", *html, dir)
		}
	}
	flags.Visit(func(f *flag.Flag) { o.Sized = o.Sized || f.Name == "dn" || f.Name == "load" })
	ctx, stop := report.OnInterrupt()
	defer stop()
	rows, title, stopped := Compare(ctx, o, stderr)
	if rows == nil {
		return stopped
	}
	if o.Out != "" || *html != "" {
		if err := o.write(*html, rows, title, stderr); err != nil {
			return err
		}
	}
	var err error
	switch *format {
	case "tsv":
		_, err = stdout.Write(table(rows).TSV())
	case "json":
		err = writeJSON(stdout, rows)
	default:
		err = writeText(stdout, title, rows)
	}
	return cmp.Or(err, stopped)
}

// write writes the files of -out and of -html.
func (o Options) write(html string, rows []Row, title string, stderr io.Writer) error {
	s, err := section(o, rows, title)
	if err == nil && o.Out != "" {
		if err = report.Write(o.Out, s); err == nil {
			fmt.Fprintf(stderr, "whatif: wrote %s as .tsv and .svg, and claims.tsv, into %s\n", report.Count(len(s.Figures), "figure"), o.Out)
		}
	}
	if err == nil && html != "" {
		if err = writePage(html, o, s, rows, title); err == nil {
			fmt.Fprintf(stderr, "whatif: open %s\n", html)
		}
	}
	return err
}
