package workload

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/joblog"
)

// Sizes appends to dst the size of each job in seconds of a whole cluster, s(j) of the package
// comment; dn >= 0 is d/n, 4 in the paper's Figure 2, load > 0 the work offered per second of the
// trace.
//
// Errors: all bytes or the latest Submit are 0, or their sum or a size lies beyond float64.
func Sizes(dst []float64, jobs []joblog.SWIMJob, dn, load float64) ([]float64, error) {
	g := guard{fn: "Sizes"}
	g.arg("dn", notAmount(dn))
	g.arg("load", notPositive(load))
	if g.err != nil {
		return dst, g.err
	}
	var sum, last float64
	for i := range jobs {
		j := &jobs[i]
		b := diskBytes(j, dn)
		if g.elem("jobs", i, bytesFault(j)); !(b <= math.MaxFloat64) {
			g.elem("jobs", i, "MapInput + "+text(1+dn)+" Shuffle + Output is beyond float64")
		}
		if g.err != nil {
			return dst, g.err
		}
		sum += b
		last = max(last, j.Submit)
	}
	if len(jobs) == 0 {
		return dst, nil
	}
	scale := load * last / sum
	switch {
	case sum == 0:
		g.arg("jobs", "the bytes of all jobs are 0, want some work to put the load on")
	case last == 0:
		g.arg("jobs", "the last Submit is 0, want a time to spread the load over")
	case !(scale > 0 && scale <= math.MaxFloat64 && sum <= math.MaxFloat64):
		g.arg("jobs", "load * "+text(last)+" s / "+text(sum)+" bytes is outside float64")
	}
	if g.err != nil {
		return dst, g.err
	}
	out := slices.Grow(dst, len(jobs))
	for i := range jobs {
		out = append(out, diskBytes(&jobs[i], dn)*scale)
	}
	return out, nil
}

// diskBytes is a job's work in bytes.
func diskBytes(j *joblog.SWIMJob, dn float64) float64 {
	return j.MapInput + float64((1+dn)*j.Shuffle) + j.Output
}

// bytesFault says which of Submit and the bytes of a job is negative or not finite, "" if none is.
func bytesFault(j *joblog.SWIMJob) string {
	for _, f := range [...]struct {
		name  string
		value float64
	}{{"Submit", j.Submit}, {"MapInput", j.MapInput}, {"Shuffle", j.Shuffle}, {"Output", j.Output}} {
		if reason := notAmount(f.value); reason != "" {
			return f.name + " is " + reason
		}
	}
	return ""
}
