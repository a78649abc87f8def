package workload

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath"
)

// JobReader reads a job file, this package's own format, line by line, in memory that does not grow with the file. Create it
// with NewJobReader.
//
// A job file is text, or gzip of it, which is told by the first two bytes. Its first line is a header: the names, separated by single
// tabs, of some of the columns
//
//	id submit user queue deadline maps reduces map_s reduce_s input shuffle output
//
// in any order, of which id, submit, maps and map_s must be there; a column that is not there is 0 or "" in every job. Each
// further line has one field for each name. JobRecord says what they mean: times are in seconds, data in bytes, maps and reduces
// are whole numbers of tasks, and id, user and queue are any text without control bytes. Lines end in LF or CRLF, the last one
// perhaps in neither; empty lines after the last job are skipped.
//
// A header with a name that is not in the list (a mistyped one would lose its column), a name twice or one of the four missing, and
// a file without any line, are *ParseErrors that every Read returns. A line is broken, and reported as a *ParseError, when
//   - it has fewer or more fields than the header, is empty with a job after it, or exceeds MaxLineBytes;
//   - its id is empty or starts with a byte order mark, or its id, user or queue holds a control byte;
//   - a number is empty, negative, NaN, infinite or beyond float64, or anything but digits with an optional fraction
//     and exponent (no plus sign, blanks, underscores or hexadecimal; -0 is read as 0);
//   - maps or reduces is anything but digits, or above 2^30-1;
//   - its submit time is before that of the last good line. Equal submit times are fine.
//
// Ids may repeat: finding that takes memory, see ReadJobs.
type JobReader struct {
	lines  lineReader
	cols   []column // of the header; nil before it is read
	bad    error    // what was wrong with the header
	submit float64  // of the last good line
	good   int      // its number, 0 before it
	names  map[string]string
	seen   map[string]int // line of each id; nil: not asked for
}

// maxNames is how many different users and queues a reader keeps, so that jobs share their texts.
const maxNames = 1 << 12

// NewJobReader returns a reader of the job file in r. It reads from r ahead of the line that it returns. With a nil r every
// Read returns an *schedmath.InputError.
func NewJobReader(r io.Reader) *JobReader {
	return &JobReader{lines: lineReader{src: source{r: r}}, names: map[string]string{}}
}

// Read returns the next job, and io.EOF after the last one.
//
// After a *ParseError about the line of a job the next Read goes on with the line after it. A header at fault and a stream that
// breaks (gzip cut off or with a wrong checksum: a *ParseError with Column 0; an error of the underlying reader: that error,
// wrapped, which is not schedmath.ErrInput) stay so: Read repeats the error.
//
// A job costs one pass over its line and one allocation for the id.
func (r *JobReader) Read() (JobRecord, error) {
	if r == nil || r.lines.missing() {
		return JobRecord{}, &schedmath.InputError{Func: "workload.NewJobReader", Arg: "r", Index: -1, Reason: "nil, want a reader"}
	}
	if r.cols == nil {
		if err := r.header(); err != nil {
			return JobRecord{}, err
		}
	}
	line, err := r.lines.filled()
	if err != nil {
		return JobRecord{}, err
	}
	return r.parse(line)
}

// All returns the jobs that are left as a sequence, each with a nil error. A broken line comes as a zero job with its error,
// and the loop may go on with the line after it; a broken header or stream comes as the last pair. io.EOF is the end of the
// sequence, not a pair of it. Leaving the loop early loses no job: the reader goes on where it stood.
func (r *JobReader) All() iter.Seq2[JobRecord, error] {
	return sequence(r.Read, func() bool { return r == nil || r.lines.missing() || r.bad != nil || r.lines.err != nil })
}

// header reads the first line.
func (r *JobReader) header() error {
	if r.bad != nil {
		return r.bad
	}
	line, err := r.lines.filled()
	if err == io.EOF {
		err = &ParseError{Line: 1, Column: 1, Reason: "header is missing"}
	}
	var cols []column
	for at := 0; err == nil && at <= len(line); {
		field := line[at:]
		if tab := bytes.IndexByte(field, '\t'); tab >= 0 {
			field = field[:tab]
		}
		col := column(slices.Index(jobFields[:], string(field)))
		fault := ""
		if at == 0 {
			_, fault = idFault(field)
		}
		if fault == "" && col >= jobColumns {
			fault = "is no column of a job file"
		} else if fault == "" && slices.Contains(cols, col) {
			fault = "is there twice"
		}
		if fault != "" {
			err = &ParseError{Line: r.lines.line, Column: at + 1, Field: "column", Value: shown(field), Reason: fault}
		}
		cols = append(cols, col)
		at += len(field) + 1
	}
	for _, col := range neededColumns {
		if err == nil && !slices.Contains(cols, col) {
			err = &ParseError{Line: r.lines.line, Column: len(line) + 1, Reason: "header has no column " + strconv.Quote(jobFields[col])}
		}
	}
	if err != nil {
		r.bad = err
		return err
	}
	r.cols = cols
	return nil
}

