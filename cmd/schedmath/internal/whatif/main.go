package whatif

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/internal/parts"
	"github.com/schedmath/schedmath/internal/program"
)

const help = `whatif replays jobs under several scheduling policies and prints a table, one row per policy.

The jobs are those of -trace FILE: a table (CSV or tabs) of jobs of your own, what sacct -P or kubectl get -o json printed, a log in the
Standard Workload Format (SWF), a SWIM trace or a job file, whose content tells which (docs/trace.md has each); - is standard input. Of a
log that says when jobs ran the row as-it-was has what really happened; the policies begin with an empty cluster. The smallest table is

  user,submit,tasks,run
  anna,0,4,60

Without -trace it is a synthetic day of 24,442 jobs in the manner of SWIM. Jobs of tables, logs and job files have times of their own and are
replayed on a cluster (-model slots). Jobs of logs hold processors, nodes or GPUs together from their start to their end, on as many as the log
or its widest job had, without nodes, partitions, reservations or outages. Jobs of tasks run task by task on 18 machines. -load then moves
arrivals closer together or further apart, and -dn is not for them. Jobs that can never run there are left out and counted. Jobs of bytes are
replayed on one fluid server (-model fluid): a job's size is map input + (1 + d/n) shuffle + output bytes, scaled so that all sizes add up to
load times the last submit time, and a scheduler sees size times a log-normal error exp(sigma Z). With -model slots they are cut into maps of
128 MiB of input and reduces of 1 GiB of shuffle, scaled so that the tasks of a kind add up to load times the slots and the last submit time.

On the fluid server this takes less than a second, on the slot model 15 s and 160 MB for the synthetic day; N seeds take N times as long,
shared by the processors, and -quick a tenth of it; a million jobs of a table take 1.3 GB. An interrupt (Ctrl-C) ends the run with the table of the seeds
that are done.

  policy         fluid: fifo (jobs of size 0 wait for their turn), ps (processor sharing), las (least attained service), srpt
                 (shortest remaining processing time), spt (shortest processing time), fsp (fair sojourn protocol:
                 size-based with aging, late jobs share), fsp-fifo (late jobs one at a time), fsp-las (least attained
                 first), fsp-next (late jobs share with the first on-time one)
                 slots, jobs that hold machines: what a site can turn on first: fcfs (which fifo names too), easy (backfill beside the
                 first job that waits), conservative (beside all that wait), fair-share (easy that plans anew each time, in the order of
                 what users have used, which halves in 7 days, as Slurm does), easy-sjbf (the shortest first), easy++ (sjbf by the mean
                 of the user's last two jobs), then srpt (by true work left), hfsp (as below) and easy-true (by true times); all but
                 fcfs, easy, srpt and hfsp where users said how long jobs run; with -window those alone that plan: easy,
                 conservative, fair-share, easy-sjbf, easy++, easy-true
                 slots, jobs of tasks: fifo, fair (equal shares of the slots, or by weight), srpt, hfsp (fsp task by task, sizes from
                 samples of 5 tasks)
                 for jobs of several users fair-users, for jobs with deadlines edf and llf (earliest deadline, least laxity by true
                 times). as-it-was is no policy but what the log says
  jobs           how many are compared: those that end under every policy of the table and under the two that all are compared with:
                 fifo and ps, on slots fifo and fair, for jobs that hold machines fcfs and easy, with -window conservative and easy
  mean_wait      of jobs that hold machines: mean time from arrival to start. Jobs that failed or were cancelled count for as long as they ran;
                 with -completed they are left out
  worst_tenth    mean sojourn of the tenth of the jobs that has the longest; of jobs that hold machines mean wait of the tenth that waits
                 longest. Lines below the table say which policy has the least of both numbers, how it was, and who loses
  mean_sojourn   mean time from submission to completion, in seconds, over the jobs compared
  mean_ci95      with -seeds: half of the 95% confidence interval of the mean over the seeds, by Student's t. A seed draws the synthetic day,
                 and with -sigma the errors. With -trace and no -sigma it draws the arrivals: jobs of the trace with their gaps, in
                 blocks of consecutive ones from random places (block bootstrap)
  p50 p95 p99    percentiles of it: the value at place p (jobs - 1) of the ascending sojourns, counted from 0 and interpolated linearly
  max            the largest
  mean_slowdown  in the tsv and json: mean of sojourn/size over the jobs of a size above 0; NA (null in JSON) when there are none. On the
                 slot model size is the time that a job takes alone on the cluster
  bounded_slowdown, p95_bounded
                 mean of sojourn over size, or over 10 s where that is more, and 1 where that is less; of jobs that hold machines the 95th
                 percentile too
  use            of jobs that hold machines: the work done over what the processors can do from the first arrival to the last end, or
                 between -from and -to; as it was of all jobs of the log
  at_risk        with -window: windows, each as often as it recurs, that lack processors as they begin, since jobs of others hold them
                 that began before and ran longer than was planned: than they asked for, under easy++ than was predicted.
                 A line below the table says of the one that lacks them longest until when, and by which jobs
  owed, worst_window
                 on the slot model, where jobs are of several users: the sum of what users were owed on balance, and the most that one missed
                 within a window of time, in hours of a processor or map slot. At each time a user is entitled to an equal share of them, or
                 to what it asks for, waiting or running, where that is less (schedmath audit). A line below the table
                 says who was owed most as it was, and how much less or more it would have been; whatif-owed.tsv has each user
  later_than_ps  jobs that end later than under processor sharing (slots: later_than_fair, or later_than_easy), by more than 1e-12 of their
                 finish time. With one seed a line below the table says how well starts under easy can be foretold
  unended        jobs not compared that do not end under this policy, as when their walltime ends; the text has it where there are any
  never_run      jobs left out, since the cluster can never run them. This and the following are in the tsv and json; the text says them above the table
  log_jobs, log_never_ran, log_running, log_waiting, log_none, log_left_out
                 jobs that a log has; of them, that were cancelled while they waited, run still, wait still, and ask for none of the
                 resource; and lines left out, which say too little or cannot be read
  machines       of 4 map and 2 reduce slots each; for jobs that hold machines processors
  load, map_load, reduce_load, server_load
                 offered load: the work of the jobs over what the slots of a kind, or the server, can do from the first arrival to the last.
                 Below .3 and above 1 a warning says that the comparison tells little

-window FILE has windows, one a line below a header, in which processors are held for nobody (maintenance) or for the jobs of a user:

  from,to,processors,every,user
  2026-03-03T08:00:00,2026-03-03T12:00:00,128,7d,
  2026-03-02T09:00:00,2026-03-02T10:00:00,16,24h,anna

The times are of the kind that -from takes. A window recurs every so long (7d, 12h or seconds) up to the time in the column until, or else
to the log's end, which is the last end that it has or that a job without a wait would have, at most 10,000 times; a window of more
processors than there are holds all. With -by team the column user has teams. Policies that know no windows are refused, and as-it-was
is what happened without these. -forecasts know the windows.

On many machines: -part 3/16 -out part3.json makes one of 16 parts, each with the same flags and trace, and -join part*.json shows on one
machine, with the trace at hand, what one run would have shown, to the byte. Runs are dealt out by seed and policy. A part that is missing is
named; -partial then shows the seeds of which all runs are there. cmd/schedmath has a script for Slurm and a manifest for Kubernetes.

With -html FILE it also writes a page, which begins with the load, the best policy and who loses, then the command: distributions of sojourn
times and slowdowns, slowdown by size, what runs and what waits over time, who gains and who loses, the users where they have names, with -seeds intervals of the differences of means (paired: both under the same seed), and words on what the numbers mean and do not.

With -out it also writes
  DIR/whatif-policies.tsv   the table at full precision
  DIR/whatif-*.tsv          what else the page shows
  DIR/whatif-all.json       what -format json prints
  DIR/whatif-jobs.tsv       with -trace and one seed: each job by the log's own name, its user and submit time, and under each policy its
                            start, wait and end (on the fluid server its sojourn time), as dates where the log has dates
With -forecasts FILE it writes a line for each forecast of a start under easy: job, when it was given, low, median and high of the calibrated
interval, start, and the level of the interval.
`

