package circumflex

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/sharedscan"
)

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

func figure9() (report.Figure, error) {
	f := report.NewFigure("Figure 9: shared scans in MapReduce",
		fmt.Sprintf("Three jobs with %d, %d and %d reducers join a dataset of %d blocks one after the other. A column is one block read; its colour is the job that drives, that is, whose output holds the partitions of all; "+
			"the number is the offset of a job's own partitions in it, the reducers of the jobs before it in the block's list.",
			figure9Partitions[0], figure9Partitions[1], figure9Partitions[2], figure9Blocks),
		"run", "block", "driver", "job", "offset", "partitions")
	f.Shown.Columns = []string{"job", "blocks", "reads from the output of", "offset"}
	l, err := figure9Ledger()
	if err != nil {
		return f, err
	}
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
		{Claim: "a job's partition offset is the sum of the partitions of the jobs before it in the block's list", Published: "Appendix C.3", Model: fmt.Sprintf("%d of %d", right, rides), Relation: "all rides", Holds: right == rides && rides > 0},
		{Claim: "reducers of subjob 1 read its own output alone, of subjob 2 that of subjobs 1 and 2, of subjob 3 that of all three", Published: "[1] [1 2] [1 2 3]", Model: fmt.Sprint(drivers),
			Relation: "equal", Holds: slices.EqualFunc(drivers, [][]int{{1}, {1, 2}, {1, 2, 3}}, slices.Equal)},
		{Claim: "every job has every block once", Published: "one pass of the data", Model: fmt.Sprintf("%d of %d jobs", complete, len(l.sources)), Relation: "all jobs", Holds: complete == len(figure9Partitions)},
		{Claim: "when the output of a finished driver is lost, its riders have their blocks read again", Published: "re-executed in the rider's own job", Model: fmt.Sprintf("%d of %d blocks again, in %d runs", again, fromFirst, len(l.reruns)),
			Relation: "all blocks that jobs 2 and 3 had from job 1, driven by one of them", Holds: again == fromFirst && again > 0 && headed},
	}
}
