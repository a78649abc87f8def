package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
	"gonum.org/v1/gonum/floats"
)

// beyondChance is the Margin from which on a quick run decides: by chance the mean of five seeds is
// that far from the threshold once in 200 times.
const beyondChance = 2

// Third is the part of a published number that is no effect by which a model may be off at most, so
// that a row can fail whatever the spread of the model.
const Third = 1. / 3

// leastRuns is the least number of seeds of a tuple.
const leastRuns = 40

// When is the claim that rests on a condition.
func (c Claim) When(holds bool) Claim {
	c.Holds = holds
	return c
}

// Above and Below are the claim of a stated direction, decided by an interval, which must lie above
// or below x.
func (c Claim) Above(i numbers.Interval, x float64) Claim {
	c.Holds, c.Margin = i.Low() > x, i.Over(x)
	return c
}

func (c Claim) Below(i numbers.Interval, x float64) Claim {
	c.Holds, c.Margin = i.High() < x, -i.Over(x)
	return c
}

// AllAbove and AllBelow are the claim that each interval of a list lies above or below x.
func (c Claim) AllAbove(x float64, list ...numbers.Interval) Claim {
	return c.All(Each(list, func(i numbers.Interval) Claim { return c.Above(i, x) })...)
}

func (c Claim) AllBelow(x float64, list ...numbers.Interval) Claim {
	return c.All(Each(list, func(i numbers.Interval) Claim { return c.Below(i, x) })...)
}

// Within is the claim that an interval lies between low and high.
func (c Claim) Within(i numbers.Interval, low, high float64) Claim {
	return c.All(c.Above(i, low), c.Below(i, high))
}

// All is the claim that all parts hold, of which there is at least one.
func (c Claim) All(parts ...Claim) Claim {
	c.Holds, c.Margin = len(parts) > 0, math.Inf(1)
	for _, p := range parts {
		c.Holds, c.Margin, c.Undecided = c.Holds && p.Holds, min(c.Margin, p.Margin), c.Undecided || p.Undecided
	}
	return c
}

// Most is the claim that 9 of 10 parts hold, of which there is at least one. Its Margin is that of
// the last part that is needed.
func (c Claim) Most(parts ...Claim) Claim {
	c = c.All(parts...)
	if need := (9*len(parts) + 9) / 10; need > 0 {
		margins := slices.Sorted(slices.Values(numbers.Column(parts, func(p *Claim) float64 { return p.Margin })))
		c.Holds, c.Margin = Held(parts) >= need, margins[len(parts)-need]
	}
	return c
}

// Each are the claims about the things of a list.
func Each[T any](list []T, claim func(x T) Claim) []Claim {
	var claims []Claim
	for _, x := range list {
		claims = append(claims, claim(x))
	}
	return claims
}

// Held is how many claims hold.
func Held(list []Claim) int { return numbers.Number(list, func(c Claim) bool { return c.Holds }) }

// Single is the claim of a published number, which is one run: its print lies within the spread of
// single runs of the model, Run of the interval over its seeds, and no farther than half of an
// effect or a third of another number. Of an effect the spread holds no 1, or whatever none is. A
// value is of as much as the published number: where a paper averages ten repetitions, a mean of ten.
// It fills in Relation where that is empty. A quick run never says yes.
func (c Claim) Single(i numbers.Interval, n Number) Claim {
	half, off := min(n.most(), i.Run()), n.off(i.Mean)
	c.Holds, c.Margin = off <= half, 0
	if !c.Holds && half > 0 {
		c.Margin = -off / half
	}
	relation := fmt.Sprintf("published number within the spread of single runs (95%%), at most %s from the mean", numbers.Short2(n.most()))
	if n.None != 0 {
		c.Holds = c.Holds && math.Abs(i.Mean-n.None) > i.Run()
		relation += fmt.Sprintf("; %s outside the spread", numbers.Short(n.None))
	}
	c.Relation = cmp.Or(c.Relation, relation)
	return c
}

// Unchanged is the claim that a number stays what it is: its mean lies within d of x, and x within the
// spread of single runs.
func (c Claim) Unchanged(i numbers.Interval, x, d float64) Claim {
	off := math.Abs(i.Mean - x)
	c.Holds, c.Margin = off <= min(d, i.Run()), 0
	return c
}

// A Point is a published number of one run beside what each seed of the model gives for it.
type Point struct {
	Published Number
	Values    []float64
	Cap       float64 // how far from the model the published number may be at most; 0: a third of it
}

// Tuple is the claim of several published numbers of one run. Let d be the greatest of the distances
// of their prints from the medians of the model, each in halves of the range from its 16% to its 84%
// quantile: d is at most the 95% quantile of the seeds' own d, and each number lies within its cap
// of the median. Place k of all Values is of the same seed; with fewer than 40 seeds it is
// undecided.
func (c Claim) Tuple(points ...Point) Claim {
	var d, published []float64
	near := true
	for k, n := range points {
		sorted := slices.Sorted(slices.Values(n.Values))
		median, half := numbers.Quantile(sorted, .5), (numbers.Quantile(sorted, .84)-numbers.Quantile(sorted, .16))/2
		distance := func(off float64) float64 {
			if off == 0 {
				return 0
			}
			return off / half
		}
		if k == 0 {
			d = make([]float64, len(n.Values))
		}
		for seed, x := range n.Values {
			d[seed] = math.Max(d[seed], distance(math.Abs(x-median)))
		}
		off := n.Published.off(median)
		published = append(published, distance(off))
		near = near && off <= cmp.Or(n.Cap, n.Published.most())
	}
	slices.Sort(d)
	limit, far := numbers.Quantile(d, .95), floats.Max(published)
	c.Holds, c.Margin, c.Undecided = near && far <= limit, 0, len(d) < leastRuns
	if far > limit && limit > 0 {
		c.Margin = -far / limit
	}
	c.Relation = cmp.Or(c.Relation, "published numbers together within 95% of single runs, and each within its cap of the median")
	return c
}

// In is the claim of a quick run or of a full one. A quick run decides what rests on no
// repetitions, and what its interval puts beyond chance.
func (c Claim) In(quick bool) Claim {
	c.Undecided = c.Undecided || quick && !c.NotRun && !(math.Abs(c.Margin) >= beyondChance)
	return c
}

// Because is a reason as a Note: a condition of this run's numbers and the words for it, "" where
// the condition does not hold. What no condition of the run shows stands in docs/reproduction.md.
func Because(condition bool, words string) string {
	if !condition {
		return ""
	}
	return words
}
