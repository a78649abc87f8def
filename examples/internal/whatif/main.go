package whatif

import (
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/schedmath/schedmath/examples/internal/report"
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
	case o.Seeds > 1 && o.Trace != "" && o.Sigma == 0:
		return report.Usagef("-seeds with -trace and -sigma 0 repeats one run: nothing is drawn")
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

// Compare loads the workload and replays it under each policy, for each seed. title says what was replayed. A progress bar over the seeds
// goes to terminal, when it is one.
func Compare(o Options, terminal io.Writer) (rows []Row, title string, err error) {
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
	bar := report.NewProgress(terminal, "whatif: seeds", max(1, o.Seeds))
	defer bar.Done()
	var seeds [][]Row
	what := ""
	for k := range max(1, o.Seeds) {
		one := o
		one.Seed += uint64(k)
		r, name, err := play(one, names)
		if err != nil {
			return nil, "", err
		}
		if k == 0 {
			what = name
		}
		seeds = append(seeds, r)
		bar.Add(1)
	}
	rows = seeds[0]
	errors := "exact sizes"
	switch {
	case o.Slots:
		errors = "sizes unknown to all but srpt"
	case o.Sigma > 0:
		errors = fmt.Sprintf("sigma %v, seed %d", o.Sigma, o.Seed)
	}
	title = fmt.Sprintf("%s: %s, d/n %v, load %v, %s", what, report.Count(rows[0].Jobs, "job"), o.DiskToNetwork, o.Load, errors)
	if o.Seeds > 1 {
		rows = average(seeds)
		title += fmt.Sprintf(", and so on: means over %d seeds", o.Seeds)
	}
	return rows, title, nil
}

// section is the comparison as one figure.
func section(o Options, rows []Row, title string) (report.Section, error) {
	f, err := figure("policies", "Sojourn times by policy", rows, title, o.Sigma == 0 && !o.Slots)
	return report.Section{Paper: "whatif", Title: heading, Intro: sizesNote, Figures: []report.Figure{f}}, err
}

const heading = "What if: policies compared on one workload"

const sizesNote = "Jobs of size 0 count in sojourn times and not in slowdowns; under fifo they wait for their turn. Program: go run ./examples/whatif."

// Plan lists comparisons of all policies under the settings of HFSP's Figure 2, with exact sizes and with errors.
func Plan(o report.Options, terminal io.Writer) (report.Plan, error) {
	compared := func(item, title string, sigma float64) report.Item {
		return report.Item{Name: item, Make: func() (report.Figure, error) {
			rows, replayed, err := Compare(Options{Options: o, DiskToNetwork: 4, Load: 0.9, Sigma: sigma}, terminal)
			if err != nil {
				return report.Figure{}, err
			}
			return figure(item, title, rows, replayed, sigma == 0)
		}}
	}
	return report.Plan{
		Paper: "whatif",
		Title: heading,
		Intro: func() (string, error) { return sizesNote, nil },
		Items: []report.Item{
			compared("policies", "Sojourn times by policy", 0),
			compared("errors", "Sojourn times by policy, with wrong estimates", 0.5),
		},
	}, nil
}

const help = `whatif replays a workload under several scheduling policies and prints a table, one row per policy. On one fluid server this takes less than
a second, with -model slots 15 s and 200 MB; N seeds take N times as long, and -quick a tenth of it.

  policy         fluid: fifo (jobs of size 0 wait for their turn), ps (processor sharing), las (least attained service), srpt
                 (shortest remaining processing time), spt (shortest processing time), fsp (fair sojourn protocol:
                 size-based with aging, late jobs share), fsp-fifo (late jobs one at a time), fsp-las (least attained
                 first), fsp-next (late jobs share with the first on-time one)
                 slots: fifo, fair (equal shares of the slots), srpt (by true work left), hfsp (fsp task by task, sizes from
                 samples of 5 tasks)
  jobs           how many were replayed
  mean_sojourn   mean time from submission to completion, in seconds, over all jobs
  mean_ci95      with -seeds: half of the 95% confidence interval of the mean over the seeds, by Student's t
  p50 p95 p99    percentiles of it: the value at place p (jobs - 1) of the ascending sojourns, counted from 0 and interpolated linearly
  max            the largest
  mean_slowdown  mean of sojourn/size over the jobs of a size above 0; NA (null in JSON) when there are none
  later_than_ps  jobs that end later than under processor sharing (slots: later_than_fair), by more than 1e-12 of their finish time

On the fluid server a job's size is map input + (1 + d/n) shuffle + output bytes, scaled so that all sizes add up to load times the last submit
time. A scheduler sees size times a log-normal error exp(sigma Z). In the slot model jobs are cut into maps of 128 MiB of input and
reduces of 1 GiB of shuffle, scaled so that the tasks of a kind add up to load times the slots and the last submit time; size is the
time that a job takes alone on the ` + clusterForPeople + `.

The workload is a synthetic day of 24,442 jobs unless -trace (or -swim) names a trace: per line and separated by tabs a job id, submit time,
gap, map input, shuffle and output bytes.

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
	swim := flags.String("swim", "", "replay the SWIM trace `FILE` (plain or gzip); the same as -trace")
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
	rows, title, err := Compare(o, stderr)
	if err != nil {
		return err
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
	switch *format {
	case "tsv":
		_, err = stdout.Write(table(rows).TSV())
	case "json":
		err = writeJSON(stdout, rows)
	default:
		err = writeText(stdout, title, rows)
	}
	return err
}
