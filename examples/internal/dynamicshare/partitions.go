package dynamicshare

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/partition"
)

// Settings of Figures 8 to 12.
const (
	sketchRows = 5   // the paper prints no d
	overhead   = .5  // s that SkewTune takes to split a task
	longer     = 100 // times as long is a long job

	mostPartitions = 45 // the end of the paper's axis
)

var (
	jobs = []*job{&twitter, &youTube} // in the order of the charts
	// partitions are the numbers of partitions of a job.
	partitions = []int{reduces, 25, 30, 35, 40, mostPartitions}
)

// skewnesses of the partitions, in percent. The first stands for equal shares, whose partitions
// differ a little. Those of Figures 9 to 12 are at steep.
var skewnesses = []float64{0, 20, 40, 60, 80}

// Places in jobs and skewnesses.
const (
	onTwitter, onYouTube = 0, 1
	steep                = 4
)

// A setting is what Figures 8 to 12 rest on in one reading.
type setting struct {
	reading string
	top     float64 // speed of the fastest machine
	pace    float64 // factor of the rates of both jobs: DP ends after 1,900 ms with textPartitions
	hashed  bool    // the default hash function makes the skewness at each number of partitions; otherwise the lists of the keys do, at as many as reduces
	lb, dp  scheme  // of Figures 9 and 10
}

// settings are those of the readings.
var settings = [2]setting{
	{"A", 4, 1.53, false, lb, dp},
	{"B", fastest, 1, true, lbSketch, dpSketch},
}

// fastest is the speed of the fastest machine in reading B, on which the other figures rest too.
// Of tops its Balance of DP is the nearest to Figure 10's.
const fastest = 2.3

var tops = []float64{1.6, 1.8, 2, 2.1, 2.2, fastest, 2.4, 2.5, 2.6, 2.8, 3, 4}

// Repetitions that fastest was found by, and those that both readings are judged by.
var (
	found  = report.Seeds{First: 100, N: repetitions}
	judged = report.Seeds{First: 200, N: repetitions}
)

var assumed = []report.Reading{
	{Name: "A", Title: "skewed by its heaviest key", Judged: judged, Assumptions: []report.Assumption{
		{Text: "lists of unequal lengths make the skewness, 80% where there are as many partitions as reduces", Evidence: report.Implied, By: "section 4: \"Skewed Tuple Sizes\""},
		{Text: "LB and DP have sketches in Figures 11 and 12 alone", Evidence: report.Implied, By: "Figure 12's caption"},
		{Text: "machine speeds from 1 to 4", Evidence: report.Assumed},
	}},
	{Name: "B", Title: "skewed by the default hash", Found: found, Judged: judged,
		Main: "section 5 states \"80% skewness between the partitions' sizes\" for Figures 9 to 12, and LB enhanced with sketches before them; that other hash functions balance better, its reason for sketches, cannot be where one key has the 80%",
		Assumptions: []report.Assumption{
			{Text: "the default hash function makes the skewness, 80% at each number of partitions; others divide the keys evenly", Evidence: report.Implied, By: "section 5: \"80% skewness between the partitions' sizes\", and \"extra hash functions\" that \"generate more balance sized partitions\""},
			{Text: fmt.Sprintf("lists as YouTube's degrees: %d%% where keys are divided evenly", natural), Evidence: report.Implied, By: "the data set"},
			{Text: "LB and DP have sketches in Figures 9, 10 and 12", Evidence: report.Stated, By: "section 5"},
			{Text: fmt.Sprintf("machine speeds from 1 to %v", fastest), Evidence: report.Implied, By: "Figure 10's 64% of DP"},
		}},
}

// A scheme decides which machine gets which partitions.
type scheme int

const (
	hadoop       scheme = iota // partition i to machine i, as many as reduces
	skewTune                   // hadoop, and what is unread of the slowest task split anew when a machine becomes idle, if it then ends earlier
	skewTuneLags               // the same, if it lags
	lb                         // Gufler's load balance
	dp                         // DynamicShare's, by exact times
	lbSketch                   // these two on the best of sketchRows hash functions
	dpSketch
	dpPairs // dp on counters that a pair increases by one, not by the length of its list
	schemes
)

// table says what the schemes are. A scheme blind to speeds gives each machine any load alike.
var table = [schemes]struct {
	name          string
	method        partition.Method
	blind, sketch bool
	look          draw.Series
}{
	hadoop:       {"Hadoop", partition.Hash, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Black, Dash: draw.Dashed}}},
	skewTune:     {"SkewTune", partition.Hash, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Green, Dash: draw.DashDot}, Mark: draw.Square, Radius: 2.5}},
	skewTuneLags: {"SkewTune, splits what lags", partition.Hash, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Orange, Dash: draw.DashDot}, Mark: draw.Triangle, Radius: 2.5}},
	lb:           {"LB", partition.LoadBalance, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Vermilion, Dash: draw.DashDot}, Mark: draw.Triangle, Radius: 3}},
	dp:           {"DP", partition.DynamicShare, false, false, draw.Series{Stroke: draw.Stroke{Color: draw.Blue}, Radius: 2.5}},
	lbSketch:     {"LB with sketches", partition.LoadBalance, true, true, draw.Series{Stroke: draw.Stroke{Color: draw.Orange, Dash: draw.LongDash}, Mark: draw.OpenTriangle, Radius: 3}},
	dpSketch:     {"DP with sketches", partition.DynamicShare, false, true, draw.Series{Stroke: draw.Stroke{Color: draw.Green, Dash: draw.Dashed}, Mark: draw.Square, Radius: 2.5}},
	dpPairs:      {"DP, pairs counted", partition.DynamicShare, false, false, draw.Series{}},
}

// places is the axis of lines over 1, 2 and so on, which stand for some numbers.
func places(label string, at []int) draw.Axis {
	x := draw.Axis{Label: label, Min: .6, Max: float64(len(at)) + .4}
	for i, n := range at {
		x.Ticks = append(x.Ticks, draw.Tick{At: float64(i + 1), Label: strconv.Itoa(n)})
	}
	return x
}

func reals(list []int) []float64 {
	return numbers.Column(list, func(n *int) float64 { return float64(*n) })
}

func partitionAxis() draw.Axis {
	return draw.Axis{Label: "partitions", Min: reduces - 1, Max: mostPartitions + 1, Ticks: draw.TicksAt(reals(partitions)...)}
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
			t.fill(&f, c, reals(partitions), seconds, 1000, lines...)
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
