package hfsp

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// taskTimes is the law of the task times of one kind, maps or reduces, in a PigMix workload. A task
// of a query with the time factor F takes Median * F * exp(Spread * Z) s where nothing else runs, Z
// standard normal, for each task.
type taskTimes struct {
	Median float64 // seconds, > 0
	Spread float64 // standard deviation of the logarithm, >= 0
}

// ordinary are the times of both kinds. The paper publishes none. What runs beside a task only
// makes it longer, so that SMALL must not take more than its 53 s under HFSP where nothing does:
// the Median is the greatest whole number of seconds that comes near, 54 s. With more, more of
// LARGE ends after 100 s than the 70% of Figure 3(b), with much less nothing slows it down so far.
//
// No tasks are long by themselves. Figure 4 has the times that tasks took in all experiments, those
// of LARGE under load among them, and how long reduces waited for maps.
func ordinary() taskTimes { return taskTimes{Median: 15, Spread: 0.4} }

// draw returns the times of so many tasks, from one number of src each.
func (t *taskTimes) draw(tasks int, factor float64, src rand.Source) []float64 {
	works := make([]float64, tasks)
	for i := range works {
		works[i] = t.Median * factor * math.Exp(t.Spread*distuv.UnitNormal.Quantile(uniform(src)))
	}
	return works
}
