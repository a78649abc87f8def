package hfsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (x *fine) figure() (report.Figure, error) {
	seeds := len(x.mean[0])
	f := report.NewFigure("HFSP with ever finer tasks is fluid FSP",
		fmt.Sprintf("Difference of the jobs' sojourn times from those under fluid FSP on the same %d slots, relative to these: the mean over %d jobs, over %s; small "+
			"dots: the seeds. Jobs of maps alone, log-normal sizes with σ = 1, exponential gaps, load %v; HFSP knows the sizes, and waits for slots. The dashed line falls like 1 / tasks.",
			fineSlots, fineJobs, report.Count(seeds, "seed"), fineLoad),
		"tasks_per_job", "seeds", "mean_difference", "mean_ci95")
	f.Shown.Columns = []string{"tasks per job", "mean difference"}
	series := draw.Look(0, "mean over jobs")
	var tasks, ends []float64
	for k, pieces := range finePieces {
		n, mean := fineSlots*pieces, report.Over(x.mean[k])
		tasks, ends = append(tasks, float64(n)), slices.Concat(ends, x.mean[k])
		appendSeeds(&series, x.mean[k])
		f.Numbers.Add(n, seeds, mean.Mean, mean.Half)
		f.Shown.Show(fmt.Sprint(n), mean.String())
	}
	series.X = tasks
	c := &draw.Chart{GridX: true, GridY: true}
	c.X = draw.Axis{Label: fmt.Sprintf("tasks per job, on %d slots", fineSlots), Log: true}
	c.X.Min, c.X.Max = draw.LogRange(tasks...)
	c.X.Ticks = draw.TicksAt(tasks...)
	c.Y = draw.Axis{Label: "relative difference", Log: true}
	c.Y.Min, c.Y.Max = draw.LogRange(ends...)
	c.Series([]draw.Series{series})
	last := len(tasks) - 1
	coarsest, finest := report.Over(x.mean[0]), report.Over(x.mean[last])
	lawAt := func(n float64) float64 { return finest.Mean * tasks[last] / n }
	c.Line("1 / tasks", []float64{tasks[0], tasks[last]}, []float64{lawAt(tasks[0]), lawAt(tasks[last])}, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 0.8})
	return f.Done(x.claims(), fmt.Sprintf("Two falling lines on logarithmic axes. From %d tasks per job to %d the mean difference goes from %s to %s.",
		fineSlots*finePieces[0], fineSlots*finePieces[last], report.Short(coarsest.Mean), report.Short(finest.Mean)), c)
}

// claims are what has to hold since FSP and HFSP differ in nothing but that a task keeps its slot,
// here. That delays others by at most a task, whose length falls like 1 / tasks. Now and then a job
// is kept by the delay until another comes that goes before it: the delay is then not small, but
// its chance falls like the length of a task. So the mean falls like 1 / tasks.
func (x *fine) claims() []report.Claim {
	var falls []report.Claim
	var steps []string
	for k := 1; k < len(finePieces); k++ {
		r := report.Ratio(x.mean[k], x.mean[k-1])
		falls = append(falls, report.Claim{}.Below(r, 1))
		steps = append(steps, report.Short2(r.Mean))
	}
	slope := report.Over(slopes(x.mean))
	chance := fmt.Sprintf("or chance: %s", report.Count(len(x.mean[0]), "seed"))
	return []report.Claim{
		all(report.Claim{Claim: "without locality, reduces and errors, HFSP differs from SRVT (FSP) by the granularity of tasks alone", Published: "the main difference: data locality, task granularity, dependencies",
			Model: "mean difference with twice as many tasks over that before: " + strings.Join(steps, " / "), Relation: "95% interval of each ratio below 1", Note: chance}, falls...),
		all(report.Claim{Claim: "the mean difference falls like the length of a task", Published: "theory: the delay of a task that keeps its slot, and the chance to be overtaken meanwhile",
			Model: fmt.Sprintf("slope on logarithmic axes from %d tasks per job on: %s", fineSlots*finePieces[steadyFrom], slope), Relation: "95% interval within -1.15 and -0.85", Note: chance},
			report.Claim{}.Above(slope, -1.15), report.Claim{}.Below(slope, -0.85)),
	}
}
