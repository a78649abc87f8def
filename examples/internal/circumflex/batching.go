package circumflex

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/sharedscan"
)

// The ten jobs of Figures 1 to 3. The paper draws them without times; these give its picture. All
// are multiples of a tick, the time that a block takes.
const tick = 0.25

var toyArrivals = []float64{.5, 1.5, 2.5, 4, 5, 6, 10, 11, 15, 16}

// A toyDataset is one of the two datasets.
type toyDataset struct {
	name   string
	jobs   []int // from 0
	blocks int
	window float64 // of batching
	draw.Paint
	pale color.Color
}

var toyDatasets = []toyDataset{
	{"red", []int{0, 1, 3, 5, 7, 9}, 26, 7, draw.PaintOf(3), draw.PaleRed},
	{"blue", []int{2, 4, 6, 8}, 17, 11, draw.PaintOf(0), draw.Pale},
}

// scan is how long one pass takes.
func (d *toyDataset) scan() float64 { return float64(d.blocks) * tick }

// arrivals of the dataset's jobs.
func (d *toyDataset) arrivals() []float64 {
	var list []float64
	for _, j := range d.jobs {
		list = append(list, toyArrivals[j])
	}
	return list
}

// jobList writes jobs as the paper numbers them, from 1.
func jobList(jobs []int) string {
	return numbers.Words(jobs, " ", func(j int) string { return fmt.Sprint(j + 1) })
}

// A toyRun is one block read.
type toyRun struct {
	start  float64
	block  int
	riders []int // jobs; the first drives
}

// A toyScan is what cyclic piggybacking did with one dataset.
type toyScan struct {
	runs  []toyRun
	end   []float64   // by the dataset's order of jobs; NaN if it is still running
	left  map[int]int // blocks that each job had left at the time of the snapshot
	begin []int       // the block at which each joined
}

// play lets a dataset's jobs come and go, one block a tick. At snapshot it notes what is left.
func (d *toyDataset) play(until, snapshot float64) (toyScan, error) {
	c, err := sharedscan.New[int](d.blocks)
	if err != nil {
		return toyScan{}, err
	}
	s := toyScan{end: make([]float64, len(d.jobs)), left: map[int]int{}, begin: make([]int, len(d.jobs))}
	running := int64(0)
	var done []int
	for k := 0; float64(k)*tick <= until; k++ {
		now := float64(k) * tick
		if running > 0 {
			if done, err = c.Finish(done[:0], running); err != nil {
				return s, err
			}
			for _, j := range done {
				s.end[slices.Index(d.jobs, j)] = now
				c.Leave(j)
			}
			running = 0
		}
		for i, j := range d.jobs {
			if toyArrivals[j] == now {
				if s.begin[i], err = c.Join(j, i+1); err != nil {
					return s, err
				}
			}
		}
		if now == snapshot {
			for _, j := range c.Jobs(nil) {
				s.left[j], _ = c.Left(j)
			}
		}
		if b, ok := c.Next(); ok {
			run, err := c.Start(b)
			if err != nil {
				return s, err
			}
			running = run.ID
			r := toyRun{start: now, block: b}
			for _, ride := range run.Rides {
				r.riders = append(r.riders, ride.Job)
			}
			s.runs = append(s.runs, r)
		}
	}
	return s, nil
}

// concurrency returns the number of riders at each tick until a time.
func (s *toyScan) concurrency(until float64) (times, counts []float64) {
	for t := 0.0; t <= until; t += tick {
		times, counts = append(times, t), append(counts, float64(s.at(t)))
	}
	return times, counts
}

// at returns the concurrency at a time.
func (s *toyScan) at(t float64) int {
	for _, r := range s.runs {
		if r.start <= t && t < r.start+tick {
			return len(r.riders)
		}
	}
	return 0
}

// paperTime is the label of an axis of the paper's examples, which have no unit.
const paperTime = "time (time units of the paper)"

// jobRows is a chart with a row for each of the ten jobs, the first on top.
func jobRows(end, height float64) *draw.Chart {
	c := &draw.Chart{Height: height}
	c.X = draw.Axis{Label: paperTime, Min: 0, Max: end, Ticks: draw.Ticks(0, end, 2)}
	c.Y = draw.Rows("job", len(toyArrivals))
	return c
}

// row is where job j's row begins.
func row(j int) float64 { return float64(len(toyArrivals) - 1 - j) }

// Where the axes of Figures 1 and 2 end: behind the last scans.
const (
	figure1End = 28
	figure2End = 23
)

