package circumflex

import (
	"fmt"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// figure7Penalties are one of each of the paper's five categories.
var figure7Penalties = []struct {
	name    string
	penalty precedence.Penalty
	tags    []draw.Tick // what the paper writes at the axis of time
}{
	{"response time", precedence.Response{Weight: .8}, nil},
	{"tardy", precedence.Tardy{Deadline: 4, Weight: 5}, []draw.Tick{{At: 4, Label: "D"}}},
	{"tardiness", precedence.Tardiness{Deadline: 4, Weight: 1.2}, []draw.Tick{{At: 4, Label: "D"}}},
	{"lateness", precedence.Lateness{Deadline: 4, Weight: 1.2}, []draw.Tick{{At: 4, Label: "D"}}},
	{"SLA", precedence.SLA{Deadlines: []float64{2, 5, 7}, Costs: []float64{1, 3, 6}}, []draw.Tick{{At: 2, Label: "D1"}, {At: 5, Label: "D2"}, {At: 7, Label: "D3"}}},
}

// figure7End is where the axes of time end; figure7Step is how far the samples are apart.
const (
	figure7End  = 10.
	figure7Step = 0x1p-5
)

// figure7Samples are the penalties over time.
type figure7Samples struct {
	times  []float64
	values [][]float64
}

func sampleFigure7() figure7Samples {
	var s figure7Samples
	for k := 0; float64(k)*figure7Step <= figure7End; k++ {
		s.times = append(s.times, float64(k)*figure7Step)
	}
	for _, p := range figure7Penalties {
		var list []float64
		for _, t := range s.times {
			list = append(list, p.penalty.At(t))
		}
		s.values = append(s.values, list)
	}
	return s
}

func figure7() (report.Figure, error) {
	f := report.NewFigure("Figure 7: penalties of a job",
		"What a job costs (in units of its weight) if it completes at a time, one of each category, drawn by the penalties' own At. A job that ends at its deadline is on time.",
		"time")
	s := sampleFigure7()
	var charts []*draw.Chart
	for k, p := range figure7Penalties {
		f.Numbers.Columns = append(f.Numbers.Columns, strings.ReplaceAll(strings.ToLower(p.name), " ", "_"))
		c := &draw.Chart{Height: 92}
		c.X = draw.Axis{Max: figure7End, Ticks: append([]draw.Tick{}, p.tags...)}
		c.Y = draw.Axis{Label: p.name, Min: -0.2, Max: 8.2, Ticks: []draw.Tick{{At: 0, Label: "0"}}}
		switch p.name {
		case "lateness":
			c.Y.Min = -5.2
		case "SLA":
			c.X.Label = "completion time (any unit)"
		}
		c.Level("", 0, draw.Stroke{Color: draw.Black, Width: 0.5})
		c.Line("", s.times, s.values[k], draw.Stroke{Color: draw.Blue})
		charts = append(charts, c)
	}
	for i, t := range s.times {
		cells := []any{t}
		for k := range s.values {
			cells = append(cells, s.values[k][i])
		}
		f.Numbers.Add(cells...)
	}
	return f.Done(claims7(&s), "Five charts of cost over completion time: a line from zero; a step at the deadline; a line that rises from the deadline on; a line through zero at the deadline; a staircase.", charts...)
}

func claims7(s *figure7Samples) []report.Claim {
	rising, negative := 0, ""
	for k, v := range s.values {
		up, below := true, false
		for i := range v {
			up = up && (i == 0 || v[i] >= v[i-1])
			below = below || v[i] < 0
		}
		if up {
			rising++
		}
		if below {
			negative += figure7Penalties[k].name + " "
		}
	}
	if negative == "" {
		negative = "none "
	}
	return []report.Claim{
		report.Says("penalties do not decrease", "any non-decreasing function", "all categories, at all sampled times",
			"%d of %d", rising, len(s.values)).When(rising == len(s.values)),
		report.Says("lateness is the only potentially negative metric", "lateness", "this one goes below 0 and no other",
			"%s", negative[:len(negative)-1]).When(negative == "lateness "),
	}
}

// Figure 8's two jobs of two subjobs each: yellow before red, blue before green.
const figure8Slots = 12

var (
	figure8Names = []string{"yellow", "red", "blue", "green"}
	figure8Paint = []draw.Paint{draw.PaintOf(5), draw.PaintOf(3), draw.PaintOf(0), draw.PaintOf(4)}
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

func figure8(p packing) (report.Figure, error) {
	f := report.NewFigure("Figure 8: a malleable schedule of two chains",
		fmt.Sprintf("%d slots over time. The yellow subjob goes before the red one, the blue before the green; each has a minimum and a maximum of slots (table). The order is that of least average response "+
			"time, by the two-step scheme of Section 3.", figure8Slots),
		"subjob", "slots", "start", "end")
	f.Shown.Columns = []string{"subjob", "work", "slots", "ends"}
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
		report.Says("slots add up to at most S, and minima, maxima and precedence are respected", "respected",
			"the verifier finds no fault", "%s", verdict).When(err == nil),
		report.Says("the number of slots of a job may vary from interval to interval: malleable, not moldable", "may vary", "some do",
			"%d of %d subjobs vary", varied, len(p.jobs)).When(varied > 0),
		report.Says("at most one job has a partial allocation between its minimum and its maximum", "at most one", "in all intervals",
			"in %d of %d intervals", single, intervals).When(single == intervals),
		report.Says("after J iterations, and J intervals, the list is depleted", fmt.Sprint(len(p.jobs)), "equal",
			"%v", intervals).When(intervals == len(p.jobs)),
	}
}
