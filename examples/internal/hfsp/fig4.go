package hfsp

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

func (m *macro) figure4() (report.Figure, error) {
	f := report.NewFigure("Figure 4: task times in use",
		fmt.Sprintf("Times of the tasks of both workloads, %d maps and %d reduces. Thick: the work that goes into the model. Thin: how long reduces held their slots under HFSP and "+
			"under FAIR, with what they waited for the job's last maps, as a measurement on a cluster has it.", len(m.works[0]), len(m.works[1])),
		"share", "map_work_s", "reduce_work_s", "map_hfsp_s", "reduce_hfsp_s", "map_fair_s", "reduce_fair_s")
	all := [][]float64{m.works[0], m.works[1], m.taken[byHFSP][0], m.taken[byHFSP][1], m.taken[fair][0], m.taken[fair][1]}
	quantiles(&f, all)
	c := ecdf("task time (s)", [][]float64{all[0], all[1], all[3], all[5]}, []string{"MAP", "REDUCE", "REDUCE held, HFSP", "REDUCE held, FAIR"}, []draw.Stroke{
		{Color: draw.Blue}, {Color: draw.Vermilion, Dash: draw.Dashed}, {Color: draw.Green, Width: 0.9}, {Color: draw.Black, Dash: draw.Dotted, Width: 0.9}})

	short := [2]float64{within(m.works[0], 60), within(m.works[1], 60)}
	var long [2]float64
	for k, x := range m.works {
		long[k] = 1 - within(x, 10*report.Quantile(x, 0.5))
	}
	held := 1 - within(m.taken[fair][slotmodel.Reduce], 10*report.Quantile(m.works[slotmodel.Reduce], 0.5))
	return f.Done([]report.Claim{
		{Claim: "most tasks complete within few tens of seconds", Published: "most", Model: fmt.Sprintf("%.1f%% of maps and %.1f%% of reduces within 60 s", 100*short[0], 100*short[1]),
			Relation: "more than half of both within 60 s", Holds: min(short[0], short[1]) > 0.5, Note: "the task times in use are longer than the paper's"},
		{Claim: "around 10% of the reduces need orders of magnitude more time", Published: "around 10%",
			Model:    fmt.Sprintf("%.1f%% of the reduces take 10 times the median or more (%.1f%% held a slot for so long under FAIR)", 100*long[1], 100*held),
			Relation: "work: 5% to 15%", Holds: long[1] >= 0.05 && long[1] <= 0.15, Note: "long reduces are drawn for jobs on 10 GB or more alone, and few jobs have them"},
		{Claim: "a non-negligible number of maps need orders of magnitude more time", Published: "non-negligible",
			Model: fmt.Sprintf("%.1f%% of the maps take 10 times the median or more", 100*long[0]), Relation: "0.5% or more, and fewer than of the reduces",
			Holds: long[0] >= 0.005 && long[0] < long[1], Note: "long maps are drawn for jobs on 10 GB or more alone, and few jobs have them"},
	}, fmt.Sprintf("Distribution functions of task times on a logarithmic axis: medians %s s for maps and %s s for reduces, longest %s s and %s s.",
		report.Short(report.Quantile(all[0], 0.5)), report.Short(report.Quantile(all[1], 0.5)), report.Short(report.Quantile(all[0], 1)), report.Short(report.Quantile(all[1], 1))), c)
}
