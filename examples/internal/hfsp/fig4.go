package hfsp

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

func (m *macro) figure4() (report.Figure, error) {
	f := report.NewFigure("Figure 4: task times",
		fmt.Sprintf("How long tasks held their slots in the runs of both workloads under both policies, %d maps and %d reduces each, with what they were slowed down and what reduces waited for the last "+
			"maps, as a measurement on a cluster has it; beside the work that goes into the model.", len(m.works[0]), len(m.works[1])),
		"share", "map_work_s", "reduce_work_s", "map_hfsp_s", "reduce_hfsp_s", "map_fair_s", "reduce_fair_s")
	all := [][]float64{m.works[0], m.works[1], m.taken[byHFSP][0], m.taken[byHFSP][1], m.taken[fair][0], m.taken[fair][1]}
	quantiles(&f, all)
	labels := []string{"MAP, work", "REDUCE, work", "MAP, HFSP", "REDUCE, HFSP", "MAP, FAIR", "REDUCE, FAIR"}
	var strokes []draw.Stroke
	for k := range labels {
		strokes = append(strokes, draw.Look(k, "").Stroke)
	}
	held := [2][]float64{ascending(slices.Concat(all[2], all[4])), ascending(slices.Concat(all[3], all[5]))}
	return f.Done(claims4(held), fmt.Sprintf("Distribution functions of task times on a logarithmic axis: medians %s s for maps and %s s for reduces, longest %s s and %s s.",
		numbers.Short(numbers.Quantile(held[0], 0.5)), numbers.Short(numbers.Quantile(held[1], 0.5)), numbers.Short(numbers.Quantile(held[0], 1)), numbers.Short(numbers.Quantile(held[1], 1))),
		ecdf("task time (s)", all, labels, strokes))
}

// claims4 are about how long tasks took in all runs, by kind, ascending.
func claims4(held [2][]float64) []report.Claim {
	short := [2]float64{within(held[0], 60), within(held[1], 60)}
	var long [2]float64
	for k, x := range held {
		long[k] = 1 - within(x, 100*numbers.Quantile(x, 0.5))
	}
	return []report.Claim{
		{Claim: "most tasks complete within few tens of seconds", Published: "most", Model: fmt.Sprintf("%.1f%% of maps and %.1f%% of reduces within 60 s", 100*short[0], 100*short[1]),
			Relation: "more than half of both within 60 s", Holds: min(short[0], short[1]) > 0.5},
		{Claim: "around 10% of the reduces need orders of magnitude more time", Published: "around 10%", Model: fmt.Sprintf("%.1f%% of the reduces take 100 times the median or more", 100*long[1]),
			Relation: "5% to 15%", Holds: report.About("10").Times(.01).Holds(long[1])},
		{Claim: "a non-negligible number of maps need orders of magnitude more time", Published: "non-negligible", Model: fmt.Sprintf("%.1f%% of the maps take 100 times the median or more", 100*long[0]),
			Relation: "0.5% or more, and fewer than of the reduces", Holds: long[0] >= 0.005 && long[0] < long[1]},
	}
}
