package circumflex

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// A verdict is what a 95% interval says of a condition, in its half widths: above 1, it holds; below
// -1, it does not; between, the interval holds the threshold. Of conditions that must all hold it is
// the least.
type verdict float64

const (
	certain = verdict(math.MaxFloat64)
	agreed  = verdict(1.5) // values without spread: decided, but for a quick run
)

// above and below say whether the mean of values lies above, or below, x.
func above(values []float64, x float64) verdict {
	i := numbers.Over(values)
	switch {
	case i.Half > 0 || i.Mean == x:
		return verdict(i.Over(x))
	case i.Mean > x:
		return agreed
	}
	return -agreed
}

func below(values []float64, x float64) verdict { return -above(values, x) }

// of is a claim that the verdict decides.
func (v verdict) of(c report.Claim) report.Claim {
	c.Holds, c.Margin = v > 1, float64(v)
	return c
}

// A count is of how many things a condition holds.
type count struct {
	yes, things int
	verdicts    []verdict
}

func countOf[T any](list []T, judge func(x T) verdict) count {
	var c count
	for _, x := range list {
		c.add(judge(x))
	}
	return c
}

func (c *count) add(v verdict) {
	c.things, c.verdicts = c.things+1, append(c.verdicts, v)
	if v > 1 {
		c.yes++
	}
}

// all and most say whether the condition holds for all, and for 9 of 10.
func (c count) all() verdict  { return c.least(c.things) }
func (c count) most() verdict { return c.least((9*c.things + 9) / 10) }

// least says whether the condition holds for so many.
func (c count) least(want int) verdict {
	if want == 0 {
		return certain
	}
	slices.Sort(c.verdicts)
	return c.verdicts[c.things-want]
}