// Main is the program: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return program.Exit(stderr, "schedmath whatif", run(args, nil, stdout, stderr))
}

// define binds the settings of a comparison to flags.
func (o *Options) define() (flags *flag.FlagSet) {
	flags, o.common = program.Flags("schedmath whatif", "", fmt.Sprintf("only the first %d jobs", quickJobs), true)
	flags.Lookup("trace").Usage = "replay the table, log of Slurm, Kubernetes or in SWF, SWIM trace or job file `FILE` (plain or gzip; - is standard input) instead of the synthetic day"
	flags.Float64Var(&o.DiskToNetwork, "dn", 4, "disk bandwidth over network bandwidth, `X` >= 0")
	flags.Float64Var(&o.Load, "load", 0.9, "offered load, `X` > 0: work per second of the trace. Jobs with times of their own keep their arrivals without this flag")
	flags.Float64Var(&o.Sigma, "sigma", 0, "error of the estimates on the fluid server, `X` >= 0; 0 is exact sizes")
	flags.StringVar(&o.Policies, "policies", "", "the policies, a `LIST` separated by commas, in the order of the rows (default all of the model)")
	flags.StringVar(&o.Model, "model", "", "`MODEL` to replay on: fluid (one server that jobs share in any way) or slots (a cluster, task by task); default slots for jobs with times of their own")
	flags.IntVar(&o.Seeds, "seeds", 1, "replay `N` seeds from -seed on, and show means over them with a 95% interval of the mean sojourn time")
	flags.IntVar(&o.Machines, "machines", 0, "`N` machines in the cluster, each of 4 processors, or 4 map and 2 reduce slots (default as many processors as the log or the widest rigid job of a file needs, else 18 machines)")
	flags.Float64Var(&o.Memory, "memory", 0, "memory of each machine, `X` bytes, which tasks hold while they run; 0 is no limit")
	flags.IntVar(&o.MaxTasks, "max-tasks", 1<<24, "refuse files whose jobs have more than `N` tasks together: each takes 5 bytes, and 400 while it runs")
	flags.IntVar(&o.MaxJobs, "max-jobs", 1<<21, "refuse files of more than `N` jobs: each takes some 700 bytes")
	flags.BoolVar(&o.Strict, "strict", false, "refuse a log at its first line that cannot be read")
	flags.Float64Var(&o.Bad, "bad", .01, "refuse a log if more than ten lines, and more than the part `X` of them, cannot be read for one reason")
	flags.Int64Var(&o.MaxBytes, "max-bytes", 1<<30, "refuse files of more than `N` bytes, unpacked")
	o.Requests = true
	flags.BoolVar(&o.Completed, "completed", false, "leave out the jobs of a log that failed or were cancelled")
	flags.StringVar(&o.Resource, "resource", "cpu", "the resource `NAME` that the jobs of Slurm and Kubernetes hold: cpu, gpu, node, or in full")
	flags.StringVar(&o.zone, "zone", "UTC", "`ZONE` of times that do not say theirs, those of -from and -to among them, such as Europe/Berlin (default that of a log in SWF, else UTC)")
	flags.StringVar(&o.From, "from", "", "only the jobs that come from a `TIME` on: seconds as the file has, since 1970 if it has dates, or 2026-03-01, or 2026-03-01T08:30:00, with Z or +01:00 or in -zone")
	flags.StringVar(&o.To, "to", "", "only the jobs that come before a `TIME`")
	flags.StringVar(&o.warm, "warm", "0", "play the jobs of a `DURATION` before -from too, as 30d or 12h, and count none of them; without it the policies begin with an empty cluster")
	flags.StringVar(&o.By, "by", "", "whose the jobs of a log are: each `NAME`, user, team (account, group, namespace) or queue (default user, or team where there is none)")
	return flags
}

