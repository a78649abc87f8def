package workload

import (
	"io"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath"
)

// SWIMJob is one line of a SWIM trace: a MapReduce job without durations or task counts. Sizes turns its bytes into time.
type SWIMJob struct {
	ID         string  // not empty
	Submit     float64 // seconds since the trace's start
	Gap        float64 // seconds since the previous job's Submit, as the trace has it: not checked against Submit
	MapInput   float64 // bytes read by the map phase
	Shuffle    float64 // bytes from maps to reduces; 0: a map-only job
	Output     float64 // bytes written by the reduce phase, or by the maps of a map-only job
	InputPath  string  // seventh column; "" where the trace has none
	OutputPath string  // eighth column, likewise
	Extra      string  // ninth column, which the format leaves unnamed, likewise
}

// A SWIM line has swimColumns to swimColumnsMax fields, which messages name as here.
const (
	swimColumns    = 6
	swimColumnsMax = 9
)

var swimFields = [swimColumnsMax]string{
	"job id", "submit time", "gap", "map input", "shuffle", "output", "input path", "output path", "extra field",
}

// MaxLineBytes is the length of the longest line that a reader takes, without its line end. It bounds a reader's memory
// whatever it is given to read.
const MaxLineBytes = 1 << 24

// ReadSWIM reads a whole SWIM trace, plain or gzip; SWIMReader describes the format and what is wrong with a line. Unlike a
// SWIMReader it has seen every job, so it also reports an id that repeats an earlier line's. An empty trace is no jobs and no
// error.
//
// The cost is O(bytes of the trace). On error it returns no jobs: the first *ParseError, the error of a broken stream as
// SWIMReader.Read returns it, or an *schedmath.InputError for a nil r.
func ReadSWIM(r io.Reader) ([]SWIMJob, error) {
	if r == nil {
		return nil, &schedmath.InputError{Func: "workload.ReadSWIM", Arg: "r", Index: -1, Reason: "nil, want a reader"}
	}
	var jobs []SWIMJob
	for job, err := range NewSWIMReader(r).All() {
		if err != nil {
			if again := repeatedID(jobs); again != nil {
				return nil, again // in an earlier line
			}
			return nil, err
		}
		if len(jobs) == cap(jobs) {
			jobs = slices.Grow(jobs, max(1024, len(jobs))) // append would grow it by a quarter and copy more
		}
		jobs = append(jobs, job)
	}
	if err := repeatedID(jobs); err != nil {
		return nil, err
	}
	return jobs, nil
}

// repeatedID reports the first job, one to a line, with the id of an earlier one. A set of known size costs a third of one that
// grows line by line.
func repeatedID(jobs []SWIMJob) error {
	seen := make(map[string]struct{}, len(jobs))
	for i := range jobs {
		id := jobs[i].ID
		if seen[id] = struct{}{}; len(seen) == i+1 {
			continue
		}
		first := slices.IndexFunc(jobs, func(j SWIMJob) bool { return j.ID == id })
		return &ParseError{Line: i + 1, Column: 1, Field: swimFields[0], Value: shown([]byte(id)),
			Reason: "repeats that of line " + strconv.Itoa(first+1)}
	}
	return nil
}

// textFault looks for what keeps a text field from being read back as it was written: a tab or line end inside it, which
// makes other fields of it, and with them all ASCII control bytes, which mark a file that is no text (a second
// compression, UTF-16). It returns the place of the byte and what to say, or -1.
func textFault[T string | []byte](field T) (at int, reason string) {
	for i := 0; i < len(field); i++ {
		if c := field[i]; c < ' ' || c == 0x7f {
			return i, "holds the control byte 0x" + strconv.FormatUint(uint64(c>>4), 16) + strconv.FormatUint(uint64(c&15), 16)
		}
	}
	return -1, ""
}

// idFault is textFault with what is asked of an id besides.
func idFault[T string | []byte](id T) (at int, reason string) {
	switch {
	case len(id) == 0:
		return 0, "is empty"
	case len(id) >= 3 && id[0] == 0xef && id[1] == 0xbb && id[2] == 0xbf:
		return 0, "starts with a byte order mark"
	}
	return textFault(id)
}
