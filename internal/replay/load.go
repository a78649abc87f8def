// Package replay loads the workload that an example replays: any file that package workload reads,
// or the synthetic day that stands in for one.
package replay

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A Workload is jobs for one fluid server of speed 1, in the order of the trace, with exact
// estimates.
type Workload struct {
	Name      string // for people: what was replayed
	Synthetic bool
	Jobs      []fluid.Job
}

// A Trace is what is replayed: the jobs of a SWIM trace, or those of another file, which have times
// of their own.
type Trace struct {
	Name      string // for people: what is replayed
	Synthetic bool

	SWIM []joblog.SWIMJob    // of a SWIM trace; otherwise
	Jobs []slotmodel.JobSpec // with times of their own

	Names    []string // of Jobs, but in SWF, and where a table or a job file has none
	Users    []string // the name of each user by number, but in SWF and in job files
	Weighted bool     // the Priority of each job is its weight
	Spans    []Span   // what happened to the jobs of a log, in its order
	Origin   float64  // the time of Spans at which Jobs have the time 0

	Zone       *time.Location // that the file says, or was asked for; nil: none
	Processors int            // of the machine, as the header of a log has them; 0: unknown
	Queues     int            // queues or partitions that the jobs of a log name
	NoWait     int            // jobs of a log that Spans lack since their wait is unknown
	Counts     joblog.Counts
	LeftOut    []joblog.Reason // why the file has lines without a job
}

// A Span is what happened to a job of a log.
type Span struct {
	joblog.Span
	Job int // index in Trace.Jobs; -1: not among them
}

// Reading is how a file is read.
type Reading struct {
	joblog.ReadOptions
	workload.FromLogOptions
}

// FirstDate is the least time of a file that is a date and no number of seconds: in the year 1973.
const FirstDate = 1e8

// Dated says whether the times of the file are dates.
func (t *Trace) Dated() bool { return t.Origin >= FirstDate }

// Clock writes a time of the jobs: a date to the millisecond where the file has dates, else seconds.
func (t *Trace) Clock(at float64) string {
	if !t.Dated() || !(math.Abs(at) <= math.MaxFloat64) {
		return numbers.Full(at)
	}
	return time.UnixMilli(int64(math.Round(1000 * (at + t.Origin)))).In(cmp.Or(t.Zone, time.UTC)).Format("2006-01-02 15:04:05.999")
}

// Local is what clocks of a zone show at a time, both in seconds since 1970.
func Local(at float64, zone *time.Location) float64 {
	_, offset := time.Unix(int64(at), 0).In(cmp.Or(zone, time.UTC)).Zone()
	return at + float64(offset)
}

// Len is the number of jobs.
func (t *Trace) Len() int { return len(t.SWIM) + len(t.Jobs) }

// Open reads the named file, of which - is standard input and whose content tells its format, or
// makes the synthetic day from seed when name is empty. When first is positive only that many jobs
// are taken.
func Open(name string, seed uint64, first int, o Reading) (Trace, error) {
	t := Trace{Name: fmt.Sprintf("the synthetic day of seed %d", seed), Synthetic: name == ""}
	var err error
	if t.Synthetic {
		t.SWIM, err = workload.SyntheticFB2010(workload.Stream(seed, workload.Trace, 0))
	} else {
		t.Name = "the trace " + filepath.Base(name)
		if name == "-" {
			t.Name = "the trace on standard input"
		}
		err = t.read(name, o)
	}
	if err != nil {
		return Trace{}, err
	}
	switch {
	case t.Len() > 0:
	case len(t.Spans)+len(t.LeftOut) > 0:
		return Trace{}, program.Usagef("%s: of no job of the log is it known that it ran and ended", name)
	default:
		return Trace{}, program.Usagef("%s: the trace holds no jobs", name)
	}
	if first > 0 && first < t.Len() {
		t.Name = fmt.Sprintf("the first %d jobs of %s", first, t.Name)
		t.keep(func(i int) bool { return i < first })
	}
	return t, nil
}

