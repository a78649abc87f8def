package joblog

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath"
)

// ReadJobs reads the jobs of a table, a SWIM trace, a log in the Standard Workload Format (SWF),
// the accounting of Slurm or a list of Kubernetes, plain or gzip; the content tells which, and
// docs/trace.md describes each. On error no jobs are returned.
//
// A job stands for each record of a table; for each line of SWF that has a run time and processors,
// or that was cancelled while it waited; for each line of sacct that is no step; for each Workload
// of Kueue, or each Job and each Pod of none. A SWIM trace has SWIMJobs instead.
//
// A line or an item of a log that cannot be read is left out and counted in Log.LeftOut: one of
// more than 16 MiB, with a number out of its range, a time or an amount that is none, a start
// before the wait, an end before the start, another number of fields than its header, or a list of
// array tasks that is cut short. ReadOptions.Bad says how many may be; that none can be read is an
// error, too. So are a first line of more than 64 KiB and, of a table, a record of more than 1 MiB and
// a quote that is not closed on its line but makes no field with those behind it: they may be jobs.
//
// The cost is O(bytes of the file), of memory some two hundred bytes for each job beside the text
// of its names, or twice that.
//
// Errors: *ParseErrors with the line for any fault of a SWIM trace, a header without a column that
// is needed, a text that is no JSON, Workloads beside Jobs or Pods, more jobs, tasks or bytes than
// the options allow, a first line of more than 64 KiB, no format at all, and, with Column 0, a gzip
// stream that is cut off or has a wrong checksum; *schedmath.InputErrors for a nil r and an option
// out of its range; an error of r, wrapped, which is not schedmath.ErrInput.
func ReadJobs(r io.Reader, o ReadOptions) (Log, error) {
	t, err := newText("ReadJobs", r, o)
	if err != nil {
		return Log{}, err
	}
	return t.Jobs()
}

// Jobs is ReadJobs of the text.
func (t *Text) Jobs() (Log, error) { return t.read(nil) }

// EachSpan tells of each job that ReadJobs reads of a log what happened to it, where the log says, in
// the order of the file until each returns false, and returns what the log says besides its jobs. A
// file without starts, such as a SWIM trace, is a *ParseError; other errors are those of ReadJobs.
// Memory does not grow with a file, but for the names of users, teams and queues, and in a list of
// Kubernetes for the Jobs and the owners of Pods: MaxJobs and MaxTasks count nothing.
// What no Span needs, such as a time limit, is not read.
func EachSpan(r io.Reader, each func(Span) bool, o ReadOptions) (Log, error) {
	if each == nil {
		return Log{}, &schedmath.InputError{Func: "joblog.EachSpan", Arg: "each", Index: -1, Reason: "nil, want a function"}
	}
	t, err := newText("EachSpan", r, o)
	if err != nil {
		return Log{}, err
	}
	return t.read(each)
}

// format is a file of jobs as far as it has been read.
type format interface {
	add(Line) error
}

// smallestTable is the table that messages show.
const smallestTable = `a table of the two lines "user,submit,tasks,run" and "anna,0,4,60" is the smallest that is read`

// noStarts says that a file cannot tell what happened.
const noStarts = "file does not say when jobs started: want sacct -P, a Kubernetes list, SWF, or a table with a column start"

// isJobFile tells the header of a job file from the first line of a file.
func isJobFile(line []byte) bool {
	fields := bytes.Split(bytes.TrimSuffix(line, []byte("\r")), tab)
	return !isSWIM(fields) && slices.ContainsFunc(fields, func(f []byte) bool { return string(f) == "maps" || string(f) == "map_s" })
}

// mostHeader is the length of the longest first line that is read, in bytes: it is cut into fields more
// than once.
const mostHeader = 1 << 16

// packed are the first bytes of files that have to be unpacked, and what packs so.
var packed = map[string]string{"BZh": "bzip2", "\xfd7zXZ": "xz", "(\xb5/\xfd": "zstd", "PK\x03\x04": "zip"}

// formatOf tells the format of a file from its first line.
func formatOf(l Line, in *intake) (format, error) {
	for head, by := range packed {
		if bytes.HasPrefix(l.Text, []byte(head)) {
			return nil, &ParseError{Line: l.Number, Column: 1, Reason: "file is packed by " + by + ": want it unpacked, or by gzip"}
		}
	}
	if len(l.Text) > mostHeader {
		return nil, &ParseError{Line: l.Number, Column: mostHeader + 1, Reason: "first line is longer than " + strconv.Itoa(mostHeader) + " bytes: no format that is read begins so"}
	}
	fields := bytes.Split(l.Text, tab)
	if other := l.otherSlurm(); other != "" {
		return nil, &ParseError{Line: l.Number, Column: 1, Reason: other}
	}
	var f format
	switch {
	case isSWIM(fields):
		f = newSWIMTrace(in)
	case isJobFile(l.Text):
		return nil, &ParseError{Line: l.Number, Column: 1, Reason: "file is a job file, which package slotmodel/workload reads"}
	case l.isSWF():
		in.log.Format = SWF
		return &swfLog{in: in}, in.processorsAlone(l)
	case l.isSacct():
		in.log.Format = Sacct
		return &sacctLog{in: in}, nil
	case isTable(l.Text):
		return nil, errTable
	case len(fields) >= swimColumns:
		f = newSWIMTrace(in) // says what is wrong
	default:
		return nil, l.Fault(1, "", nil, "file is no table, job file, SWIM trace or log in SWF, and not of sacct -P or kubectl: "+smallestTable)
	}
	if in.each != nil {
		return nil, &ParseError{Line: l.Number, Column: 1, Reason: noStarts}
	}
	return f, nil
}

// processorsAlone refuses a resource that a format has no word for.
func (in *intake) processorsAlone(l Line) error {
	if in.resource() == "cpu" {
		return nil
	}
	return &ParseError{Line: l.Number, Column: 1, Reason: "file says nothing of the resource " + strconv.Quote(in.options.Resource) + ": " + in.log.Format.String() + " has processors alone"}
}

// errStopped says that the caller wants no more spans.
var errStopped = errors.New("joblog: stopped")

// read reads a file of any format. If each is not nil it is told of the spans, and no jobs are kept.
func (t *Text) read(each func(Span) bool) (Log, error) {
	in := &intake{Text: t, each: each, names: map[string]string{}}
	in.log.Zone = t.options.Zone
	err := in.read()
	if err == nil {
		err = in.judge()
	}
	if err != nil && err != errStopped {
		return Log{}, err
	}
	in.log.Jobs, in.log.SWIM = in.jobs.list(), in.swim.list()
	return in.log, nil
}

func (in *intake) read() error {
	if in.err == nil {
		head, _ := in.text.Peek(1 << 10)
		if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) {
			in.log.Format = Kubernetes
			return readKubernetes(in)
		}
	}
	var file format
	for line, err := range in.Lines() {
		if file == nil {
			if err == nil {
				file, err = formatOf(line, in)
			}
			if err == errTable {
				in.log.Format = Table
				if err = in.processorsAlone(line); err == nil {
					return readTable(in, line)
				}
			}
			if err != nil {
				return err
			}
		}
		if err == nil {
			err = file.add(line)
		} else {
			in.lines++
		}
		if err = in.fault(err); err != nil {
			return err
		}
	}
	if file == nil {
		return &ParseError{Line: 1, Column: 1, Reason: "file is empty: " + smallestTable}
	}
	return nil
}
