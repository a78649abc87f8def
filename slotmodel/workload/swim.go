package workload

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath"
)

// SWIMJob is one line of a SWIM trace: a MapReduce job without durations or task counts. Sizes
// turns its bytes into time, Explode into tasks.
type SWIMJob struct {
	ID     string  // not empty
	Submit float64 // seconds since the trace's start
	// Seconds since the previous job's Submit, as the trace has it: not checked against Submit.
	Gap        float64
	MapInput   float64 // bytes read by the map phase
	Shuffle    float64 // bytes from maps to reduces; 0: a map-only job
	Output     float64 // bytes written by the reduce phase, or by the maps of a map-only job
	InputPath  string  // seventh column; "" where the trace has none
	OutputPath string  // eighth column, likewise
	Extra      string  // ninth column, which the format leaves unnamed, likewise
}

// A SWIM line has swimColumns to len(swimFields) fields, which messages name as here.
const swimColumns = 6

// isSWIM tells a SWIM trace from the fields of the first line of a file.
func isSWIM(fields [][]byte) bool {
	return len(fields) >= swimColumns && len(fields) <= len(swimFields) && !slices.ContainsFunc(fields[1:swimColumns], notNumber)
}

var swimFields = [...]string{
	"job id", "submit time", "gap", "map input", "shuffle", "output", "input path", "output path", "extra field",
}

// numbers are the fields of the columns 2 to 6.
func (j *SWIMJob) numbers() [5]*float64 {
	return [...]*float64{&j.Submit, &j.Gap, &j.MapInput, &j.Shuffle, &j.Output}
}

// fault says which of Submit and the bytes of a job is negative or not finite, "" if none is.
func (j *SWIMJob) fault() string {
	for _, f := range [...]struct {
		name  string
		value float64
	}{{"Submit", j.Submit}, {"MapInput", j.MapInput}, {"Shuffle", j.Shuffle}, {"Output", j.Output}} {
		if reason := notAmount(f.value); reason != "" {
			return f.name + " is " + reason
		}
	}
	return ""
}

// ReadSWIM reads a whole SWIM trace, plain or gzip; SWIMJobs describes the format and what is
// wrong with a line. Unlike SWIMJobs it remembers every id, so it also reports one that repeats an
// earlier line's. An empty trace is no jobs and no error.
//
// The cost is O(bytes of the trace). On error it returns no jobs: the first error of SWIMJobs, or
// an *schedmath.InputError for a nil r.
func ReadSWIM(r io.Reader) ([]SWIMJob, error) {
	if r == nil {
		return nil, &schedmath.InputError{Func: "workload.ReadSWIM", Arg: "r", Index: -1, Reason: "nil, want a reader"}
	}
	t := newSWIMTrace()
	for line, err := range newLineReader(r).lines() {
		if err == nil {
			err = t.add(line)
		}
		if err != nil {
			return nil, err
		}
	}
	return t.jobs, nil
}

// SWIMJobs returns the jobs of a SWIM trace one by one, in memory that does not grow with the
// trace, each with a nil error.
//
// A trace is text, or gzip of it, which is told by the first two bytes. A line is 6 to 9 fields
// separated by single tabs: job id, submit time and gap in seconds, map input, shuffle and output
// in bytes, then optionally input path, output path and a field without a name; there is no header.
// Lines end in LF or CRLF, the last one perhaps in neither; empty lines after the last job are
// skipped.
//
// A line is broken, and comes as a zero job with a *ParseError, when
//   - it has fewer than 6 or more than 9 fields, is blank or a comment, is empty with a job after
//     it, or exceeds MaxLineBytes; a first line in the Standard Workload Format (SWF) is named as
//     such;
//   - its id is empty or starts with a byte order mark, or the id, a path or the extra field holds
//     a control byte;
//   - a number is empty, negative, NaN, infinite or beyond float64, or anything but digits with an
//     optional fraction and exponent (no plus sign, blanks, underscores or hexadecimal; -0 is read
//     as 0, whole numbers above 2^53 are rounded);
//   - its submit time is before that of the last good line: replaying needs arrivals in order, and
//     a step back is how two traces pasted together show. Equal submit times are fine. To read an
//     unsorted file, sort it first.
//
// The loop may go on with the line after a broken one. A stream that breaks (gzip cut off or with
// a wrong checksum: a *ParseError with Column 0; an error of r: that error, wrapped, which is not
// schedmath.ErrInput) comes as the last pair, and so does the *schedmath.InputError for a nil r.
// Ids may repeat: finding that takes memory, see ReadSWIM.
//
// SWIMJobs reads from r ahead of the job that it yields. A job costs O(bytes of its line) and one
// allocation for each of its texts.
func SWIMJobs(r io.Reader) iter.Seq2[SWIMJob, error] {
	return func(yield func(SWIMJob, error) bool) {
		if r == nil {
			yield(SWIMJob{}, &schedmath.InputError{Func: "workload.SWIMJobs", Arg: "r", Index: -1, Reason: "nil, want a reader"})
			return
		}
		var t swimTrace
		for line, err := range newLineReader(r).lines() {
			var job SWIMJob
			if err == nil {
				job, err = t.parse(line)
			}
			if !yield(job, err) {
				return
			}
		}
	}
}

