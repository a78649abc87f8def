package circumflex

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/sharedscan"
)

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

func figure1() (report.Figure, error) {
	f := report.NewFigure("Figure 1: batching",
		"Ten jobs scan a red or a blue dataset. Each waits (thin, pale) for the end of its dataset's window, dotted, and is then scanned with all others of this window. The paper's drawing ends before the scans of jobs 9 and 10. "+
			"The paper prints no times: arrivals, windows and scans are chosen to give its picture.",
		"job", "dataset", "arrival", "window_end", "wait", "scan_end", "concurrency")
	f.Shown.Columns = []string{"dataset", "batch starts", "jobs", "concurrency", "mean wait", "largest wait"}
	all, err := toyBatches()
	if err != nil {
		return f, err
	}
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
		{Claim: "red jobs 1, 2, 4 and 6 are scanned together, concurrency 4, at the start of the second window", Published: "jobs 1 2 4 6", Model: model(red),
			Relation: "this batch, at the end of the first red window", Holds: is(red, redWindow, 1, 2, 4, 6)},
		{Claim: "red job 8 is scanned alone at the beginning of the third window", Published: "job 8", Model: model(alone),
			Relation: "this batch, at the end of the second red window", Holds: is(alone, 2*redWindow, 8)},
		{Claim: "blue jobs 3, 5 and 7 are scanned with concurrency level 3", Published: "jobs 3 5 7", Model: model(blue),
			Relation: "this batch, at the end of the first blue window", Holds: is(blue, blueWindow, 3, 5, 7)},
		{Claim: "job 1 incurs a latency of nearly the entire red window", Published: "nearly all", Model: fmt.Sprintf("%s of %s", numbers.Short(red.MaxWait), numbers.Short(redWindow)),
			Relation: "the largest wait of its batch is at least 9/10 of the window", Holds: red.MaxWait >= 0.9*redWindow},
	}
}
