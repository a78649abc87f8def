package dynamicshare

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// claims is report.Claims of this paper; of fewer repetitions than in a full run the notes say so, since chance matters then.
func (t *trials) claims(item string, list ...report.Claim) []report.Claim {
	return report.Claims("dynamicshare", item, chance(len(t.list)), list...)
}

func chance(n int) string {
	if n >= repetitions {
		return ""
	}
	return fmt.Sprintf("%d of %d repetitions", n, repetitions)
}

// of lists what all seeds gave for a cell.
func (t *trials) of(c cell, what func(outcome) float64) []float64 {
	var list []float64
	for i := range t.list {
		list = append(list, what(t.list[i].outcomes[c]))
	}
	return list
}

// ratio is the interval of the time of one scheme over that of another, seed by seed.
func (t *trials) ratio(a, b cell) report.Interval {
	xs, ys := t.of(a, seconds), t.of(b, seconds)
	for i := range xs {
		xs[i] /= ys[i]
	}
	return report.Over(xs)
}

// ratios are those of two schemes at each number of partitions from the given place on, at the steepest skewness.
func (t *trials) ratios(job, from int, a, b scheme) []report.Interval {
	var list []report.Interval
	for _, n := range partitions[from:] {
		c := cell{job: job, skewness: steepest, partitions: n}
		list = append(list, t.ratio(c.with(a), c.with(b)))
	}
	return list
}

// countBelow returns how many intervals lie below x.
func countBelow(list []report.Interval, x float64) int {
	n := 0
	for _, i := range list {
		if i.High() < x {
			n++
		}
	}
	return n
}

// allBelow and allAbove say whether all intervals lie below, or above, x.
func allBelow(list []report.Interval, x float64) bool { return countBelow(list, x) == len(list) }

func allAbove(list []report.Interval, x float64) bool {
	return !slices.ContainsFunc(list, func(i report.Interval) bool { return !(i.Low() > x) })
}

// anyMean says whether a mean is above x.
func anyMean(list []report.Interval, x float64) bool {
	return slices.ContainsFunc(list, func(i report.Interval) bool { return i.Mean > x })
}

// span writes the means of intervals.
func span(list []report.Interval) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range list {
		low, high = min(low, i.Mean), max(high, i.Mean)
	}
	return report.Fixed(low) + " to " + report.Fixed(high)
}

// A line is the cells of one scheme along an axis.
type line struct {
	x     []float64
	cells []cell
}

// overPartitions is a scheme's line over the numbers of partitions. Hadoop has one number, and a line across.
func overPartitions(job, skewness int, k scheme) line {
	var l line
	for _, n := range partitions {
		c := cell{job, skewness, n, k}
		if k == hadoop {
			c.partitions = reduces
		}
		l.x, l.cells = append(l.x, float64(n)), append(l.cells, c)
	}
	return l
}

// fill adds lines to a chart, with whiskers of the 95% intervals, and to the numbers of a figure. The charts of a figure show the same schemes: the legend
// names those of the first.
func (t *trials) fill(f *report.Figure, c *draw.Chart, what func(outcome) float64, unit float64, lines ...line) {
	if f.Numbers.Columns == nil {
		f.Numbers.Columns = []string{"job", "scheme", "target_skewness_percent", "partitions", "seeds", "reduce_s", "reduce_ci95", "balance_percent", "skewness_percent"}
	}
	later := len(f.Numbers.Rows) > 0
	var list []draw.Series
	for _, l := range lines {
		k := table[l.cells[0].scheme]
		s := k.look
		if s.X = l.x; !later {
			s.Label = k.name
		}
		for _, at := range l.cells {
			i := report.Over(t.of(at, what))
			s.Y, s.Spread = append(s.Y, i.Mean*unit), append(s.Spread, i.Half*unit)
			time := report.Over(t.of(at, seconds))
			f.Numbers.Add(jobs[at.job].name, k.name, skewnesses[at.skewness], at.partitions, len(t.list), time.Mean, time.Half, report.Mean(t.of(at, balance)), report.Mean(t.of(at, skewness)))
		}
		list = append(list, s)
	}
	c.Series(list, 0)
}

// timeChart is a chart of times of the reduce phase of a job.
func timeChart(job int, x draw.Axis) *draw.Chart {
	return &draw.Chart{Height: 210, GridY: true, X: x, Y: draw.Axis{Label: jobs[job].name + ": reduce phase (ms)"}}
}

// logAxis is a logarithmic axis of ascending numbers with a tick at each.
func logAxis(label string, list []int) draw.Axis {
	x := draw.Axis{Label: label, Log: true, Min: .9 * float64(list[0]), Max: 1.1 * float64(list[len(list)-1])}
	for _, n := range list {
		x.Ticks = append(x.Ticks, draw.Tick{At: float64(n), Label: fmt.Sprint(n)})
	}
	return x
}

// partitionAxis is the axis of the numbers of partitions.
func partitionAxis() draw.Axis {
	x := draw.Axis{Label: "partitions", Min: reduces - 1, Max: float64(partitions[len(partitions)-1]) + 1}
	for _, n := range partitions {
		x.Ticks = append(x.Ticks, draw.Tick{At: float64(n), Label: fmt.Sprint(n)})
	}
	return x
}

// timesOverPartitions draws the times of schemes at the steepest skewness, a chart for each job, and returns the picture.
func (t *trials) timesOverPartitions(f *report.Figure, list ...scheme) (*draw.Picture, error) {
	var charts []*draw.Chart
	spoken := ""
	for j := range jobs {
		c := timeChart(j, partitionAxis())
		var lines []line
		for _, k := range list {
			l := overPartitions(j, steepest, k)
			lines = append(lines, l)
			spoken += fmt.Sprintf(" %s under %s: %s with %d partitions, %s with %d.", jobs[j].name, table[k].name, t.ms(l.cells[0]), partitions[0], t.ms(l.cells[len(l.cells)-1]), partitions[len(partitions)-1])
		}
		t.fill(f, c, seconds, 1000, lines...)
		charts = append(charts, c)
	}
	return draw.New("Two charts of lines over the number of partitions."+spoken, charts...)
}

// ms writes the mean time of a cell.
func (t *trials) ms(c cell) string { return fmt.Sprintf("%.0f ms", 1000*report.Mean(t.of(c, seconds))) }
