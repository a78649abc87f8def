package whatif

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

const (
	quickJobs = 2000 // a quick run replays the first so many
	mostSeeds = 10_000
)

// Options are the settings of a comparison. Those of report count too.
type Options struct {
	report.Options
	DiskToNetwork float64 // d/n of HFSP's size model
	Load          float64
	Sigma         float64 // of the log-normal error of the estimates; 0: exact sizes
	Policies      string  // names separated by commas; "": all
	Slots         bool    // the slot model instead of one fluid server
	Seeds         int     // how many seeds from Seed on; 0 means 1
	Sized         bool    // DiskToNetwork or Load was asked for, which a job file has no use for
}

// check rejects numbers that no workload can be made with; NaN fails too.
func (o *Options) check() error {
	for _, f := range []struct {
		name  string
		value float64
		ok    bool
		want  string
	}{
		{"-dn", o.DiskToNetwork, o.DiskToNetwork >= 0, ">= 0"},
		{"-load", o.Load, o.Load > 0, "> 0"},
		{"-sigma", o.Sigma, o.Sigma >= 0, ">= 0"},
	} {
		if !f.ok || math.IsInf(f.value, 0) {
			return report.Usagef("%s is %v, want a finite number %s", f.name, f.value, f.want)
		}
	}
	switch {
	case o.Seeds < 0 || o.Seeds > mostSeeds:
		return report.Usagef("-seeds is %d, want 1 to %d", o.Seeds, mostSeeds)
	case o.Slots && o.Sigma > 0:
		return report.Usagef("-sigma is for -model fluid: in the slot model hfsp estimates sizes from samples, and nobody else needs them")
	}
	return nil
}

// first is how many jobs of the trace are replayed; 0: all.
func (o *Options) first() int {
	if o.Quick {
		return quickJobs
	}
	return 0
}

// redraws is whether each seed draws the arrivals of the trace anew: where it draws nothing else.
func (o *Options) redraws() bool { return o.Seeds > 1 && o.Trace != "" && o.Sigma == 0 }

// open reads the trace, or makes the synthetic day of the seed.
func (o *Options) open() (replay.Trace, error) {
	t, err := replay.Open(o.Trace, o.Seed, o.first())
	if err != nil || t.Specs == nil {
		return t, err
	}
	if o.Sized {
		return t, report.Usagef("-dn and -load make times of bytes: the job file %s has times of its own", o.Trace)
	}
	if i := slices.IndexFunc(t.Specs, func(j slotmodel.JobSpec) bool { return j.After > 0 }); i >= 0 && o.redraws() {
		return t, report.Usagef("-seeds draws arrivals anew, but job %d of %s comes after another job", i+1, o.Trace)
	}
	return t, nil
}

// Compare loads the workload and replays it under each policy, for each seed. title says what was
// replayed. Where stderr is a terminal it shows a progress bar. When ctx ends, Compare returns the
// rows of the seeds that are done, nil if none is, and a *report.Interrupted.
func Compare(ctx context.Context, o Options, stderr io.Writer) (rows []Row, title string, err error) {
	if err := o.check(); err != nil {
		return nil, "", err
	}
	play, names := replayFluid, fluidNames()
	if o.Slots {
		play, names = replaySlots, slotNames
	}
	if names, err = parsePolicies(o.Policies, names); err != nil {
		return nil, "", err
	}
	c := &console{stderr: stderr, seeds: max(1, o.Seeds)}
	var t replay.Trace
	var seeds [][]Row
	what := ""
	for k := range c.seeds {
		one := o
		one.Seed += uint64(k)
		if k == 0 || o.Trace == "" {
			if t, err = report.Await(ctx, one.open); err != nil {
				break
			}
		}
		type result struct {
			rows []Row
			name string
		}
		var r result
		r, err = report.Await(ctx, func() (r result, err error) {
			drawn := t
			if o.redraws() {
				drawn = redraw(t, one.Seed)
			}
			r.rows, r.name, err = play(one, drawn, names, c)
			return r, err
		})
		if err != nil {
			break
		}
		if k == 0 {
			what = r.name
		}
		seeds = append(seeds, r.rows)
	}
	if stopped := new(report.Interrupted); errors.As(err, &stopped) && len(seeds) > 0 {
		stopped.Kept = fmt.Sprintf("%d of %d seeds", len(seeds), o.Seeds)
	} else if err != nil {
		return nil, "", err
	} else {
		c.bar.Done()
	}
	rows = seeds[0]
	times := fmt.Sprintf("d/n %v, load %v", o.DiskToNetwork, o.Load)
	if t.Specs != nil {
		times = "times of the file"
	}
	sizes := "exact sizes"
	switch {
	case o.Slots:
		sizes = "sizes unknown to all but srpt"
	case o.Sigma > 0:
		sizes = fmt.Sprintf("sigma %v, seed %d", o.Sigma, o.Seed)
	}
	if o.redraws() {
		sizes += fmt.Sprintf(", arrivals drawn anew with seed %d", o.Seed)
	}
	title = fmt.Sprintf("%s: %s, %s, %s", what, report.Count(rows[0].Jobs, "job"), times, sizes)
	if o.Seeds > 1 {
		rows = average(seeds)
		title += fmt.Sprintf(", and so on: means over %s", report.Count(len(seeds), "seed"))
	}
	return rows, title, err
}

