package dynprio

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

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
