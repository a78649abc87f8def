package circumflex

import "github.com/schedmath/schedmath/examples/internal/report"

// A verdict is what a 95% interval says of a condition: 1, it holds; -1, it does not; 0, the
// interval holds the threshold. Of conditions that must all hold it is the least.
type verdict int

// above and below say whether the mean of values lies above, or below, x.
func above(values []float64, x float64) verdict {
	switch i := report.Over(values); {
	case i.Low() > x:
		return 1
	case i.High() < x:
		return -1
	}
	return 0
}

func below(values []float64, x float64) verdict { return -above(values, x) }

// of is a claim that the verdict decides.
func (v verdict) of(c report.Claim) report.Claim {
	c.Holds, c.Close = v > 0, v == 0
	return c
}

// A count is of how many things a condition holds, and of how many it does not.
type count struct{ yes, no, things int }

func countOf[T any](list []T, judge func(x T) verdict) count {
	var c count
	for _, x := range list {
		c.add(judge(x))
	}
	return c
}

func (c *count) add(v verdict) {
	c.things++
	switch v {
	case 1:
		c.yes++
	case -1:
		c.no++
	}
}

// all and most say whether the condition holds for all, and for 9 of 10.
func (c count) all() verdict  { return c.least(c.things) }
func (c count) most() verdict { return c.least((9*c.things + 9) / 10) }

func (c count) least(want int) verdict {
	switch {
	case c.yes >= want:
		return 1
	case c.things-c.no < want:
		return -1
	}
	return 0
}
