package fairqueue

import (
	"fmt"
	"io"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
)

// Plan lists the figures. They take no time: nothing goes to the terminal.
func Plan(o program.Options, _ io.Writer) (report.Plan, error) {
	item := func(name string, figure func(program.Options) (report.Figure, error)) report.Item {
		return report.Item{Name: name, Make: func() (report.Figure, error) { return figure(o) }, Kind: report.Beyond, Exact: name == "rounding" || name == "returning" || name == "burst"}
	}
	return report.Plan{
		Paper: "fairqueue",
		Title: "Fair queues in use, and start-time fair queueing",
		Intro: func() (string, error) {
			return "Four rules of systems in use, written anew from their descriptions of August 2026, each on a scenario that goes wrong. Beside each stand the same rule with one repair, as a control, and fairqueue.Queue. Two more figures play fairqueue.Queue alone: caps, and replicas. " +
				fmt.Sprintf("A request holds one slot for its length; a flow serves its requests in the order of arrival; but for two-slots, ties go to the flow of the lower number. The lengths of two-slots, caps and replicas are drawn from seed %d.", o.Seed), nil
		},
		Items: []report.Item{item("rounding", figureRounding), item("returning", figureReturning), item("burst", figureBurst), item("two-slots", figureTwoSlots), item("caps", figureCaps), item("replicas", figureReplicas)},
	}, nil
}

// Main is the program: it returns the exit code. There is no -trace: the scenarios are made here.
var Main = report.Program{
	Name:  "fairqueue",
	Quick: "fewer weights, shorter runs",
	Plan:  Plan,
	Help: `fairqueue plays the rules of four fair queues in use, as described in August 2026, each on a scenario that goes wrong,
beside the same rule with one repair and fairqueue.Queue.

rounding is Temporal's fair task writer, whose steps are whole numbers; returning is Loki's fair tree, whose tenants keep no common time;
burst is the llm-d router, which charges a request when it ends; two-slots is CockroachDB's work queue, which forgets what was used.
caps and replicas are fairqueue.Queue alone: what a tenant at its cap may save, and three queues that tell each other what they served.

This takes one second on two cores and 100 MB.
`,
}.Main

// A panel is one scenario: a table of runs, a row for each x and a number for each line, and the
// picture of it.
type panel struct {
	report.Figure
	chart draw.Chart
	lines []draw.Series
}

// newPanel starts a panel: x is what x is in the files, and the lines are today's rule, the
// repaired one and ours.
func newPanel(title, caption, x string, lines ...string) *panel {
	p := &panel{Figure: report.NewFigure(title, caption, append([]string{x}, lines...)...), chart: draw.Chart{GridY: true}}
	looks := []draw.Stroke{{Color: draw.Vermilion}, {Color: draw.Green, Dash: draw.Dashed}, {Color: draw.Blue, Dash: draw.Dotted, Width: 2.4}, {Color: draw.Orange, Dash: draw.DashDot}}
	for i, label := range lines {
		p.lines = append(p.lines, draw.Series{Label: label, Stroke: looks[i]})
	}
	return p
}

// add adds a number of each run at x.
func (p *panel) add(x float64, runs [][]request, number func(run []request) float64) {
	var y []float64
	for _, run := range runs {
		y = append(y, number(run))
	}
	p.row(x, x, y...)
}

// row adds numbers of the lines at x, which the picture has at place.
func (p *panel) row(x any, place float64, y ...float64) {
	cells := []any{x}
	for i, v := range y {
		cells = append(cells, v)
		p.lines[i].X, p.lines[i].Y = append(p.lines[i].X, place), append(p.lines[i].Y, v)
	}
	p.Numbers.Add(cells...)
}

// done draws the lines, with marks where there are few points.
func (p *panel) done(claims []report.Claim, alt string) (report.Figure, error) {
	for i := range p.lines {
		if len(p.lines[i].X) <= 10 {
			p.lines[i].Radius = 2
		}
	}
	p.chart.Series(p.lines)
	return p.Done(claims, alt, &p.chart)
}

// claim is one row. Its model is written by a format.
func claim(statement, published, relation string, holds bool, model string, args ...any) report.Claim {
	return report.Claim{Claim: statement, Published: published, Relation: relation, Holds: holds, Model: fmt.Sprintf(model, args...)}
}
