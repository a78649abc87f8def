package workload

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath"
)

// JobWriter writes a job file that a JobReader reads back as the same jobs, number for number. Create it with NewJobWriter and
// call Flush after the last job; a file without jobs is a header.
type JobWriter struct {
	out    *bufio.Writer
	line   []byte
	headed bool
	submit float64 // of the last job
}

// NewJobWriter returns a writer to w, through a buffer. With a nil w Write and Flush return an *schedmath.InputError.
func NewJobWriter(w io.Writer) *JobWriter {
	if w == nil {
		return &JobWriter{}
	}
	return &JobWriter{out: bufio.NewWriterSize(w, bufferBytes)}
}

// ready writes the header if nothing has been written.
func (w *JobWriter) ready() error {
	if w == nil || w.out == nil {
		return &schedmath.InputError{Func: "workload.NewJobWriter", Arg: "w", Index: -1, Reason: "nil, want a writer"}
	}
	if w.headed {
		return nil
	}
	w.headed = true
	_, err := w.out.WriteString(strings.Join(jobFields[:], "\t") + "\n")
	return err
}

// Write appends one line with all 12 columns, in the order of JobRecord's fields. Numbers are the shortest decimals that read
// back as the same float64, without exponent below 1e21.
//
// A job that a JobReader would refuse is an *schedmath.InputError and leaves the file as it was: an empty id, a text that cannot be
// read back, a number that is negative or not finite, more than 2^30-1 tasks of a kind, a submit time before that of the job before,
// a line over MaxLineBytes. Other errors are those of the underlying writer, and once there was one every Write and Flush returns it.
func (w *JobWriter) Write(job JobRecord) error {
	if err := w.ready(); err != nil {
		return err
	}
	fault := func(reason string) error {
		return &schedmath.InputError{Func: "workload.JobWriter.Write", Arg: "job", Index: -1, Reason: reason}
	}
	if reason := job.textFaults(); reason != "" {
		return fault(reason)
	}
	if reason := job.fault(); reason != "" {
		return fault(reason)
	}
	if job.Submit < w.submit {
		return fault("Submit is " + text(job.Submit) + ", want at least the " + text(w.submit) + " of the job before")
	}
	b := append(append(w.line[:0], job.ID...), '\t')
	b = append(appendNumber(b, job.Submit), '\t')
	b = append(append(b, job.User...), '\t')
	b = append(append(b, job.Queue...), '\t')
	b = append(appendNumber(b, job.Deadline), '\t')
	b = append(strconv.AppendInt(b, int64(job.Maps), 10), '\t')
	b = append(strconv.AppendInt(b, int64(job.Reduces), 10), '\t')
	b = append(appendNumber(b, job.MapSeconds), '\t')
	b = append(appendNumber(b, job.ReduceSeconds), '\t')
	b = append(appendNumber(b, job.Input), '\t')
	b = append(appendNumber(b, job.Shuffle), '\t')
	b = appendNumber(b, job.Output)
	if len(b) > MaxLineBytes {
		return fault("line of " + strconv.Itoa(len(b)) + " bytes, want at most " + strconv.Itoa(MaxLineBytes))
	}
	w.line = append(b, '\n')
	if _, err := w.out.Write(w.line); err != nil {
		return err
	}
	w.submit = job.Submit
	return nil
}

// Flush writes what is still in the buffer, and the header if there was no job, to the underlying writer.
func (w *JobWriter) Flush() error {
	if err := w.ready(); err != nil {
		return err
	}
	return w.out.Flush()
}
