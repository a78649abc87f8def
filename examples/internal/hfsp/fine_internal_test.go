package hfsp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/numbers"
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

// fineWorkload draws the jobs of one seed: log-normal sizes with sigma 1, exponential gaps.
func fineWorkload(rep int) []fluid.Job {
	r := rand.New(workload.Stream(1, finePurpose, uint64(rep)))
	jobs := make([]fluid.Job, fineJobs)
	at := 0.0
	for i := range jobs {
		size := fineSize * math.Exp(r.NormFloat64()-0.5)
		jobs[i] = fluid.Job{Arrival: at, Size: size, Estimate: size}
		at += fineSize / fineSlots / fineLoad * r.ExpFloat64()
	}
	return jobs
}

// playFine plays the jobs under HFSP that knows their sizes, cut into so many tasks for each slot,
// and returns when they finish.
func playFine(t *testing.T, ideal []fluid.Job, pieces int) []float64 {
	t.Helper()
	n := fineSlots * pieces
	var jobs []slotmodel.JobSpec
	for _, j := range ideal {
		jobs = append(jobs, slotmodel.JobSpec{Arrival: j.Arrival, Maps: slotmodel.Phase{Tasks: n, Work: j.Size / float64(n)}})
	}
	h := new(hfsp.Policy)
	trueSizes(h)
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: fineSlots}}}, jobs, h, slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return numbers.Column(res.Jobs, func(j *slotmodel.JobResult) float64 { return j.Finish })
}

// Without locality, reduces and errors HFSP differs from fluid FSP in nothing but that a task keeps
// its slot. That delays others by at most a task, whose length falls like 1 / tasks. Now and then a
// job is kept by the delay until another comes that goes before it: the delay is then not small, but
// its chance falls like the length of a task. So the mean difference of the sojourn times, relative
// to those under FSP, falls like 1 / tasks.
func TestFineTasks(t *testing.T) {
	const seeds = 5
	pieces := []int{1, 16, 64, 256}
	mean := make([]float64, len(pieces))
	for rep := range seeds {
		ideal := fineWorkload(rep)
		want, err := fluid.Run(fineSlots, ideal, fluid.FSP{})
		if err != nil {
			t.Fatal(err)
		}
		for k, n := range pieces {
			finish := playFine(t, ideal, n)
			for i, j := range ideal {
				mean[k] += math.Abs(finish[i]-want.Finish[i]) / (want.Finish[i] - j.Arrival) / (seeds * fineJobs)
			}
		}
	}
	for k := 1; k < len(pieces); k++ {
		slope := math.Log(mean[k]/mean[k-1]) / math.Log(float64(pieces[k])/float64(pieces[k-1]))
		if !(slope < -.7 && slope > -1.3) {
			t.Errorf("from %d to %d tasks a slot the mean difference goes from %.4f to %.4f, like tasks to the power of %.2f, want about -1", pieces[k-1], pieces[k], mean[k-1], mean[k], slope)
		}
	}
}

// One job alone, and two by hand: on 4 slots a job of size 40 at 0 and one of size 4 at 2.5, in 8
// tasks of 5 s and of 0.5 s. Fluid FSP serves the second at once, HFSP when the first tasks end.
func TestPlayFine(t *testing.T) {
	jobs := []fluid.Job{{Arrival: 0, Size: 40, Estimate: 40}, {Arrival: 2.5, Size: 4, Estimate: 4}}
	ideal, err := fluid.Run(fineSlots, jobs, fluid.FSP{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{11, 3.5}; !slices.Equal(ideal.Finish, want) {
		t.Errorf("fluid FSP finishes them at %v, want %v", ideal.Finish, want)
	}
	if got, want := playFine(t, jobs, 2), []float64{11, 6}; !slices.Equal(got, want) {
		t.Errorf("playFine(%v, 2) = %v, want %v", jobs, got, want)
	}
	if got, want := playFine(t, jobs[:1], 1), []float64{10}; !slices.Equal(got, want) {
		t.Errorf("playFine(%v, 1) = %v, want %v", jobs[:1], got, want)
	}
}
