package circumflex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/sharedscan"
)

// figure4Scans are three overlapping sets of blocks of which the first and the last meet only where
// the second is, as in the paper's drawing: six of the seven regions that three sets can have.
var figure4Scans = [][]int{{0, 1, 2, 3, 4}, {2, 3, 4, 5, 6, 7}, {4, 6, 7, 8, 9, 10}}

func figure4() (report.Figure, error) {
	f := report.NewFigure("Figure 4: semi-shared scans",
		"Three jobs scan overlapping sets of blocks (top, a column a block). Blocks that the same jobs need are one subjob; the numbers are the subjobs. Bottom: their precedence, from the most overlapped to "+
			"the least; only arcs that others do not imply.",
		"subjob", "blocks", "members", "completes", "before")
	f.Shown.Columns = []string{"subjob", "blocks", "for jobs", "completes job", "before"}
	blocks := slices.Max(slices.Concat(figure4Scans...)) + 1
	v, err := sharedscan.Regions(figure4Scans, slices.Repeat([]float64{1}, blocks))
	if err != nil {
		return f, err
	}
	sets := blockChart(figure4Scans, &v, blocks)
	for k, r := range v.Regions {
		var before []int
		for _, n := range v.Graph.Succs(k) {
			before = append(before, int(n))
		}
		completes := "none"
		if r.Completes >= 0 {
			completes = fmt.Sprint(r.Completes + 1)
		}
		f.Numbers.Add(k+1, r.Work, jobList(r.Members), completes, jobList(before))
		f.Shown.Add(fmt.Sprint(k+1), numbers.Short(r.Work), jobList(r.Members), completes, jobList(before))
	}
	return f.Done(claims4(&v), "Three rows of blocks cut into six subjobs, and a graph of these: the one that all three jobs need comes before those of two, these before those of one.", sets, graphChart(&v))
}

// blockChart shows which blocks each scan needs, and the subjob that each block belongs to.
func blockChart(scans [][]int, v *sharedscan.Venn, end int) *draw.Chart {
	n := float64(len(scans))
	c := &draw.Chart{Height: 120, X: draw.Axis{Label: "block", Max: float64(end), Ticks: []draw.Tick{}}, Y: draw.Rows("job", len(scans))}
	for i, scan := range scans {
		y := n - float64(i) - 1
		blocks := slices.Compact(slices.Sorted(slices.Values(scan)))
		for k := 0; k < len(blocks); { // neighbours of one subjob are one area
			first, region := blocks[k], v.Of[blocks[k]]
			for k++; k < len(blocks) && blocks[k] == blocks[k-1]+1 && v.Of[blocks[k]] == region; k++ {
			}
			last := blocks[k-1] + 1
			p := draw.PaintOf(int(region))
			c.Area(float64(first), y+0.1, float64(last), y+0.9, p.Fill)
			c.Text(float64(first+last)/2, y+0.5, fmt.Sprint(region+1), p.Text)
		}
	}
	return c
}

// graphChart draws the regions by number of members, the most at the left, with the arcs between
// them.
func graphChart(v *sharedscan.Venn) *draw.Chart {
	c := &draw.Chart{Height: 130}
	c.X = draw.Axis{Min: 0, Max: 1, NoLine: true, Ticks: []draw.Tick{}}
	c.Y = draw.Axis{Min: 0, Max: 1, NoLine: true, Ticks: []draw.Tick{}}
	var levels [][]int
	for k := range v.Regions {
		if k == 0 || len(v.Regions[k].Members) != len(v.Regions[k-1].Members) {
			levels = append(levels, nil)
		}
		last := len(levels) - 1
		levels[last] = append(levels[last], k)
	}
	xs, ys := make([]float64, len(v.Regions)), make([]float64, len(v.Regions))
	for l, level := range levels {
		for i, k := range level {
			xs[k] = (float64(l) + 0.5) / float64(len(levels))
			ys[k] = 1 - (float64(i)+0.5)/float64(len(level))
		}
	}
	const wide, high = 0.075, 0.11 // half of a box
	for k := range v.Regions {
		for _, n := range v.Graph.Succs(k) {
			c.Arrow(xs[k]+wide, ys[k], xs[n]-wide, ys[n], draw.Stroke{Color: draw.Black, Width: 1})
		}
	}
	for k, r := range v.Regions {
		p := draw.PaintOf(k)
		c.Area(xs[k]-wide, ys[k]-high, xs[k]+wide, ys[k]+high, p.Fill)
		c.Text(xs[k], ys[k], fmt.Sprintf("%d: {%s}", k+1, strings.ReplaceAll(jobList(r.Members), " ", ",")), p.Text)
	}
	return c
}

func claims4(v *sharedscan.Venn) []report.Claim {
	var sizes [4]int // regions by number of members
	for _, r := range v.Regions {
		sizes[len(r.Members)]++
	}
	arcs, inward := 0, 0
	for k := range v.Regions {
		for _, n := range v.Graph.Succs(k) {
			arcs++
			if !slices.ContainsFunc(v.Regions[n].Members, func(j int) bool { return !slices.Contains(v.Regions[k].Members, j) }) {
				inward++
			}
		}
	}
	return []report.Claim{
		report.Says("three overlapping arrivals make 6 subjobs: a three-way intersection, two two-way ones and three of one job", "1 + 2 + 3",
			"equal", "%d + %d + %d", sizes[3], sizes[2], sizes[1]).When(sizes == [4]int{0, 3, 2, 1}),
		report.Says("the order goes from most overlapped to least overlapped subset", "arrows of the drawing", "all arcs",
			"%d of %d arcs go to a subset of the jobs", inward, arcs).When(inward == arcs && arcs > 0),
	}
}

