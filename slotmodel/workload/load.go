package workload

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/schedmath/schedmath/slotmodel"
)

// ReadOptions are those of ReadJobs.
type ReadOptions struct {
	// MaxTasks is how many tasks all jobs may have together, since a short file can name more than
	// memory holds; 0: 2^24. At most 2^29-1, as many as slotmodel.Run takes.
	MaxTasks int
	// MaxJobs is how many jobs a file may have that are kept, those of Spans among them; 0: 2^21.
	MaxJobs int
	// MaxBytes is how long a text may be, unpacked; 0: 2^30.
	MaxBytes int64
	// Completed leaves out the jobs of a log that failed or were cancelled, status 0 and 5 in SWF. As
	// they stand those jobs run for as long as they did. Spans has them all.
	Completed bool
	// Resource is what an amount counts in the output of sacct and in Kubernetes: cpu, memory, or any
	// other name such as nvidia.com/gpu, or gres/gpu; the part behind its slash will do, gpu. "": cpu
	Resource string
	Zone     *time.Location // of sacct's times, which do not say theirs; nil: UTC
}

// SWFJob is what a log in the Standard Workload Format says of a job besides its JobSpec. -1 means
// unknown, or none.
type SWFJob struct {
	Number    int     // of the job in the log
	Status    int     // 0: failed, 1: completed, 5: cancelled
	Queue     int     // number of the queue to which it was submitted
	Preceding int     // Number of the job whose end its user awaited before submitting it
	Think     float64 // s from that end to the submission
}

// A Log is what a file says of its jobs.
type Log struct {
	Jobs []slotmodel.JobSpec
	SWIM []SWIMJob // instead of Jobs, for a SWIM trace: Explode makes jobs of them

	Names    []string // of Jobs, but in SWF and in a table without the column id
	Users    []string // the name of each user by number, but in SWF and in job files
	Weighted bool     // the table has the column weight: the Priority of each job is its weight
	SWF      []SWFJob // of a log in SWF: what it says besides of each of Jobs
	// Failed and Cancelled count the jobs of a log that ran and failed or were cancelled, left out or
	// not; in SWF those with status 0 and 5.
	Failed, Cancelled int
	// NoWait counts the jobs of a log in SWF that Spans lacks since their wait is unknown, NoRun those
	// whose run time or processors are, but for jobs cancelled while they waited, which it has.
	NoWait, NoRun int
	Spans         []Span  // what happened to the jobs of a log, in its order, where it has starts
	Origin        float64 // the time of Spans at which Jobs have the time 0
	Processors    int     // of the machine, as the header of a log in SWF has them (MaxProcs, else MaxNodes); 0: unknown
}

// Load reads the jobs of a file, ready for slotmodel.Run, whatever its format: ReadJobs describes
// the formats, the cost and the errors. Of a SWIM trace it makes jobs by Explode with its zero
// options: HFSP's 72 map and 36 reduce slots under a load of .9. An error of the operating
// system, such as a file that does not exist, is returned as it is or wrapped.
func Load(path string) ([]slotmodel.JobSpec, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	log, err := readJobs("Load", "path", f, ReadOptions{}, nil)
	if err == nil && log.SWIM != nil {
		log.Jobs, err = Explode(nil, log.SWIM, ExplodeOptions{})
	}
	return log.Jobs, err
}

