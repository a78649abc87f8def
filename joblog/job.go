package joblog

import (
	"math"
	"strconv"
	"time"
)

// A Job is what a line of a log, an object of Kubernetes or a row of a table says of a job. Times are
// seconds, since 1970 in UTC where the file has dates, or a header in SWF the date of its second 0, and
// those of the file where it has numbers.
type Job struct {
	ID    string // "" where the file does not say, like the next three
	User  string // who submitted it
	Team  string // account in sacct, group in SWF, namespace in Kubernetes
	Queue string // partition in sacct, LocalQueue in Kueue, queue in SWF

	Submit float64 // when it came or, where the log tells both, could have begun
	Start  float64 // when it began to run; +Inf: it never did; NaN: unknown
	End    float64 // when it ended, or was cancelled if it never ran; +Inf: it runs or waits still; NaN: unknown
	Run    float64 // s for which each of its processors or tasks is held; NaN: unknown, or it has not ended

	// Suspended is how many s of the time from Start to End it stood still, where sacct says so.
	Suspended float64

	Requested float64 // s that its user said it runs; NaN: unknown
	Deadline  float64 // a time after Submit; NaN: none

	Processors int     // that it had or, if it did not run, asked for; tasks in a table; of Amount the least whole number
	Amount     float64 // of ReadOptions.Resource, all its tasks together
	Memory     float64 // bytes that each task or processor holds; 0: unknown
	Weight     float64 // as a table has it; 0 means 1, and is what a file without weights has
	Think      float64 // s from the end of Preceding to the submission, in SWF; NaN: unknown
	Preceding  int     // ID of the job whose end its user awaited before, in SWF; -1: none
	Array      int     // tasks of an array of Slurm that wait together, as one Job; 0: it is one job
	Rigid      bool    // all its tasks start together
	State      State
}

// Span is what happened to a job; ok is false where the file does not say it.
func (j *Job) Span() (s Span, ok bool) {
	return Span{Name: j.ID, User: j.User, Team: j.Team, Queue: j.Queue, From: j.Submit, Start: j.Start, End: j.End, Suspended: j.Suspended, Amount: j.Amount, Array: j.Array},
		!math.IsNaN(j.Start) && !math.IsNaN(j.End)
}

// State is how a job ended.
type State uint8

// How jobs end; Other is every other way, and that of jobs that have not ended.
const (
	Other State = iota
	Completed
	Failed
	Cancelled
)

var stateNames = [...]string{"other", "completed", "failed", "cancelled"}

// String is the state in lower case.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "State(" + strconv.Itoa(int(s)) + ")"
}

// MarshalText is String.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Format is what a file is.
type Format uint8

// The formats that ReadJobs reads.
const (
	NoFormat Format = iota
	Table
	SWF
	SWIM
	Sacct
	Kubernetes
)

var formatNames = [...]string{"none", "table", "SWF", "SWIM", "sacct", "Kubernetes"}

// String is the name of the format.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "Format(" + strconv.Itoa(int(f)) + ")"
}

// MarshalText is String.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// A Span is what a log says happened to a job, or to one task of a table with a start: it waited
// from From to Start and ran from Start to End. Times are those of Job.
type Span struct {
	Name  string // of the job
	User  string // who submitted it; "" where the log does not say, like the next two
	Team  string // account in sacct, group in SWF, namespace in Kubernetes
	Queue string // partition in sacct, LocalQueue in Kueue

	From   float64 // when it began to wait
	Start  float64 // when it began to run; +Inf: it never did
	End    float64 // when it ended, or was cancelled if it never ran; +Inf: it runs or waits still
	Amount float64 // of ReadOptions.Resource, all its tasks together

	Suspended float64 // s between Start and End for which it stood still
	Array     int     // tasks of an array of Slurm that wait together, as one Span; 0: it is one job
}

// A Log is what a file says of its jobs.
type Log struct {
	Format Format
	Jobs   []Job     // in the order of the file
	SWIM   []SWIMJob // instead of Jobs, of a SWIM trace

	// What the header of a log in SWF says.
	MaxProcs int            // processors of the machine (MaxProcs, else MaxNodes); 0: unknown
	Begin    time.Time      // second 0 of the log (UnixStartTime); zero: unknown
	Zone     *time.Location // of the machine (TimeZoneString, else TimeZone); otherwise that of ReadOptions

	Counts            Counts
	Failed, Cancelled int // jobs of a log that ran and ended so
	// NoWait counts the jobs of a log in SWF whose wait is unknown: of these there is no Span.
	NoWait int
	// LeftOut says why lines of the file, or items of Kubernetes, have no job: in the order of the first
	// line of each reason. What is no job, such as a comment or a step of sacct, is not among them.
	LeftOut []Reason
}

// Counts are how many jobs a log has, and how many of them ran to no end: each of these is counted
// once. Tasks of an array that wait together are as many jobs.
type Counts struct {
	Jobs     int
	NeverRan int // cancelled while they waited
	Running  int // still
	Waiting  int // still
	None     int // have none of the resource, or ask for none
}

// A Reason is why lines were left out.
type Reason struct {
	Text    string // such as "submit time is unknown"
	Lines   int    // how many there are
	First   int    // the number of the first of them
	Unknown bool   // the format says that something is unknown; otherwise the line cannot be read
}

// ReadOptions are those of ReadJobs and EachSpan.
type ReadOptions struct {
	// MaxTasks is how many tasks all jobs may have together, since a short file can name more than
	// memory holds; 0: 2^24. At most 2^29-1, as many as slotmodel.Run takes.
	MaxTasks int
	// MaxJobs is how many jobs a file may have that are kept; 0: 2^21.
	MaxJobs int
	// MaxBytes is how long a text may be, unpacked; 0: 2^30.
	MaxBytes int64
	// Resource is what an amount counts in the output of sacct and in Kubernetes: cpu, memory, or any
	// other name such as nvidia.com/gpu, or gres/gpu; the part behind its slash will do, gpu. "": cpu
	Resource string
	Zone     *time.Location // of sacct's and a table's times that do not say theirs; nil: UTC, and a table has none
	Strict   bool           // the first line of a log that cannot be read is an error
	// Bad is the part of the lines of a log, or items, that may be left out for one reason since they
	// cannot be read; 0: .01. Ten may be in any case.
	Bad float64
}
