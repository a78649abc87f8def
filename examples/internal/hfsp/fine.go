package hfsp

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The experiment with ever finer tasks: jobs of maps alone that come at random to a few slots, and
// whose sizes differ by orders of magnitude.
const (
	fineSlots   = 4
	fineJobs    = 100 // of each seed
	fineLoad    = 0.9
	fineSize    = 12.0 // slot-seconds, the mean
	finePurpose = workload.FirstFreePurpose + 1
)

// finePieces are how many tasks a job has for each slot.
var finePieces = []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}

// steadyFrom is the place in finePieces from which the slope is taken: with fewer tasks, a task may
// last as long as many jobs stay.
const steadyFrom = 4

// fine is how far sojourn times under HFSP are from those under fluid FSP, relative to these: the
// mean over the jobs, by finePieces and seed.
type fine struct{ mean [][]float64 }

// runFine plays everything. The result does not depend on how many goroutines did.
func runFine(seed uint64, seeds int, bar *program.Progress) (*fine, error) {
	x := new(fine)
	for range finePieces {
		x.mean = append(x.mean, make([]float64, seeds))
	}
	err := report.Parallel(seeds, func(_ *struct{}, rep int) error {
		ideal := fineWorkload(seed, rep)
		want, err := fluid.Run(fineSlots, ideal, fluid.FSP{}, fluid.Options{})
		if err != nil {
			return err
		}
		for k, pieces := range finePieces {
			finish, err := playFine(ideal, pieces)
			if err != nil {
				return err
			}
			for i, j := range ideal {
				x.mean[k][rep] += math.Abs(finish[i]-want.Finish[i]) / (want.Finish[i] - j.Arrival) / float64(len(ideal))
			}
			bar.Add(1)
		}
		return nil
	})
	return x, err
}

// fineWorkload draws the jobs of one seed: log-normal sizes with sigma 1, exponential gaps.
func fineWorkload(seed uint64, rep int) []fluid.Job {
	r := rand.New(workload.Stream(seed, finePurpose, uint64(rep)))
	jobs := make([]fluid.Job, fineJobs)
	at := 0.0
	for i := range jobs {
		size := fineSize * math.Exp(r.NormFloat64()-0.5)
		jobs[i] = fluid.Job{Arrival: at, Size: size, Estimate: size}
		at += fineSize / fineSlots / fineLoad * r.ExpFloat64()
	}
	return jobs
}

// cut cuts jobs into so many tasks for each slot, and tells how long the longest task is.
func cut(ideal []fluid.Job, pieces int) (jobs []slotmodel.JobSpec, longest float64) {
	n := fineSlots * pieces
	for _, j := range ideal {
		work := j.Size / float64(n)
		jobs = append(jobs, slotmodel.JobSpec{Arrival: j.Arrival, Maps: slotmodel.Phase{Tasks: n, Work: work}})
		longest = max(longest, work)
	}
	return jobs, longest
}

// playFine plays the jobs under HFSP that knows their sizes, cut into so many tasks for each slot,
// and returns when they finish.
func playFine(ideal []fluid.Job, pieces int) (finish []float64, err error) {
	jobs, _ := cut(ideal, pieces)
	h := new(hfsp.Policy)
	trueSizes(h)
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: fineSlots}}}, jobs, h, slotmodel.Options{})
	if err != nil {
		return nil, err
	}
	return report.Column(res.Jobs, func(j *slotmodel.JobResult) float64 { return j.Finish }), nil
}

// slopes returns by seed the slope of the least-squares line through the logarithms of values by
// finePieces, from steadyFrom on.
func slopes(values [][]float64) []float64 {
	list := make([]float64, len(values[0]))
	pieces := finePieces[steadyFrom:]
	middle := 0.0
	for _, n := range pieces {
		middle += math.Log(float64(n)) / float64(len(pieces))
	}
	for rep := range list {
		up, across := 0.0, 0.0
		for k, n := range pieces {
			dx := math.Log(float64(n)) - middle
			up += float64(dx * math.Log(values[steadyFrom+k][rep]))
			across += float64(dx * dx)
		}
		list[rep] = up / across
	}
	return list
}
