package hfsp

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// rounding is how far a computed time may lie from the exact one, relative to it: a few hundred
// roundings of float64.
const rounding = 1e-13

// fig1Jobs are the three jobs of Figure 1.
var fig1Jobs = []fluid.Job{
	{Arrival: 0, Size: 30, Estimate: 30},
	{Arrival: 10, Size: 10, Estimate: 10},
	{Arrival: 15, Size: 10, Estimate: 10},
}

// A span is one job's constant share of the cluster for a while.
type span struct {
	start, end float64
	job        int
	share      float64 // of the cluster, 0..1
}

func figure1() (report.Figure, error) {
	policies := []fluid.Policy{fluid.PS{}, fluid.SRPT{}, fluid.FSP{}}
	f := report.NewFigure("Figure 1: processor sharing against shortest remaining processing time",
		"Share of the cluster that each job has over time. Job 1 needs 30 s of the whole cluster and arrives at 0 s; jobs 2 and 3 need 10 s each and "+
			"arrive at 10 s and 15 s. Top: PS, bottom: SRPT, where FSP does the same.",
		"policy", "job", "arrival", "size", "start", "end", "usage_percent", "finish")
	f.Shown.Columns = []string{"policy", "job 1 ends (s)", "job 2 ends (s)", "job 3 ends (s)"}
	var charts []*draw.Chart
	finish := make([][]float64, len(policies))
	for k, p := range policies {
		r, err := fluid.Run(1, fig1Jobs, p)
		if err != nil {
			return f, err
		}
		finish[k] = r.Finish
		spans, err := usage(fig1Jobs, r.Finish, p == fluid.PS{})
		if err != nil {
			return f, fmt.Errorf("%v: %w", p, err)
		}
		for _, s := range spans {
			j := fig1Jobs[s.job]
			f.Numbers.Add(p.String(), s.job+1, j.Arrival, j.Size, s.start, s.end, 100*s.share, r.Finish[s.job])
		}
		f.Shown.Show(p.String(), numbers.Short(r.Finish[0]), numbers.Short(r.Finish[1]), numbers.Short(r.Finish[2]))
		if k < 2 {
			charts = append(charts, usageChart(p.String(), fig1Jobs, r.Finish, spans))
		}
	}
	return f.Done(figure1Claims(finish[0], finish[1]), "Two charts of cluster usage over time. Under PS three jobs share the cluster and end at 37.5, 42.5 and 50 seconds. "+
		"Under SRPT job 1 stops while job 2 and then job 3 run; they end at 20, 30 and 50 seconds.", charts...)
}

func figure1Claims(ps, srpt []float64) []report.Claim {
	ends := func(c []float64) string {
		return numbers.Full(c[1]) + " / " + numbers.Full(c[2]) + " / " + numbers.Full(c[0]) + " s"
	}
	equal := func(c []float64, j2, j3, j1 float64) bool {
		return near(c[1], j2, rounding) && near(c[2], j3, rounding) && near(c[0], j1, rounding)
	}
	relation := "equal, within 1e-13 of each time"
	return []report.Claim{
		report.Says("under PS jobs 2, 3 and 1 end at 37.5, 42.5 and 50 s", "37.5 / 42.5 / 50 s", relation,
			"%s", ends(ps)).When(equal(ps, 37.5, 42.5, 50)),
		report.Says("under SRPT jobs 2, 3 and 1 end at 20, 30 and 50 s", "20 / 30 / 50 s", relation, "%s", ends(srpt)).When(equal(srpt, 20, 30, 50)),
	}
}

// usage returns who had how much of one server of speed 1 between arrivals and finishes. Under
// sharing all present jobs have equal shares. Otherwise the server belongs to the present job that
// finishes first: true where the order of two jobs changes only when one of them arrives, as with
// SRPT and FSP and exact sizes. A job whose shares do not add up to its size is an error.
func usage(jobs []fluid.Job, finish []float64, sharing bool) ([]span, error) {
	var times []float64
	for i, j := range jobs {
		times = append(times, j.Arrival, finish[i])
	}
	slices.Sort(times)
	times = slices.Compact(times)
	var spans []span
	work := make([]float64, len(jobs))
	for k := 1; k < len(times); k++ {
		from, to := times[k-1], times[k]
		var present []int
		first := -1
		for i, j := range jobs {
			if j.Arrival <= from && finish[i] >= to {
				present = append(present, i)
				if first < 0 || finish[i] < finish[first] {
					first = i
				}
			}
		}
		if !sharing && first >= 0 {
			present = []int{first}
		}
		for _, i := range present {
			s := span{from, to, i, 1 / float64(len(present))}
			work[i] += s.share * (to - from)
			if last := len(spans) - 1; s.share == 1 && last >= 0 && spans[last] == (span{spans[last].start, from, i, 1}) {
				spans[last].end = to
				continue
			}
			spans = append(spans, s)
		}
	}
	for i, j := range jobs {
		if !near(work[i], j.Size, 100*rounding) {
			return nil, errors.New("job " + strconv.Itoa(i+1) + " has size " + numbers.Full(j.Size) + " but its shares add up to " + numbers.Full(work[i]))
		}
	}
	return spans, nil
}

// usageChart draws the spans, stacked in the order of the jobs' numbers.
func usageChart(name string, jobs []fluid.Job, finish []float64, spans []span) *draw.Chart {
	c := &draw.Chart{Height: 138}
	label := map[string]string{"ps": "PS", "srpt": "SRPT"}[name]
	c.Y = draw.Axis{Label: label + ": usage (%)", Min: 0, Max: 100, Ticks: draw.Ticks(0, 100, 50)}
	c.X = draw.Axis{Min: 0, Max: slices.Max(finish)}
	if name != "ps" { // one label for both charts
		c.X.Label = "time (s)"
	}
	var marks []float64
	for i, j := range jobs {
		marks = append(marks, j.Arrival, finish[i])
	}
	slices.Sort(marks)
	c.X.Ticks = draw.TicksAt(slices.Compact(marks)...)
	var start, base float64
	for k, s := range spans {
		if k == 0 || s.start != start {
			start, base = s.start, 0
		}
		top := math.Min(100, base+100*s.share)
		c.Block(s.start, base, s.end, top, draw.PaintOf(s.job), strconv.Itoa(s.job+1))
		base = top
	}
	for i := range jobs {
		c.Key("job "+strconv.Itoa(i+1), draw.PaintOf(i).Fill)
	}
	return c
}

// near says whether two numbers are equal to a relative tolerance; NaN is near nothing.
func near(x, want, tolerance float64) bool { return math.Abs(x-want) <= tolerance*math.Abs(want) }
