package whatif

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// mostSpans is how many parts of the time a curve has at most; it has at least half as many.
const mostSpans = 1024

// A curve is how much of something there was: its integral over equal parts of the time from a time
// on. Parts are joined in pairs when the time goes beyond the last.
type curve struct {
	From, Width float64
	Parts       []float64
}

// newCurve is a curve of no time, whose first width is so that times up to one will not join parts.
func newCurve(from, to float64) curve {
	width := (to - from) / mostSpans
	if !(width > 0) {
		width = 1
	}
	return curve{From: from, Width: width}
}

// add puts an amount from one time to another on the curve.
func (c *curve) add(from, to, amount float64) {
	for to > c.From+c.Width*mostSpans {
		c.join()
	}
	if amount == 0 || !(from < to) {
		return
	}
	for k := int((from - c.From) / c.Width); ; k++ {
		start := c.From + float64(k)*c.Width
		if start >= to || k >= mostSpans {
			return
		}
		for len(c.Parts) <= k {
			c.Parts = append(c.Parts, 0)
		}
		c.Parts[k] += amount * (min(to, start+c.Width) - max(from, start))
	}
}

// join makes parts twice as long.
func (c *curve) join() {
	c.Width *= 2
	for k := range (len(c.Parts) + 1) / 2 {
		x := c.Parts[2*k]
		if 2*k+1 < len(c.Parts) {
			x += c.Parts[2*k+1]
		}
		c.Parts[k] = x
	}
	c.Parts = c.Parts[:(len(c.Parts)+1)/2]
}

// A meter is a level that changes, and its curve.
type meter struct {
	curve
	since, level float64
}

// change adds to the level at a time, which is not before the one of the last change.
func (m *meter) change(at, by float64) {
	m.add(max(m.since, m.From), at, m.level)
	m.since, m.level = at, m.level+by
}

// A held is an amount of something from one time to another.
type held struct{ from, to, amount float64 }

// A step is a change of a level.
type step struct{ at, by float64 }

// steps are the changes of the sum of what is held, in their order.
func steps(list []held) []step {
	var changes []step
	for _, x := range list {
		if x.from < x.to { // neither is NaN
			changes = append(changes, step{x.from, x.amount}, step{x.to, -x.amount})
		}
	}
	slices.SortFunc(changes, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	return changes
}

// sweep is the curve of a level with its changes.
func sweep(c curve, changes []step) curve {
	m := meter{curve: c}
	for _, s := range changes {
		m.change(s.at, s.by)
	}
	return m.curve
}

// arrivals are the first and the last of jobs.
func arrivals(jobs []slotmodel.JobSpec) (first, last float64) {
	first = math.Inf(1)
	for i := range jobs {
		first, last = min(first, jobs[i].Arrival), max(last, jobs[i].Arrival)
	}
	return first, last
}
