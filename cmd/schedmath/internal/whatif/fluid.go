package whatif

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
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

// onFluid is the workload on one fluid server, with the estimates of a seed.
func (s *setting) onFluid() (*stage, error) {
	jobs, err := s.fluidJobs()
	if err != nil {
		return nil, err
	}
	sizes := numbers.Column(jobs, func(j *fluid.Job) float64 { return j.Size })
	estimates, err := workload.Estimates(nil, sizes, 0, s.Sigma, workload.Stream(s.Seed, workload.Errors, 0))
	if err != nil {
		return nil, err
	}
	first, last, work := math.Inf(1), math.Inf(-1), 0.
	for i, e := range estimates {
		if jobs[i].Estimate = e; s.counts(i) {
			first, last, work = min(first, jobs[i].Arrival), max(last, jobs[i].Arrival), work+sizes[i]
		}
	}
	st := &stage{setting: s, what: s.Name, sizes: sizes, loads: unknown}
	if s.SWIM == nil {
		st.what += fmt.Sprintf(" on a server as fast as %d slots", s.slotsOfServer())
	}
	if first < last {
		st.loads[0] = work / (last - first)
	}
	st.policy = func(name string, bar *program.Progress) (outcome, error) {
		r, err := fluid.Run(1, jobs, known[slices.Index(fluidNames(), name)])
		if err != nil {
			return outcome{}, err
		}
		bar.Add(len(jobs))
		return outcome{Sojourn: r.Sojourn, Finish: r.Finish}, nil
	}
	return st, nil
}

// fluidJobs are the jobs for a server of speed 1. Those with times of their own have the work of
// their tasks, done together by all slots of the server.
func (s *setting) fluidJobs() ([]fluid.Job, error) {
	if s.SWIM != nil {
		jobs, err := s.Fluid(s.DiskToNetwork, s.Load)
		if err != nil && !s.Synthetic {
			err = fmt.Errorf("%s: %w", s.Options.Trace, err)
		}
		return jobs, err
	}
	jobs := make([]fluid.Job, len(s.Jobs))
	for i := range s.Jobs {
		j := &s.Jobs[i]
		jobs[i] = fluid.Job{Arrival: j.Arrival, Size: (seconds(&j.Maps) + seconds(&j.Reduces)) / float64(s.slotsOfServer())}
	}
	return jobs, nil
}

// slotsOfServer is how many slots the server stands for: those of the cluster, those for reduces
// only if there are any.
func (s *setting) slotsOfServer() int {
	if slices.ContainsFunc(s.Jobs, func(j slotmodel.JobSpec) bool { return j.Reduces.Tasks > 0 }) {
		return s.processors + s.machines*reducesPerNode
	}
	return s.processors
}

// seconds are those of all tasks of a phase.
func seconds(p *slotmodel.Phase) float64 {
	if p.Works == nil {
		return float64(p.Tasks) * p.Work
	}
	return floats.Sum(p.Works)
}
