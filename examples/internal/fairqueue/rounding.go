package fairqueue

import (
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// A split is what two keys get that wait all the time, the second of weight 1000.
type split struct {
	served [2]float64 // tasks
	gap    float64    // greatest difference of served over weight so far
}

// splits are those of today's rule, the repaired one and ours.
func splits(weight float64, tasks int) (list [3]split, err error) {
	weights := []float64{weight, 1000}
	writer := func(scale float64) rule {
		return &passes{queues: make(queues, 2), scale: scale, weights: weights, last: make([]float64, 2)}
	}
	ours := newStartTags(exactly, weights...)
	for i, rule := range []rule{writer(1000), writer(1e6), ours} {
		requests, s := make([]request, 2*tasks), &list[i]
		for k := range requests {
			requests[k] = request{flow: k % 2, length: 1}
		}
		serve(rule, 1, float64(tasks), requests, func(r *request) {
			s.served[r.flow]++
			s.gap = max(s.gap, math.Abs(s.served[0]/weights[0]-s.served[1]/weights[1]))
		})
	}
	return list, ours.err
}

func roundingClaims(s [3]split) []report.Claim {
	const bound = 1./501 + 1./1000
	within := "|W_1/501 - W_2/1000| <= 1/501 + 1/1000 at every task"
	return []report.Claim{
		claim("whole steps of 1000/weight serve a weight of 501 as 1000", "5,010 and 10,000 tasks are due", "the keys' tasks differ by at most 1", math.Abs(s[0].served[0]-s[0].served[1]) <= 1,
			"the steps tell the weights apart", "%.0f and %.0f", s[0].served[0], s[0].served[1]),
		claim("with steps 1,000 times finer the same rule is fair", "not considered", within, s[1].gap <= bound,
			"the steps are too coarse", "%.0f and %.0f, at most %.2g apart", s[1].served[0], s[1].served[1], s[1].gap),
		claim("start tags need no steps", "the bound of SFQ", within, s[2].gap <= bound,
			"the bound is missed", "%.0f and %.0f, at most %.2g apart", s[2].served[0], s[2].served[1], s[2].gap),
	}
}

func figureRounding(o report.Options) (report.Figure, error) {
	f := report.NewFigure("Rounding of weights: Temporal's fair task writer",
		"Tasks of a key over those that are due to it, beside a key of weight 1000; both wait all the time. Each task's pass is max(1, int(1000/weight)) beyond its key's last one (August 2026).",
		"rule", "weight", "tasks", "due")
	step, tasks := 5, 1500
	if o.Quick {
		step = 50
	}
	lines := newLines("Temporal", "finer steps", "fairqueue")
	for w := 101; w <= 1000; w += step {
		list, err := splits(float64(w), tasks)
		if err != nil {
			return f, err
		}
		due := float64(tasks) * float64(w) / float64(w+1000)
		for i, s := range list {
			f.Numbers.Add(lines[i].Label, w, s.served[0], due)
			lines.add(i, float64(w), s.served[0]/due)
		}
	}
	list, err := splits(501, 15010)
	if err != nil {
		return f, err
	}
	c := &draw.Chart{X: draw.Axis{Label: "weight of the key", Min: 100, Max: 1000, Ticks: draw.Ticks(100, 1000, 100)}, Y: draw.Axis{Label: "tasks / tasks due"}, GridY: true}
	c.Series(lines)
	return f.Done(roundingClaims(list), "Saw teeth that rise to 1.5 times the due at 501 under Temporal's rule; level at 1 under the two others.", c)
}
