package workload

import (
	"io"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath"
)

// JobRecord is one line of a job file: a MapReduce job whose maps take equally long, and its reduces too.
type JobRecord struct {
	ID            string  // id: not empty
	Submit        float64 // submit: seconds since the file's start
	User          string  // user: who it belongs to, "" included
	Queue         string  // queue: where it waits, "" included
	Deadline      float64 // deadline: seconds since the file's start; 0: none
	Maps          int     // maps: number of map tasks, up to 2^30-1
	Reduces       int     // reduces: likewise
	MapSeconds    float64 // map_s: work of each map, seconds
	ReduceSeconds float64 // reduce_s: work of each reduce, seconds, without the shuffle
	Input         float64 // input: bytes read by all maps
	Shuffle       float64 // shuffle: bytes from maps to reduces
	Output        float64 // output: bytes written by the last phase
}

// column is a column of a job file, in the order in which a JobWriter writes them.
type column uint8

const (
	colID column = iota
	colSubmit
	colUser
	colQueue
	colDeadline
	colMaps
	colReduces
	colMapSeconds
	colReduceSeconds
	colInput
	colShuffle
	colOutput
	jobColumns
)

var jobFields = [jobColumns]string{
	"id", "submit", "user", "queue", "deadline", "maps", "reduces", "map_s", "reduce_s", "input", "shuffle", "output",
}

// neededColumns are those without which a job means nothing; the others are 0 or "" where a file does not have them.
var neededColumns = [...]column{colID, colSubmit, colMaps, colMapSeconds}

// ReadJobs reads a whole job file, plain or gzip; JobReader describes the format and what is wrong with a line. Unlike a JobReader
// it remembers every id, so it also reports one that repeats an earlier line's.
//
// The cost is O(bytes of the file). On error it returns no jobs: the first *ParseError, or the error of a broken stream as
// JobReader.Read returns it.
func ReadJobs(r io.Reader) ([]JobRecord, error) {
	if r == nil {
		return nil, &schedmath.InputError{Func: "workload.ReadJobs", Arg: "r", Index: -1, Reason: "nil, want a reader"}
	}
	reader := NewJobReader(r)
	reader.seen = map[string]int{}
	var jobs []JobRecord
	for job, err := range reader.All() {
		if err != nil {
			return nil, err
		}
		if len(jobs) == cap(jobs) {
			jobs = slices.Grow(jobs, max(1024, len(jobs)))
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// WriteJobs writes a whole job file, header and jobs; JobWriter describes it. Errors are those of JobWriter.Write, with the index
// of the job, and those of w; lines before the one at fault may have been written.
func WriteJobs(w io.Writer, jobs []JobRecord) error {
	if w == nil {
		return &schedmath.InputError{Func: "workload.WriteJobs", Arg: "w", Index: -1, Reason: "nil, want a writer"}
	}
	out := NewJobWriter(w)
	for i := range jobs {
		if err := out.Write(jobs[i]); err != nil {
			if fault, ok := err.(*schedmath.InputError); ok && fault.Arg == "job" {
				return &schedmath.InputError{Func: "workload.WriteJobs", Arg: "jobs", Index: i, Reason: fault.Reason}
			}
			return err
		}
	}
	return out.Flush()
}

// fault says what of a job cannot stand in a job file, texts left out.
func (j *JobRecord) fault() string {
	for _, x := range [...]struct {
		name  string
		value float64
	}{
		{"Submit", j.Submit}, {"Deadline", j.Deadline}, {"MapSeconds", j.MapSeconds}, {"ReduceSeconds", j.ReduceSeconds},
		{"Input", j.Input}, {"Shuffle", j.Shuffle}, {"Output", j.Output},
	} {
		if reason := notAmount(x.value); reason != "" {
			return x.name + " is " + reason
		}
	}
	for _, x := range [...]struct {
		name  string
		value int
	}{{"Maps", j.Maps}, {"Reduces", j.Reduces}} {
		if x.value < 0 || x.value > maxTasks {
			return x.name + " is " + strconv.Itoa(x.value) + ", want 0 to " + strconv.Itoa(maxTasks)
		}
	}
	return ""
}

// textFaults says what of a job's texts cannot be read back.
func (j *JobRecord) textFaults() string {
	if _, reason := idFault(j.ID); reason != "" {
		return "ID " + reason
	}
	if _, reason := textFault(j.User); reason != "" {
		return "User " + reason
	}
	if _, reason := textFault(j.Queue); reason != "" {
		return "Queue " + reason
	}
	return ""
}
