package dynprio

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// lengths are numbers of tasks of a job of two queues: tasks of half an hour, of seven minutes, and
// of two.
var lengths = []int{120, 480, 1725}

func (s *study) figureTasks() (report.Figure, error) {
	f := report.NewFigure("Section 5: preemption for long tasks and for short ones",
		"Queue 2's mean time over queue 1's, which has twice the rate. Reading B but for the number of tasks. Dotted: the 2 of the shares.", "task_s", "preempting", "preempting_ci95", "not_preempting", "not_preempting_ci95")
	var names []string
	var ratios [2][]numbers.Interval
	var runs [][2][]outcome
	for _, n := range lengths {
		x := &study{Options: s.Options, n: s.n, seeds: s.seeds, terminal: s.terminal, change: func(c *scenario) { c.tasks = n }}
		var pair [2][]outcome
		for i, preempt := range []bool{true, false} {
			var err error
			if pair[i], err = x.each(two.with(func(c *scenario) { c.preempt, c.quick = preempt, day/2 })); err != nil {
				return f, err
			}
			ratios[i] = append(ratios[i], numbers.Across(pair[i], ratioOfMeans))
		}
		runs = append(runs, pair)
		c := two.with(func(c *scenario) { c.tasks = n })
		names = append(names, fmt.Sprintf("%.0f s", c.mapTime()))
		on, off := ratios[0][len(names)-1], ratios[1][len(names)-1]
		f.Numbers.Add(c.mapTime(), on.Mean, on.Half, off.Mean, off.Half)
	}
	c := draw.PointsAt("time of a task", "ratio of mean times", names, []draw.Series{draw.Means(0, "preempting", nil, ratios[0]), draw.Means(1, "not preempting", nil, ratios[1])}, 2)
	c.Level("", 2, draw.Stroke{Color: draw.Black, Dash: draw.Dotted})
	return f.Done(lengthClaims(runs[0], runs[len(runs)-1]), "Ratios of two queues' times for three lengths of tasks, with and without preemption.", c)
}

// lengthClaims are about runs with preemption and without, for long tasks and for short ones.
func lengthClaims(long, short [2][]outcome) []report.Claim {
	off := func(o *outcome) float64 { return math.Abs(ratioOfMeans(o) - 2) } // from the shares
	gain, little := less(long[0], long[1], off), less(short[0], short[1], ratioOfMeans)
	return []report.Claim{
		row("for long tasks preemption may be necessary", "necessary to avoid starvation", "95% interval of the distance to the ratio of shares, 2, less that without, below 0", "tasks of half an hour: %s against %s, %s farther", numbers.Across(long[0], ratioOfMeans), numbers.Across(long[1], ratioOfMeans), gain).AllBelow(0, gain),
		row("for tasks of a couple of minutes preemption may not add much value", "not much", "95% interval of the difference of the ratios within .1 of 0", "%s against %s, %s more", numbers.Across(short[0], ratioOfMeans), numbers.Across(short[1], ratioOfMeans), little).Within(little, -.1, .1),
	}
}