// A batching is Figure 1's batches: for each dataset those of sharedscan.Batches, members as jobs.
type batching [][]sharedscan.Batch

func toyBatches() (batching, error) {
	var all batching
	for i := range toyDatasets {
		d := &toyDatasets[i]
		list, err := sharedscan.Batches(nil, d.arrivals(), d.window, 0)
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			for k, at := range b.Members {
				b.Members[k] = d.jobs[at]
			}
		}
		all = append(all, list)
	}
	return all, nil
}

func figure1(all batching) (report.Figure, error) {
	f := report.NewFigure("Figure 1: batching",
		"Ten jobs scan a red or a blue dataset. Each waits (thin, pale) for the end of its dataset's window, dotted, and is then scanned with all others of this window. The paper's drawing ends before the scans of jobs 9 and 10. "+
			"The paper prints no times: arrivals, windows and scans are chosen to give its picture.",
		"job", "dataset", "arrival", "window_end", "wait", "scan_end", "concurrency")
	f.Shown.Columns = []string{"dataset", "batch starts", "jobs", "concurrency", "mean wait", "largest wait"}
	c := jobRows(figure1End, 250)
	c.Key("wait", draw.Pale)
	for i, list := range all {
		d := &toyDatasets[i]
		c.Key(d.name+" scan", d.Fill)
		for k := 1; float64(k)*d.window <= figure1End; k++ {
			x, ends := float64(k)*d.window, ""
			if k == 1 {
				ends = d.name + " windows end"
			}
			c.Line(ends, []float64{x, x}, []float64{0, float64(len(toyArrivals))}, draw.Stroke{Color: d.Fill, Dash: [...]draw.Dash{draw.Dotted, draw.DashDot}[i], Width: 1})
		}
		for _, b := range list {
			f.Shown.Add(d.name, numbers.Short(b.Start), jobList(b.Members), fmt.Sprint(len(b.Members)), numbers.Short(b.MeanWait), numbers.Short(b.MaxWait))
			for _, j := range b.Members {
				y, end := row(j), b.Start+d.scan()
				f.Numbers.Add(j+1, d.name, toyArrivals[j], b.Start, b.Start-toyArrivals[j], end, len(b.Members))
				c.Area(toyArrivals[j], y+0.35, b.Start, y+0.65, draw.Pale)
				c.Area(b.Start, y+0.1, end, y+0.9, d.Fill)
			}
		}
	}
	return f.Done(claims1(all), "Ten rows, one a job. Red jobs 1, 2, 4 and 6 wait for the end of the first red window and are scanned together, job 8 for the second; blue jobs 3, 5 and 7 "+
		"wait for the first blue window.", c)
}

func claims1(all batching) []report.Claim {
	batchOf := func(j int) *sharedscan.Batch {
		for _, list := range all {
			for k := range list {
				if slices.Contains(list[k].Members, j-1) {
					return &list[k]
				}
			}
		}
		return &sharedscan.Batch{}
	}
	is := func(b *sharedscan.Batch, start float64, jobs ...int) bool {
		for k := range jobs {
			jobs[k]--
		}
		return b.Start == start && slices.Equal(b.Members, jobs)
	}
	model := func(b *sharedscan.Batch) string {
		return fmt.Sprintf("%s: %s, at %s", numbers.Count(len(b.Members), "job"), jobList(b.Members), numbers.Short(b.Start))
	}
	red, alone, blue := batchOf(1), batchOf(8), batchOf(3)
	redWindow, blueWindow := toyDatasets[0].window, toyDatasets[1].window
	return []report.Claim{
		report.Says("red jobs 1, 2, 4 and 6 are scanned together, concurrency 4, at the start of the second window", "jobs 1 2 4 6",
			"this batch, at the end of the first red window", "%s", model(red)).When(is(red, redWindow, 1, 2, 4, 6)),
		report.Says("red job 8 is scanned alone at the beginning of the third window", "job 8",
			"this batch, at the end of the second red window", "%s", model(alone)).When(is(alone, 2*redWindow, 8)),
		report.Says("blue jobs 3, 5 and 7 are scanned with concurrency level 3", "jobs 3 5 7",
			"this batch, at the end of the first blue window", "%s", model(blue)).When(is(blue, blueWindow, 3, 5, 7)),
		report.Says("job 1 incurs a latency of nearly the entire red window", "nearly all", "the largest wait of its batch is at least 9/10 of the window",
			"%s of %s", numbers.Short(red.MaxWait), numbers.Short(redWindow)).When(red.MaxWait >= 0.9*redWindow),
	}
}
