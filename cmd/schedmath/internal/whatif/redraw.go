package whatif

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/internal/replay"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// redraw draws the arrivals of a trace anew: as many jobs, each with its gap to the job before it,
// in blocks of n^(1/3) consecutive ones from random places (circular block bootstrap: Politis and
// Romano 1992). What comes together in the trace stays together within a block.
func redraw(t replay.Trace, seed uint64) replay.Trace {
	src := workload.Stream(seed, workload.Arrivals, 0)
	t.SWIM = blocks(t.SWIM, src, func(j *joblog.SWIMJob) float64 { return j.Submit }, func(j *joblog.SWIMJob, time float64) { j.Submit = time })
	t.Jobs = blocks(t.Jobs, src, func(j *slotmodel.JobSpec) float64 { return j.Arrival }, move)
	return t
}

// move makes a job arrive at another time, and moves what else has a time of the run.
func move(j *slotmodel.JobSpec, time float64) {
	const least = 0x1p-200 // of slotmodel.Run's times; 0 is none
	for _, x := range []*float64{&j.Deadline, &j.Cancel} {
		if *x > 0 {
			*x = max(least, *x+(time-j.Arrival))
		}
	}
	j.Arrival = time
}

// blocks is redraw for jobs of one kind. The gap before the first job of the trace is the mean gap.
func blocks[J any](jobs []J, src rand.Source, arrival func(*J) float64, move func(j *J, time float64)) []J {
	n := len(jobs)
	if n == 0 {
		return jobs
	}
	sorted := slices.Clone(jobs)
	slices.SortStableFunc(sorted, func(a, b J) int { return cmp.Compare(arrival(&a), arrival(&b)) })
	first, last := arrival(&sorted[0]), arrival(&sorted[n-1])
	random, block := rand.New(src), int(math.Ceil(math.Cbrt(float64(n))))
	drawn := make([]J, 0, n)
	for now := first; len(drawn) < n; {
		from := random.IntN(n)
		for k := range min(block, n-len(drawn)) {
			i := (from + k) % n
			gap := (last - first) / float64(max(1, n-1))
			if i > 0 {
				gap = arrival(&sorted[i]) - arrival(&sorted[i-1])
			}
			if len(drawn) > 0 {
				now += gap
			}
			j := sorted[i]
			move(&j, now)
			drawn = append(drawn, j)
		}
	}
	return drawn
}
