package dynamicshare

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
)

// The small instances of figure best, per seed.
const (
	smallInstances  = 10
	smallMachines   = 3
	smallPartitions = 9
)

var methods = []partition.Method{partition.Hash, partition.LoadBalance, partition.DynamicShare, partition.Multifit, partition.LocalSearch, partition.Best}

// optimum is the least makespan of all assignments of sizes to machines that hold load already.
func (j *job) optimum(sizes, load, speeds []float64) float64 {
	if len(sizes) == 0 {
		return j.slowest(load, speeds)
	}
	least := math.Inf(1)
	for i := range load {
		before := load[i]
		load[i] += sizes[0]
		least = math.Min(least, j.optimum(sizes[1:], load, speeds))
		load[i] = before
	}
	return least
}

// small counts on how many small instances each method is optimal, and returns the makespans
// of Best over the optima.
func (t *trials) small() (optimal map[partition.Method]int, over []float64, err error) {
	optimal = map[partition.Method]int{}
	for i := range t.list {
		r := stream(t.Seed, i, smallStream)
		for range smallInstances {
			v, j := speeds(smallMachines, r), jobs[onTwitter]
			var sizes []float64
			for range smallPartitions {
				sizes = append(sizes, 1e5*math.Exp(r.NormFloat64()))
			}
			least := j.optimum(sizes, make([]float64, smallMachines), v)
			for _, m := range methods {
				plan, err := j.assign(sizes, v, m)
				if err != nil {
					return nil, nil, err
				}
				if plan.Makespan <= least*(1+1e-9) {
					optimal[m]++
				}
				if m == partition.Best {
					over = append(over, plan.Makespan/least)
				}
			}
		}
	}
	return optimal, over, nil
}

// figureBest compares the methods of package partition with the bound, and with the optimum where
// it can be had.
func (t *trials) figureBest() (report.Figure, error) {
	optimal, over, err := t.small()
	if err != nil {
		return report.Figure{}, err
	}
	instances := len(over)
	f := report.NewFigure("Methods of assignment against the bound",
		fmt.Sprintf("Makespan over the lower bound, by exact times: the Twitter job at a skewness of 40%% with %d partitions, and the same keys in more. The table: of %d instances with %d partitions on %d machines, how many each method "+
			"solves to the optimum, which enumeration finds.", reduces, instances, smallPartitions, smallMachines),
		"method", "partitions", "seeds", "ratio_to_bound", "ratio_ci95", "optimal_small", "small_instances")
	f.Shown.Columns = []string{"method", "optimal", "of"}
	c := &draw.Chart{Height: 260, GridY: true, X: logAxis("partitions", widths[:4]), Y: draw.Axis{Label: "makespan / bound", Log: true}}
	ratio := map[partition.Method][]report.Interval{}
	var list []draw.Series
	for k, m := range methods {
		for _, n := range widths[:4] {
			ratios, err := report.Each(t.terminal, "dynamicshare: assignments", t.n, func(i int) (float64, error) {
				p := t.list[i].populations[onTwitter][middle]
				sizes, err := p.sizes(n)
				if err != nil {
					return 0, err
				}
				plan, err := p.job.assign(sizes, t.list[i].speeds, m)
				return plan.Makespan / plan.Bound, err
			})
			if err != nil {
				return f, err
			}
			r := report.Over(ratios)
			ratio[m] = append(ratio[m], r)
			f.Numbers.Add(m.String(), n, t.n, r.Mean, r.Half, optimal[m], instances)
		}
		list = append(list, whiskers(k, m.String(), floats(widths[:4]), ratio[m]))
		f.Shown.Add(m.String(), optimal[m], instances)
	}
	c.Series(list, 1)
	share := float64(optimal[partition.Best]) / float64(instances)
	above := fmt.Sprintf("%.1f%% above the optimum in the mean, %.1f%% at worst", 100*report.Mean(over)-100, 100*slices.Max(over)-100)
	return f.Done([]report.Claim{
		{Claim: "Best is optimal on small instances", Published: "not measured", Model: fmt.Sprintf("%d of %d, %s; DynamicShare %d", optimal[partition.Best], instances, above, optimal[partition.DynamicShare]), Relation: "at 9 of 10", Holds: share >= .9,
			Note: "local search stops where only a change of three partitions at a time would gain"},
		{Claim: "Best is near the bound", Published: "not measured", Model: "Best/bound " + span(ratio[partition.Best]), Relation: "mean at most 1.05 at every number of partitions", Holds: !anyMean(ratio[partition.Best], 1.05),
			Note: "the bound lets a partition be split over machines, which counts most where there are few; where the optimum is known, Best is " + above},
		{Claim: "DynamicShare's greedy rule is near the bound", Published: "not measured", Model: "DynamicShare/bound " + span(ratio[partition.DynamicShare]), Relation: "mean at most 1.05 at every number of partitions", Holds: !anyMean(ratio[partition.DynamicShare], 1.05),
			Note: "the rule never moves a partition again; local search closes most of the gap"},
	}, fmt.Sprintf("Lines of the makespan over the bound for six methods. With %d partitions: DynamicShare %s, Best %s.", widths[3], report.Fixed(ratio[partition.DynamicShare][3].Mean), report.Fixed(ratio[partition.Best][3].Mean)), c)
}
