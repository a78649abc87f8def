// Package starts is the command starts: what squeue and sinfo print becomes a table that says when
// each job that waits will start, and what it waits for.
package starts

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/slurm"
	"github.com/schedmath/schedmath/joblog"
)

const help = `schedmath starts FILE says when each job that waits in a Slurm cluster will start, and what it waits for.

FILE, of which - is standard input, is what squeue, sinfo and scontrol print, one behind the other:

  ` + wanted + `

The table has, for each job in the order in which Slurm serves them (by priority, then by submission), the times between which it starts in
9 of 10 cases, the median, and who holds what it waits for. Held jobs, those that depend on others and those that wait for a time, a
reservation or a limit are counted by reason. Nodes that are down or drained are not counted, and what runs on nodes that drain or in a
reservation that has begun frees nothing for those that wait; squeue does not say what runs there, so it is judged by the states of the
other nodes. Memory is not looked at. A line above the table names each reservation to come that lacks CPUs or GPUs as it
begins, wherever jobs run, if those that run now last up to their limits: until when, and by which jobs.

Without -history each job is taken to run up to its limit. -history FILE is what sacct printed of the last days (docs/trace.md), which says
how long jobs of each user really run. -forecasts FILE.tsv keeps the forecasts of each call: with it and -history intervals are widened by
how far earlier forecasts were off, so call it every few minutes. An answer that has not learned so is marked uncalibrated: expect about
half of the starts within it.
`

// settings are the flags.
type settings struct {
	at, zone, submit, partition string
	history, forecasts          string
	joblog.ReadOptions
}

// Main is the program: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return program.Exit(stderr, "schedmath starts", run(args, stdout))
}

func run(args []string, stdout io.Writer) error {
	var s settings
	f := flag.NewFlagSet("schedmath starts", flag.ContinueOnError)
	f.StringVar(&s.at, "at", "", "`TIME` at which squeue printed (default the greatest start and run time of what runs)")
	f.StringVar(&s.zone, "zone", "UTC", "`ZONE` of all times, such as Europe/Berlin")
	f.StringVar(&s.partition, "partition", "", "show the jobs of the partition `NAME`, and submit there (default all; the one with the most nodes)")
	f.StringVar(&s.submit, "submit", "", "add a job of so many CPUs and such a limit, `CPUSxTIME` as 64x2h, that is submitted now")
	f.StringVar(&s.history, "history", "", "`FILE` of sacct about the last days")
	f.StringVar(&s.forecasts, "forecasts", "", "`FILE` in which forecasts are kept, and from which the next ones learn")
	if done, err := program.ParseFiles(f, args, stdout, help); done || err != nil {
		return err
	}
	if f.NArg() != 1 {
		return program.Usagef("want one file: schedmath starts [flags] FILE (see -help)")
	}
	zone, err := program.Zone(f, s.zone)
	if err != nil {
		return err
	}
	s.Zone = cmp.Or(zone, time.UTC)
	if s.forecasts == "-" {
		return program.Usagef("-forecasts - is read and written: want a file")
	}
	if err := program.Place("forecasts", s.forecasts, f.Arg(0), s.history); err != nil {
		return err
	}
	in, err := program.Open(f.Arg(0))
	if err != nil {
		return err
	}
	defer in.Close()
	c, err := read(in, s.Zone)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Arg(0), err)
	}
	return s.tell(stdout, c)
}

// tell forecasts and prints.
func (s *settings) tell(stdout io.Writer, c *cluster) error {
	now, err := program.Time("at", s.at, s.Zone, c.clock())
	if err != nil {
		return err
	}
	if math.IsNaN(now) {
		return program.Usagef("nothing runs, which would tell the time: say with -at when squeue printed")
	}
	if s.partition != "" && !slices.Contains(c.parts, s.partition) {
		return program.Usagef("-partition is %q, want one of %s", s.partition, strings.Join(c.parts, ", "))
	}
	submitted, err := s.submitted(c, now)
	if err != nil {
		return err
	}
	p := newPlan(c, now, submitted)
	past, err := newPast(s, now)
	if err != nil {
		return err
	}
	told, err := p.forecast(past)
	if err != nil {
		return err
	}
	if err := p.print(stdout, s, told, past); err != nil || s.forecasts == "" {
		return err
	}
	return p.remember(s.forecasts, told)
}

const submittedID = "(submitted)"

// submitted is the job of -submit, nil if there is none.
func (s *settings) submitted(c *cluster, now float64) (*job, error) {
	if s.submit == "" {
		return nil, nil
	}
	cpus, limit, _ := strings.Cut(s.submit, "x")
	n, err := strconv.ParseInt(cpus, 10, 32)
	seconds := slurm.Duration(limit)
	if d, bad := time.ParseDuration(limit); bad == nil {
		seconds = d.Seconds()
	}
	if err != nil || n < 1 || !(seconds > 0) || math.IsInf(seconds, 1) {
		return nil, program.Usagef("-submit is %q, want CPUS and a limit such as 64x2h or 64x2:00:00", s.submit)
	}
	part := s.partition
	if part == "" {
		count := map[string]int{}
		for _, n := range c.nodes {
			for _, x := range n.partitions {
				count[x]++
			}
		}
		part = slices.MaxFunc(c.parts, func(a, b string) int { return cmp.Compare(count[a], count[b]) })
	}
	return &job{id: submittedID, partitions: part, state: "PENDING", cpus: n, limit: seconds, submit: now}, nil
}

// print prints the table below lines that say what it is of.
func (p *plan) print(stdout io.Writer, s *settings, told []backfill.Interval, past *past) error {
	var b strings.Builder
	clock := func(t float64) string {
		if math.IsInf(t, 1) {
			return "never"
		}
		return time.Unix(int64(t), 0).In(s.Zone).Format(slurm.Layout)
	}
	fmt.Fprintf(&b, "%s: on %s %s run, %d wait", clock(p.now), numbers.Count(len(p.nodes), "node"), numbers.Count(len(p.running), "job"), len(p.waiting))
	for _, text := range slices.Sorted(maps.Keys(p.out)) {
		fmt.Fprintf(&b, "; %d %s", p.out[text], text)
	}
	if p.unread > 0 {
		fmt.Fprintf(&b, "; %s cannot be read, the first of them line %d", numbers.Count(p.unread, "line"), p.first)
	}
	b.WriteString("\n" + past.says() + "\n" + p.atRisk(clock))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "job\tuser\tpartition\tcpus\tfrom\tmedian\tto\twaits for")
	for i, j := range p.waiting {
		if s.partition != "" && !slices.Contains(strings.Split(j.partitions, ","), s.partition) {
			continue
		}
		x, err := past.interval(p.now, told[i])
		if err != nil {
			return err
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\n", j.id, j.user, j.partitions, j.cpus, clock(x.Low), clock(x.Median), clock(x.High), p.why(i))
	}
	t.Flush()
	_, err := io.WriteString(stdout, b.String())
	return err
}
