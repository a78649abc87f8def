package dynamicshare

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// places is the axis of lines over 1, 2 and so on, which stand for some numbers.
func places(label string, at []int) draw.Axis {
	x := draw.Axis{Label: label, Min: .6, Max: float64(len(at)) + .4}
	for i, n := range at {
		x.Ticks = append(x.Ticks, draw.Tick{At: float64(i + 1), Label: strconv.Itoa(n)})
	}
	return x
}

func floats(list []int) []float64 {
	return numbers.Column(list, func(n *int) float64 { return float64(*n) })
}

func partitionAxis() draw.Axis {
	return draw.Axis{Label: "partitions", Min: reduces - 1, Max: mostPartitions + 1, Ticks: draw.TicksAt(floats(partitions)...)}
}

// overPartitions is a scheme over the numbers of partitions. Hadoop has one number, and a line
// across.
func overPartitions(job, skewness int, k scheme) []cell {
	var cells []cell
	for _, n := range partitions {
		if k == hadoop {
			n = reduces
		}
		cells = append(cells, cell{job, skewness, n, k})
	}
	return cells
}

// fill adds schemes, each over x, to a chart, with whiskers of the 95% intervals, and to the
// numbers of a figure. The legend names each scheme once.
func (t *trials) fill(f *report.Figure, c *draw.Chart, x []float64, what func(outcome) float64, unit float64, lines ...[]cell) {
	f.Numbers.Columns = []string{"reading", "job", "scheme", "target_skewness_percent", "partitions", "seeds", "reduce_s", "reduce_ci95", "balance_percent", "skewness_percent"}
	var list []draw.Series
	for _, cells := range lines {
		k := table[cells[0].scheme]
		s := k.look
		if s.X = x; !slices.ContainsFunc(f.Numbers.Rows, func(row []string) bool { return row[2] == k.name }) {
			s.Label = k.name
		}
		for _, at := range cells {
			i, time := numbers.Over(t.of(at, what)), numbers.Over(t.of(at, seconds))
			s.Y, s.Spread = append(s.Y, i.Mean*unit), append(s.Spread, i.Half*unit)
			f.Numbers.Add(t.reading, jobs[at.job].name, k.name, skewnesses[at.skewness], at.partitions, t.n, time.Mean, time.Half, numbers.Mean(t.of(at, balance)), numbers.Mean(t.of(at, skewness)))
		}
		list = append(list, s)
	}
	c.Series(list, 0)
}

// timeChart is a chart of times of the reduce phase of a job.
func (t *trials) timeChart(job int, x draw.Axis) *draw.Chart {
	return &draw.Chart{Height: 180, GridY: true, X: x, Y: draw.Axis{Label: t.reading + ", " + jobs[job].name + ": time (ms)"}}
}

// A mark is what the paper's text has of Twitter's times: at some numbers of partitions.
type mark struct {
	label          string
	partitions, ms []float64
}

// timesFigure is a figure of the times of schemes over the number of partitions, with a chart for
// each reading and job, and the paper's marks.
func (all readings) timesFigure(title, caption string, claims func(*trials) []report.Claim, schemes func(*trials) []scheme, paper func(*trials) mark) (report.Figure, error) {
	f := report.NewFigure(title, fmt.Sprintf("At a skewness of %v%%: in reading A of %d partitions, the same keys in more; in B of each number of partitions under the default hash function. ", skewnesses[steep], reduces)+caption)
	var charts []*draw.Chart
	spoken := fmt.Sprintf("Four charts of lines over the number of partitions. Twitter with %d:", mostPartitions)
	for _, t := range all {
		list := schemes(t)
		for j := range jobs {
			c := t.timeChart(j, partitionAxis())
			var lines [][]cell
			for _, k := range list {
				lines = append(lines, overPartitions(j, steep, k))
			}
			t.fill(&f, c, floats(partitions), seconds, 1000, lines...)
			if j == onTwitter {
				m := paper(t)
				if t.reading != settings[0].reading {
					m.label = "" // once in the legend
				}
				c.Dots(m.label, m.partitions, m.ms, draw.Ring, draw.Black, 4)
			}
			charts = append(charts, c)
		}
		for _, k := range list {
			cells := overPartitions(onTwitter, steep, k)
			spoken += fmt.Sprintf(" %s, %s %s.", t.reading, table[k].name, t.ms(cells[len(cells)-1]))
		}
	}
	return f.Done(all.claims(claims), spoken, charts...)
}

// ms writes the mean time of a cell.
func (t *trials) ms(c cell) string {
	return fmt.Sprintf("%.0f ms", 1000*numbers.Mean(t.of(c, seconds)))
}

// span writes the least and the largest mean.
func span(list []numbers.Interval) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range list {
		low, high = min(low, i.Mean), max(high, i.Mean)
	}
	return numbers.Fixed(low) + " to " + numbers.Fixed(high)
}
