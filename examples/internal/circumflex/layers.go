package circumflex

import (
	"io"
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	policies "github.com/schedmath/schedmath/policy/circumflex"
	"github.com/schedmath/schedmath/slotmodel"
)

// The two layers of appendix A.1: the first layerScans scans of a run with both laws steepest and
// no correlation, of datasets that are blocks, on nodes of nodeSlots slots that report at
// heartbeats.
const (
	layerScans = 300
	nodeSlots  = 4
	heartbeat  = 3  // seconds: "typically on the order of a few seconds"
	epoch      = 15 // seconds, of the plans with wrong estimates
	wrong      = 1. // standard deviation of the logarithm of a wrong estimate over the true one
)

// A layerCase is one number of slots, mean length of tasks and policy.
type layerCase struct {
	slots         int
	task, beat    float64 // seconds
	scheme        string
	make          func(o settings, seed uint64, k int) slotmodel.Policy
	apart         bool      // each scan has a dataset of its own, and can use all slots
	planned       scheme    // of the plan that it is compared with
	response, fit []float64 // by repetition, in minutes: the mean response time here, and that of the plan
}

// layerCases are the cases of the figure; those of what its rows say besides come last.
func layerCases(quick bool) []layerCase {
	var list []layerCase
	for _, slots := range []int{20, 100, 400} {
		for _, task := range []float64{3, 6, 15, 30, 60} {
			if slots == 400 && (quick || task < 15) || quick && (task == 3 || task == 30 || slots == 100 && task < 15) {
				continue // long runs
			}
			for _, beat := range []float64{0, heartbeat} {
				for _, s := range []scheme{flex, circumflex} {
					list = append(list, layerCase{slots: slots, task: task, beat: beat, scheme: schemeNames[s], make: plans(beat), planned: s})
				}
			}
		}
	}
	few := slots
	if quick {
		few = 20
	}
	for _, e := range []string{exact, corrected, kept} {
		list = append(list, layerCase{slots: few, task: 6, scheme: e, planned: circumflex, make: func(o settings, seed uint64, k int) slotmodel.Policy { return o.estimating(e, seed, k) }})
	}
	fair := func(settings, uint64, int) slotmodel.Policy { return new(policy.Fair) }
	for _, x := range []layerCase{{scheme: schemeNames[flex], make: plans(0)}, {scheme: schemeNames[circumflex], make: plans(0)}, {scheme: "FAIR", make: fair}} {
		x.slots, x.task, x.apart = few, 6, true
		list = append(list, x)
	}
	return list
}

// plans makes the policy of FLEX and CIRCUMFLEX: the jobs say what they share.
func plans(beat float64) func(settings, uint64, int) slotmodel.Policy {
	return func(o settings, _ uint64, _ int) slotmodel.Policy { return o.policy(beat) }
}

// Estimates of the time of a block: as it is; wrong until a block of the job has been read; wrong.
const (
	exact     = "CIRCUMFLEX, exact estimates"
	corrected = "CIRCUMFLEX, estimates corrected"
	kept      = "CIRCUMFLEX, estimates kept"
)

// policy is FLEX and CIRCUMFLEX in the slot model.
func (o settings) policy(beat float64) *policies.Policy {
	return &policies.Policy{Period: beat / 60, Max: func(*slotmodel.JobSpec) int { return o.max }}
}

// estimating is CIRCUMFLEX with plans each epoch by estimates of a kind.
func (o settings) estimating(kind string, seed uint64, k int) slotmodel.Policy {
	p := o.policy(0)
	p.Epoch = epoch / 60.
	r := stream(seed, k, wrongStream)
	factor := make([]float64, arrivals)
	for j := range factor {
		factor[j] = math.Exp(wrong * r.NormFloat64())
	}
	p.Estimate = func(v *slotmodel.View, j slotmodel.Job) float64 {
		blocks := v.Spec(j).Maps.Works
		time := report.Mean(blocks)
		if kind == kept || kind == corrected && v.Count(j, slotmodel.Map).Done == 0 {
			time *= factor[j]
		}
		return time
	}
	return p
}

// jobs are the scans of a workload as jobs of the slot model, in minutes. The blocks of a dataset
// take a task's time on average, from half to three halves of it.
func (w *workload) jobs(task float64, r *rand.Rand) []slotmodel.JobSpec {
	var works [datasets][]float64
	for d, size := range w.size {
		total := 0.0
		for range int(max(1, math.Round(size/task))) {
			x := .5 + r.Float64()
			works[d], total = append(works[d], x), total+x
		}
		for k := range works[d] {
			works[d][k] *= size / total
		}
	}
	var list []slotmodel.JobSpec
	for i, t := range w.time {
		d := w.dataset[i]
		list = append(list, slotmodel.JobSpec{Arrival: t, User: d, Maps: slotmodel.Phase{Tasks: len(works[d]), Works: works[d]}})
	}
	return list
}

// play fills in one repetition.
func (c *layerCase) play(r *runner, seed uint64, k int) error {
	o := base(calibrated*c.slots/slots, false)
	o.slots = c.slots
	if c.apart {
		o.max = c.slots
	}
	w := newWorkload(point{theta1: steps - 1, theta2: steps - 1, relation: relations / 2}, o, seed, k)
	w.time, w.dataset = w.time[:layerScans], w.dataset[:layerScans]
	requests, err := w.requests(o, c.planned)
	if err != nil {
		return err
	}
	plan, err := r.run(&w, requests, o, c.planned, averageResponse)
	if err != nil {
		return err
	}
	jobs, p, cluster := w.jobs(c.task/60, stream(seed, k, blockStream)), c.make(o, seed, k), &slotmodel.Cluster{}
	for i := range jobs {
		if c.apart {
			jobs[i].User = i
		}
		if c.apart || c.planned == circumflex {
			jobs[i].Dataset = jobs[i].User + 1
		}
	}
	for range c.slots / nodeSlots {
		cluster.Nodes = append(cluster.Nodes, slotmodel.NodeSpec{Maps: nodeSlots})
	}
	result, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
	if err != nil {
		return err
	}
	c.response[k], c.fit[k] = report.Mean(result.Sojourns(nil)), plan.value
	return nil
}

// playLayers fills in layers.
func (s *study) playLayers(terminal io.Writer) error {
	s.layers = layerCases(s.quick())
	bar := program.NewProgress(terminal, "circumflex: repetitions in the slot model", len(s.layers)*s.n)
	defer bar.Done()
	for i := range s.layers {
		s.layers[i].response, s.layers[i].fit = make([]float64, s.n), make([]float64, s.n)
	}
	return report.Parallel(len(s.layers)*s.n, func(r *runner, i int) error {
		defer bar.Add(1)
		return s.layers[i/s.n].play(r, s.seed, i%s.n)
	})
}
