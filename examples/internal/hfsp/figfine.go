package hfsp

import (
	"fmt"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// What the finest tasks have to keep to, as differences relative to the sojourn times under fluid
// FSP.
const (
	fineMeanBound    = 0.02
	fineLargestBound = 0.5
)

func (x *fine) figure() (report.Figure, error) {
	seeds := len(x.mean[0])
	f := report.NewFigure("HFSP with ever finer tasks is fluid FSP",
		fmt.Sprintf("Difference of the jobs' sojourn times from those under fluid FSP on the same %d slots, relative to these: the mean over %d jobs and the largest, over %s; bars: 95%% "+
			"confidence. Jobs of maps alone, log-normal sizes with σ = 1, exponential gaps, load %v; HFSP knows the sizes, and waits for slots. The dashed line falls like 1 / tasks.",
			fineSlots, fineJobs, report.Count(seeds, "seed"), fineLoad),
		"tasks_per_job", "seeds", "mean_difference", "mean_ci95", "largest_difference", "largest_ci95", "within_two_tasks")
	f.Shown.Columns = []string{"tasks per job", "mean difference", "largest", "within two tasks"}
	series := []draw.Series{{Label: "largest", Mark: draw.Ring, Stroke: draw.Stroke{Color: draw.Vermilion}, Radius: 3}, {Label: "mean over jobs", Mark: draw.Disc, Stroke: draw.Stroke{Color: draw.Blue}, Radius: 3}}
	var tasks, ends []float64
	for k, pieces := range finePieces {
		n := fineSlots * pieces
		mean, largest, near := report.Over(x.mean[k]), report.Over(x.largest[k]), report.Over(x.near[k]).Mean
		for i, r := range []report.Interval{largest, mean} {
			s := &series[i]
			s.X, s.Y, s.Spread = append(s.X, float64(n)), append(s.Y, r.Mean), append(s.Spread, r.Half)
		}
		tasks, ends = append(tasks, float64(n)), append(ends, mean.Low(), mean.Mean, largest.Mean, largest.High())
		f.Numbers.Add(n, seeds, mean.Mean, mean.Half, largest.Mean, largest.Half, near)
		f.Shown.Show(fmt.Sprint(n), mean.String(), largest.String(), fmt.Sprintf("%.1f%%", 100*near))
	}
	c := &draw.Chart{GridX: true, GridY: true}
	c.X = draw.Axis{Label: fmt.Sprintf("tasks per job, on %d slots", fineSlots), Log: true}
	c.X.Min, c.X.Max = draw.LogRange(tasks...)
	c.X.Ticks = draw.TicksAt(tasks...)
	c.Y = draw.Axis{Label: "relative difference", Log: true}
	c.Y.Min, c.Y.Max = draw.LogRange(ends...)
	c.Series(series)
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
	last := len(finePieces) - 1
	falls, worst := true, true
	var steps []string
	near := 1.0
	for k := range finePieces {
		near = min(near, report.Over(x.near[k]).Mean)
		if k == 0 {
			continue
		}
		r := report.Ratio(x.mean[k], x.mean[k-1])
		falls = falls && r.High() < 1
		worst = worst && report.Ratio(x.largest[k], x.largest[k-1]).High() < 1
		steps = append(steps, report.Short2(r.Mean))
	}
	mean, largest, slope := report.Over(x.mean[last]), report.Over(x.largest[last]), report.Over(slopes(x.mean))
	slopeOfLargest := report.Over(slopes(x.largest))
	chance := fmt.Sprintf("or chance: %s", report.Count(len(x.mean[0]), "seed"))
	return []report.Claim{
		{Claim: "without locality, reduces and errors, HFSP differs from SRVT (FSP) by the granularity of tasks alone", Published: "the main difference: data locality, task granularity, dependencies",
			Model: "mean difference with twice as many tasks over that before: " + strings.Join(steps, " / "), Relation: "95% interval of each ratio below 1", Holds: falls, Note: chance},
		{Claim: "the mean difference falls like the length of a task", Published: "theory: the delay of a task that keeps its slot, and the chance to be overtaken meanwhile",
			Model: fmt.Sprintf("slope on logarithmic axes from %d tasks per job on: %s", fineSlots*finePieces[steadyFrom], slope), Relation: "95% interval within -1.15 and -0.85",
			Holds: slope.Low() >= -1.15 && slope.High() <= -0.85, Note: chance},
		{Claim: "the worst job of a seed comes nearer, too", Published: "theory: no job is overtaken once tasks are short enough",
			Model: fmt.Sprintf("slope %s; largest difference with the finest tasks %s", slopeOfLargest, largest), Relation: "95% interval of the ratio to that with half as many tasks below 1, each",
			Holds: worst, Note: "few jobs make it: those that a task delays until another comes that goes before them"},
		{Claim: "with the finest tasks little is left", Published: "theory: 0 in the limit", Model: fmt.Sprintf("mean difference %s, largest %s", mean, largest),
			Relation: fmt.Sprintf("95%% intervals end below %v and %v", fineMeanBound, fineLargestBound), Holds: mean.High() < fineMeanBound && largest.High() < fineLargestBound, Note: chance},
		{Claim: "waiting costs a job the tasks that hold the slots when its turn comes, and its own last", Published: "wait-based preemption",
			Model:    fmt.Sprintf("at least %.1f%% of the jobs end within two of the longest tasks of when they do under fluid FSP", 100*near),
			Relation: "98% for every number of tasks", Holds: near >= 0.98, Note: "more jobs are overtaken by some that come while they wait"},
	}
}