// keep leaves only the jobs that are wanted by their places, which the rest of the log then follows.
func (t *Trace) keep(wanted func(i int) bool) {
	t.SWIM, t.Names = only(t.SWIM, wanted), only(t.Names, wanted)
	place := make([]int, len(t.Jobs)) // of each job, from 1
	n := 0
	for i := range t.Jobs {
		if wanted(i) {
			n++
			place[i] = n
		}
	}
	t.Jobs = only(t.Jobs, wanted)
	for i := range t.Spans {
		if s := &t.Spans[i]; s.Job >= 0 {
			s.Job = place[s.Job] - 1
		}
	}
}

// only is the part of a list that is wanted by place.
func only[T any](list []T, wanted func(i int) bool) []T {
	kept := list[:0]
	for i := range list {
		if wanted(i) {
			kept = append(kept, list[i])
		}
	}
	return kept
}

// Accounted says how many jobs of a log are used, what became of others, and what the file has lines
// of that are no jobs.
func Accounted(used int, c joblog.Counts, resource string, reasons []joblog.Reason) string {
	text := fmt.Sprintf("%d of %s of the file", used, numbers.Count(c.Jobs, "job"))
	sign := ": "
	for _, n := range []struct {
		jobs int
		what string
	}{{c.NeverRan, "never ran"}, {c.Running, "run still"}, {c.Waiting, "wait still"}, {c.None, "ask for no " + cmp.Or(resource, "cpu")}} {
		if n.jobs > 0 {
			text += fmt.Sprintf("%s%d %s", sign, n.jobs, n.what)
			sign = ", "
		}
	}
	for _, r := range reasons {
		text += fmt.Sprintf("; %s left out, the first of them line %d: %s", numbers.Count(r.Lines, "line"), r.First, r.Text)
	}
	return text
}

// Within leaves only the jobs that arrive from a time on and before another one, on the clock of the
// file.
func (t *Trace) Within(from, to float64) error {
	first, last := math.Inf(1), math.Inf(-1)
	t.keep(func(i int) bool {
		at := 0.
		if t.SWIM != nil {
			at = t.SWIM[i].Submit
		} else {
			at = t.Jobs[i].Arrival + t.Origin
		}
		first, last = min(first, at), max(last, at)
		return from <= at && at < to
	})
	if t.Len() == 0 {
		clock := func(at float64) string { return numbers.Full(at) + " s" }
		if t.Dated() {
			clock = func(at float64) string { return t.Clock(at - t.Origin) }
		}
		return program.Usagef("no job of %s arrives within -from and -to: they arrive from %s to %s", t.Name, clock(first), clock(last))
	}
	return nil
}

// AtOnce is the most that ran at one time.
func AtOnce(spans []audit.Span) float64 {
	type change struct{ at, amount float64 }
	var list []change
	for _, s := range spans {
		if s.Start < s.End {
			list = append(list, change{s.Start, s.Amount}, change{s.End, -s.Amount})
		}
	}
	slices.SortFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.amount, b.amount)) }) // ends first
	use, most := 0., 0.
	for _, c := range list {
		use += c.amount
		most = max(most, use)
	}
	return most
}

// By is what jobs of a log are grouped by, by the names that it has in flags.
var By = map[string]string{"team": "team", "account": "team", "user": "user", "queue": "queue", "partition": "queue"}

// Group makes the users of jobs those that a log names as user, team or queue.
func (t *Trace) Group(what string) error {
	if t.Spans == nil {
		return program.Usagef("-by %s: %s does not say whose jobs ran", what, t.Name)
	}
	t.Users = nil
	number := map[string]int{}
	user := func(name string) int {
		u, known := number[name]
		if !known {
			u = len(number)
			number[name] = u
			t.Users = append(t.Users, name)
		}
		return u
	}
	for i := range t.Jobs {
		t.Jobs[i].User = -1
	}
	for _, s := range t.Spans {
		if s.Job >= 0 {
			t.Jobs[s.Job].User = user(cmp.Or(map[string]string{"user": s.User, "team": s.Team, "queue": s.Queue}[what], "unknown"))
		}
	}
	for i := range t.Jobs {
		if t.Jobs[i].User < 0 {
			t.Jobs[i].User = user("unknown")
		}
	}
	return nil
}

