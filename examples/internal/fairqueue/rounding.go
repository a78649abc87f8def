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

// splitOf serves tasks of the weights by a rule.
func splitOf(rule rule, weights []float64, tasks int) (s split, err error) {
	list := make([]request, 2*tasks)
	for i := range list {
		list[i] = request{flow: i % 2, length: 1}
	}
	err = serve(rule, 1, float64(tasks), list, func(r *request) {
		s.served[r.flow]++
		s.gap = max(s.gap, math.Abs(s.served[0]/weights[0]-s.served[1]/weights[1]))
	})
	return s, err
}

// splits are those of today's rule, the repaired one and ours.
func splits(weight float64, tasks int) (list [3]split, err error) {
	weights := []float64{weight, 1000}
	ours, err := newStartTags(exactly, weights...)
	if err != nil {
		return list, err
	}
	for i, rule := range []rule{newPasses(1000, weights...), newPasses(1e6, weights...), ours} {
		if list[i], err = splitOf(rule, weights, tasks); err != nil {
			return list, err
		}
	}
	return list, nil
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

func figureRounding(quick bool) (report.Figure, error) {
	f := report.NewFigure("Rounding of weights: Temporal's fair task writer",
		"Tasks of a key over those that are due to it, beside a key of weight 1000; both wait all the time. Each task's pass is max(1, int(1000/weight)) beyond its key's last one (August 2026).",
		"rule", "weight", "tasks", "due")
	c := &draw.Chart{X: draw.Axis{Label: "weight of the key", Min: 100, Max: 1000, Ticks: draw.Ticks(100, 1000, 100)}, Y: draw.Axis{Label: "tasks / tasks due"}, GridY: true}
	step, tasks := 5, 1500
	if quick {
		step = 50
	}
	names := []string{"Temporal", "finer steps", "fairqueue"}
	lines := make([]draw.Series, len(names))
	for w := 101; w <= 1000; w += step {
		list, err := splits(float64(w), tasks)
		if err != nil {
			return f, err
		}
		due := float64(tasks) * float64(w) / float64(w+1000)
		for i, s := range list {
			f.Numbers.Add(names[i], w, s.served[0], due)
			l := &lines[i]
			l.Label, l.Stroke, l.X, l.Y = names[i], looks[i], append(l.X, float64(w)), append(l.Y, s.served[0]/due)
		}
	}
	c.Series(lines)
	list, err := splits(501, 15010)
	if err != nil {
		return f, err
	}
	return f.Done(roundingClaims(list), "Saw teeth that rise to 1.5 times the due at 501 under Temporal's rule; level at 1 under the two others.", c)
}
