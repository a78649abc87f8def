package dynamicshare

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
)

// Settings of Figures 8 to 12.
const (
	sketchRows = 5   // the paper prints no d
	overhead   = .5  // s that SkewTune takes to split a task
	longer     = 100 // times as long is a long job
	pastRuns   = 100 // of each machine, from which it is estimated
	pastShare  = .25 // the largest of them had this share of the values of a job
	noise      = .1  // standard deviation of the logarithm of a past time

	mostPartitions = 45 // the end of the paper's axis
)

var (
	jobs = []*job{&twitter, &youTube} // in the order of the charts
	// partitions are the numbers of partitions of a job.
	partitions = []int{reduces, 25, 30, 35, 40, mostPartitions}
)

// Places in jobs and skewnesses.
const (
	onTwitter, onYouTube = 0, 1
	middle               = 2
)

// A setting is what Figures 8 to 12 rest on in one reading.
type setting struct {
	reading string
	top     float64 // speed of the fastest machine
	pace    float64 // factor of the rates of both jobs: DP ends after 1,900 ms with textPartitions
	// skewnesses in percent at as many partitions as reduces. The first stands for equal lists,
	// whose partitions differ a little. Those of Figures 9 to 12 are at steep.
	skewnesses   []float64
	steep        int
	dp, dpSketch scheme // what the paper's DP is: by estimated times or by exact ones
}

// settings are those of the readings. B was chosen by Figure 10 alone: of speeds up to 2.2, 2.3 and
// so on to 2.7 and of skewnesses of 25, 28, 30, 32 and 35%, the pair whose two Balances come
// nearest the paper's, means over 40 repetitions of seed 1 and 40 of seed 2.
var settings = []setting{
	{"A", fastest, 1, []float64{0, 20, 40, 60, 80}, 4, dp, dpSketch},
	{"B", 2.5, .584, []float64{0, 20, 32, 60, 80}, 2, dpExact, dpSketchExact},
}

// assumed are the readings. Those figures that only A names rest on its machines.
var assumed = []report.Reading{
	{Name: "A", Title: "the skewness as printed", Assumptions: []report.Assumption{
		{Text: "the partitions of Figures 9 to 12 are 80% skewed, where there are as many as reduces", Evidence: report.Stated, By: "section 5"},
		{Text: "machine speeds from 1 to 4", Evidence: report.Assumed},
		{Text: "k-NN from 100 past runs of each machine, of up to a quarter of a job's values", Evidence: report.Assumed, By: "the method is section 3.1's"},
	}},
	{Name: "B", Title: "the Balance as printed", Assumptions: []report.Assumption{
		{Text: "the partitions of Figures 9 to 12 are 32% skewed, against the 80% of section 5", Evidence: report.Implied, By: "Figure 10's 90% of LB"},
		{Text: "machine speeds from 1 to 2.5", Evidence: report.Implied, By: "Figure 10's 64% of DP"},
		{Text: "DP's estimates are as good as exact times", Evidence: report.Implied, By: "Figure 10: with estimates of A's DP has a Balance of 55%"},
	}},
}

// A scheme decides which machine gets which partitions.
type scheme int

const (
	hadoop       scheme = iota // partition i to machine i, as many as reduces
	skewTune                   // hadoop, and what is unread of the slowest task split anew when a machine becomes idle, if it then ends earlier
	skewTuneLags               // the same, if it lags
	lb                         // Gufler's load balance
	dp                         // DynamicShare's, with times estimated by k-NN
	dpExact                    // the same with exact times
	lbSketch                   // these three on the best of sketchRows hash functions
	dpSketch
	dpSketchExact
	dpPairs // dp on counters that a pair increases by one, not by the length of its list
	schemes
)

// table says what the schemes are. A scheme blind to speeds gives each machine any load alike.
var table = [schemes]struct {
	name                 string
	method               partition.Method
	blind, exact, sketch bool
	look                 draw.Series
}{
	hadoop:        {"Hadoop", partition.Hash, true, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Black, Dash: draw.Dashed}}},
	skewTune:      {"SkewTune", partition.Hash, true, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Green, Dash: draw.DashDot}, Mark: draw.Square, Radius: 2.5}},
	skewTuneLags:  {"SkewTune, splits what lags", partition.Hash, true, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Orange, Dash: draw.DashDot}, Mark: draw.Triangle, Radius: 2.5}},
	lb:            {"LB", partition.LoadBalance, true, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Vermilion, Dash: draw.DashDot}, Mark: draw.Triangle, Radius: 3}},
	dp:            {"DP", partition.DynamicShare, false, false, false, draw.Series{Stroke: draw.Stroke{Color: draw.Blue}, Radius: 2.5}},
	dpExact:       {"DP, exact times", partition.DynamicShare, false, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Blue, Dash: draw.Dotted}, Mark: draw.Ring, Radius: 2.5}},
	lbSketch:      {"LB with sketches", partition.LoadBalance, true, true, true, draw.Series{Stroke: draw.Stroke{Color: draw.Orange}, Mark: draw.Triangle, Radius: 3}},
	dpSketch:      {"DP with sketches", partition.DynamicShare, false, false, true, draw.Series{Stroke: draw.Stroke{Color: draw.Green}, Radius: 2.5}},
	dpSketchExact: {"DP with sketches, exact times", partition.DynamicShare, false, true, true, draw.Series{Stroke: draw.Stroke{Color: draw.Green, Dash: draw.Dotted}, Mark: draw.Ring, Radius: 2.5}},
	dpPairs:       {"DP, pairs counted", partition.DynamicShare, false, false, false, draw.Series{}},
}
