package dynprio

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// curve is the i-th line of a chart over x, or over 1, 2 and so on where x is nil.
func curve(i int, label string, x, y []float64) draw.Series {
	for k := len(x); k < len(y); k++ {
		x = append(x, float64(k+1))
	}
	s := draw.Look(i, label)
	s.X, s.Y, s.Radius = x, y, 2
	return s
}

// axis is a linear axis from 0.
func axis(label string, end, step float64) draw.Axis {
	return draw.Axis{Label: label, Max: end, Ticks: draw.Ticks(0, end, step)}
}

// row is a claim that is still to be decided. Its model is written by a format.
func row(claim, published, relation, model string, args ...any) report.Claim {
	return report.Claim{Claim: claim, Published: published, Relation: relation, Model: fmt.Sprintf(model, args...)}
}

// when is a claim that holds or does not.
func when(holds bool, c report.Claim) report.Claim {
	c.Holds = holds
	return c
}

// below and above are claims that all intervals lie on one side of 0, within that one lies between
// two numbers.
func below(c report.Claim, list ...numbers.Interval) report.Claim {
	var parts []report.Claim
	for _, i := range list {
		parts = append(parts, c.Below(i, 0))
	}
	return c.All(parts...)
}

func above(c report.Claim, list ...numbers.Interval) report.Claim {
	var parts []report.Claim
	for _, i := range list {
		parts = append(parts, c.Above(i, 0))
	}
	return c.All(parts...)
}

func within(c report.Claim, i numbers.Interval, low, high float64) report.Claim {
	return c.All(c.Above(i, low), c.Below(i, high))
}

// as gives a claim its kind. Theory rests on no repetitions.
func as(k report.Kind, c report.Claim) report.Claim {
	if c.Kind = k; k == report.Theory {
		c.Margin = math.Inf(1)
	}
	return c
}

// headline puts a claim into the table of headlines.
func headline(name string, c report.Claim) report.Claim {
	c.Headline = name
	return c
}