// ReadJobs reads jobs from a table, a job file, a SWIM trace or a log in the Standard Workload
// Format (SWF), and what ran from the accounting of Slurm or from Kubernetes, plain or gzip, in
// UTF-8 with or without a byte order mark. The content tells which.
//
// # Tables
//
// A table is for jobs of one's own: comma separated values, or tabs in place of the commas, quoted
// as RFC 4180 has it. Its first line is a header with the names of the columns, in any order, in
// upper or lower case. Each further record is a job. Columns with other names than these are
// ignored.
//
//	user      any name; Log.Users has it
//	submit    when the job came: a time, see below
//	tasks     how many tasks it has: Maps.Tasks
//	run       how long each of them takes, s: Maps.Work
//	id        any name; Log.Names has it
//	memory    bytes that each task holds while it runs
//	deadline  a time after submit; empty: none
//	weight    of the job, > 0: Priority; empty: 1
//	rigid     1: all tasks start together; 0 or empty: each by itself
//	requested Requested, s
//	start     when the job began to run, a time: Spans has the job; empty: it never did
//	end       when it ended, or was cancelled while it waited; empty: start and run
//	team      any name, for Spans; so is queue
//
// The first four are required. A time is a number of seconds since any origin, or a date and time
// as in RFC 3339, such as 2026-03-01T08:30:00Z; all times of a table are of the kind of its first.
// The earliest submit becomes the time 0.
//
// # Logs
//
// A log in the Standard Workload Format 2.2 has 18 numbers to a job with blanks or tabs between
// them, and comments behind semicolons; further fields are passed over. A job becomes a rigid one
// without reduces: as many maps as processors were requested, or else allocated, each as long as
// the run time, and with the memory requested for a processor. It arrives at the submit time and
// has the number of its user, 0 where that is unknown, and the requested time, which does not end
// it. Log.SWF has its number, status, queue, preceding job and think time, which do not change the
// replay. Spans come of the waits, user, group and queue: those of jobs whose wait is known, and of
// jobs cancelled while they waited, which have no run time. Left out are jobs without a run time
// or processors, the lines of the parts of a checkpointed job (status 2 to 4), which has a line for
// the whole, and with ReadOptions.Completed jobs that failed or were cancelled.
//
// # Accounting
//
// The output of sacct -P (Slurm) is a header and lines of fields behind bars. Read are JobID, User,
// Account, Partition, Submit, Eligible, Start, End, State, Timelimit or TimelimitRaw, and what was
// allocated, or requested by a job that did not run: AllocCPUS and ReqCPUS, or AllocTRES and ReqTRES.
// Needed are JobID, Submit or Eligible, Start, End and an amount. A job waits from Eligible, where
// the column is. Passed over are steps, jobs that another cluster runs, and those that never
// became eligible. Times are local to ReadOptions.Zone, or seconds since 1970; Unknown and None are
// none. A line of an array's tasks that wait stands for all of them, as Span.Array says.
//
// A list of Kubernetes, as kubectl get workloads -A -o json or kubectl get jobs,pods -A -o json
// print it, has Workloads of Kueue, or Jobs and Pods. A Workload runs from the reservation of its
// quota to its end; what it ran before an eviction is not in the object, and counts as wait. A Job
// runs from the binding of the first of its Pods in the list, or else from its startTime, with as
// many Pods as its parallelism; other Pods run from their binding. Other kinds are passed over.
//
// Each is a Span, and one that ran and ended a rigid job, as many maps as the amount, rounded up,
// each as long as it ran. The earliest such one begins to wait at time 0.
//
// # Job files
//
// A job file is this package's own format and carries everything that a slotmodel.JobSpec has.
// Its first line is a header: the names, separated by single tabs, of some of these columns in any
// order.
//
//	submit                     Arrival, s
//	user                       User
//	deadline                   Deadline, s
//	priority                   Priority: any number, Inf and -Inf
//	maps, reduces              Tasks of Maps and Reduces
//	map_s, reduce_s            Work of each task, s
//	map_works, reduce_works    Works: s for each task, with commas between them; empty for none
//	map_memory, reduce_memory  Memory of each attempt, bytes
//	slowstart                  Slowstart, at most 1
//	input, shuffle, output     bytes
//	copies                     Copies
//	replicas                   Replicas: nodes, or -1, with commas between them; empty for none
//	walltime, requested        Walltime and Requested, s
//	crash, cancel              s
//	rigid                      Rigid: 0 or 1
//	after                      After: the number of another job of the file, counted from 1; 0 for none
//	think                      Think, s
//	dataset                    Dataset
//
// The columns submit, maps and map_s are required. A field without a column is zero in every job,
// except Slowstart, which is .95. Each further line is a job, with one field for each name of the
// header. Numbers are decimals; those that are no counts may have a fraction and an exponent. Where
// nothing else is said numbers are >= 0, and times, works and bytes at most 2^200, the greatest
// that slotmodel.Run takes. Plus signs, blanks, underscores and hexadecimal are errors. Lines end
// in LF or CRLF, the last one perhaps in neither; empty lines after the last job are skipped. The
// jobs keep the order of the lines, whatever their times.
//
// # Which format
//
// The first line tells. A line of 6 to 9 fields behind tabs with numbers in the fields 2 to 6 is
// that of a SWIM trace, one with a field "maps" or "map_s" the header of a job file, one with a
// field "user", "submit", "tasks" or "run" that of a table, or with bars sacct's. A log begins with a
// comment behind a semicolon, or with 18 numbers, a list of Kubernetes with a brace.
//
// # Cost and errors
//
// The cost is O(bytes of the file); of memory some hundred bytes for each job beside the text of its
// names, or twice that. On error no jobs are returned. Faults of the file are
// *ParseErrors. Those of a SWIM trace are ReadSWIM's. In any other they are a line of more than
// 16 MiB, a number out of its range, and jobs, tasks or bytes beyond MaxJobs, MaxTasks and MaxBytes.
// In a table they are also what
// encoding/csv refuses, a required column that is missing, a known one that is there twice, and
// names with control bytes. In a job file they are
//   - a header with an unknown name, with a name twice, or without a required column;
//   - a line with fewer or more fields than the header, a blank line, a comment, an empty line
//     before a job;
//   - a number of works other than the number of tasks, or of replicas other than copies times
//     maps.
//
// In a log they are a line of fewer than 18 fields, and a field that is used and is no number. In
// accounting they are a time or an amount that is none, a start before the wait, an end before the
// start, a line with another number of fields than the header, a list of array tasks that is cut
// short, an amount out of its range, a text that is no JSON, an item of more than 16 MiB, Workloads
// beside Jobs or Pods, and a Job behind one of its Pods.
//
// An empty file, one in UTF-16 and one of no format are *ParseErrors too, and so is a gzip stream
// that is cut off or has a wrong checksum; Column is 0 then. A nil r and a limit out of its range are
// *schedmath.InputErrors. An error of r is returned wrapped and is not schedmath.ErrInput.
func ReadJobs(r io.Reader, o ReadOptions) (Log, error) { return readJobs("ReadJobs", "r", r, o, nil) }

