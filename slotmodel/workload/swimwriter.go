package workload

import (
	"bufio"
	"io"
	"strconv"

	"github.com/schedmath/schedmath"
)

// SWIMWriter writes a SWIM trace that a SWIMReader reads back as the same jobs, number for number. Create it with
// NewSWIMWriter and call Flush after the last job.
type SWIMWriter struct {
	out    *bufio.Writer
	line   []byte
	submit float64 // of the last job
}

// NewSWIMWriter returns a writer to w, through a buffer. With a nil w Write and Flush return an *schedmath.InputError.
func NewSWIMWriter(w io.Writer) *SWIMWriter {
	if w == nil {
		return &SWIMWriter{}
	}
	return &SWIMWriter{out: bufio.NewWriterSize(w, bufferBytes)}
}

func (w *SWIMWriter) ready() error {
	if w == nil || w.out == nil {
		return &schedmath.InputError{Func: "workload.NewSWIMWriter", Arg: "w", Index: -1, Reason: "nil, want a writer"}
	}
	return nil
}

// Write appends one line: the 6 columns of every trace, and as many of InputPath, OutputPath and Extra as it takes to write
// the last one that is not empty. Numbers are the shortest decimals that read back as the same float64, without exponent
// below 1e21.
//
// A job that a SWIMReader would refuse is an *schedmath.InputError and leaves the trace as it was: an id, path or extra field
// that cannot be read back, a number that is negative or not finite, a submit time before that of the job before, a line over
// MaxLineBytes. Other errors are those of the underlying writer, and once there was one every Write and Flush returns it.
func (w *SWIMWriter) Write(job SWIMJob) error {
	if err := w.ready(); err != nil {
		return err
	}
	fault := func(reason string) error {
		return &schedmath.InputError{Func: "workload.SWIMWriter.Write", Arg: "job", Index: -1, Reason: reason}
	}
	if _, reason := idFault(job.ID); reason != "" {
		return fault("ID " + reason)
	}
	texts := [...]struct{ name, value string }{
		{"InputPath", job.InputPath}, {"OutputPath", job.OutputPath}, {"Extra", job.Extra},
	}
	columns := 0 // of texts, to the last one that is not empty
	for i, t := range texts {
		if _, reason := textFault(t.value); reason != "" {
			return fault(t.name + " " + reason)
		}
		if t.value != "" {
			columns = i + 1
		}
	}
	numbers := [...]struct {
		name  string
		value float64
	}{
		{"Submit", job.Submit}, {"Gap", job.Gap}, {"MapInput", job.MapInput}, {"Shuffle", job.Shuffle}, {"Output", job.Output},
	}
	line := append(w.line[:0], job.ID...)
	for _, x := range numbers {
		if reason := notAmount(x.value); reason != "" {
			return fault(x.name + " is " + reason)
		}
		line = appendNumber(append(line, '\t'), x.value)
	}
	if job.Submit < w.submit {
		return fault("Submit is " + text(job.Submit) + ", want at least the " + text(w.submit) + " of the job before")
	}
	for _, t := range texts[:columns] {
		line = append(append(line, '\t'), t.value...)
	}
	if len(line) > MaxLineBytes {
		return fault("line of " + strconv.Itoa(len(line)) + " bytes, want at most " + strconv.Itoa(MaxLineBytes))
	}
	w.line = append(line, '\n')
	if _, err := w.out.Write(w.line); err != nil {
		return err
	}
	w.submit = job.Submit
	return nil
}

// Flush writes what is still in the buffer to the underlying writer.
func (w *SWIMWriter) Flush() error {
	if err := w.ready(); err != nil {
		return err
	}
	return w.out.Flush()
}

// appendNumber writes x >= 0 so that number reads the same float64.
func appendNumber(b []byte, x float64) []byte {
	switch {
	case x == 0:
		return append(b, '0') // not "-0"
	case x < 1e21:
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, x, 'e', -1, 64)
}
