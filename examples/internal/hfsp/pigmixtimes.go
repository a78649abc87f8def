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

// ordinary are the times of both kinds, of which a setting changes the Median. The paper publishes
// none. No tasks are long by themselves: Figure 4 has the times that tasks took in all experiments,
// those of LARGE under load among them, and how long reduces waited for maps.
func ordinary() taskTimes { return taskTimes{Median: 15, Spread: 0.4} }

// draw returns the times of so many tasks, from one number of src each.
func (t *taskTimes) draw(tasks int, factor float64, src rand.Source) []float64 {
	works := make([]float64, tasks)
	for i := range works {
		works[i] = t.Median * factor * math.Exp(t.Spread*distuv.UnitNormal.Quantile(uniform(src)))
	}
	return works
}
