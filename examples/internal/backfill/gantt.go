package backfill

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

const hour = 3600.

// A hole is a job that waits at an instant although it would fit what is free and not move the
// start of the first job that waits.
type hole struct {
	at  float64
	job int
}

// holes lists those at arrivals, starts and ends, by definition: the first job that waits is to
// start when enough of what runs has ended as requested. It also tells what is free while jobs
// wait, in processor seconds by hour.
func (l *Log) holes(starts []float64) (list []hole, unused map[float64]float64) {
	var instants []float64
	for i, s := range starts {
		instants = append(instants, l.Jobs[i].Arrival, s, s+l.Jobs[i].Maps.Work)
	}
	slices.Sort(instants)
	instants = slices.Compact(instants)
	unused = map[float64]float64{}
	for k, now := range instants[:len(instants)-1] {
		var waiting, running []int
		free := l.Processors
		for i, j := range l.Jobs {
			switch {
			case j.Arrival <= now && now < starts[i]:
				waiting = append(waiting, i)
			case starts[i] <= now && now < starts[i]+j.Maps.Work:
				running, free = append(running, i), free-j.Maps.Tasks
			}
		}
		if len(waiting) == 0 {
			continue
		}
		unused[hour*math.Floor(now/hour)] += float64(free) * (instants[k+1] - now)
		slices.SortFunc(running, func(a, b int) int {
			return cmp.Compare(starts[a]+l.Jobs[a].Requested, starts[b]+l.Jobs[b].Requested)
		})
		head := l.Jobs[waiting[0]].Maps.Tasks
		then, reserved := free, now
		for _, i := range running {
			if end := starts[i] + l.Jobs[i].Requested; then < head || end == reserved {
				then, reserved = then+l.Jobs[i].Maps.Tasks, end
			}
		}
		for k, i := range waiting {
			if j := &l.Jobs[i]; j.Maps.Tasks <= free && (k == 0 || now+j.Requested <= reserved || j.Maps.Tasks <= then-head) {
				list = append(list, hole{now, i})
			}
		}
	}
	return list, unused
}

// overtook reports of each job whether one that came before it started after it.
func (l *Log) overtook(starts []float64) []bool {
	latest := math.Inf(-1)
	passed := make([]bool, len(starts))
	for i, s := range starts {
		passed[i] = s < latest
		latest = max(latest, s)
	}
	return passed
}

// toShow is the begin of the hour with the greatest product of starts out of turn and of what is
// unused: both are to be seen.
func (l *Log) toShow(starts []float64, unused map[float64]float64) (from float64) {
	count := map[float64]float64{}
	for i, passed := range l.overtook(starts) {
		at := hour * math.Floor(starts[i]/hour)
		if passed {
			count[at]++
		}
		if x, best := count[at]*unused[at], count[from]*unused[from]; x > best || x == best && at < from {
			from = at
		}
	}
	return from
}

// A shown job holds rows of processors in the picture.
type shown struct {
	job        int
	from, to   float64
	low, count int // processors
}

// place gives each job of the hour processors, the lowest that are free at its start: pieces of
// neighbours.
func (l *Log) place(starts []float64, from, to float64) (list []shown) {
	order := make([]int, len(starts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(starts[a], starts[b]), cmp.Compare(a, b)) })
	until := make([]float64, l.Processors)
	for _, i := range order {
		left, end := l.Jobs[i].Maps.Tasks, starts[i]+l.Jobs[i].Maps.Work
		for p := 0; p < l.Processors && left > 0; p++ {
			if until[p] > starts[i] {
				continue
			}
			until[p] = end
			left--
			if n := len(list); n > 0 && list[n-1].job == i && list[n-1].low+list[n-1].count == p {
				list[n-1].count++
			} else {
				list = append(list, shown{i, starts[i], end, p, 1})
			}
		}
	}
	return slices.DeleteFunc(list, func(s shown) bool { return s.to <= from || s.from >= to })
}

func (e *experiment) gantt() (report.Figure, error) {
	f := report.NewFigure("An hour and its holes", "One synthetic log under EASY, in an hour with many starts out of turn and large holes. White: free processors. No job that waits fits a hole without putting off the first one.",
		"job", "start_s", "end_s", "processor", "processors", "overtook")
	l, err := synthetic(e.seed, 0, e.jobs)
	if err != nil {
		return f, err
	}
	starts, err := play(&l, list[easy].make())
	if err != nil {
		return f, err
	}
	inOrder, err := play(&l, list[fcfs].make())
	if err != nil {
		return f, err
	}
	underEASY, unused := l.holes(starts)
	underFCFS, _ := l.holes(inOrder)
	from := l.toShow(starts, unused)
	passed := l.overtook(starts)
	c := &draw.Chart{Height: 260, X: draw.Axis{Label: "minutes", Max: 60, Ticks: draw.Ticks(0, 60, 10)}, Y: draw.Axis{Label: "processors", Max: float64(l.Processors)}}
	for _, s := range l.place(starts, from, from+hour) {
		p, word := draw.PaintOf(2), "no"
		if passed[s.job] {
			p, word = draw.PaintOf(1), "yes"
		}
		f.Numbers.Add(s.job, s.from-from, s.to-from, s.low, s.count, word)
		minute := func(at float64) float64 { return min(max(at-from, 0), hour) / 60 }
		c.Block(minute(s.from), float64(s.low), minute(s.to), float64(s.low+s.count), p, fmt.Sprint(s.job))
	}
	c.Key("in turn", draw.PaintOf(2).Fill)
	c.Key("overtook", draw.PaintOf(1).Fill)
	return f.Done(ganttClaims(underEASY, underFCFS), "Blocks of jobs over processors and minutes; small ones that overtook fill gaps beside large ones.", c)
}

func ganttClaims(underEASY, inOrder []hole) []report.Claim {
	row := func(statement, published, relation, note string, n int, holds bool) report.Claim {
		return report.Claim{Claim: statement, Published: published, Model: numbers.Count(n, "hole"), Relation: relation, Holds: holds, Margin: math.Inf(1), Note: note}
	}
	return []report.Claim{
		row("EASY leaves no hole in which a job that waits fits", "Lifka 1995: what does not delay the first job starts",
			"at no arrival, start or end of the log a job fits beside the reservation", "a job that fits waits", len(underEASY), len(underEASY) == 0),
		row("FCFS leaves such holes", "Lifka 1995: why to backfill", "at some arrival, start or end of the log a job fits", "nobody waits who would fit", len(inOrder), len(inOrder) > 0),
	}
}
