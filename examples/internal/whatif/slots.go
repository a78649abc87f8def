package whatif

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The cluster of the slot model has the slots of HFSP's experiments.
const (
	machines         = 18
	mapsPerNode      = 4
	reducesPerNode   = 2
	clusterForPeople = "18 machines of 4 map and 2 reduce slots"
)

// slotNames are the policies of the slot model.
var slotNames = []string{"fifo", "fair", "srpt", "hfsp"}

// slotPolicy returns a policy for one run.
func slotPolicy(name string) slotmodel.Policy {
	switch name {
	case "fifo":
		return policy.FIFO{}
	case "fair":
		return new(policy.Fair)
	case "srpt":
		return new(policy.SRPT)
	}
	return new(hfsp.Policy)
}

// replaySlots cuts the jobs of a trace into tasks and replays them on a cluster under each policy;
// those of a job file it takes as they are. A job's size is the time that it takes alone on the
// cluster.
func replaySlots(o Options, t replay.Trace, names []string, c *console) ([]Row, string, error) {
	jobs := t.Specs
	if jobs == nil {
		var err error
		jobs, _, err = workload.Explode(nil, t.Jobs, workload.ExplodeOptions{MapSlots: machines * mapsPerNode, ReduceSlots: machines * reducesPerNode,
			MapLoad: o.Load, ReduceLoad: o.Load, DN: o.DiskToNetwork}, nil)
		if err != nil {
			return nil, "", err
		}
	}
	cluster := &slotmodel.Cluster{Nodes: slices.Repeat([]slotmodel.NodeSpec{{Maps: mapsPerNode, Reduces: reducesPerNode}}, machines)}
	maps, reduces := 0, 0
	sizes := report.Column(jobs, func(j *slotmodel.JobSpec) float64 {
		maps, reduces = maps+j.Maps.Tasks, reduces+j.Reduces.Tasks
		return alone(&j.Maps, machines*mapsPerNode) + alone(&j.Reduces, machines*reducesPerNode)
	})
	run := names
	if !slices.Contains(run, "fair") {
		run = append(slices.Clone(run), "fair")
	}
	c.announce(len(jobs), maps+reduces, len(run))
	c.start(len(jobs), len(run))
	results := make([]*slotmodel.Result, len(run))
	err := report.Parallel(len(run), func(_ *struct{}, i int) (err error) {
		results[i], err = slotmodel.Run(cluster, jobs, slotPolicy(run[i]), slotmodel.Options{Log: c.log()})
		return err
	})
	if err != nil {
		return nil, "", err
	}
	fair := finishes(results[slices.Index(run, "fair")])
	var rows []Row
	for i, name := range names {
		sojourns := report.Column(results[i].Jobs, func(j *slotmodel.JobResult) float64 { s, _ := j.Sojourn(); return s })
		row := measure(sizes, sojourns, finishes(results[i]), fair)
		if row.Policy, row.Rival = name, "fair"; row.Jobs == 0 {
			return nil, "", report.Usagef("no job of %s finishes under %s", t.Name, name)
		}
		rows = append(rows, row)
	}
	return rows, fmt.Sprintf("%s as %d maps and %d reduces on %s", t.Name, maps, reduces, clusterForPeople), nil
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

// finishes are when the jobs finish; NaN for one that is killed, fails or is cancelled.
func finishes(r *slotmodel.Result) []float64 {
	return report.Column(r.Jobs, func(j *slotmodel.JobResult) float64 {
		if j.Outcome != slotmodel.Finished {
			return math.NaN()
		}
		return j.Finish
	})
}