// take takes the values of the flags that define has bound.
func (o *Options) take(flags *flag.FlagSet) (err error) {
	o.Options = *o.common
	o.Command = program.Command("schedmath whatif", program.Given(flags, "partial"))
	if o.Zone, err = program.Zone(flags, o.zone); err != nil {
		return err
	}
	if o.Warm, err = program.Duration("warm", o.warm); err != nil {
		return err
	}
	flags.Visit(func(f *flag.Flag) {
		o.Scaled = o.Scaled || f.Name == "load"
		o.Bytes = o.Bytes || f.Name == "dn"
	})
	return nil
}

// run is the program with the runs of parts, if there are any.
func run(args []string, j *joined, stdout, stderr io.Writer) error {
	o := Options{joined: j, reserve: reserve}
	flags := o.define()
	flags.StringVar(&o.Window, "window", "", "plan around the windows of `FILE`, a table with the columns from, to, processors and, as wanted, every, until, user: held for nobody, or for the jobs of a user")
	html := flags.String("html", "", "write the comparison into `FILE` as one page with pictures and words, which needs no network and no other file")
	forecasts := flags.String("forecasts", "", "write each forecast of a start under easy into `FILE`, as tab separated values")
	part := flags.String("part", "", "make only a `PART` of the runs, such as 3/16, and write them into the file of -out, for -join on one machine when all parts are made on several")
	join := flags.Bool("join", false, "read the files of all parts, named behind the flags, and show what one run would have shown; the flags of the parts count, and others add to them")
	flags.BoolVar(&o.partial, "partial", false, "with -join: parts may be missing, and only seeds are shown of which all runs are there")
	format := flags.String("format", "text", "`FORMAT` of the table: text (rounded), tsv or json (both at full precision)")
	if done, err := program.ParseFiles(flags, args, stdout, help); done || err != nil {
		return err
	}
	switch {
	case *join:
		j, err := readParts(flags.Args())
		if err != nil {
			return err
		}
		return run(slices.Concat(j.Args, program.Given(flags, "join")), j, stdout, stderr)
	case flags.NArg() > 0:
		return program.Usagef("unexpected argument %q: every input is a flag (see -help)", flags.Arg(0))
	}
	err := o.take(flags)
	if err != nil {
		return err
	}
	if *format != "text" && *format != "tsv" && *format != "json" {
		return program.Usagef("-format is %q, want text, tsv or json", *format)
	}
	ctx, stop := program.OnInterrupt()
	defer stop()
	if *part != "" {
		share, err := parts.Parse(*part, o.Out, o.Trace, o.Window)
		if err != nil {
			return err
		}
		if *html != "" || *forecasts != "" || j != nil {
			return program.Usagef("-part writes its runs into the file of -out, and nothing else")
		}
		file := o.Out
		o.Out = ""
		return writePart(ctx, o, share, program.Given(flags, "part", "out"), file, stderr)
	}
	if o.partial && j == nil {
		return program.Usagef("-partial is for -join")
	}
	if o.Out != "" {
		if err := program.Prepare(o.Out); err != nil {
			return err
		}
	}
	if err := cmp.Or(o.place("forecasts", *forecasts), o.place("html", *html)); err != nil {
		return err
	}
	o.foretold = *forecasts != ""
	c, stopped := Compare(ctx, o, stderr)
	if c == nil {
		return stopped
	}
	if err := c.write(*html, *forecasts, stderr); err != nil {
		return err
	}
	switch *format {
	case "tsv":
		_, err = stdout.Write(c.table(true).TSV())
	case "json":
		err = c.Document().JSON(stdout)
	default:
		err = c.writeText(stdout)
	}
	return cmp.Or(err, stopped)
}

// place checks that neither the file of a flag nor one of -out is one that is read.
func (o *Options) place(flag, name string) error {
	inputs := []string{o.Trace, o.Window}
	if o.joined != nil {
		inputs = append(inputs, o.joined.files...)
	}
	if err := program.Place(flag, name, inputs...); err != nil || o.Out == "" {
		return err
	}
	there, err := os.ReadDir(o.Out)
	for _, f := range there {
		if err == nil && strings.HasPrefix(f.Name(), "whatif-") && (strings.HasSuffix(f.Name(), ".tsv") || f.Name() == wholeName) {
			err = program.Place("out", filepath.Join(o.Out, f.Name()), inputs...)
		}
	}
	return err
}
