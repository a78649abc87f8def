package hfsp

import (
	"fmt"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

// The cluster and jobs of the Gantt charts: two machines with three slots for maps and one for
// reduces each; a job of 30 maps, and three smaller ones that come while it runs. All tasks of
// a job take equally long.
const (
	toyMachines = 2
	toyMaps     = 3
	toyReduces  = 1
)

var toyJobs = []slotmodel.JobSpec{
	{Arrival: 0, Maps: slotmodel.Phase{Tasks: 30, Work: 10}, Reduces: slotmodel.Phase{Tasks: 2, Work: 20}, Slowstart: 0.95},
	{Arrival: 12, Maps: slotmodel.Phase{Tasks: 12, Work: 8}, Reduces: slotmodel.Phase{Tasks: 2, Work: 8}, Slowstart: 0.95},
	{Arrival: 18, Maps: slotmodel.Phase{Tasks: 8, Work: 6}, Reduces: slotmodel.Phase{Tasks: 1, Work: 6}, Slowstart: 0.95},
	{Arrival: 26, Maps: slotmodel.Phase{Tasks: 3, Work: 5}, Slowstart: 0.95},
}

// A bar is one attempt in the slot that it held.
type bar struct {
	row        int // maps of machine 0 first, then those of machine 1, then reduces
	job        slotmodel.Job
	kind       slotmodel.Kind
	start, end float64
}

// A slotLog turns the event log into bars: each attempt takes the lowest row of its machine and
// kind that is free.
type slotLog struct {
	busy  []bool
	under map[slotmodel.Attempt]int // place in bars
	bars  []bar
	calls []change
}

// A change of the load and of the slots in use.
type change struct {
	time    float64
	load    int
	running [2]int
}

func newSlotLog() *slotLog {
	return &slotLog{busy: make([]bool, toyMachines*(toyMaps+toyReduces)), under: map[slotmodel.Attempt]int{}}
}

// rows returns the first row of a machine's slots of a kind, and their number.
func rows(n slotmodel.Node, k slotmodel.Kind) (first, count int) {
	if k == slotmodel.Map {
		return int(n) * toyMaps, toyMaps
	}
	return toyMachines*toyMaps + int(n)*toyReduces, toyReduces
}

func (l *slotLog) log(e slotmodel.Event) {
	now := change{time: e.Time}
	if n := len(l.calls); n > 0 {
		now = l.calls[n-1]
		now.time = e.Time
	}
	switch e.Type {
	case slotmodel.Arrived:
		now.load++
	case slotmodel.JobEnded:
		now.load--
	case slotmodel.Started:
		row, count := rows(e.Node, e.Kind)
		for range count - 1 {
			if l.busy[row] {
				row++
			}
		}
		l.busy[row] = true
		l.under[e.Attempt] = len(l.bars)
		l.bars = append(l.bars, bar{row, e.Job, e.Kind, e.Time, e.Time})
		now.running[e.Kind]++
	case slotmodel.Ended:
		b := &l.bars[l.under[e.Attempt]]
		b.end = e.Time
		l.busy[b.row] = false
		now.running[e.Kind]--
	default:
		return
	}
	if n := len(l.calls); n > 0 && l.calls[n-1].time == e.Time {
		l.calls[n-1] = now // only how an instant ends is drawn
		return
	}
	l.calls = append(l.calls, now)
}

// figureGantt runs the toy workload under FAIR and HFSP.
func figureGantt() (report.Figure, error) {
	f := report.NewFigure("Gantt chart of a small run, FAIR and HFSP",
		"Slots of two machines over time, from the event log: rows M are for maps, R for reduces; numbers are jobs. FAIR lets all jobs run side by side; HFSP runs samples of "+
			"each, and then the jobs one after the other by virtual finish. Below: jobs present and slots in use.",
		"policy", "slot", "kind", "job", "start_s", "end_s")
	f.Shown.Columns = []string{"policy", "job 1 ends (s)", "job 2", "job 3", "job 4", "mean sojourn (s)"}
	c := &slotmodel.Cluster{}
	for range toyMachines {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Maps: toyMaps, Reduces: toyReduces})
	}
	names := [...]string{fair: "FAIR", byHFSP: "HFSP"}
	var logs [2]*slotLog
	var finish [2][]float64
	var means [2]float64
	end := 0.0
	for x := range logs {
		p := contenders[x].make(nil)
		logs[x] = newSlotLog()
		r, err := slotmodel.Run(c, toyJobs, p.(slotmodel.Policy), slotmodel.Options{Log: logs[x].log})
		if err != nil {
			return f, err
		}
		row := []string{names[x]}
		for i := range r.Jobs {
			finish[x] = append(finish[x], r.Jobs[i].Finish)
			means[x] += (r.Jobs[i].Finish - toyJobs[i].Arrival) / float64(len(toyJobs))
			row = append(row, report.Short(r.Jobs[i].Finish))
		}
		f.Shown.Rows = append(f.Shown.Rows, append(row, report.Short(means[x])))
		for _, b := range logs[x].bars {
			f.Numbers.Add(contenders[x].name, slotName(b.row), b.kind.String(), int(b.job)+1, b.start, b.end)
		}
		end = max(end, r.End)
	}
	var charts []*draw.Chart
	for x := range logs {
		charts = append(charts, logs[x].chart(names[x], end))
	}
	charts = append(charts, timeline(logs, end)...)
	smaller := finish[byHFSP][1] <= finish[fair][1] && finish[byHFSP][2] <= finish[fair][2] && finish[byHFSP][3] <= finish[fair][3]
	return f.Done([]report.Claim{{Claim: "size-based scheduling completes small jobs earlier, and the large one does not suffer", Published: "Figure 1, in tasks and slots",
		Model:    fmt.Sprintf("mean sojourn %s s under HFSP, %s s under FAIR; job 1 ends at %s and %s s", report.Short(means[byHFSP]), report.Short(means[fair]), report.Short(finish[byHFSP][0]), report.Short(finish[fair][0])),
		Relation: "jobs 2 to 4 end no later under HFSP than under FAIR, job 1 at most one task later",
		Holds:    smaller && finish[byHFSP][0] <= finish[fair][0]+20, Note: "whole slots and tasks that are not preempted take from small jobs what the order gives them"}}, fmt.Sprintf("Two Gantt charts of eight slots, FAIR above HFSP, and two timelines. Mean sojourn time %s s under FAIR, %s s under HFSP.",
		report.Short(means[fair]), report.Short(means[byHFSP])), charts...)
}

