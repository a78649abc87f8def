package circumflex

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// Figure 8's two jobs of two subjobs each: yellow before red, blue before green.
const figure8Slots = 12

var (
	figure8Names = []string{"yellow", "red", "blue", "green"}
	figure8Paint = []draw.Paint{draw.Paints[5], draw.Paints[3], draw.Paints[0], draw.Paints[4]}
	figure8Jobs  = []malleable.Job{{Work: 30, Min: 2, Max: 7}, {Work: 24, Min: 1, Max: 10}, {Work: 24, Min: 3, Max: 8}, {Work: 36, Min: 2, Max: 12}}
)

// A packing is Figure 8's schedule.
type packing struct {
	jobs     []malleable.Job
	graph    *precedence.Graph
	order    []int
	schedule *malleable.Schedule
}

func figure8Packing() (packing, error) {
	p := packing{jobs: figure8Jobs}
	var err error
	if p.graph, err = precedence.Chains(2, 2); err != nil {
		return p, err
	}
	objective := precedence.Objective{Aggregate: precedence.Sum, Penalties: []precedence.Penalty{
		precedence.NoPenalty{}, precedence.Response{Weight: 1}, precedence.NoPenalty{}, precedence.Response{Weight: 1}}}
	schedule, r, err := malleable.Plan(figure8Slots, p.jobs, p.graph, objective, malleable.PlanOptions{})
	p.schedule, p.order = schedule, r.Order
	return p, err
}

func figure8() (report.Figure, error) {
	f := report.NewFigure("Figure 8: a malleable schedule of two chains",
		fmt.Sprintf("%d slots over time. The yellow subjob goes before the red one, the blue before the green; each has a minimum and a maximum of slots (table). The order is that of least average response "+
			"time, by the two-step scheme of Section 3.", figure8Slots),
		"subjob", "slots", "start", "end")
	f.Shown.Columns = []string{"subjob", "work", "slots", "ends"}
	p, err := figure8Packing()
	if err != nil {
		return f, err
	}
	for piece := range p.schedule.Pieces() {
		f.Numbers.Add(figure8Names[piece.Job], piece.Slots, piece.Start, piece.End)
	}
	for j, end := range p.schedule.Completion(nil) {
		f.Shown.Add(figure8Names[j], numbers.Short(p.jobs[j].Work), fmt.Sprintf("%d–%d", p.jobs[j].Min, p.jobs[j].Max), numbers.Short(end))
	}
	c := &draw.Chart{Height: 190, X: draw.Axis{Label: paperTime, Max: p.schedule.Makespan()}, Y: draw.Axis{Label: "slots", Max: figure8Slots}}
	for at, pieces := range p.schedule.Intervals() { // subjobs stacked by index
		base := 0.0
		for _, p := range pieces {
			c.Block(at.Start, base, at.End, base+float64(p.Slots), figure8Paint[p.Job], figure8Names[p.Job])
			base += float64(p.Slots)
		}
	}
	return f.Done(claims8(&p), "A chart of slots over time filled with four coloured subjobs whose heights change when one of them ends.", c)
}

func claims8(p *packing) []report.Claim {
	slots := make([]map[int]bool, len(p.jobs))
	for j := range slots {
		slots[j] = map[int]bool{}
	}
	for piece := range p.schedule.Pieces() {
		slots[piece.Job][piece.Slots] = true
	}
	varied := numbers.Number(slots, func(x map[int]bool) bool { return len(x) > 1 })
	intervals, single := 0, 0
	for _, pieces := range p.schedule.Intervals() {
		intervals++
		if numbers.Number(pieces, func(x malleable.Piece) bool {
			return x.Slots > p.jobs[x.Job].Min && x.Slots < min(p.jobs[x.Job].Max, figure8Slots)
		}) <= 1 {
			single++
		}
	}
	verdict := "obeyed"
	err := malleable.Verify(figure8Slots, p.jobs, p.graph, p.schedule)
	if err != nil {
		verdict = err.Error()
	}
	return []report.Claim{
		{Claim: "slots add up to at most S, and minima, maxima and precedence are respected", Published: "respected", Model: verdict, Relation: "the verifier finds no fault", Holds: err == nil},
		{Claim: "the number of slots of a job may vary from interval to interval: malleable, not moldable", Published: "may vary", Model: fmt.Sprintf("%d of %d subjobs vary", varied, len(p.jobs)), Relation: "some do", Holds: varied > 0},
		{Claim: "at most one job has a partial allocation between its minimum and its maximum", Published: "at most one", Model: fmt.Sprintf("in %d of %d intervals", single, intervals), Relation: "in all intervals", Holds: single == intervals},
		{Claim: "after J iterations, and J intervals, the list is depleted", Published: fmt.Sprint(len(p.jobs)), Model: fmt.Sprint(intervals), Relation: "equal", Holds: intervals == len(p.jobs)},
	}
}
