package whatif

import (
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
)

const (
	quickJobs = 2000    // a quick run replays the first so many
	slowJobs  = 200_000 // from so many jobs on a run takes seconds and shows a progress bar
)

// Options are the settings of a comparison. Those of report count too.
type Options struct {
	report.Options
	DiskToNetwork float64 // d/n of HFSP's size model
	Load          float64
	Sigma         float64 // of the log-normal error of the estimates; 0: exact sizes
	Policies      string  // names separated by commas; "": all
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
	return nil
}

// Compare loads the workload and replays it under each policy. title says what was replayed. A progress bar goes to terminal, when
// it is one.
func Compare(o Options, terminal io.Writer) (rows []Row, title string, err error) {
	if err := o.check(); err != nil {
		return nil, "", err
	}
	if o.Policies == "" {
		o.Policies = policyNames()
	}
	policies, err := parsePolicies(o.Policies)
	if err != nil {
		return nil, "", err
	}
	first := 0
	if o.Quick {
		first = quickJobs
	}
	w, err := replay.Load(o.Trace, o.Seed, o.DiskToNetwork, o.Load, first)
	if err != nil {
		return nil, "", err
	}
	var bar *report.Progress
	if len(w.Jobs) >= slowJobs {
		bar = report.NewProgress(terminal, "whatif: policies", len(policies))
	}
	rows, err = compare(w.Jobs, policies, o.Sigma, o.Seed, bar)
	bar.Done()
	errors := "exact sizes"
	if o.Sigma > 0 {
		errors = fmt.Sprintf("sigma %v, seed %d", o.Sigma, o.Seed)
	}
	title = fmt.Sprintf("%s: %s, d/n %v, load %v, %s", w.Name, report.Count(len(w.Jobs), "job"), o.DiskToNetwork, o.Load, errors)
	return rows, title, err
}

// section is the comparison as one figure.
func section(o Options, rows []Row, title string) (report.Section, error) {
	f, err := figure("policies", "Sojourn times by policy", rows, title, o.Sigma == 0)
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

const help = `whatif replays a workload under several scheduling policies on one fluid server and prints a table, one row per policy:

  policy         fifo (jobs of size 0 wait for their turn), ps (processor sharing), las (least attained service), srpt (shortest
                 remaining processing time), spt (shortest processing time), fsp (fair sojourn protocol: size-based with
                 aging, late jobs share), fsp-fifo (late jobs one at a time), fsp-las (least attained first), fsp-next (late
                 jobs share with the first on-time one)
  jobs           how many were replayed
  mean_sojourn   mean time from submission to completion, in seconds, over all jobs
  p50 p95 p99    percentiles of it: the value at place p (jobs - 1) of the ascending sojourns, counted from 0 and interpolated linearly
  max            the largest
  mean_slowdown  mean of sojourn/size over the jobs of a size above 0; NA (null in JSON) when there are none
  later_than_ps  jobs that end later than under processor sharing, by more than 1e-12 of their finish time

A job's size is map input + (1 + d/n) shuffle + output bytes, scaled so that all sizes add up to load times the last submit time. A
scheduler sees size times a log-normal error exp(sigma Z). The workload is a synthetic day of 24,442 jobs unless -swim
names a trace: per line and separated by tabs a job id, submit time, gap, map input, shuffle and output bytes.

With -out it also writes
  DIR/whatif-policies.tsv and .svg   the table at full precision, and a picture
  DIR/claims.tsv                     with -sigma 0: that FSP delays no job beyond PS, and that SRPT has the least mean
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
	flags.StringVar(&o.Policies, "policies", policyNames(), "the policies, a `LIST` separated by commas, in the order of the rows")
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
