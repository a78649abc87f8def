package hfsp

import (
	"math"
	"math/rand/v2"
	"slices"

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

// Its seeds, and those of a quick run.
const (
	fineSeeds      = 20
	quickFineSeeds = 5
)

// finePieces are how many tasks a job has for each slot.
var finePieces = []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}

// steadyFrom is the place in finePieces from which the slope is taken: with fewer tasks, a task may
// last as long as many jobs stay.
const steadyFrom = 4

// fine is how far sojourn times under HFSP are from those under fluid FSP, relative to these;
// all by finePieces and seed.
type fine struct {
	mean, largest [][]float64 // over the jobs
	near          [][]float64 // the share of the jobs that end within two of the longest tasks of when they do under fluid FSP
}

// fineRuns is how many runs of the slot model so many seeds need.
func fineRuns(seeds int) int { return seeds * len(finePieces) }

// runFine plays everything. The result does not depend on how many goroutines did.
func runFine(seed uint64, seeds int, bar *report.Progress) (*fine, error) {
	x := new(fine)
	for range finePieces {
		x.mean, x.largest, x.near = append(x.mean, make([]float64, seeds)), append(x.largest, make([]float64, seeds)), append(x.near, make([]float64, seeds))
	}
	err := report.Parallel(seeds, func(_ *struct{}, rep int) error {
		ideal := fineWorkload(seed, rep)
		want, err := fluid.Run(fineSlots, ideal, fluid.FSP{}, fluid.Options{})
		if err != nil {
			return err
		}
		off := make([]float64, len(ideal))
		for k, pieces := range finePieces {
			finish, longest, err := playFine(ideal, pieces)
			if err != nil {
				return err
			}
			near := 0.0
			for i, j := range ideal {
				d := math.Abs(finish[i] - want.Finish[i])
				off[i] = d / (want.Finish[i] - j.Arrival)
				if d <= 2*longest {
					near++
				}
			}
			x.near[k][rep] = near / float64(len(ideal))
			x.mean[k][rep], x.largest[k][rep] = report.Over(off).Mean, slices.Max(off)
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

// playFine plays the jobs under HFSP that knows their sizes, cut into so many tasks for each slot.
// It returns when they finish and how long the longest task is.
func playFine(ideal []fluid.Job, pieces int) (finish []float64, longest float64, err error) {
	jobs := make([]slotmodel.JobSpec, len(ideal))
	n := fineSlots * pieces
	for i, j := range ideal {
		work := j.Size / float64(n)
		jobs[i] = slotmodel.JobSpec{Arrival: j.Arrival, Maps: slotmodel.Phase{Tasks: n, Work: work}}
		longest = max(longest, work)
	}
	h := new(hfsp.Policy)
	trueSizes(h)
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: fineSlots}}}, jobs, h, slotmodel.Options{})
	if err != nil {
		return nil, 0, err
	}
	for _, j := range res.Jobs {
		finish = append(finish, j.Finish)
	}
	return finish, longest, nil
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