// format is a file of jobs as far as it has been read.
type format interface {
	add(textLine) error
	log() (Log, error)
}

// smallestTable is the table that messages show.
const smallestTable = `a table of the two lines "user,submit,tasks,run" and "anna,0,4,60" is the smallest that is read`

// formatOf tells the format of a file from its first line.
func formatOf(l textLine, in *intake) (format, error) {
	fields := bytes.Split(l.text, tab)
	switch {
	case isSWIM(fields):
		return in.silent(l, newSWIMTrace(in.budget))
	case slices.ContainsFunc(fields, func(f []byte) bool { return string(f) == "maps" || string(f) == "map_s" }):
		return in.silent(l, &jobFile{budget: in.budget})
	case l.isSWF():
		return &swfLog{in: in}, nil
	case l.isSacct():
		return &sacctLog{in: in}, nil
	case slices.ContainsFunc(tableNames(l.text), func(name string) bool { return slices.Contains(tableColumns[:tableNeeded], name) }):
		return nil, errTable
	case len(fields) >= swimColumns:
		return newSWIMTrace(in.budget), nil // says what is wrong
	}
	return nil, l.fault(1, "", nil, "file is no table, job file, SWIM trace or log in SWF, and not of sacct -P or kubectl: "+smallestTable)
}

// silent is a format that does not say what happened to its jobs.
func (in *intake) silent(l textLine, f format) (format, error) {
	if in.each != nil {
		return nil, &ParseError{Line: l.number, Column: 1, Reason: noStarts}
	}
	return f, nil
}

// readJobs is the function fn whose argument arg leads to r. If each is not nil it is told of the
// spans, and no jobs are made.
func readJobs(fn, arg string, r io.Reader, o ReadOptions, each func(Span) bool) (Log, error) {
	g := guard{fn: fn}
	if r == nil {
		g.arg(arg, "nil, want a reader")
	}
	if o.MaxTasks < 0 || o.MaxTasks > maxTasks {
		g.arg("o", "MaxTasks is "+strconv.Itoa(o.MaxTasks)+", want 0 to "+strconv.Itoa(maxTasks))
	}
	if o.MaxJobs < 0 {
		g.arg("o", "MaxJobs is "+strconv.Itoa(o.MaxJobs)+", want 0 or more")
	}
	if o.MaxBytes < 0 {
		g.arg("o", "MaxBytes is "+strconv.FormatInt(o.MaxBytes, 10)+", want 0 or more")
	}
	if g.err != nil {
		return Log{}, g.err
	}
	in := &intake{ReadOptions: o, budget: &budget{mostTasks: cmp.Or(o.MaxTasks, defaultTasks), mostJobs: cmp.Or(o.MaxJobs, defaultJobs)}, each: each, users: map[string]int{}, names: map[string]string{}}
	log, err := in.read(newLineReader(r, cmp.Or(o.MaxBytes, defaultBytes)))
	if err == errStopped {
		return in.log, nil
	}
	return log, err
}

// read reads a file of any format.
func (in *intake) read(text *lineReader) (Log, error) {
	if text.err == nil {
		if head, _ := text.text.Peek(1); string(head) == "{" {
			return readKubernetes(text, in)
		}
	}
	var file format
	for line, err := range text.lines() {
		if err == nil && file == nil {
			if file, err = formatOf(line, in); err == errTable {
				return readTable(text, line, in)
			}
		}
		if err == nil {
			err = file.add(line)
		}
		if err != nil {
			return Log{}, err
		}
	}
	if file == nil {
		return Log{}, &ParseError{Line: 1, Column: 1, Reason: "file is empty: " + smallestTable}
	}
	return file.log()
}