// Read is Open for programs that need the bytes of a SWIM trace.
func Read(name string, seed uint64, first int) (Trace, error) {
	t, err := Open(name, seed, first, Reading{})
	if err == nil && t.SWIM == nil {
		return Trace{}, program.Usagef("%s: jobs with times of their own, want a SWIM trace: jobs are made of its bytes", name)
	}
	return t, err
}

// Load reads a trace and gives each job HFSP's size for a disk to network ratio dn, with all of
// them under a load.
func Load(name string, seed uint64, dn, load float64, first int) (Workload, error) {
	t, err := Read(name, seed, first)
	if err != nil {
		return Workload{}, err
	}
	jobs, err := t.Fluid(dn, load)
	if err != nil && !t.Synthetic {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return Workload{Name: t.Name, Synthetic: t.Synthetic, Jobs: jobs}, err
}

// Fluid gives each job of a SWIM trace HFSP's size for a disk to network ratio dn, with all of them
// under a load.
func (t *Trace) Fluid(dn, load float64) ([]fluid.Job, error) {
	sizes, err := workload.Sizes(nil, t.SWIM, dn, load)
	if err != nil {
		return nil, err
	}
	jobs := make([]fluid.Job, len(t.SWIM))
	for i, j := range t.SWIM {
		jobs[i] = fluid.Job{Arrival: j.Submit, Size: sizes[i], Estimate: sizes[i]}
	}
	return jobs, nil
}

// read reads a file.
func (t *Trace) read(name string, o Reading) error {
	in, err := program.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	jobs, log, err := workload.ReadJobs(in, o.ReadOptions)
	if err == nil {
		t.SWIM, t.Jobs = log.SWIM, jobs
		if o.Requests {
			longest := 0. // as FromLog has it, of job files, which have no queues
			for i := range jobs {
				longest = max(longest, jobs[i].Requested)
			}
			for i := range jobs {
				jobs[i].Requested = cmp.Or(jobs[i].Requested, longest)
			}
		}
		if log.Format != joblog.NoFormat && log.Format != joblog.SWIM {
			err = t.take(log, o.FromLogOptions)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// take makes jobs and spans of those of a log.
func (t *Trace) take(log joblog.Log, o workload.FromLogOptions) (err error) {
	if t.Jobs, err = workload.FromLog(nil, log, o); err != nil {
		return err
	}
	t.Processors, t.NoWait, t.Counts, t.LeftOut, t.Zone = log.MaxProcs, log.NoWait, log.Counts, log.LeftOut, log.Zone
	if !log.Begin.IsZero() {
		t.Origin = float64(log.Begin.Unix())
	}
	taken := workload.Replayed(nil, log, o)
	named, users, spec := false, log.Format != joblog.SWF, 0
	queues := map[string]bool{}
	for i := range log.Jobs {
		j := &log.Jobs[i]
		job := -1
		if spec < len(taken) && taken[spec] == i {
			job = spec
			spec++
			u := t.Jobs[job].User
			if users && u == len(t.Users) {
				t.Users = append(t.Users, cmp.Or(j.User, j.Team, "unknown"))
			}
			if log.Format != joblog.SWF && t.Jobs[job].Arrival == 0 {
				t.Origin = j.Submit
			}
			t.Weighted = t.Weighted || j.Weight > 0
			named = named || users && j.ID != ""
			if j.Queue != "" {
				queues[j.Queue] = true
			}
		}
		if s, ok := j.Span(); ok {
			t.Spans = append(t.Spans, Span{s, job})
		}
	}
	t.Queues = len(queues)
	if named = named || log.Format == joblog.SWF; named {
		t.Names = make([]string, len(taken))
		for k, i := range taken {
			t.Names[k] = log.Jobs[i].ID
		}
	}
	return nil
}
