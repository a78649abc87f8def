package fairqueue

import (
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// waits are how many tasks of B are served before A's next one, under today's rule, the repaired
// one and ours: A has had the slot alone for some tasks, its queue is empty for a moment, B arrives
// with one task more, and A returns during B's first task.
func waits(alone int) (tasks [3]int, err error) {
	tree := func(remember bool) rule {
		return &ranks{queues: make(queues, 2), rank: make([]float64, 2), remember: remember}
	}
	ours := newStartTags(exactly, 1, 1)
	for i, rule := range []rule{tree(false), tree(true), ours} {
		list := make([]request, 2*alone+2)
		for k := range list {
			list[k] = request{length: 1}
			if k >= alone {
				list[k].flow, list[k].arrival = 1, float64(alone)+.5
			}
		}
		last := &list[len(list)-1]
		last.flow, last.arrival = 0, float64(alone)+1
		serve(rule, 1, math.Inf(1), list, func(r *request) {
			if r.flow == 1 && last.start > r.start {
				tasks[i]++
			}
		})
	}
	return tasks, ours.err
}

func returningClaims(alone int, tasks [3]int) []report.Claim {
	return []report.Claim{
		claim("a tenant that was alone waits for as many tasks as it was served", "rank 0 for a newcomer where no other scope lives", "at least as many tasks of the other's", tasks[0] >= alone,
			"the newcomer starts level", "%d after %d alone", tasks[0], alone),
		claim("a rank that is remembered while no scope lives repairs it", "not considered", "at most 1 task", tasks[1] <= 1,
			"the newcomer starts behind", "%d", tasks[1]),
		claim("the common virtual time of start tags lets it wait for the task in service alone", "not considered", "at most 1 task", tasks[2] <= 1,
			"the newcomer starts behind", "%d", tasks[2]),
	}
}

func figureReturning(o report.Options) (report.Figure, error) {
	f := report.NewFigure("The tenant who returns: Loki's fair tree",
		"Tasks of B that A waits for. A was served alone, its queue was empty for a moment, B came, and A returned. A scope that comes back takes the least rank of a living sibling, or 0 (August 2026).",
		"rule", "alone", "waits_for")
	most := 10000
	if o.Quick {
		most = 1000
	}
	lines := newLines("Loki", "rank remembered", "fairqueue")
	var claims []report.Claim
	for alone := 1; alone <= most; alone *= 10 {
		list, err := waits(alone)
		if err != nil {
			return f, err
		}
		if alone == 1000 {
			claims = returningClaims(alone, list)
		}
		for i, tasks := range list {
			f.Numbers.Add(lines[i].Label, alone, tasks)
			lines[i].Radius = 2
			lines.add(i, float64(alone), float64(tasks))
		}
	}
	c := &draw.Chart{X: draw.Axis{Label: "tasks that A was served alone", Log: true, Min: .9, Max: 1.1 * float64(most)}, Y: draw.Axis{Label: "tasks of B before A's next", Log: true, Min: .8, Max: 1.3 * float64(most)}, GridY: true}
	c.Y.Ticks = draw.LogTicks(c.Y.Min, c.Y.Max)
	c.Series(lines)
	return f.Done(claims, "Under Loki's rule A waits for as many tasks as it was served alone; under the two others for one.", c)
}
