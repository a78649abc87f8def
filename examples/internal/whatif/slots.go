package whatif

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The cluster of the slot model has machines of the kind of HFSP's experiments.
const (
	mapsPerNode     = 4
	reducesPerNode  = 2
	defaultMachines = 18
)

// machines is how many machines the cluster has: those asked for, else those of HFSP's experiments,
// or more if a rigid job needs them.
func (o *Options) machines(jobs []slotmodel.JobSpec) int {
	if o.Machines > 0 {
		return o.Machines
	}
	widest := 0
	for i := range jobs {
		if jobs[i].Rigid {
			widest = max(widest, jobs[i].Maps.Tasks)
		}
	}
	return max(defaultMachines, (widest+mapsPerNode-1)/mapsPerNode)
}

// A slotPolicy is a policy of the slot model, and the jobs for which it makes sense.
type slotPolicy struct {
	name string
	make func() slotmodel.Policy         // for one run
	asks func(j *slotmodel.JobSpec) bool // of some job; nil: nothing
}

// slotPolicies are in the order in which they are listed. Delay scheduling and ShuffleWatcher need
// racks and blocks, Dynamic Priority bids: a trace has none.
var slotPolicies = []slotPolicy{
	{"fifo", func() slotmodel.Policy { return policy.FIFO{} }, nil},
	{"fair", func() slotmodel.Policy { return new(policy.Fair) }, nil},
	{"srpt", func() slotmodel.Policy { return new(policy.SRPT) }, nil},
	{"hfsp", func() slotmodel.Policy { return new(hfsp.Policy) }, nil},
	{"fair-users", func() slotmodel.Policy { return new(policy.PerUser) }, func(j *slotmodel.JobSpec) bool { return j.User > 0 }},
	{"edf", func() slotmodel.Policy { return &queues.Policy{Order: queues.EDF} }, hasDeadline},
	{"llf", func() slotmodel.Policy { return &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining} }, hasDeadline},
}

func hasDeadline(j *slotmodel.JobSpec) bool { return j.Deadline > 0 }

// slotNames are the policies that make sense for the jobs; nil: those of a SWIM trace.
func slotNames(jobs []slotmodel.JobSpec) []string {
	var names []string
	for _, p := range slotPolicies {
		if p.asks == nil || slices.ContainsFunc(jobs, func(j slotmodel.JobSpec) bool { return p.asks(&j) }) {
			names = append(names, p.name)
		}
	}
	return names
}

// onSlots is a workload on a cluster. It cuts the jobs of a SWIM trace into tasks; those of a job
// file it takes as they are. A job's size is the time that it takes alone on the cluster.
func onSlots(o Options, t replay.Trace) (*stage, error) {
	jobs, machines := t.Specs, o.machines(t.Specs)
	if jobs == nil {
		var err error
		jobs, _, err = workload.Explode(nil, t.Jobs, workload.ExplodeOptions{MapSlots: machines * mapsPerNode, ReduceSlots: machines * reducesPerNode,
			MapLoad: o.Load, ReduceLoad: o.Load, DN: o.DiskToNetwork}, nil)
		if err != nil {
			return nil, err
		}
	}
	cluster := &slotmodel.Cluster{Nodes: slices.Repeat([]slotmodel.NodeSpec{{Maps: mapsPerNode, Reduces: reducesPerNode}}, machines)}
	maps, reduces := 0, 0
	sizes := report.Column(jobs, func(j *slotmodel.JobSpec) float64 {
		maps, reduces = maps+j.Maps.Tasks, reduces+j.Reduces.Tasks
		return alone(&j.Maps, machines*mapsPerNode) + alone(&j.Reduces, machines*reducesPerNode)
	})
	name := fmt.Sprintf("%s as %d maps and %d reduces on %d machines of %d map and %d reduce slots", t.Name, maps, reduces, machines, mapsPerNode, reducesPerNode)
	return &stage{name: name, rivals: [2]string{"fifo", "fair"}, sizes: sizes, tasks: maps + reduces, play: func(name string, c *console) (outcome, error) {
		p := slotPolicies[slices.IndexFunc(slotPolicies, func(p slotPolicy) bool { return p.name == name })]
		r, err := slotmodel.Run(cluster, jobs, p.make(), slotmodel.Options{Log: c.log()})
		if err != nil {
			return outcome{}, err
		}
		return outcome{
			report.Column(r.Jobs, func(j *slotmodel.JobResult) float64 { s, _ := j.Sojourn(); return s }),
			report.Column(r.Jobs, func(j *slotmodel.JobResult) float64 {
				if j.Outcome != slotmodel.Finished {
					return math.NaN()
				}
				return j.Finish
			}),
		}, nil
	}}, nil
}

// alone is how long a phase takes with all slots to itself, its tasks in their order.
func alone(p *slotmodel.Phase, slots int) float64 {
	if p.Works == nil {
		return math.Ceil(float64(p.Tasks)/float64(slots)) * p.Work
	}
	ends := make([]float64, slots)
	for _, w := range p.Works {
		ends[slices.Index(ends, slices.Min(ends))] += w
	}
	return slices.Max(ends)
}
