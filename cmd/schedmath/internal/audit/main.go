// Package audit is the command audit: a log of Slurm, Kubernetes, SWF or a table
// becomes a table and a page that say who was owed what, by the sums of package audit.
package audit

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
	"github.com/schedmath/schedmath/joblog"
)

const help = `schedmath audit FILE says who was owed how much of a cluster, when, and who had it instead.

FILE, of which - is standard input, is what sacct -P printed (Slurm), what kubectl get workloads -A -o json (Kueue) or
kubectl get jobs,pods -A -o json printed, a log in SWF, or a table with a column start; docs/trace.md has each.

At every instant each team is entitled to its fair share of the capacity: what it asks for, waiting or running, cut down by weights, floors
and priorities where all together ask for more. The table has, in hours of the resource:

  entitled had   what it was entitled to, and what it had
  owed beyond    its entitlement above its use, and its use above its entitlement, each over all instants
  net            owed less beyond: above 0 on balance it had less than its share
  worst          the most that it missed on balance within one window of time, and from when to when
  jobs waits     jobs that began to wait, mean and 95th percentile of the hours that those waited which ran, and how many have not run;
                 they were cancelled or wait still; each task of an array of Slurm counts as a job

Judge by net and worst, not by owed: two teams that take turns owe each other for ever, and nothing on balance.

A wait counts for its first 7 days (-patience): a job that can never start would be owed more every day. Where a job waits for longer, the
verdict that counts all of each wait stands beside it. The job that waited for most in the worst window is named. Of what stood idle it is
said how much was too little for any job that waited.

-shares FILE says who is entitled to what. It is JSON, the only form that is read:

  [{"name": "science"}, {"name": "physics", "parent": "science", "weight": 2}, {"name": "web", "floor": 64}]

Beside name and parent each may have weight (default 1), floor (what it gets before others), priority (the higher is served first) and cap
(the most that it is entitled to). Names of the log that it lacks stand beside its first level with weight 1. Without it all are equal.

Exit codes of the built program (go run makes each of them 1): 3 if the worst of a team is above -limit, 2 for a bad flag or file.
`

// settings are the flags.
type settings struct {
	by, shares, file string
	page             string
	drawn            bool // somebody asks for pictures
	format           string
	asJSON           bool
	capacity, limit  float64
	window, patience time.Duration
	from, to         string
	zone             string
	progress         io.Writer
	joblog.ReadOptions
}

// Main is the program: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	missed, err := run(args, stdout, stderr)
	if err == nil && missed != "" {
		fmt.Fprintln(stderr, "schedmath audit:", missed)
		return 3
	}
	return program.Exit(stderr, "schedmath audit", err)
}

// run does it. missed says whose worst window is above -limit; "": nobody's.
func run(args []string, stdout, stderr io.Writer) (missed string, err error) {
	s := settings{progress: stderr}
	r, err := s.take(args, stdout)
	if r == nil || err != nil {
		return "", err
	}
	if s.page != "" {
		d := r.Document()
		d.Rows = r.Teams[:min(mostRows, len(r.Teams))]
		if err := d.Write(s.page); err != nil {
			return "", err
		}
	}
	switch {
	case s.format == "json":
		err = r.Document().JSON(stdout)
	case s.asJSON:
		r.Pairs = r.allPairs()
		e := json.NewEncoder(stdout)
		e.SetIndent("", " ")
		err = e.Encode(r)
	default:
		err = r.writeText(stdout)
	}
	if w := r.Worst[0]; w.Worst > s.limit {
		missed = fmt.Sprintf("%s missed %s, more than the %s of -limit", w.Name, r.Amount(w.Worst), r.Amount(s.limit))
	}
	return missed, err
}

// Audit is the audit of the arguments, which are those of the command, as its document and as the
// terminal shows it.
func Audit(args []string) (d *page.Document, text string, err error) {
	s := settings{drawn: true, progress: io.Discard}
	r, err := s.take(args, io.Discard)
	if r == nil || err != nil {
		return nil, "", err
	}
	var b strings.Builder
	err = r.writeText(&b)
	d = r.Document()
	d.Rows = r.Teams[:min(mostRows, len(r.Teams))]
	return d, b.String(), err
}

