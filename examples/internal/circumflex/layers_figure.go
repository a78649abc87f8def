package circumflex

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// A layerPair is FLEX and CIRCUMFLEX in one case.
type layerPair struct{ flex, circumflex *layerCase }

// ratio is that of the response times here, and that of the plans'.
func (p layerPair) ratio() (here, planned []float64) {
	return report.Ratios(p.circumflex.response, p.flex.response), report.Ratios(p.circumflex.fit, p.flex.fit)
}

// overPlan is the response time over that of the plan.
func (c *layerCase) overPlan() []float64 { return report.Ratios(c.response, c.fit) }

// pairs are the cases of the charts, in order: by slots, tasks and heartbeats.
func pairs(list []layerCase) []layerPair {
	var all []layerPair
	for i := 0; list[i].scheme == schemeNames[flex] && !list[i].apart; i += 2 {
		all = append(all, layerPair{&list[i], &list[i+1]})
	}
	return all
}

func (s *study) figureLayers() (report.Figure, error) {
	f := report.NewFigure("Plans in whole slots and tasks, at heartbeats",
		fmt.Sprintf("The first %d scans, θ₁ = θ₂ = 1, no correlation, as jobs of the slot model: blocks of a mean length on nodes of %d slots, datasets scaled to the slots, a job on at most 2/5 of them. Plans are made at arrivals "+
			"and ends of jobs; a free slot goes to the dataset furthest below its plan, at once or when its node reports, every %d s. Top: CIRCUMFLEX's mean response time over that of the plan followed exactly; bottom: over FLEX's. Means over %s.",
			layerScans, nodeSlots, heartbeat, report.Count(s.n, "repetition")),
		"scheme", "apart", "slots", "task_s", "heartbeat_s", "repetitions", "response_min", "plan_min", "over_plan", "sd")
	f.Shown.Columns = []string{"slots", "task (s)", "heartbeat (s)", "CIRCUMFLEX / plan", "FLEX / plan", "CIRCUMFLEX/FLEX", "in the plan"}
	for i := range s.layers {
		c := &s.layers[i]
		over := c.overPlan()
		f.Numbers.Add(c.scheme, fmt.Sprint(c.apart), c.slots, c.task, c.beat, s.n, report.Mean(c.response), report.Mean(c.fit), report.Mean(over), report.SD(over))
	}
	axis := draw.Axis{Label: "mean length of a task (s)", Min: 2.7, Max: 67, Log: true, Ticks: draw.TicksAt(3, 6, 15, 30, 60)}
	top := &draw.Chart{Height: 200, GridY: true, X: axis, Y: draw.Axis{Label: "response / the plan's", Log: true}}
	low := &draw.Chart{Height: 170, GridY: true, X: axis, Y: draw.Axis{Label: "CIRCUMFLEX / FLEX", Log: true}}
	var tops, lows []draw.Series
	at := map[[2]float64]int{}
	planned := 0.0
	for _, p := range pairs(s.layers) {
		c := p.circumflex
		key := [2]float64{float64(c.slots), c.beat}
		k, known := at[key]
		if !known {
			k = len(tops)
			at[key] = k
			label := fmt.Sprintf("%d slots, at once", c.slots)
			if c.beat > 0 {
				label = fmt.Sprintf("%d slots, heartbeats", c.slots)
			}
			tops, lows = append(tops, draw.Look(k, label)), append(lows, draw.Look(k, ""))
		}
		here, plan := p.ratio()
		tops[k].X, tops[k].Y = append(tops[k].X, c.task), append(tops[k].Y, report.Mean(c.overPlan()))
		lows[k].X, lows[k].Y = append(lows[k].X, c.task), append(lows[k].Y, report.Mean(here))
		planned = report.Mean(plan)
		f.Shown.Add(fmt.Sprint(c.slots), report.Short(c.task), report.Short(c.beat), report.PlusMinus(c.overPlan()), report.PlusMinus(p.flex.overPlan()), report.Fixed(report.Mean(here)), report.Fixed(planned))
	}
	top.Series(tops, 1)
	top.Level("the plan", 1, strokes[flex])
	low.Series(lows, 1, planned)
	low.Level("", planned, strokes[flex])
	return f.Done(s.claimsLayers(), "Two charts over the length of tasks, logarithmic. The response time approaches the plan's as tasks get short where slots are filled at once; with heartbeats it does not.", top, low)
}

