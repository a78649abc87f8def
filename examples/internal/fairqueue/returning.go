package fairqueue

import (
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
)

// returns are tasks under today's rule, the repaired one and ours: A (flow 0) has had the slot alone
// for some, its queue is empty for a moment, B arrives with one task more, and A returns with the
// last task of the list during B's first.
func returns(alone int) [][]request {
	list := append(backlog(alone, 1, one), backlog(alone+2, 1, one)...)
	for k := range list[alone:] {
		list[alone+k].flow, list[alone+k].arrival = 1, float64(alone)+.5
	}
	list[2*alone+1].flow, list[2*alone+1].arrival = 0, float64(alone)+1
	tree := func(remember bool) rule {
		return &ranks{queues: flows(2), rank: make([]float64, 2), remember: remember}
	}
	return play(1, math.Inf(1), list, tree(false), tree(true), newStartTags(exactly, credit, 1, 1))
}

// waits are how many tasks of B are served before A's last one.
func waits(run []request) float64 {
	last := 0
	for k, r := range run {
		if r.flow == 0 {
			last = k
		}
	}
	return float64(last+1) - tasks(run, 0)
}

func returningClaims(runs [][]request) []report.Claim {
	alone := tasks(runs[0], 0) - 1
	return []report.Claim{
		claim("a tenant that was alone waits for as many tasks as it was served", "rank 0 for a newcomer where no other scope lives", "at least as many tasks of the other's",
			waits(runs[0]) >= alone, "%.0f after %.0f alone", waits(runs[0]), alone),
		claim("a rank that is remembered while no scope lives repairs it", "not considered", "at most 1 task", waits(runs[1]) <= 1, "%.0f", waits(runs[1])),
	}
}

func figureReturning(o program.Options) (report.Figure, error) {
	p := newPanel("The tenant who returns: Loki's fair tree",
		"Tasks of B that A waits for. A was served alone, its queue was empty for a moment, B came, and A returned. A scope that comes back takes the least rank of a living sibling, or 0 (August 2026).",
		"alone", "Loki", "rank remembered", "fairqueue")
	most := 10000
	if o.Quick {
		most = 1000
	}
	p.chart.X = draw.Axis{Label: "tasks that A was served alone", Log: true, Min: .9, Max: 1.1 * float64(most)}
	p.chart.Y = draw.Axis{Label: "tasks of B before A's next", Log: true, Min: .8, Max: 1.3 * float64(most), Ticks: draw.LogTicks(.8, 1.3*float64(most))}
	var claims []report.Claim
	for alone := 1; alone <= most; alone *= 10 {
		runs := returns(alone)
		if alone == 1000 {
			claims = returningClaims(runs)
		}
		p.add(float64(alone), runs, waits)
	}
	return p.done(claims, "Under Loki's rule A waits for as many tasks as it was served alone; under the two others for one.")
}
