package workload

import (
	"bytes"
	"io"
	"iter"
	"strconv"

	"github.com/schedmath/schedmath"
)

// SWIMReader reads a SWIM trace line by line, in memory that does not grow with the trace. Create it with NewSWIMReader.
//
// A trace is text, or gzip of it, which is told by the first two bytes. A line is 6 to 9 fields separated by single tabs: job
// id, submit time and gap in seconds, map input, shuffle and output in bytes, then optionally input path, output path and
// a field without a name; there is no header. Lines end in LF or CRLF, the last one perhaps in neither; empty lines after the
// last job are skipped.
//
// A line is broken, and reported as a *ParseError, when
//   - it has fewer than 6 or more than 9 fields, is empty with a job after it, or exceeds MaxLineBytes;
//   - its id is empty or starts with a byte order mark, or the id, a path or the extra field holds a control byte;
//   - a number is empty, negative, NaN, infinite or beyond float64, or anything but digits with an optional fraction
//     and exponent (no plus sign, blanks, underscores or hexadecimal; -0 is read as 0, whole numbers above 2^53 are rounded);
//   - its submit time is before that of the last good line: replaying needs arrivals in order, and a step back is how two
//     traces pasted together show. Equal submit times are fine. To read an unsorted file, sort it first.
//
// Ids may repeat: finding that takes memory, see ReadSWIM.
type SWIMReader struct {
	lines  lineReader
	submit float64 // of the last good line
	good   int     // its number, 0 before it
}

// NewSWIMReader returns a reader of the trace in r. It reads from r ahead of the line that it returns. With a nil r every
// Read returns an *schedmath.InputError.
func NewSWIMReader(r io.Reader) *SWIMReader { return &SWIMReader{lines: lineReader{src: source{r: r}}} }

// Read returns the next job, and io.EOF after the last one.
//
// After a *ParseError about a line the next Read goes on with the line after it, so that a caller may skip broken lines or
// report all of them. A stream that breaks (gzip cut off or with a wrong checksum: a *ParseError with Column 0; an error of
// the underlying reader: that error, wrapped, which is not schedmath.ErrInput) stays broken: Read repeats the error.
//
// A job costs one pass over its line, one allocation for the id and one for each path that is there.
func (r *SWIMReader) Read() (SWIMJob, error) {
	if r == nil || r.lines.missing() {
		return SWIMJob{}, &schedmath.InputError{Func: "workload.NewSWIMReader", Arg: "r", Index: -1, Reason: "nil, want a reader"}
	}
	line, err := r.lines.filled()
	if err != nil {
		return SWIMJob{}, err
	}
	return r.parse(line)
}

// All returns the jobs that are left as a sequence, each with a nil error. A broken line comes as a zero job with its error,
// and the loop may go on with the line after it; a broken stream comes as the last pair. io.EOF is the end of the sequence, not
// a pair of it. Leaving the loop early loses no job: the reader goes on where it stood.
func (r *SWIMReader) All() iter.Seq2[SWIMJob, error] {
	return sequence(r.Read, func() bool { return r == nil || r.lines.missing() || r.lines.err != nil })
}

// parse reads one line that is not empty.
func (r *SWIMReader) parse(line []byte) (SWIMJob, error) {
	var start, end [swimColumnsMax]int
	n, at := 0, 0
	for {
		if n == swimColumnsMax {
			return SWIMJob{}, &ParseError{Line: r.lines.line, Column: at + 1, Reason: "line has more than 9 fields"}
		}
		start[n] = at
		tab := bytes.IndexByte(line[at:], '\t')
		if tab < 0 {
			end[n] = len(line)
			n++
			break
		}
		end[n] = at + tab
		at += tab + 1
		n++
	}
	if n < swimColumns {
		return SWIMJob{}, &ParseError{Line: r.lines.line, Column: len(line) + 1,
			Reason: "line ends after field " + strconv.Itoa(n) + " of " + strconv.Itoa(swimColumns)}
	}
	fault := func(field, at int, reason string) (SWIMJob, error) {
		return SWIMJob{}, &ParseError{Line: r.lines.line, Column: start[field] + at + 1, Field: swimFields[field],
			Value: shown(line[start[field]:end[field]]), Reason: reason}
	}
	id := line[start[0]:end[0]]
	if at, reason := idFault(id); reason != "" {
		return fault(0, at, reason)
	}
	var numbers [swimColumns]float64
	for i := 1; i < swimColumns; i++ {
		x, reason := number(line[start[i]:end[i]])
		if reason != "" {
			return fault(i, 0, reason)
		}
		numbers[i] = x
	}
	for i := swimColumns; i < n; i++ {
		if at, reason := textFault(line[start[i]:end[i]]); reason != "" {
			return fault(i, at, reason)
		}
	}
	submit := numbers[1]
	if r.good > 0 && submit < r.submit {
		return fault(1, 0, "is before the "+strconv.FormatFloat(r.submit, 'g', -1, 64)+" of line "+strconv.Itoa(r.good))
	}
	r.submit, r.good = submit, r.lines.line
	return SWIMJob{
		ID:         string(id),
		Submit:     submit,
		Gap:        numbers[2],
		MapInput:   numbers[3],
		Shuffle:    numbers[4],
		Output:     numbers[5],
		InputPath:  string(line[start[6]:end[6]]),
		OutputPath: string(line[start[7]:end[7]]),
		Extra:      string(line[start[8]:end[8]]),
	}, nil
}
