package joblog

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// SWIMJob is one line of a SWIM trace, without its paths: a MapReduce job without durations or task
// counts. Sizes turns its bytes into time, Explode into tasks.
type SWIMJob struct {
	ID     string  // not empty
	Submit float64 // seconds since the trace's start
	// Seconds since the previous job's Submit, as the trace has it: not checked against Submit.
	Gap      float64
	MapInput float64 // bytes read by the map phase
	Shuffle  float64 // bytes from maps to reduces; 0: a map-only job
	Output   float64 // bytes written by the reduce phase, or by the maps of a map-only job
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

// ReadSWIM reads a SWIM trace, plain or gzip, with or without a byte order mark. A line is 6 to 9
// fields separated by single tabs: job id, submit time and gap in seconds, map input, shuffle and
// output in bytes, as Number reads them from 0 on, then optionally input path, output path and a
// field without a name, which are dropped; there is no header. Lines end in LF or CRLF, the last one
// perhaps in neither; empty lines after the last job are skipped. An empty trace is no jobs and no
// error. The cost is O(bytes of the trace).
//
// On error it returns no jobs. A *ParseError is the first line at fault, or where more than 2^21
// jobs or 2^30 bytes begin, which ReadJobs takes with its options. Faults are
//   - fewer than 6 or more than 9 fields, a blank line, a comment, an empty line with a job after
//     it, a line longer than 16 MiB;
//   - an id that is empty, starts with another byte order mark or repeats that of an earlier line,
//     and a control byte in the id, a path or the extra field;
//   - a number that Number does not read;
//   - a submit time before that of the line before, as where two traces are pasted together.
//
// A gzip stream that is cut off or has a wrong checksum is a *ParseError with Column 0. An error of
// r is returned wrapped and is not schedmath.ErrInput.
func ReadSWIM(r io.Reader) ([]SWIMJob, error) {
	text, err := newText("ReadSWIM", r, ReadOptions{})
	if err != nil {
		return nil, err
	}
	in := &intake{Text: text}
	t := newSWIMTrace(in)
	for line, err := range in.Lines() {
		if err == nil {
			err = t.add(line)
		}
		if err != nil {
			return nil, err
		}
	}
	return in.swim.list(), nil
}

// swimTrace is a SWIM trace as far as it has been read.
type swimTrace struct {
	in     *intake
	seen   map[string]int // line of each id
	line   int            // of the last job
	submit float64        // of the last job
}

func newSWIMTrace(in *intake) *swimTrace {
	in.log.Format = SWIM
	return &swimTrace{in: in, seen: map[string]int{}}
}

// add takes the next line.
func (t *swimTrace) add(l Line) error {
	job, err := t.parse(l)
	if err != nil {
		return err
	}
	if first, ok := t.seen[job.ID]; ok {
		return &ParseError{Line: l.Number, Column: 1, Field: swimFields[0], Value: shown([]byte(job.ID)),
			Reason: "repeats that of line " + strconv.Itoa(first)}
	}
	t.seen[job.ID], t.line, t.submit = l.Number, l.Number, job.Submit
	t.in.swim.add(job)
	if reason := t.in.Take(0); reason != "" {
		return &ParseError{Line: l.Number, Column: 1, Reason: reason}
	}
	return nil
}

// parse reads a line.
func (t *swimTrace) parse(l Line) (SWIMJob, error) {
	var job SWIMJob
	if err := l.Count(swimColumns, len(swimFields)); err != nil {
		return SWIMJob{}, err
	}
	numbers := [...]*float64{&job.Submit, &job.Gap, &job.MapInput, &job.Shuffle, &job.Output}
	i, start := 0, 0
	for field := range bytes.SplitSeq(l.Text, tab) {
		at, reason := 0, ""
		switch {
		case i == 0:
			at, reason = idFault(field)
			job.ID = string(field)
		case i < swimColumns:
			*numbers[i-1], reason = Number(field, 0, math.MaxFloat64)
		default:
			at, reason = textFault(field)
		}
		if reason != "" {
			return SWIMJob{}, l.Fault(start+at+1, swimFields[i], field, reason)
		}
		if i == 1 && job.Submit < t.submit {
			return SWIMJob{}, &ParseError{Line: l.Number, Column: start + 1, Field: swimFields[i], Value: shown(field),
				Reason: "is before the " + text(t.submit) + " of line " + strconv.Itoa(t.line)}
		}
		i, start = i+1, start+len(field)+1
	}
	return job, nil
}

// textFault looks for a control byte in a text field, which marks a file that is no text (a second
// compression, UTF-16). It returns the place of the byte and what to say, "" if there is none.
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
	case bytes.HasPrefix(id, []byte(byteOrderMark)):
		return 0, "starts with a byte order mark"
	}
	return textFault(id)
}
