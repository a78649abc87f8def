package workload_test

import (
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/workload"
)

func FuzzSWIMReader(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "\r\n\r\n", lineA, lineA + "\n" + lineB + "\n", lineA + "\r\n" + lineB + "\r\n\r\n",
		lineA + "\t/in\t\t\n", lineA + "\t/in\t/out\tx\n" + lineB + "\t\t\tx\n", lineB + "\n" + lineA + "\n", lineA + "\n\n" + lineB,
		zipped(lineA + "\n" + lineB + "\n"), zipped(lineA + "\n")[:20], zipped(zipped(lineA)), "\x1f\x8b", "\x1f",
		"j\t-0\t.5\t1e3\t1E-3\t1.\n", "j\t1e308\t1e309\tNaN\tInf\t0x1p4\n", "j\t1\t2\t-3\t4\t5\n", "\ufeffj\t1\t2\t3\t4\t5\n",
		"j\t1\t2\t3\t4\t5\r\r\n", "\t\t\t\t\t", "j\t1\t2\t3\t4\t5\t6\t7\t8\t9", "j\t1\t2\t3\t4\t99999999999999999999999999\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, trace []byte) {
		whatever(t, trace, func(r io.Reader) iter.Seq2[workload.SWIMJob, error] { return workload.NewSWIMReader(r).All() },
			func(w io.Writer) jobWriter[workload.SWIMJob] { return workload.NewSWIMWriter(w) })
	})
}

func FuzzJobReader(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "\r\n", jobHead, jobHead + jobLineA + jobLineB, strings.ReplaceAll(jobHead+jobLineA+"\n\n", "\n", "\r\n"), jobLineA,
		"id\tsubmit\tmaps\tmap_s\nj\t1\t3\t2\nk\t0\t1\t1\n\nl\t9\t9\t9", "map_s\tmaps\tid\tsubmit\n2\t3\tj\t1\n", "id\tid\n", "\tid", "\ufeff" + jobHead,
		zipped(jobHead + jobLineA), zipped(jobHead + jobLineA)[:40], zipped(zipped(jobHead)), "\x1f\x8b", jobHead + strings.Repeat("\t", 11),
		jobHead + strings.Repeat("\t", 12), "id\tsubmit\tmaps\tmap_s\tuser\nj\t-0\t1073741823\t.5\t \nj\t1e3\t1073741824\t1.\t\x00\n",
		"id\tsubmit\tmaps\tmap_s\nj\t1\t-1\t2\nj\t1\t99999999999999999999\t2\nj\tNaN\t1\t0x1\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		whatever(t, file, func(r io.Reader) iter.Seq2[workload.JobRecord, error] { return workload.NewJobReader(r).All() },
			func(w io.Writer) jobWriter[workload.JobRecord] { return workload.NewJobWriter(w) })
	})
}
