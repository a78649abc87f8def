package joblog_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/joblog"
)

// onlyParseErrors fails unless an error is a *ParseError with a line.
func onlyParseErrors(t *testing.T, err error) {
	var pe *joblog.ParseError
	if !errors.As(err, &pe) || pe.Line < 1 || pe.Column < 0 || !errors.Is(err, schedmath.ErrInput) {
		t.Fatalf("error %#v, want a *ParseError with a line", err)
	}
}

func limited(file []byte) io.Reader { return io.LimitReader(bytes.NewReader(file), 1<<20) }

// The reader ends without a panic, faults only with its own errors, and what it accepts it reads
// again from a file of these jobs.
func FuzzReadSWIM(f *testing.F) {
	for _, seed := range []string{
		"; Version: 2.2\n" + swfJob + "\n", "", "\n", "\r\n\r\n", lineA, lineA + "\n" + lineB + "\n", lineA + "\r\n" + lineB + "\r\n\r\n",
		lineA + "\t/in\t\t\n", lineA + "\t/in\t/out\tx\n" + lineB + "\t\t\tx\n", lineB + "\n" + lineA + "\n", lineA + "\n\n" + lineB,
		zipped(lineA + "\n" + lineB + "\n"), zipped(lineA + "\n")[:20], zipped(zipped(lineA)), "\x1f\x8b", "\x1f",
		"j\t-0\t.5\t1e3\t1E-3\t1.\n", "j\t1e308\t1e309\tNaN\tInf\t0x1p4\n", "j\t1\t2\t-3\t4\t5\n", "\ufeffj\t1\t2\t3\t4\t5\n",
		"j\t1\t2\t3\t4\t5\r\r\n", "\t\t\t\t\t", "j\t1\t2\t3\t4\t5\t6\t7\t8\t9", "j\t1\t2\t3\t4\t99999999999999999999999999\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, trace []byte) {
		jobs, err := joblog.ReadSWIM(limited(trace))
		if err != nil {
			onlyParseErrors(t, err)
			return
		}
		again, err := joblog.ReadSWIM(bytes.NewReader(swimFile(jobs)))
		if d := cmp.Diff(jobs, again, cmpopts.EquateEmpty()); err != nil || d != "" {
			t.Fatalf("read back with error %v: -written +read\n%s", err, d)
		}
	})
}
