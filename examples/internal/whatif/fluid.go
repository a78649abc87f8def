package whatif

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// known are the policies by the names of their String methods, in the order in which they are
// listed. In a first-come queue a job of size 0 waits for its turn, as it does in the simulator of
// the HFSP paper.
var known = []fluid.Policy{fluid.FIFO{Turn: true}, fluid.PS{}, fluid.LAS{}, fluid.SRPT{}, fluid.SPT{}, fluid.FSP{},
	fluid.FSP{Late: fluid.LateFirst}, fluid.FSP{Late: fluid.LateLeastAttained}, fluid.FSP{Late: fluid.LateNext}}

// fluidNames are the names of known.
func fluidNames() []string {
	var names []string
	for _, p := range known {
		names = append(names, p.String())
	}
	return names
}

// onFluid is a workload on one fluid server, with the estimates of a seed.
func onFluid(o Options, t replay.Trace) (*stage, error) {
	jobs, err := fluidJobs(o, t)
	if err != nil {
		return nil, err
	}
	sizes := report.Column(jobs, func(j *fluid.Job) float64 { return j.Size })
	estimates, err := workload.Estimates(nil, sizes, 0, o.Sigma, workload.Stream(o.Seed, workload.Errors, 0))
	if err != nil {
		return nil, err
	}
	for i, e := range estimates {
		jobs[i].Estimate = e
	}
	return &stage{name: t.Name, rivals: [2]string{"fifo", "ps"}, sizes: sizes, play: func(name string, c *console) (outcome, error) {
		r, err := fluid.Run(1, jobs, known[slices.Index(fluidNames(), name)], fluid.Options{})
		if err != nil {
			return outcome{}, err
		}
		c.bar.Add(len(jobs))
		return outcome{r.Sojourn, r.Finish}, nil
	}}, nil
}

// fluidJobs are the jobs for a server of speed 1. Those of a job file or a log have the work of
// their tasks, done together by all slots of the cluster, those for reduces only if there are any.
func fluidJobs(o Options, t replay.Trace) ([]fluid.Job, error) {
	if t.Specs == nil {
		jobs, err := t.Fluid(o.DiskToNetwork, o.Load)
		if err != nil && !t.Synthetic {
			err = fmt.Errorf("%s: %w", o.Trace, err)
		}
		return jobs, err
	}
	slots := o.machines(t.Specs) * mapsPerNode
	if slices.ContainsFunc(t.Specs, func(j slotmodel.JobSpec) bool { return j.Reduces.Tasks > 0 }) {
		slots += o.machines(t.Specs) * reducesPerNode
	}
	jobs := make([]fluid.Job, len(t.Specs))
	for i := range t.Specs {
		s := &t.Specs[i]
		if s.After > 0 {
			return nil, report.Usagef("%s: job %d comes after another job, want -model slots: the fluid server takes arrivals as they are", o.Trace, i+1)
		}
		jobs[i] = fluid.Job{Arrival: s.Arrival, Size: (work(&s.Maps) + work(&s.Reduces)) / float64(slots)}
	}
	return jobs, nil
}

// work is the seconds of all tasks of a phase.
func work(p *slotmodel.Phase) float64 {
	if p.Works == nil {
		return float64(p.Tasks) * p.Work
	}
	return floats.Sum(p.Works)
}
