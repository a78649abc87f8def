package fairqueue

import (
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
)

// splits are tasks of two keys that wait all the time, the second of weight 1000, under today's
// rule, the repaired one and ours.
func splits(weight float64, tasks int) [][]request {
	weights := []float64{weight, 1000}
	writer := func(scale float64) rule {
		return &passes{queues: flows(2), scale: scale, weights: weights, pass: make([]float64, 2)}
	}
	return play(1, float64(tasks), backlog(2*tasks, 2, one), writer(1000), writer(1e6), newStartTags(exactly, credit, weights...))
}

// tasks are how many of a key were served.
func tasks(run []request, flow int) float64 { return had(run, flow, 0, math.Inf(1)) }

func roundingClaims(runs [][]request) []report.Claim {
	old, finer, apart := runs[0], runs[1], gap(runs[1], math.Inf(1), 501, 1000)
	return []report.Claim{
		claim("whole steps of 1000/weight serve a weight of 501 as 1000", "5,010 and 10,000 tasks are due", "the keys' tasks differ by at most 1",
			math.Abs(tasks(old, 0)-tasks(old, 1)) <= 1, "%.0f and %.0f", tasks(old, 0), tasks(old, 1)),
		claim("with steps 1,000 times finer the same rule is fair", "not considered", "|W_1/501 - W_2/1000| <= 1/501 + 1/1000 at every task",
			apart <= 1./501+1./1000, "%.0f and %.0f, at most %.2g apart", tasks(finer, 0), tasks(finer, 1), apart),
	}
}

func figureRounding(o program.Options) (report.Figure, error) {
	p := newPanel("Rounding of weights: Temporal's fair task writer",
		"Tasks of a key over those that are due to it, beside a key of weight 1000; both wait all the time. Each task's pass is max(1, int(1000/weight)) beyond its key's last one (August 2026).",
		"weight", "Temporal", "finer steps", "fairqueue")
	p.chart.X, p.chart.Y = draw.Axis{Label: "weight of the key", Min: 100, Max: 1000, Ticks: draw.Ticks(100, 1000, 100)}, draw.Axis{Label: "tasks / tasks due"}
	const served = 1500
	step := 5.
	if o.Quick {
		step = 50
	}
	for w := 101.; w <= 1000; w += step {
		p.add(w, splits(w, served), func(run []request) float64 { return tasks(run, 0) / (served * w / (w + 1000)) })
	}
	return p.done(roundingClaims(splits(501, 15010)), "Saw teeth that rise to 1.5 times the due at 501 under Temporal's rule; level at 1 under the two others.")
}
