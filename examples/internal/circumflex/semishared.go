package circumflex

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

// The semi-shared scans are over 59 days, a block each: a day, a week that begins in one month and
// ends in the next, and both months.
const (
	semiBlocks = 59
	semiBlock  = 10 // slot-minutes
	semiSlots  = 20
)

var (
	semiMaxima = []int{semiSlots, 8}
	semiShown  = [2]int{20, 41} // days of the picture
	semiScans  = [][]int{days(30, 31), days(25, 32), days(28, 59), days(0, 28)}
)

func days(from, to int) []int {
	var list []int
	for d := from; d < to; d++ {
		list = append(list, d)
	}
	return list
}

// A semiPlan is one objective and M: the plan of the regions, and what the same scans give each by
// itself.
type semiPlan struct {
	max           int
	objective     string
	sum           bool
	shared        *malleable.Schedule
	report, alone malleable.Report
}

// semiShared is all of it.
type semiShared struct {
	scans [][]int
	venn  sharedscan.Venn
	plans []semiPlan
}

func newSemiShared() (*semiShared, error) {
	x := &semiShared{scans: semiScans}
	bytes := slices.Repeat([]float64{semiBlock}, semiBlocks)
	var err error
	if x.venn, err = sharedscan.Regions(x.scans, bytes); err != nil {
		return nil, err
	}
	for _, m := range semiMaxima {
		var whole []malleable.Job
		var limits []sharedscan.Scan
		var alone []float64
		for _, s := range x.scans {
			work := float64(len(s) * semiBlock)
			whole = append(whole, malleable.Job{Work: work, Max: m})
			limits = append(limits, sharedscan.Scan{Max: m})
			alone = append(alone, work/float64(m))
		}
		jobs, err := sharedscan.FromSubjobs(nil, x.venn.Regions, limits)
		if err != nil {
			return nil, err
		}
		var goals [drawn]precedence.Objective
		var bad [drawn]error
		goals[averageResponse], bad[averageResponse] = precedence.SumResponse(len(x.scans))
		goals[averageStretch], bad[averageStretch] = precedence.SumStretch(alone)
		goals[maximumStretch], bad[maximumStretch] = precedence.MaxStretch(alone)
		if err := errors.Join(bad[:]...); err != nil {
			return nil, err
		}
		for k, objective := range goals {
			over, err := sharedscan.OverSubjobs(x.venn.Regions, objective)
			if err != nil {
				return nil, err
			}
			p := semiPlan{max: m, objective: metricNames[k], sum: objective.Aggregate == precedence.Sum}
			if p.shared, p.report, err = malleable.Plan(semiSlots, jobs, x.venn.Graph, over, malleable.PlanOptions{}); err != nil {
				return nil, err
			}
			if _, p.alone, err = malleable.Plan(semiSlots, whole, nil, objective, malleable.PlanOptions{}); err != nil {
				return nil, err
			}
			x.plans = append(x.plans, p)
		}
	}
	return x, nil
}

// perScan is what a value is a scan.
func (p *semiPlan) perScan(value float64, scans int) float64 {
	if p.sum {
		return value / float64(scans)
	}
	return value
}

func figureSemishared() (report.Figure, error) {
	f := report.NewFigure("Semi-shared scans from blocks to slots",
		fmt.Sprintf("One job scans a day, one a week, two a month each, of %d days of %d slot-minutes (top, one column a day; numbers are the subjobs, of which two have no blocks of their own). Bottom: a plan for the least average stretch on %d slots "+
			"when each subjob can use %d; two subjobs of a job may run side by side. The paper gives sums up for such scans; a job's weight on its own subjob keeps them well posed.", semiBlocks, semiBlock, semiSlots, semiMaxima[1]),
		"max_slots", "objective", "shared", "shared_bound", "shared_exact", "unshared", "unshared_bound", "unshared_exact", "order_method")
	f.Shown.Columns = []string{"M", "objective", "shared", "not shared", "shared is best"}
	x, err := newSemiShared()
	if err != nil {
		return f, err
	}
	var charts []*draw.Chart
	blocks := blockChart(x.scans, &x.venn, 130, semiShown[0], semiShown[1])
	blocks.X.Label = "day; both months go on"
	for d := semiShown[0]; d < semiShown[1]; d += 2 {
		blocks.X.Ticks = append(blocks.X.Ticks, draw.Tick{At: float64(d) + 0.5, Label: strconv.Itoa(d + 1)})
	}
	charts = append(charts, blocks)
	for k := range x.plans {
		p := &x.plans[k]
		n := len(x.scans)
		shared, unshared := p.perScan(p.report.Value, n), p.perScan(p.alone.Value, n)
		f.Numbers.Add(p.max, p.objective, shared, p.perScan(p.report.Bound, n), fmt.Sprint(p.report.Exact), unshared, p.perScan(p.alone.Bound, n), fmt.Sprint(p.alone.Exact), p.report.Method.String())
		best := fmt.Sprint(p.report.Exact)
		if !p.report.Exact {
			best = fmt.Sprintf("within %.3f", p.report.Factor)
		}
		f.Shown.Add(fmt.Sprint(p.max), p.objective, report.Short(shared), report.Short(unshared), best)
		if p.max == semiMaxima[1] && p.objective == "average stretch" {
			a := gantt(p.shared, semiSlots, p.shared.Makespan(), func(j int) string { return fmt.Sprint(j + 1) }, func(j int) draw.Paint { return draw.PaintOf(j) })
			a.X.Label, a.Height = "time (min)", 150
			charts = append(charts, a)
		}
	}
	return f.Done(claimsSemishared(x), "Four rows of days cut into subjobs; and a schedule of these on 20 slots.", charts...)
}

func claimsSemishared(x *semiShared) []report.Claim {
	sums := report.Number(x.plans, func(p semiPlan) bool { return p.max == semiSlots && p.sum })
	exact := report.Number(x.plans, func(p semiPlan) bool { return p.max == semiSlots && p.sum && p.report.Exact })
	better := report.Number(x.plans, func(p semiPlan) bool { return p.report.Value < p.alone.Value })
	plans := len(x.plans)
	return []report.Claim{
		{Claim: "with semi-shared scans minimax metrics can be handled, but not average response time metrics", Published: "8 of 16 metrics", Model: fmt.Sprintf("%d of %d sums solved to optimality", exact, sums),
			Relation: "average response time and average stretch both known to be best when a job can use all slots: more than the paper has", Holds: exact == sums && sums > 0, Extends: true},
		{Claim: "sharing serves every metric better than scanning each by itself", Published: "much leverage", Model: fmt.Sprintf("%d of %d plans", better, plans),
			Relation: "value below that without sharing, for each metric and M", Holds: better == plans, Kind: report.Beyond},
	}
}