// Figure 9's three jobs: reducers of each, blocks of the dataset, and how many of them are read
// between two arrivals.
var figure9Partitions = []int{4, 3, 2}

const (
	figure9Blocks = 12
	figure9Gap    = 3
)

// A ledger is who read what for whom, job numbers from 1.
type ledger struct {
	runs    []sharedscan.Run[int]
	sources [][]sharedscan.Source[int] // by job
	reruns  []sharedscan.Rerun[int]    // when the first job, and all it read, is lost
}

func figure9Ledger() (ledger, error) {
	var l ledger
	c, err := sharedscan.New[int](figure9Blocks)
	if err != nil {
		return l, err
	}
	for joined := 0; ; {
		if joined < len(figure9Partitions) && len(l.runs) == joined*figure9Gap {
			joined++
			if _, err := c.Join(joined, figure9Partitions[joined-1]); err != nil {
				return l, err
			}
		}
		b, ok := c.Next()
		if !ok {
			break
		}
		run, err := c.Start(b)
		if err != nil {
			return l, err
		}
		l.runs = append(l.runs, run)
		if _, err := c.Finish(nil, run.ID); err != nil {
			return l, err
		}
	}
	for j := range figure9Partitions {
		l.sources = append(l.sources, c.Sources(nil, j+1))
	}
	l.reruns, err = c.Fail(nil, 1)
	return l, err
}

func figure9(l ledger) (report.Figure, error) {
	f := report.NewFigure("Figure 9: shared scans in MapReduce",
		fmt.Sprintf("Three jobs with %d, %d and %d reducers join a dataset of %d blocks one after the other. A column is one block read; its colour is the job that drives, that is, whose output holds the partitions of all; "+
			"the number is the offset of a job's own partitions in it, the reducers of the jobs before it in the block's list.",
			figure9Partitions[0], figure9Partitions[1], figure9Partitions[2], figure9Blocks),
		"run", "block", "driver", "job", "offset", "partitions")
	f.Shown.Columns = []string{"job", "blocks", "reads from the output of", "offset"}
	c := &draw.Chart{Height: 130}
	n := float64(len(figure9Partitions))
	c.X = draw.Axis{Label: "block read", Min: 0, Max: float64(len(l.runs))}
	c.Y = draw.Rows("job", len(figure9Partitions))
	for j := range figure9Partitions {
		c.Key(fmt.Sprintf("job %d drives", j+1), draw.PaintOf(j).Fill)
	}
	for k, r := range l.runs {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(k) + 0.5, Label: fmt.Sprint(r.Block + 1)})
		p := draw.PaintOf(r.Rides[0].Job - 1)
		for _, ride := range r.Rides {
			y := n - float64(ride.Job)
			f.Numbers.Add(int(r.ID), r.Block+1, r.Rides[0].Job, ride.Job, ride.Offset, ride.Partitions)
			c.Block(float64(k), y+0.1, float64(k)+1, y+0.9, p, fmt.Sprint(ride.Offset))
		}
	}
	for j, list := range l.sources {
		for driver := range l.sources {
			of := slices.DeleteFunc(slices.Clone(list), func(s sharedscan.Source[int]) bool { return s.Driver != driver+1 })
			if len(of) > 0 { // an offset is the same in all of a driver's output
				f.Shown.Add(fmt.Sprint(j+1), fmt.Sprint(len(of)), fmt.Sprintf("job %d", driver+1), fmt.Sprint(of[0].Offset))
			}
		}
	}
	return f.Done(claims9(&l), "Three rows, one a job, and a column for each block read, in the colour of the job that drives, with the offset of each job's partitions.", c)
}

func claims9(l *ledger) []report.Claim {
	rides, right := 0, 0
	for _, r := range l.runs {
		offset := 0
		for _, ride := range r.Rides {
			rides++
			if ride.Offset == offset {
				right++
			}
			offset += figure9Partitions[ride.Job-1]
		}
	}
	var drivers [][]int
	complete := 0
	fromFirst := 0 // blocks that others have from the first job
	for j, list := range l.sources {
		var by, blocks []int
		for _, s := range list {
			by, blocks = append(by, s.Driver), append(blocks, s.Block)
			if j > 0 && s.Driver == 1 {
				fromFirst++
			}
		}
		slices.Sort(blocks)
		if len(slices.Compact(blocks)) == figure9Blocks && len(list) == figure9Blocks {
			complete++
		}
		slices.Sort(by)
		drivers = append(drivers, slices.Compact(by))
	}
	again, headed := 0, true
	for _, r := range l.reruns {
		again += r.Again
		headed = headed && len(r.Rides) > 0 && r.Rides[0].Job != 1
	}
	return []report.Claim{
		report.Says("a job's partition offset is the sum of the partitions of the jobs before it in the block's list", "Appendix C.3",
			"all rides", "%d of %d", right, rides).When(right == rides && rides > 0),
		report.Says("reducers of subjob 1 read its own output alone, of subjob 2 that of subjobs 1 and 2, of subjob 3 that of all three", "[1] [1 2] [1 2 3]",
			"equal", "%v", drivers).When(slices.EqualFunc(drivers, [][]int{{1}, {1, 2}, {1, 2, 3}}, slices.Equal)),
		report.Says("every job has every block once", "one pass of the data", "all jobs",
			"%d of %d jobs", complete, len(l.sources)).When(complete == len(figure9Partitions)),
		report.Says("when the output of a finished driver is lost, its riders have their blocks read again", "re-executed in the rider's own job",
			"all blocks that jobs 2 and 3 had from job 1, driven by one of them", "%d of %d blocks again, in %d runs", again, fromFirst, len(l.reruns)).When(again == fromFirst && again > 0 && headed),
	}
}