// parse reads the line of a job.
func (r *JobReader) parse(line []byte) (JobRecord, error) {
	l := r.lines.line
	if tabs := bytes.Count(line, tab); tabs != len(r.cols)-1 {
		return JobRecord{}, r.miscounted(line, tabs)
	}
	var job JobRecord
	idAt, submitAt := 0, 0
	var submit []byte
	for start, i := 0, 0; i < len(r.cols); i++ {
		col := r.cols[i]
		field := line[start:]
		if end := bytes.IndexByte(field, '\t'); end >= 0 {
			field = field[:end]
		}
		at, reason := 0, ""
		switch col {
		case colID:
			if at, reason = idFault(field); reason == "" {
				job.ID, idAt = string(field), start
			}
		case colUser:
			job.User, at, reason = r.name(field)
		case colQueue:
			job.Queue, at, reason = r.name(field)
		case colMaps:
			job.Maps, reason = taskCount(field)
		case colReduces:
			job.Reduces, reason = taskCount(field)
		default:
			*job.amount(col), reason = number(field)
		}
		if col == colSubmit {
			submit, submitAt = field, start
		}
		if reason != "" {
			return JobRecord{}, &ParseError{Line: l, Column: start + max(0, at) + 1, Field: jobFields[col], Value: shown(field), Reason: reason}
		}
		start += len(field) + 1
	}
	if r.good > 0 && job.Submit < r.submit {
		return JobRecord{}, &ParseError{Line: l, Column: submitAt + 1, Field: jobFields[colSubmit], Value: shown(submit),
			Reason: "is before the " + text(r.submit) + " of line " + strconv.Itoa(r.good)}
	}
	if r.seen != nil {
		if first, ok := r.seen[job.ID]; ok {
			return JobRecord{}, &ParseError{Line: l, Column: idAt + 1, Field: jobFields[colID], Value: shown([]byte(job.ID)),
				Reason: "repeats that of line " + strconv.Itoa(first)}
		}
		r.seen[job.ID] = l
	}
	r.submit, r.good = job.Submit, l
	return job, nil
}

// amount is the field that a column of numbers fills.
func (j *JobRecord) amount(c column) *float64 {
	switch c {
	case colSubmit:
		return &j.Submit
	case colDeadline:
		return &j.Deadline
	case colMapSeconds:
		return &j.MapSeconds
	case colReduceSeconds:
		return &j.ReduceSeconds
	case colInput:
		return &j.Input
	case colShuffle:
		return &j.Shuffle
	}
	return &j.Output
}

var tab = []byte{'\t'}

// miscounted is the error of a line with other than the header's number of fields.
func (r *JobReader) miscounted(line []byte, tabs int) error {
	n := len(r.cols)
	if tabs < n-1 {
		return &ParseError{Line: r.lines.line, Column: len(line) + 1,
			Reason: "line ends after field " + strconv.Itoa(tabs+1) + " of " + strconv.Itoa(n)}
	}
	at := 0
	for range n {
		at += bytes.IndexByte(line[at:], '\t') + 1
	}
	return &ParseError{Line: r.lines.line, Column: at + 1, Reason: "line has more than " + strconv.Itoa(n) + " fields"}
}

// name reads a field that must be a name, and returns it, or the byte at fault and what is wrong with it. Equal fields are the same
// string as long as there are not too many.
func (r *JobReader) name(field []byte) (s string, at int, reason string) {
	if s, ok := r.names[string(field)]; ok {
		return s, 0, ""
	}
	if at, reason = textFault(field); reason != "" {
		return "", at, reason
	}
	s = string(field)
	if len(r.names) < maxNames && len(s) <= maxShown {
		r.names[s] = s
	}
	return s, 0, ""
}

// taskCount reads a field that must be a number of tasks and returns "" or what is wrong with it.
func taskCount(field []byte) (n int, reason string) {
	switch {
	case len(field) == 0:
		return 0, "is empty, want a number"
	case len(bytes.TrimLeft(field, "0123456789")) > 0:
		return 0, "is no whole number of tasks"
	}
	digits := strings.TrimLeft(string(field), "0")
	if digits == "" {
		return 0, ""
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > maxTasks {
		return 0, "is more than " + strconv.Itoa(maxTasks)
	}
	return n, ""
}