func (s *study) claimsLayers() []report.Claim {
	of := func(scheme string, apart bool) *layerCase {
		for i := range s.layers {
			if c := &s.layers[i]; c.scheme == scheme && (apart == c.apart) {
				return c
			}
		}
		return nil
	}
	var cheap, honoured, better, kin count
	least, greatest := math.Inf(1), 0.0
	worst, spread := "", 0.0
	for _, p := range pairs(s.layers) {
		here, planned := p.ratio()
		better.add(below(here, 1))
		for _, c := range []*layerCase{p.flex, p.circumflex} {
			if c.beat == 0 {
				cost := report.Differences(c.response, c.fit)
				for k := range cost {
					cost[k] /= c.task / 60
				}
				cheap.add(min(above(cost, 0), below(cost, 1)))
				least, greatest = min(least, report.Mean(cost)), max(greatest, report.Mean(cost))
			}
			if c.beat > 0 && c.task == 15 {
				honoured.add(below(c.overPlan(), 1.25))
				worst += fmt.Sprintf("; %s on %d slots %s", c.scheme, c.slots, report.Fixed(report.Mean(c.overPlan())))
			}
		}
		if p.flex.beat == 0 {
			apart := report.Differences(here, planned)
			kin.add(min(above(apart, -.05), below(apart, .05)))
			spread = max(spread, math.Abs(report.Mean(apart)))
		}
	}
	right, mended, spoilt := of(exact, false).response, of(corrected, false).response, of(kept, false).response
	alone, apart, fair := of(schemeNames[flex], true).response, of(schemeNames[circumflex], true).response, of("FAIR", true).response
	same := report.Number(report.Ratios(apart, alone), func(x float64) bool { return within(x, 1, .01) })
	return []report.Claim{
		cheap.all().of(report.Claim{Claim: "what whole slots and tasks cost is less than the time of one task, whatever the number of slots", Published: "not in the paper", Model: fmt.Sprintf("%d of %d; %s to %s of a task", cheap.yes, cheap.things, report.Fixed(least), report.Fixed(greatest)),
			Relation: "95% intervals: response less that of the plan between 0 and one task, FLEX and CIRCUMFLEX, all slots and tasks, no heartbeats", Note: "a scan waits for its longest task, and tasks under way keep slots that the plan would take away"}),
		honoured.all().of(report.Claim{Claim: "with tasks of 15 s and heartbeats of 3 s the assignment layer honours the decisions of the plan", Published: "to the extent that this is reasonable", Model: fmt.Sprintf("%d of %d within a quarter%s", honoured.yes, honoured.things, worst),
			Relation: "95% intervals: response at most 1.25 times the plan's, FLEX and CIRCUMFLEX, all slots", Note: "with M = 40 FLEX's average response is under half a minute: two tasks of 15 s"}),
		better.all().of(report.Claim{Claim: "CIRCUMFLEX stays below FLEX in whole slots and tasks, with heartbeats and without", Published: "always performs better", Model: fmt.Sprintf("%d of %d cases", better.yes, better.things),
			Relation: "95% interval of the ratio below 1 in all", Note: "tasks as long as a scan leave little to share"}),
		kin.all().of(report.Claim{Claim: "CIRCUMFLEX/FLEX is that of the plans", Published: "not in the paper", Model: fmt.Sprintf("%d of %d cases; at most %s away", kin.yes, kin.things, report.Fixed(spread)),
			Relation: "95% intervals: within .05, all slots and tasks, no heartbeats", Note: "with long tasks both wait for tasks to end, whoever shares"}),
		min(below(report.Differences(mended, spoilt), 0), below(report.Ratios(mended, right), 1.1)).of(report.Claim{Claim: "epoch by epoch the scheme corrects its solution in light of more current work estimates", Published: "automatically corrects",
			Model:    fmt.Sprintf("response over that with exact estimates: %s corrected, %s kept", report.Over(report.Ratios(mended, right)), report.Over(report.Ratios(spoilt, right))),
			Relation: "95% intervals: below estimates that are kept, and below 1.1 times exact ones; first estimates log-normal about the truth, σ = 1, epochs of 15 s, tasks of 6 s", Note: "first estimates decide too much, or nothing"}),
		{Claim: "with all datasets apart the scheme works entirely satisfactorily: no significant overheads, and some gains", Published: "no significant overheads, some gains",
			Model:    fmt.Sprintf("within 1%% of FLEX in %d of %s, %s of FAIR's response", same, report.Count(len(alone), "repetition"), report.Ratio(apart, fair)),
			Relation: "all, and 95% interval of the ratio to FAIR below 1; jobs can use all slots, tasks of 6 s", Holds: same == len(alone) && report.Ratio(apart, fair).High() < 1, Note: "plans serve no better than fair shares where nothing is shared"},
	}
}
