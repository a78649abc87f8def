package hfsp

import (
	"fmt"
	"image/color"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// What the finest tasks have to keep to, as differences relative to the sojourn times under fluid FSP.
const (
	fineMeanBound    = 0.02
	fineLargestBound = 0.5
)

func (x *fine) figure() (report.Figure, error) {
	seeds := len(x.mean[0])
	f := report.Figure{
		Item:  "fine",
		Title: "HFSP with ever finer tasks is fluid FSP",
		Caption: fmt.Sprintf("Difference of the jobs' sojourn times from those under fluid FSP on the same %d slots, relative to these: the mean over %d jobs and the largest, over %s; bars: 95%% "+
			"confidence. Jobs of maps alone, log-normal sizes with σ = 1, exponential gaps, load %v; HFSP knows the sizes, and waits for slots. The dashed line falls like 1 / tasks.",
			fineSlots, fineJobs, report.Count(seeds, "seed"), fineLoad),
		Numbers: report.Table{Columns: []string{"tasks_per_job", "seeds", "mean_difference", "mean_ci95", "largest_difference", "largest_ci95", "within_two_tasks"}},
		Shown:   report.Table{Columns: []string{"tasks per job", "mean difference", "largest", "within two tasks"}},
	}
	series := []struct {
		label  string
		mark   draw.Mark
		color  color.Color
		values [][]float64
	}{{"largest", draw.Ring, draw.Vermilion, x.largest}, {"mean over jobs", draw.Disc, draw.Blue, x.mean}}
	var tasks, ends []float64
	for k, pieces := range finePieces {
		n := fineSlots * pieces
		mean, largest, near := over(x.mean[k]), over(x.largest[k]), over(x.near[k]).mean
		tasks, ends = append(tasks, float64(n)), append(ends, mean.low(), mean.mean, largest.mean, largest.high())
		f.Numbers.Add(n, seeds, mean.mean, mean.half, largest.mean, largest.half, near)
		f.Shown.Rows = append(f.Shown.Rows, []string{fmt.Sprint(n), mean.String(), largest.String(), fmt.Sprintf("%.1f%%", 100*near)})
	}
	c := &draw.Chart{GridX: true, GridY: true}
	c.X = draw.Axis{Label: fmt.Sprintf("tasks per job, on %d slots", fineSlots), Log: true}
	c.X.Min, c.X.Max = draw.LogRange(tasks...)
	for _, n := range tasks {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: n, Label: report.Short(n)})
	}
	c.Y = draw.Axis{Label: "relative difference", Log: true}
	c.Y.Min, c.Y.Max = draw.LogRange(ends...)
	for _, s := range series {
		var means []float64
		for k, values := range s.values {
			r := over(values)
			means = append(means, r.mean)
			c.Line("", []float64{tasks[k], tasks[k]}, []float64{math.Max(r.low(), c.Y.Min), math.Min(r.high(), c.Y.Max)}, draw.Stroke{Color: s.color, Width: 1})
		}
		c.Line(s.label, tasks, means, draw.Stroke{Color: s.color})
		c.Dots("", tasks, means, s.mark, s.color, 3)
	}
	last := len(tasks) - 1
	coarsest, finest := over(x.mean[0]), over(x.mean[last])
	lawAt := func(n float64) float64 { return finest.mean * tasks[last] / n }
	c.Line("1 / tasks", []float64{tasks[0], tasks[last]}, []float64{lawAt(tasks[0]), lawAt(tasks[last])}, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 0.8})
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Two falling lines on logarithmic axes. From %d tasks per job to %d the mean difference goes from %s to %s.",
		fineSlots*finePieces[0], fineSlots*finePieces[last], report.Short(coarsest.mean), report.Short(finest.mean)), c)
	f.Claims = x.claims()
	return f, err
}

// claims are what has to hold since FSP and HFSP differ in nothing but that a task keeps its slot, here. That delays others by at most a
// task, whose length falls like 1 / tasks. Now and then a job is kept by the delay until another comes that goes before it: the delay is
// then not small, but its chance falls like the length of a task. So the mean falls like 1 / tasks.
func (x *fine) claims() []report.Claim {
	last := len(finePieces) - 1
	falls, worst, text := true, true, ""
	near := 1.0
	for k := range finePieces {
		near = min(near, over(x.near[k]).mean)
		if k == 0 {
			continue
		}
		r := over(ratios(x.mean[k], x.mean[k-1]))
		falls = falls && r.high() < 1
		worst = worst && over(x.largest[k]).mean < over(x.largest[k-1]).mean
		if k > 1 {
			text += " / "
		}
		text += short2(r.mean)
	}
	mean, largest, slope := over(x.mean[last]), over(x.largest[last]), over(slopes(x.mean))
	slopeOfLargest := over(slopes(x.largest))
	chance := fmt.Sprintf("or chance: %s", report.Count(len(x.mean[0]), "seed"))
	return claims("fine",
		report.Claim{Claim: "without locality, reduces and errors, HFSP differs from SRVT (FSP) by the granularity of tasks alone", Published: "the main difference: data locality, task granularity, dependencies",
			Model: "mean difference with twice as many tasks over that before: " + text, Relation: "95% interval of each ratio below 1", Holds: falls, Note: chance},
		report.Claim{Claim: "the mean difference falls like the length of a task", Published: "theory: the delay of a task that keeps its slot, and the chance to be overtaken meanwhile",
			Model: fmt.Sprintf("slope on logarithmic axes from %d tasks per job on: %s", fineSlots*finePieces[steadyFrom], slope), Relation: "95% interval within -1.15 and -0.85",
			Holds: slope.low() >= -1.15 && slope.high() <= -0.85, Note: chance},
		report.Claim{Claim: "the worst job of a seed comes nearer, too", Published: "theory: no job is overtaken once tasks are short enough",
			Model: fmt.Sprintf("slope %s; largest difference with the finest tasks %s", slopeOfLargest, largest), Relation: "its mean over seeds falls from each number of tasks to the next",
			Holds: worst, Note: "few jobs make it: those that a task delays until another comes that goes before them"},
		report.Claim{Claim: "with the finest tasks little is left", Published: "theory: 0 in the limit", Model: fmt.Sprintf("mean difference %s, largest %s", mean, largest),
			Relation: fmt.Sprintf("95%% intervals end below %v and %v", fineMeanBound, fineLargestBound), Holds: mean.high() < fineMeanBound && largest.high() < fineLargestBound, Note: chance},
		report.Claim{Claim: "waiting costs a job the tasks that hold the slots when its turn comes, and its own last", Published: "wait-based preemption",
			Model:    fmt.Sprintf("at least %.1f%% of the jobs end within two of the longest tasks of when they do under fluid FSP", 100*near),
			Relation: "98% for every number of tasks", Holds: near >= 0.98, Note: "more jobs are overtaken by some that come while they wait"},
	)
}