func slotName(row int) string {
	if row < toyMachines*toyMaps {
		return "M" + strconv.Itoa(row+1)
	}
	return "R" + strconv.Itoa(row+1-toyMachines*toyMaps)
}

// chart draws the bars.
func (l *slotLog) chart(name string, end float64) *draw.Chart {
	n := len(l.busy)
	c := &draw.Chart{Height: 150}
	c.X = draw.Axis{Label: "time (s)", Min: 0, Max: end}
	c.Y = draw.Axis{Label: name, Min: 0, Max: float64(n), NoLine: true}
	for row := range n {
		c.Y.Ticks = append(c.Y.Ticks, draw.Tick{At: float64(n-row) - 0.5, Label: slotName(row)})
	}
	for _, b := range l.bars {
		y := float64(n - b.row - 1)
		c.Block(b.start, y+0.05, b.end, y+0.95, draw.PaintOf(int(b.job)), strconv.Itoa(int(b.job)+1))
	}
	if name == "FAIR" {
		for j := range toyJobs {
			c.Key("job "+strconv.Itoa(j+1), draw.PaintOf(j).Fill)
		}
	}
	return c
}

// timeline draws the load and the slots in use over time.
func timeline(logs [2]*slotLog, end float64) []*draw.Chart {
	load := &draw.Chart{Height: 110, GridY: true}
	load.Y = draw.Axis{Label: "jobs", Min: 0, Max: float64(len(toyJobs)) + 0.2, Ticks: draw.Ticks(0, 4, 1)}
	slots := &draw.Chart{Height: 130, GridY: true}
	slots.Y = draw.Axis{Label: "slots in use", Min: 0, Max: float64(len(logs[0].busy)) + 0.2, Ticks: draw.Ticks(0, 8, 2)}
	load.X, slots.X = draw.Axis{Label: "time (s)", Min: 0, Max: end}, draw.Axis{Label: "time (s)", Min: 0, Max: end}
	for x, name := range [...]string{fair: "FAIR", byHFSP: "HFSP"} {
		var times, jobs, used []float64
		for _, c := range logs[x].calls {
			times, jobs, used = append(times, c.time), append(jobs, float64(c.load)), append(used, float64(c.running[0]+c.running[1]))
		}
		load.Steps(name, times, jobs, rivalStrokes[x])
		slots.Steps("", times, used, rivalStrokes[x])
	}
	return []*draw.Chart{load, slots}
}
