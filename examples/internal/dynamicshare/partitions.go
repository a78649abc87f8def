package dynamicshare

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
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
	// skewnesses in percent at as many partitions as reduces. The first stands for equal lists,
	// whose partitions differ a little.
	skewnesses = []float64{0, 20, 40, 60, 80}
	// partitions are the numbers of partitions of a job.
	partitions = []int{reduces, 25, 30, 35, 40, mostPartitions}
)

// Places in jobs and skewnesses.
const (
	onTwitter, onYouTube = 0, 1
	middle, steepest     = 2, 4
)

// A scheme decides which machine gets which partitions.
type scheme int

const (
	hadoop   scheme = iota // partition i to machine i, as many as reduces
	skewTune               // hadoop, and what is unread of the slowest task split anew when a machine becomes idle
	lb                     // Gufler's load balance
	dp                     // DynamicShare's, with times estimated by k-NN
	dpExact                // the same with exact times
	lbSketch               // these three on the best of sketchRows hash functions
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
	lb:            {"LB", partition.LoadBalance, true, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Vermilion, Dash: draw.DashDot}, Mark: draw.Triangle, Radius: 3}},
	dp:            {"DP", partition.DynamicShare, false, false, false, draw.Series{Stroke: draw.Stroke{Color: draw.Blue}, Radius: 2.5}},
	dpExact:       {"DP, exact times", partition.DynamicShare, false, true, false, draw.Series{Stroke: draw.Stroke{Color: draw.Blue, Dash: draw.Dotted}, Mark: draw.Ring, Radius: 2.5}},
	lbSketch:      {"LB with sketches", partition.LoadBalance, true, true, true, draw.Series{Stroke: draw.Stroke{Color: draw.Orange}, Mark: draw.Triangle, Radius: 3}},
	dpSketch:      {"DP with sketches", partition.DynamicShare, false, false, true, draw.Series{Stroke: draw.Stroke{Color: draw.Green}, Radius: 2.5}},
	dpSketchExact: {"DP with sketches, exact times", partition.DynamicShare, false, true, true, draw.Series{Stroke: draw.Stroke{Color: draw.Green, Dash: draw.Dotted}, Mark: draw.Ring, Radius: 2.5}},
	dpPairs:       {"DP, pairs counted", partition.DynamicShare, false, false, false, draw.Series{}},
}
