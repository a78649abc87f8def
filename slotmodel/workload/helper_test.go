package workload_test

import (
	"bytes"
	"compress/gzip"
	"strconv"

	"github.com/schedmath/schedmath/joblog"
)

// zipped is text compressed by gzip.
func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

var (
	jobA = joblog.SWIMJob{ID: "job0", Submit: 9, Gap: 9, MapInput: 1762, Shuffle: 0, Output: 14347}
	jobB = joblog.SWIMJob{ID: "job1", Submit: 18, Gap: 9, MapInput: 970, Shuffle: 609, Output: 697}
)

const (
	lineA, lineB = "job0\t9\t9\t1762\t0\t14347", "job1\t18\t9\t970\t609\t697"
	swfJob       = "  1 0 -1 3600 4 3598.5 -1 4 7200 -1 1 5 2 -1 1 -1 -1 -1"
	smallest     = `a table of the two lines "user,submit,tasks,run" and "anna,0,4,60" is the smallest that is read`
)

func tooMany(tasks string) string {
	return "brings the tasks of all jobs to " + tasks + ", more than MaxTasks = 16777216: a run takes 5 bytes for each, and some 400 for each that runs"
}

// swimFile is the trace of the jobs.
func swimFile(jobs []joblog.SWIMJob) []byte {
	var b []byte
	for _, j := range jobs {
		b = append(b, j.ID...)
		for _, x := range []float64{j.Submit, j.Gap, j.MapInput, j.Shuffle, j.Output} {
			b = strconv.AppendFloat(append(b, '\t'), x, 'g', -1, 64)
		}
		b = append(b, '\n')
	}
	return b
}

// mostBytes is the length of the longest line that is read.
const mostBytes = 1 << 24

// zeros is an endless text of the digit 0.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}
