package circumflex

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
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
	figure7Step = 0.125
)

// figure7Samples are the penalties over time, and what the claims compare.
type figure7Samples struct {
	times             []float64
	values            [][]float64
	responses, fromT0 []float64 // a weighted response time, and a tardiness with its deadline at 0
	tardy, oneStep    []float64 // a weighted tardy job, and an SLA of one step
	lateness, shifted float64   // least sum of lateness, and of response times less the deadlines
	makespan, total   float64   // least maximum of response times, and the sum of the works
}

func sampleFigure7() (figure7Samples, error) {
	var s figure7Samples
	for k := 0; float64(k)*figure7Step <= figure7End; k++ {
		s.times = append(s.times, float64(k)*figure7Step)
	}
	sample := func(p precedence.Penalty) []float64 {
		var list []float64
		for _, t := range s.times {
			list = append(list, p.At(t))
		}
		return list
	}
	for _, p := range figure7Penalties {
		s.values = append(s.values, sample(p.penalty))
	}
	s.responses, s.fromT0 = sample(precedence.Response{Weight: 1.5}), sample(precedence.Tardiness{Weight: 1.5})
	s.tardy, s.oneStep = sample(precedence.Tardy{Deadline: 3, Weight: 2}), sample(precedence.SLA{Deadlines: []float64{3}, Costs: []float64{2}})

	g, err := precedence.Chains(2, 3, 1)
	if err != nil {
		return s, err
	}
	work, deadlines := []float64{3, 2, 6, 1, 4, 2}, []float64{4, 9, 1, 12, 8, 20}
	least := func(o precedence.Objective, bad error) float64 {
		solution, worse := precedence.Minimize(g, work, o, precedence.Options{})
		err = errors.Join(err, bad, worse)
		return solution.Value
	}
	s.lateness = least(precedence.SumLateness(deadlines))
	s.shifted = least(precedence.SumResponse(len(work)))
	s.makespan = least(precedence.MaxResponse(len(work)))
	for j := range work {
		s.shifted -= deadlines[j]
		s.total += work[j]
	}
	return s, err
}

func figure7() (report.Figure, error) {
	f := report.NewFigure("Figure 7: penalties of a job",
		"What a job costs (in units of its weight) if it completes at a time, one of each category, drawn by the penalties' own At. A job that ends at its deadline is on time.",
		"time")
	s, err := sampleFigure7()
	if err != nil {
		return f, err
	}
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
		var from int // of a stretch without a jump
		for i := 1; i <= len(s.times); i++ {
			if i == len(s.times) || p.penalty.At(s.times[i])-p.penalty.At(s.times[i-1]) > 2*figure7Step {
				xs, ys := append([]float64{}, s.times[from:i]...), append([]float64{}, s.values[k][from:i]...)
				if from > 0 { // a jump comes after its deadline
					xs, ys = append([]float64{s.times[from-1]}, xs...), append([]float64{ys[0]}, ys...)
				}
				c.Line("", xs, ys, draw.Stroke{Color: draw.Blue})
				from = i
			}
		}
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
	gap := func(a, b []float64) float64 {
		most := 0.0
		for i := range a {
			most = math.Max(most, math.Abs(a[i]-b[i]))
		}
		return most
	}
	note := "the functions differ from the paper's"
	return []report.Claim{
		{Claim: "penalties do not decrease", Published: "any non-decreasing function", Model: fmt.Sprintf("%d of %d", rising, len(s.values)), Relation: "all categories, at all sampled times", Holds: rising == len(s.values), Note: note},
		{Claim: "lateness is the only potentially negative metric", Published: "lateness", Model: negative[:len(negative)-1], Relation: "this one goes below 0 and no other", Holds: negative == "lateness ", Note: note},
		{Claim: "tardiness generalises response time, with deadlines at time 0", Published: "the same", Model: fmt.Sprintf("largest difference %v", gap(s.responses, s.fromT0)), Relation: "equal at all sampled times", Holds: gap(s.responses, s.fromT0) == 0, Note: note},
		{Claim: "SLA costs generalise the weighted number of tardy jobs", Published: "the same with one step", Model: fmt.Sprintf("largest difference %v", gap(s.tardy, s.oneStep)), Relation: "equal at all sampled times", Holds: gap(s.tardy, s.oneStep) == 0, Note: note},
		{Claim: "the minisum of lateness differs from that of response time by a constant", Published: "the sum of the deadlines", Model: fmt.Sprintf("%v and %v", s.lateness, s.shifted),
			Relation: "least sum of lateness = least sum of response times - deadlines, on an instance with chains", Holds: s.lateness == s.shifted, Note: note},
		{Claim: "the unweighted minimax of response time is the makespan", Published: "completion of the last job", Model: fmt.Sprintf("%v and %v", s.makespan, s.total),
			Relation: "least maximum = sum of the works on one machine", Holds: s.makespan == s.total, Note: note},
	}
}
