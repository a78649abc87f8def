package whatif

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
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
func slotPolicy(name string) (slotmodel.Policy, error) {
	switch name {
	case "fifo":
		return policy.FIFO{}, nil
	case "fair":
		return new(policy.Fair), nil
	case "srpt":
		return new(policy.SRPT), nil
	}
	return policy.NewHFSP(policy.HFSPOptions{})
}

// replaySlots cuts the jobs of a trace into tasks and replays them on a cluster under each policy. A job's size is the time that it takes alone on the
// cluster.
func replaySlots(o Options, names []string) ([]Row, string, error) {
	t, err := replay.Read(o.Trace, o.Seed, o.first())
	if err != nil {
		return nil, "", err
	}
	jobs, made, err := workload.Explode(nil, t.Jobs, workload.ExplodeOptions{MapSlots: machines * mapsPerNode, ReduceSlots: machines * reducesPerNode,
		MapLoad: o.Load, ReduceLoad: o.Load, DN: o.DiskToNetwork}, nil)
	if err != nil {
		return nil, "", err
	}
	cluster := &slotmodel.Cluster{Nodes: slices.Repeat([]slotmodel.NodeSpec{{Maps: mapsPerNode, Reduces: reducesPerNode}}, machines)}
	sizes := report.Column(jobs, func(j *slotmodel.JobSpec) float64 {
		return alone(&j.Maps, machines*mapsPerNode) + alone(&j.Reduces, machines*reducesPerNode)
	})
	run := names
	if !slices.Contains(run, "fair") {
		run = append(slices.Clone(run), "fair")
	}
	results := make([]*slotmodel.Result, len(run))
	err = report.Parallel(len(run), func(_ *struct{}, i int) error {
		p, err := slotPolicy(run[i])
		if err == nil {
			results[i], err = slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	fair := finishes(results[slices.Index(run, "fair")])
	var rows []Row
	for i, name := range names {
		sojourns := results[i].Sojourns(nil)
		row := measure(sizes, sojourns, finishes(results[i]), fair)
		row.Policy, row.Mean, row.Rival = name, report.Mean(sojourns), "fair"
		rows = append(rows, row)
	}
	return rows, fmt.Sprintf("%s as %d maps and %d reduces on %s", t.Name, made.Maps, made.Reduces, clusterForPeople), nil
}

// alone is how long a phase of equal tasks takes with all slots to itself.
func alone(p *slotmodel.Phase, slots int) float64 {
	return math.Ceil(float64(p.Tasks)/float64(slots)) * p.Work
}

func finishes(r *slotmodel.Result) []float64 {
	return report.Column(r.Jobs, func(j *slotmodel.JobResult) float64 { return j.Finish })
}
