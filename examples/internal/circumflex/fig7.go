package circumflex

import (
	"fmt"
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
		{Claim: "penalties do not decrease", Published: "any non-decreasing function", Model: fmt.Sprintf("%d of %d", rising, len(s.values)), Relation: "all categories, at all sampled times", Holds: rising == len(s.values)},
		{Claim: "lateness is the only potentially negative metric", Published: "lateness", Model: negative[:len(negative)-1], Relation: "this one goes below 0 and no other", Holds: negative == "lateness "},
	}
}
