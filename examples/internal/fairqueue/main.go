package fairqueue

import (
	"fmt"
	"io"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// Plan lists the figures. They take no time: nothing goes to the terminal.
func Plan(o report.Options, _ io.Writer) (report.Plan, error) {
	item := func(name string, figure func(report.Options) (report.Figure, error)) report.Item {
		return report.Item{Name: name, Make: func() (report.Figure, error) { return figure(o) }, Kind: report.Beyond, Exact: name != "two-slots"}
	}
	return report.Plan{
		Paper: "fairqueue",
		Title: "Fair queues in use, and start-time fair queueing",
		Intro: func() (string, error) {
			return "Four rules of systems in use, written anew from their descriptions of August 2026, each on a scenario that goes wrong. Beside each stand the same rule with one repair, as a control, and fairqueue.Queue. " +
				fmt.Sprintf("A request holds one slot for its length; a flow serves its requests in the order of arrival; but for two-slots, ties go to the flow of the lower number. The lengths of two-slots are drawn from seed %d.", o.Seed), nil
		},
		Items: []report.Item{item("rounding", figureRounding), item("returning", figureReturning), item("burst", figureBurst), item("two-slots", figureTwoSlots)},
	}, nil
}

const help = `fairqueue plays the rules of four fair queues in use, as described in August 2026, each on a scenario that goes wrong,
beside the same rule with one repair and fairqueue.Queue.

rounding is Temporal's fair task writer, whose steps are whole numbers; returning is Loki's fair tree, whose tenants keep no common time;
burst is the llm-d router, which charges a request when it ends; two-slots is CockroachDB's work queue, which forgets what was used.

It writes, for each of these,
  DIR/fairqueue-ITEM.tsv   the numbers, at full precision
  DIR/fairqueue-ITEM.svg   the picture
and puts its rows into DIR/claims.tsv: one per statement, with the relation that was computed and whether it holds.

This takes one second on two cores and 100 MB.
`

// Main is the program: it returns the exit code. There is no -trace: the scenarios are made here.
func Main(args []string, stdout, stderr io.Writer) int {
	p := report.Program{Name: "fairqueue", Help: help, Quick: "fewer weights, shorter runs", Plan: Plan}
	return p.Main(args, stdout, stderr)
}

// lines are those of a chart: of today's rule, of the repaired one and of ours.
type lines []draw.Series

func newLines(names ...string) (l lines) {
	looks := []draw.Stroke{{Color: draw.Vermilion}, {Color: draw.Green, Dash: draw.Dashed}, {Color: draw.Blue, Dash: draw.Dotted, Width: 2.4}, {Color: draw.Orange, Dash: draw.DashDot}}
	for i, name := range names {
		l = append(l, draw.Series{Label: name, Stroke: looks[i]})
	}
	return l
}

func (l lines) add(i int, x, y float64) { l[i].X, l[i].Y = append(l[i].X, x), append(l[i].Y, y) }

// claim is one row. Its model is written by a format.
func claim(statement, published, relation string, holds bool, note, model string, args ...any) report.Claim {
	return report.Claim{Claim: statement, Published: published, Relation: relation, Holds: holds, Note: note, Model: fmt.Sprintf(model, args...)}
}
