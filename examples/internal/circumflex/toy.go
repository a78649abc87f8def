package circumflex

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
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
	{"red", []int{0, 1, 3, 5, 7, 9}, 26, 7, draw.Paints[3], draw.PaleRed},
	{"blue", []int{2, 4, 6, 8}, 17, 11, draw.Paints[0], draw.Pale},
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