// swimTrace is a SWIM trace as far as it has been read.
type swimTrace struct {
	submit float64 // of the last good line
	good   int     // number of the last good line; 0: none yet
	jobs   []SWIMJob
	seen   map[string]int // line of each id
}

func newSWIMTrace() *swimTrace { return &swimTrace{seen: map[string]int{}} }

// add takes the next line of a trace that is read whole.
func (t *swimTrace) add(l textLine) error {
	job, err := t.parse(l)
	if err != nil {
		return err
	}
	if first, ok := t.seen[job.ID]; ok {
		return &ParseError{Line: l.number, Column: 1, Field: swimFields[0], Value: shown([]byte(job.ID)),
			Reason: "repeats that of line " + strconv.Itoa(first)}
	}
	t.seen[job.ID] = l.number
	if len(t.jobs) == cap(t.jobs) { // append would grow by a quarter
		t.jobs = slices.Grow(t.jobs, max(1024, len(t.jobs)))
	}
	t.jobs = append(t.jobs, job)
	return nil
}

// log is the trace; Explode makes jobs of it.
func (t *swimTrace) log() Log { return Log{SWIM: t.jobs} }

// parse reads a line.
func (t *swimTrace) parse(l textLine) (SWIMJob, error) {
	var job SWIMJob
	if err := l.count(swimColumns, len(swimFields)); err != nil {
		return SWIMJob{}, err
	}
	numbers := job.numbers()
	texts := [...]*string{&job.InputPath, &job.OutputPath, &job.Extra}
	i, start := 0, 0
	for field := range bytes.SplitSeq(l.text, tab) {
		at, reason := 0, ""
		switch {
		case i == 0:
			at, reason = idFault(field)
			job.ID = string(field)
		case i < swimColumns:
			*numbers[i-1], reason = number(field, 0, math.MaxFloat64)
		default:
			at, reason = textFault(field)
			*texts[i-swimColumns] = string(field)
		}
		if reason != "" {
			return SWIMJob{}, l.fault(start+at+1, swimFields[i], field, reason)
		}
		if i == 1 && t.good > 0 && job.Submit < t.submit {
			return SWIMJob{}, &ParseError{Line: l.number, Column: start + 1, Field: swimFields[i], Value: shown(field),
				Reason: "is before the " + text(t.submit) + " of line " + strconv.Itoa(t.good)}
		}
		i, start = i+1, start+len(field)+1
	}
	t.submit, t.good = job.Submit, l.number
	return job, nil
}

// WriteSWIM writes a SWIM trace that ReadSWIM reads back as the same jobs, number for number. A
// line has the 6 columns of every trace, and as many of InputPath, OutputPath and Extra as it takes
// to write the last one that is not empty. Numbers are the shortest decimals that read back as the
// same float64, without exponent below 1e21.
//
// A job that SWIMJobs would refuse is an *schedmath.InputError: an id, path or extra field that
// cannot be read back, a number that is negative or not finite, a submit time before that of the
// job before, a line over MaxLineBytes; so is a nil w. Lines before the one at fault may have been
// written. Other errors are those of w. Ids are not compared with each other.
func WriteSWIM(w io.Writer, jobs []SWIMJob) error {
	g := guard{fn: "WriteSWIM"}
	g.writer(w)
	if g.err != nil {
		return g.err
	}
	out := bufio.NewWriterSize(w, bufferBytes)
	var line []byte
	for i := range jobs {
		job := &jobs[i]
		g.elem("jobs", i, job.fault())
		if reason := notAmount(job.Gap); reason != "" {
			g.elem("jobs", i, "Gap is "+reason)
		}
		if i > 0 && job.Submit < jobs[i-1].Submit {
			g.elem("jobs", i, "Submit is "+text(job.Submit)+", want at least the "+text(jobs[i-1].Submit)+" of the job before")
		}
		if _, reason := idFault([]byte(job.ID)); reason != "" {
			g.elem("jobs", i, "ID "+reason)
		}
		line = append(line[:0], job.ID...)
		for _, x := range job.numbers() {
			line = appendNumber(append(line, '\t'), *x)
		}
		end := len(line) // behind the last text that is not empty
		for _, t := range [...]struct{ name, value string }{
			{"InputPath", job.InputPath}, {"OutputPath", job.OutputPath}, {"Extra", job.Extra},
		} {
			if _, reason := textFault([]byte(t.value)); reason != "" {
				g.elem("jobs", i, t.name+" "+reason)
			}
			if line = append(append(line, '\t'), t.value...); t.value != "" {
				end = len(line)
			}
		}
		if err := g.line(out, i, line[:end]); err != nil {
			return err
		}
	}
	return out.Flush()
}

// textFault looks for what keeps a text field from being read back as it was written: a tab or line
// end inside it, which makes other fields of it, and with them all ASCII control bytes, which mark
// a file that is no text (a second compression, UTF-16). It returns the place of the byte and what
// to say, "" if there is none.
func textFault(field []byte) (at int, reason string) {
	for i, c := range field {
		if c < ' ' || c == 0x7f {
			return i, fmt.Sprintf("holds the control byte 0x%02x", c)
		}
	}
	return 0, ""
}

// idFault is textFault with what is asked of an id besides.
func idFault(id []byte) (at int, reason string) {
	switch {
	case len(id) == 0:
		return 0, "is empty"
	case bytes.HasPrefix(id, byteOrderMark):
		return 0, "starts with a byte order mark"
	}
	return textFault(id)
}
