package workload_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// onlyParseErrors fails unless an error is a *ParseError with a line.
func onlyParseErrors(t *testing.T, err error) {
	var pe *joblog.ParseError
	if !errors.As(err, &pe) || pe.Line < 1 || pe.Column < 0 || !errors.Is(err, schedmath.ErrInput) {
		t.Fatalf("error %#v, want a *ParseError with a line", err)
	}
}

func limited(file []byte) io.Reader { return io.LimitReader(bytes.NewReader(file), 1<<20) }

// Any bytes give jobs or an error of this package, and the jobs come back from a job file.
func FuzzReadJobs(f *testing.F) {
	for _, seed := range []string{
		"; Version: 2.2\n" + swfJob + "\n", "", "\n", "\r\n", jobHead, jobHead + jobLineA + jobLineB, strings.ReplaceAll(jobHead+jobLineA+"\n\n", "\n", "\r\n"), jobLineA,
		"submit\tmaps\tmap_s\n1\t3\t2\n0\t1\t1\n\n9\t9\t9", "map_s\tmaps\tsubmit\n2\t3\t1\n", "submit\tsubmit\n", "\tmaps", "\ufeff" + jobHead,
		zipped(jobHead + jobLineA), zipped(jobHead + jobLineA)[:40], zipped(zipped(jobHead)), "\x1f\x8b", jobHead + strings.Repeat("\t", 11),
		"submit\tmaps\tmap_s\tuser\n-0\t536870911\t.5\t\n1e3\t536870912\t1.\t1\n", "submit\tmaps\tmap_s\tpriority\n1\t1\t2\t-Inf\n1\t1\t2\tNaN\n",
		"submit\tmaps\tmap_s\tmap_works\tcopies\treplicas\n1\t2\t0\t1,2\t2\t0,-1,3,4\n1\t2\t0\t1,\t0\t\n", "submit,maps,map_s\n1,2,3\n",
		"user,submit,tasks,run\nanna,0,4,60\n", "\ufeffUSER\tsubmit\ttasks\trun\trigid\na\t2026-03-01T08:30:00Z\t4\t1e3\t1\n\t\t\t\t\n",
		"run,tasks,submit,user,id,memory,deadline,weight\n1,2,-3,\"a \"\"b\"\"\",x,1e9,5,2\n", "user,submit,tasks,run\na,0,1,2,3\n\"", zipped("user,submit,tasks,run\nanna,1e300,1,60\n"),
		"submit\tmaps\tmap_s\tafter\tthink\n1\t1\t2\t2\t.5\n0\t1\t2\t0\t0\n3\t1\t2\t2147483647\t1e60\n1\t1\t2\t-1\t0\n",
		lineA + "\n" + lineB + "\n", lineA, zipped(lineA + "\n" + lineB), "j\t0\t0\t1\t1\t1\n", "j\t1\t1\t1e300\t0\t0\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		jobs, err := readJobs(limited(file))
		if err != nil {
			var ie *schedmath.InputError
			if !errors.As(err, &ie) || ie.Func != "workload.Explode" || ie.Arg != "jobs" {
				onlyParseErrors(t, err)
			}
			return
		}
		again, jobs := written(t, jobs, "workload.WriteJobs", workload.WriteJobs)
		got, err := readJobs(bytes.NewReader(again))
		sameJobs[slotmodel.JobSpec](t, jobs, got, err)
	})
}