// take takes the arguments and audits the log; nil if the help or the version were asked for.
func (s *settings) take(args []string, stdout io.Writer) (*result, error) {
	f := flag.NewFlagSet("schedmath audit", flag.ContinueOnError)
	f.StringVar(&s.by, "by", "", "audit each `NAME`: team (or account), user, or queue (or partition); default the first of them that the log names")
	f.StringVar(&s.shares, "shares", "", "`FILE` of who is entitled to what, in JSON")
	f.Float64Var(&s.capacity, "capacity", 0, "what the cluster has of the resource, `X` > 0, of memory in GB (default what the header of a log in SWF says, else the most that ran at once)")
	f.StringVar(&s.Resource, "resource", "cpu", "the resource `NAME` in logs of Slurm and Kubernetes: cpu, gpu, memory, node, or in full")
	f.DurationVar(&s.window, "window", 0, "longest window, a `DURATION` as 24h, that worst is sought in (default any)")
	f.DurationVar(&s.patience, "patience", 7*24*time.Hour, "a wait counts for its first `DURATION`; 0: for all of it")
	f.Float64Var(&s.limit, "limit", math.Inf(1), "exit with 3 if a team missed more than `X` hours of the resource in its worst window")
	f.StringVar(&s.from, "from", "", "audit from a `TIME` on: seconds as the log has, since 1970 if it has dates, or 2026-03-01, or 2026-03-01T08:30:00, with Z or +01:00 or in -zone")
	f.StringVar(&s.to, "to", "", "audit up to a `TIME` (default the last at which anything changes: give the time at which the log was taken)")
	f.StringVar(&s.zone, "zone", "UTC", "`ZONE` of times that do not say theirs, and of those printed, such as Europe/Berlin (default that of a log in SWF, else UTC)")
	f.BoolVar(&s.Strict, "strict", false, "refuse a log at its first line that cannot be read")
	f.Float64Var(&s.Bad, "bad", .01, "refuse a log if more than ten lines, and more than the part `X` of them, cannot be read for one reason")
	f.Int64Var(&s.MaxBytes, "max-bytes", 1<<30, "refuse logs of more than `N` bytes, unpacked")
	f.StringVar(&s.page, "html", "", "write a page into `FILE`, which needs no network and no other file")
	f.BoolVar(&s.asJSON, "json", false, "print JSON, with all pairs, instead of the table")
	f.StringVar(&s.format, "format", "text", "`FORMAT` of what is printed: text, or json, the document of the page (docs/trace.md)")
	if done, err := program.ParseFiles(f, args, stdout, help); done || err != nil {
		return nil, err
	}
	if f.NArg() != 1 {
		return nil, program.Usagef("want one file: schedmath audit [flags] FILE (see -help)")
	}
	s.file = f.Arg(0)
	given := map[string]bool{}
	f.Visit(func(x *flag.Flag) { given[x.Name] = true })
	switch {
	case s.by != "" && replay.By[s.by] == "":
		return nil, program.Usagef("-by is %q, want team (or account), user or queue (or partition)", s.by)
	case given["capacity"] && !(s.capacity >= 1e-60 && s.capacity <= 1e60):
		return nil, program.Usagef("-capacity is %v, want a number from 1e-60 to 1e60: what the cluster has of the resource", s.capacity)
	case !(s.limit >= 0):
		return nil, program.Usagef("-limit is %v, want a number >= 0", s.limit)
	case s.patience < 0:
		return nil, program.Usagef("-patience is %v, want 0 or more", s.patience)
	case s.window < 0:
		return nil, program.Usagef("-window is %v, want 0 or more", s.window)
	}
	if s.format != "text" && s.format != "json" || s.asJSON && s.format == "json" {
		return nil, program.Usagef("-format is %q, want text or json, and -json alone", s.format)
	}
	s.by = replay.By[s.by]
	var err error
	if s.Zone, err = program.Zone(f, s.zone); err != nil {
		return nil, err
	}
	if err := program.Place("html", s.page, s.file, s.shares); err != nil {
		return nil, err
	}
	s.drawn = s.drawn || s.page != "" || s.format == "json"
	r, err := s.audit()
	if err == nil {
		r.shared = s.shares != ""
		r.command = program.Command("schedmath audit", append(program.Given(f, "html", "json", "format"), s.file))
	}
	return r, err
}

// writeText writes the table below lines that say what was audited.
func (r *result) writeText(out io.Writer) error {
	w := bufio.NewWriter(out)
	for _, line := range r.Summary {
		fmt.Fprintln(w, line)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, cells := range r.Table() {
		fmt.Fprintln(t, strings.Join(cells, "\t")+"\t")
	}
	t.Flush()
	return w.Flush()
}

// Table is a header and a row for each team.
func (r *result) Table() [][]string {
	rows := [][]string{{r.By, "entitled", "had", "owed", "beyond", "net", "worst", "from", "to", "jobs", "mean wait", "p95 wait", "not run"}}
	for i := range r.Teams {
		t := &r.Teams[i]
		row := []string{t.Name}
		for _, x := range []float64{t.Entitled, t.Had, t.Owed, t.Beyond, t.Net, t.Worst} {
			row = append(row, numbers.Short(x))
		}
		from, to := "-", "-"
		if t.Worst > 0 {
			from, to = r.Clock(t.WorstFrom), r.Clock(t.WorstTo)
		}
		rows = append(rows, append(row, from, to, fmt.Sprint(t.Jobs), orDash(t.MeanWait), orDash(t.P95Wait), fmt.Sprint(t.NeverRan)))
	}
	return rows
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

func orDash(x *float64) string {
	if x == nil {
		return "-"
	}
	return numbers.Short(*x)
}
