package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
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