// section is the comparison as one figure.
func section(o Options, rows []Row, title string) (report.Section, error) {
	return plan(report.Item{Name: "policies", Kind: report.Theory, Make: func() (report.Figure, error) {
		return figure("Sojourn times by policy", rows, title, o.Sigma == 0 && !o.Slots)
	}}).Section(nil)
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
		return report.Item{Name: item, Kind: report.Theory, Make: func() (report.Figure, error) {
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
a second, with -model slots 15 s and 200 MB; N seeds take N times as long, and -quick a tenth of it. A run of the slot model that takes half a
minute or a GB says so beforehand. An interrupt (Ctrl-C) ends the run with the table of the seeds that are done.

  policy         fluid: fifo (jobs of size 0 wait for their turn), ps (processor sharing), las (least attained service), srpt
                 (shortest remaining processing time), spt (shortest processing time), fsp (fair sojourn protocol:
                 size-based with aging, late jobs share), fsp-fifo (late jobs one at a time), fsp-las (least attained
                 first), fsp-next (late jobs share with the first on-time one)
                 slots: fifo, fair (equal shares of the slots), srpt (by true work left), hfsp (fsp task by task, sizes from
                 samples of 5 tasks)
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
time that a job takes alone on the ` + clusterForPeople + `.

The workload is a synthetic day of 24,442 jobs unless -trace (or -swim) names a trace: per line and separated by tabs a job id, submit time,
gap, map input, shuffle and output bytes. It may also be a job file of package workload, which has times of its own: -dn and -load are not for
it. The fluid server takes from it when jobs come and the work of their tasks, done by all 108 slots together. Jobs that do not finish, as
when their walltime ends, are not counted.

With -out it also writes
  DIR/whatif-policies.tsv and .svg   the table at full precision, and a picture
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
	flags.Lookup("trace").Usage = "replay the job file or SWIM trace `FILE` (plain or gzip) instead of the synthetic workload"
	swim := flags.String("swim", "", "replay the job file or SWIM trace `FILE` (plain or gzip); the same as -trace")
	flags.Float64Var(&o.DiskToNetwork, "dn", 4, "disk bandwidth over network bandwidth, `X` >= 0")
	flags.Float64Var(&o.Load, "load", 0.9, "work per second of the trace, `X` > 0")
	flags.Float64Var(&o.Sigma, "sigma", 0, "error of the estimates, `X` >= 0; 0 is exact sizes")
	flags.StringVar(&o.Policies, "policies", "", "the policies, a `LIST` separated by commas, in the order of the rows (default all of the model)")
	model := flags.String("model", "fluid", "`MODEL` to replay on: fluid (one server that jobs share in any way) or slots (a cluster, task by task)")
	flags.IntVar(&o.Seeds, "seeds", 1, "replay `N` seeds from -seed on, and show means over them with a 95% interval of the mean sojourn time")
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
	flags.Visit(func(f *flag.Flag) { o.Sized = o.Sized || f.Name == "dn" || f.Name == "load" })
	ctx, stop := report.OnInterrupt()
	defer stop()
	rows, title, stopped := Compare(ctx, o, stderr)
	if rows == nil {
		return stopped
	}
	if o.Out != "" {
		s, err := section(o, rows, title)
		if err == nil {
			err = report.Write(o.Out, s)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "whatif: wrote %s.tsv, .svg and claims.tsv\n", filepath.Join(o.Out, "whatif-policies"))
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
